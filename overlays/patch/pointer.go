package patch

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/linstor-cmp/linstor-cmp/internal/manifest"
)

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
