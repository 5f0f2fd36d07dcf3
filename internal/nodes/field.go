package nodes

import "fmt"

// maxKept bounds the text that one object may keep, in bytes: more than etcd
// stores of one object (1.5 MiB). A mapping, a member or an element counts
// perMember on top of its texts.
const (
	maxKept   = 4 << 20
	perMember = 64
)

// room tells whether n more bytes may be kept of the object at hand.
func (d *decoder) room(n, line int) error {
	if n > d.budget {
		return d.src.errorf(line, "the object holds more text than Kubernetes stores of one (%d MiB)", maxKept>>20)
	}
	return nil
}

func (d *decoder) spend(n, line int) error {
	if err := d.room(n, line); err != nil {
		return err
	}
	d.budget -= n
	return nil
}

// mapping reads a mapping; null counts as an empty one.
func (d *decoder) mapping(at string, line int, v value, f func(key string, line int, v value) error) error {
	switch v.kind() {
	case null:
		return nil
	case mapping:
	default:
		return d.wrong(mapping, at, "", line, v)
	}
	seen := map[string]int{}
	return v.members(func(key string, line int, v value) error {
		if err := d.spend(perMember+len(key), line); err != nil {
			return err
		}
		if first, dup := seen[key]; dup {
			d.errorf(line, "", "duplicate key %s, first on line %d", quote(key), first)
			return d.full()
		}
		seen[key] = line
		return f(key, line, v)
	})
}

// list reads a list; null counts as an empty one.
func (d *decoder) list(at string, line int, v value, f func(v value) error) error {
	switch v.kind() {
	case null:
		return nil
	case list:
	default:
		return d.wrong(list, at, "", line, v)
	}
	return v.elements(func(v value) error {
		if err := d.spend(perMember, v.line()); err != nil {
			return err
		}
		return f(v)
	})
}

// text reads a text; null counts as an empty one, as it does for Kubernetes.
func (d *decoder) text(into *string, at, key string, line int, v value) error {
	switch v.kind() {
	case null:
		*into = ""
		return nil
	case text:
	default:
		return d.wrong(text, at, key, line, v)
	}
	s, err := v.scalar()
	if err != nil {
		return err
	}
	*into = s
	return d.spend(len(s), line)
}

// textMap reads a mapping of texts. It is nil if there are none.
func (d *decoder) textMap(at string, line int, v value) (map[string]string, error) {
	var out map[string]string
	err := d.mapping(at, line, v, func(key string, line int, v value) error {
		var s string
		if err := d.text(&s, at, key, line, v); err != nil {
			return err
		}
		if out == nil {
			out = map[string]string{}
		}
		out[key] = s
		return nil
	})
	return out, err
}

// count reads whether a number is other than 0.
func (d *decoder) count(some *bool, at, key string, line int, v value) error {
	switch v.kind() {
	case null:
		return nil
	case number:
	default:
		return d.wrong(number, at, key, line, v)
	}
	s, err := v.scalar()
	*some = s != "0"
	return err
}

// wrong adds the fault of a value of the wrong kind.
func (d *decoder) wrong(want kind, at, key string, line int, v value) error {
	is, hint := v.kind(), ""
	if want == text && is != list && is != mapping {
		s, err := v.scalar()
		if err != nil {
			return err
		}
		hint = "put it in quotes: " + quote(s)
	}
	d.errorf(line, hint, "%s must be %s, not %s", path(at, key), want, is)
	return d.full()
}

// path returns how a person writes the place of a field.
func path(at, key string) string {
	if key == "" {
		return at
	}
	for _, c := range key {
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z') {
			return fmt.Sprintf("%s[%s]", at, quote(key))
		}
	}
	if at == "" {
		return key
	}
	return at + "." + key
}
