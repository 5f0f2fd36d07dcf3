package patch

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/linstor-cmp/linstor-cmp/internal/manifest"
)

// operation is one operation of an RFC 6902 patch.
type operation struct {
	op         string
	path, from pointer
	value      any
	line       int // 1-based, in the file
}

// pointer is a parsed RFC 6901 JSON pointer; nil points to the whole document.
type pointer []string

func parsePointer(text string) (pointer, error) {
	if text == "" {
		return nil, nil
	}
	if text[0] != '/' {
		return nil, fmt.Errorf("the pointer %q does not begin with /", text)
	}
	parts := strings.Split(text[1:], "/")
	for i, p := range parts {
		for rest := p; ; {
			_, after, found := strings.Cut(rest, "~")
			if !found {
				break
			}
			if after == "" || after[0] != '0' && after[0] != '1' {
				return nil, fmt.Errorf("the pointer %q has a ~ that is neither ~0 nor ~1", text)
			}
			rest = after
		}
		parts[i] = strings.ReplaceAll(strings.ReplaceAll(p, "~1", "/"), "~0", "~")
	}
	return parts, nil
}

func (p pointer) String() string {
	var b strings.Builder
	for _, s := range p {
		b.WriteByte('/')
		b.WriteString(strings.ReplaceAll(strings.ReplaceAll(s, "~", "~0"), "/", "~1"))
	}
	return b.String()
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

// get returns the value at a pointer.
func get(doc any, p pointer) (any, error) {
	for i, step := range p {
		switch x := doc.(type) {
		case map[string]any:
			v, ok := x[step]
			if !ok {
				return nil, fmt.Errorf("there is no %s", p[:i+1])
			}
			doc = v
		case []any:
			n, err := index(step, len(x), false)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", p[:i+1], err)
			}
			doc = x[n]
		default:
			return nil, fmt.Errorf("%s is %s, which has no members", orWhole(p[:i]), manifest.Describe(doc))
		}
	}
	return doc, nil
}

// index parses an index into a list of a length; the end itself is one where
// something is added.
func index(step string, length int, end bool) (int, error) {
	n, err := strconv.Atoi(step)
	if err != nil || n < 0 || strconv.Itoa(n) != step {
		return 0, fmt.Errorf("%q is no index of a list", step)
	}
	if n > length || n == length && !end {
		return 0, fmt.Errorf("index %d is beyond the end of a list of %d", n, length)
	}
	return n, nil
}

// edit replaces the parent container of a pointer by what f makes of it.
func edit(doc any, p pointer, f func(parent any, last string) (any, error)) (any, error) {
	if len(p) == 1 {
		return f(doc, p[0])
	}
	child, err := get(doc, p[:1])
	if err != nil {
		return nil, err
	}
	child, err = edit(child, p[1:], f)
	if err != nil {
		return nil, err
	}
	return set(doc, p[:1], child)
}

// set overwrites an existing member.
func set(doc any, p pointer, v any) (any, error) {
	return edit(doc, p, func(parent any, last string) (any, error) {
		switch x := parent.(type) {
		case map[string]any:
			x[last] = v
		case []any:
			n, err := index(last, len(x), false)
			if err != nil {
				return nil, err
			}
			x[n] = v
		}
		return parent, nil
	})
}

func add(doc any, p pointer, v any) (any, error) {
	if len(p) == 0 {
		return v, nil
	}
	if _, err := get(doc, p[:len(p)-1]); err != nil {
		return nil, err
	}
	return edit(doc, p, func(parent any, last string) (any, error) {
		switch x := parent.(type) {
		case map[string]any:
			x[last] = v
			return x, nil
		case []any:
			if last == "-" {
				return append(x, v), nil
			}
			n, err := index(last, len(x), true)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", p, err)
			}
			return slices.Insert(x, n, v), nil
		}
		return nil, fmt.Errorf("%s is %s, which has no members", orWhole(p[:len(p)-1]), manifest.Describe(parent))
	})
}

func remove(doc any, p pointer) (removed, rest any, err error) {
	removed, err = get(doc, p)
	if err != nil || len(p) == 0 {
		return removed, nil, err
	}
	rest, err = edit(doc, p, func(parent any, last string) (any, error) {
		switch x := parent.(type) {
		case map[string]any:
			delete(x, last)
		case []any:
			n, err := index(last, len(x), false)
			if err != nil {
				return nil, err
			}
			return slices.Delete(x, n, n+1), nil
		}
		return parent, nil
	})
	return removed, rest, err
}

func orWhole(p pointer) string {
	if len(p) == 0 {
		return "the document"
	}
	return p.String()
}
