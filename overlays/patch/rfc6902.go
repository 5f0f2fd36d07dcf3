package patch

import (
	"fmt"
	"slices"

	"github.com/linstor-cmp/linstor-cmp/internal/manifest"
)

// operation is one operation of an RFC 6902 patch.
type operation struct {
	op         string
	path, from pointer
	value      any
	line       int // 1-based, in the file
}

// parseOperations reads the operations of a decoded patch, strictly: what an
// operation needs must be there; members that RFC 6902 does not know are
// ignored, as it says.
func parseOperations(list []any) ([]operation, error) {
	ops := make([]operation, 0, len(list))
	for i, e := range list {
		m, ok := e.(map[string]any)
		if !ok {
			return nil, fmt.Errorf("operation %d: want a mapping with op and path, found %s", i, manifest.Describe(e))
		}
		o, err := parseOperation(m)
		if err != nil {
			return nil, fmt.Errorf("operation %d: %w", i, err)
		}
		ops = append(ops, o)
	}
	return ops, nil
}

func parseOperation(m map[string]any) (operation, error) {
	var o operation
	o.op, _ = m["op"].(string)
	if !slices.Contains([]string{"add", "remove", "replace", "move", "copy", "test"}, o.op) {
		return o, fmt.Errorf("want op add, remove, replace, move, copy or test, found %s", manifest.Describe(m["op"]))
	}
	read := func(name string) (pointer, error) {
		text, ok := m[name].(string)
		if !ok {
			return nil, fmt.Errorf("%s needs a %s", o.op, name)
		}
		return parsePointer(text)
	}
	var err error
	if o.path, err = read("path"); err != nil {
		return o, err
	}
	switch o.op {
	case "move", "copy":
		if o.from, err = read("from"); err != nil {
			return o, err
		}
		if o.op == "move" && len(o.from) < len(o.path) && slices.Equal(o.from, o.path[:len(o.from)]) {
			return o, fmt.Errorf("cannot move %s into itself", o.from)
		}
	case "add", "replace", "test":
		var ok bool
		if o.value, ok = m["value"]; !ok {
			return o, fmt.Errorf("%s %s needs a value", o.op, o.path)
		}
	}
	return o, nil
}

// applyOperations applies RFC 6902 operations to doc, which it may change, and
// returns the result. It reports whether the outcome depends on what a
// placeholder will be filled with: then the result holds for no node.
func applyOperations(doc any, ops []operation) (result any, perNode bool, err error) {
	copied := 0
	for i, o := range ops {
		var dep bool
		if o.op == "copy" {
			if v, err := get(doc, o.from); err == nil {
				copied += count(v)
			}
			if copied > maxCopied {
				return nil, perNode, &operationError{i, o, fmt.Errorf("the patch copies more than %d values", maxCopied)}
			}
		}
		doc, dep, err = o.apply(doc)
		perNode = perNode || dep
		if err != nil {
			return nil, perNode, &operationError{i, o, err}
		}
	}
	return doc, perNode, nil
}

// maxCopied bounds how many values the copy operations of a patch may make: a
// few lines can double a document many times.
const maxCopied = 100_000

func count(v any) int {
	n := 1
	switch x := v.(type) {
	case []any:
		for _, e := range x {
			n += count(e)
		}
	case map[string]any:
		for _, e := range x {
			n += count(e)
		}
	}
	return n
}

type operationError struct {
	index int
	o     operation
	err   error
}

func (e *operationError) Error() string {
	return fmt.Sprintf("operation %d (%s %s): %v", e.index, e.o.op, e.o.path, e.err)
}

func (e *operationError) Unwrap() error { return e.err }

func (o operation) apply(doc any) (any, bool, error) {
	switch o.op {
	case "add":
		doc, err := add(doc, o.path, manifest.Clone(o.value))
		return doc, false, err
	case "remove":
		_, doc, err := remove(doc, o.path)
		return doc, false, err
	case "replace":
		if len(o.path) == 0 {
			return manifest.Clone(o.value), false, nil
		}
		if _, err := get(doc, o.path); err != nil {
			return nil, false, err
		}
		doc, err := set(doc, o.path, manifest.Clone(o.value))
		return doc, false, err
	case "move":
		v, rest, err := remove(doc, o.from)
		if err != nil {
			return nil, false, err
		}
		doc, err := add(rest, o.path, v)
		return doc, manifest.HasPlaceholder(v), err
	case "copy":
		v, err := get(doc, o.from)
		if err != nil {
			return nil, false, err
		}
		doc, err := add(doc, o.path, manifest.Clone(v))
		return doc, manifest.HasPlaceholder(v), err
	}
	v, err := get(doc, o.path)
	if err != nil {
		return nil, false, err
	}
	if !manifest.Equal(v, o.value) {
		return nil, manifest.HasPlaceholder(v), fmt.Errorf("the value there is %s, not %s", manifest.Describe(v), manifest.Describe(o.value))
	}
	return doc, false, nil
}
