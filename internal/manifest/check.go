package manifest

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
)

// Fault is one way in which a value does not fit its type.
type Fault struct {
	Path    string // as people write it: spec.template.spec.containers[0].image
	Message string
	Hint    string
}

// Check holds a plain value strictly against a Go type: fields that the type
// does not have and values of a wrong type are faults. A null is an absent
// field. All faults come, in the order of their paths.
func Check(v any, t reflect.Type) []Fault {
	var c checker
	c.check(v, t, "")
	return c.faults
}

type checker struct{ faults []Fault }

func (c *checker) add(path, message, hint string) {
	c.faults = append(c.faults, Fault{orRoot(path), message, hint})
}

func (c *checker) check(v any, t reflect.Type, path string) {
	t = deref(t)
	if v == nil || t == nil {
		return
	}
	if hasOwnJSON(t) {
		c.custom(v, t, path)
		return
	}
	switch t.Kind() {
	case reflect.Interface:
	case reflect.Struct, reflect.Map:
		c.members(v, t, path)
	case reflect.Slice:
		if isBytes(t) {
			if _, ok := v.(string); !ok {
				c.add(path, "want a base64 text, found "+Describe(v), "")
			}
			return
		}
		list, ok := v.([]any)
		if !ok {
			c.add(path, "want a list, found "+Describe(v), "")
			return
		}
		for i, e := range list {
			at := fmt.Sprintf("%s[%d]", path, i)
			if e == nil {
				c.add(at, "a list may not hold null", "")
			}
			c.check(e, t.Elem(), at)
		}
	default:
		if m := checkScalar(v, t); m != "" {
			hint := ""
			if s, plain := scalarText(v); plain && t.Kind() == reflect.String {
				hint = fmt.Sprintf("quote it: %q", s)
			}
			c.add(path, m, hint)
		}
	}
}

func (c *checker) members(v any, t reflect.Type, path string) {
	m, ok := v.(map[string]any)
	if !ok {
		c.add(path, "want a mapping, found "+Describe(v), "")
		return
	}
	for _, key := range SortedKeys(m) {
		if t.Kind() == reflect.Map {
			c.check(m[key], t.Elem(), join(path, key))
			continue
		}
		f, ok := Fields(t)[key]
		if !ok {
			c.add(path, fmt.Sprintf("unknown field %q", key), suggest(key, t))
			continue
		}
		c.check(m[key], f.Type, join(path, key))
	}
}

func (c *checker) custom(v any, t reflect.Type, path string) {
	data, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(data, reflect.New(t).Interface())
	}
	if err != nil {
		c.add(path, fmt.Sprintf("%s is no %s: %v", Describe(v), t.Name(), err), "")
	}
}

// checkScalar says what is wrong with a scalar for a type, or nothing.
func checkScalar(v any, t reflect.Type) string {
	ok := false
	switch t.Kind() {
	case reflect.String:
		_, ok = v.(string)
	case reflect.Bool:
		_, ok = v.(bool)
	case reflect.Int, reflect.Int32, reflect.Int64, reflect.Int16, reflect.Int8:
		i, isInt := v.(int64)
		ok = isInt && !reflect.Zero(t).OverflowInt(i)
	case reflect.Uint32, reflect.Uint64:
		i, isInt := v.(int64)
		ok = isInt && i >= 0 && (t.Kind() == reflect.Uint64 || i <= math.MaxUint32)
	case reflect.Float32, reflect.Float64:
		switch v.(type) {
		case int64, json.Number:
			ok = true
		}
	}
	if ok {
		return ""
	}
	return fmt.Sprintf("want %s, found %s", wantName(t), Describe(v))
}

func wantName(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "a text"
	case reflect.Bool:
		return "true or false"
	case reflect.Int32, reflect.Uint32:
		return "a 32-bit number"
	}
	return "a whole number"
}

// Describe names a plain value in a message: its kind, and what it is where it is short.
func Describe(v any) string {
	switch x := v.(type) {
	case nil:
		return "null"
	case map[string]any:
		return "a mapping"
	case []any:
		return "a list"
	case string:
		if len(x) > 60 {
			return "a text"
		}
		return fmt.Sprintf("the text %q", x)
	case bool:
		return fmt.Sprintf("%t", x)
	}
	return fmt.Sprintf("the number %v", v)
}

func scalarText(v any) (string, bool) {
	switch v.(type) {
	case bool, int64, json.Number:
		return fmt.Sprint(v), true
	}
	return "", false
}

// SortedKeys returns the keys of a mapping, bytewise.
func SortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
