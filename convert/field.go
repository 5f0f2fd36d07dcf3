package convert

import (
	"fmt"

	"github.com/linstor-cmp/linstor-cmp/internal/manifest"
	"github.com/linstor-cmp/linstor-cmp/internal/problem"
)

// field is a place of the input where a value may be. Reading it marks it as
// used: whoever reads a value writes it, or has a reason to drop it and says so
// with lost.
type field struct {
	c *converter
	n *node // nil: absent
}

// at returns the field of a key below this one.
func (f field) at(key string) field {
	if f.n != nil && f.n.state == untouched {
		f.mapping()
	}
	return field{f.c, f.n.member(key)}
}

// place is where the field is written.
func (f field) place() problem.Place {
	if f.n == nil {
		return problem.Place{}
	}
	return f.n.place
}

// has reports whether there is anything to convert. Nothing is marked as such.
func (f field) has() bool {
	if f.n == nil {
		return false
	}
	if f.n.blank() {
		f.n.mark(empty)
		return false
	}
	return true
}

// text reads a scalar as a text; nothing is "".
func (f field) text() string {
	if !f.has() {
		return ""
	}
	if isCollection(f.n.value) {
		f.want("a text")
		return ""
	}
	f.n.mark(used)
	return fmt.Sprint(f.n.value)
}

// flag reads true or false; nothing is the given default.
func (f field) flag(byDefault bool) bool {
	if !f.has() {
		return byDefault
	}
	b, ok := f.n.value.(bool)
	if !ok {
		f.want("true or false")
	}
	f.n.mark(used)
	return b
}

// number reads a whole number; nothing is the given default.
func (f field) number(byDefault int64) int64 {
	if !f.has() {
		return byDefault
	}
	i, ok := f.n.value.(int64)
	if !ok {
		f.want("a whole number")
	}
	f.n.mark(used)
	return i
}

// list returns the elements of a list.
func (f field) list() []field {
	if !f.has() {
		return nil
	}
	if _, ok := f.n.value.([]any); !ok {
		f.want("a list")
		return nil
	}
	out := make([]field, len(f.n.members))
	for i, m := range f.n.members {
		out[i] = field{f.c, m}
	}
	return out
}

// mapping returns the members of a mapping, by key.
func (f field) mapping() []field {
	if !f.has() {
		return nil
	}
	if _, ok := f.n.value.(map[string]any); !ok {
		f.want("a mapping")
		return nil
	}
	out := make([]field, len(f.n.members))
	for i, m := range f.n.members {
		out[i] = field{f.c, m}
	}
	return out
}

// key is the last step of the field's path.
func (f field) key() string { return fmt.Sprint(f.n.step) }

// whole reads everything below the field.
func (f field) whole() any {
	f.n.mark(used)
	return manifest.Clone(f.n.value)
}

// done marks everything below the field as done by the output as it is.
func (f field) done() {
	if f.n != nil {
		f.n.mark(used)
	}
}

// lost lists the field as missing, unless it says nothing.
func (f field) lost(reason, hint string) {
	if f.n == nil {
		return
	}
	if f.n.state == listed || f.n.blank() && f.n.state != untouched {
		return
	}
	f.n.mark(listed)
	f.c.missing = append(f.c.missing, Missing{Path: f.n.path(), Place: f.n.place, Reason: reason, Hint: hint})
}

// drop is lost for a key that is known: an empty one says nothing.
func (f field) drop(reason, hint string) {
	if f.has() {
		f.lost(reason, hint)
	}
}

// dropUnless is drop, but for the values that the output means anyhow.
func (f field) dropUnless(reason, hint string, same ...any) {
	if !f.has() {
		return
	}
	for _, v := range same {
		if manifest.Equal(f.n.value, v) {
			f.done()
			return
		}
	}
	f.lost(reason, hint)
}

// want reports a value of a wrong type.
func (f field) want(what string) {
	f.c.faults.Errorf(f.n.place, "%s: want %s, found %s", f.n.path(), what, manifest.Describe(f.n.value))
	f.n.mark(used)
}

// mappingValue reads everything below the field, which is to be a mapping.
func (f field) mappingValue() map[string]any {
	f.mapping()
	m, _ := f.whole().(map[string]any)
	if m == nil {
		m = map[string]any{}
	}
	return m
}
