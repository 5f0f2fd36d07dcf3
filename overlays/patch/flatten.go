package patch

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/linstor-cmp/linstor-cmp/internal/manifest"
)

// elementMark begins the part of a flattened path that is a list element
// without a key: its value.
const elementMark = "\x00"

// Flatten returns the leaves of an object by their paths, elements of merged
// lists by their merge keys and those of other lists by their values, so that
// two states of an object can be compared field by field.
func Flatten(object any, t reflect.Type) map[string]string {
	out := map[string]string{}
	flatten(object, fieldSchema{typ: t}, "", out)
	return out
}

func flatten(v any, s fieldSchema, path string, out map[string]string) {
	switch x := v.(type) {
	case map[string]any:
		for k, e := range x {
			flatten(e, schemaOf(s.typ, k, true), path+"."+k, out)
		}
		if len(x) == 0 {
			out[path] = "{}"
		}
	case []any:
		for _, e := range x {
			if s.merges && len(s.keys) > 0 {
				flatten(e, fieldSchema{typ: elem(s.typ)}, path+"["+identity(e, s.keys)+"]", out)
				continue
			}
			out[path+elementMark+string(manifest.Compile(e, manifest.JSON).Append(nil, placeholders))] = "in"
		}
	default:
		out[path] = fmt.Sprintf("%T %v", v, v)
	}
}

// placeholders fill themselves in.
var placeholders = []string{manifest.Placeholder(0), manifest.Placeholder(1), manifest.Placeholder(2)}

// FieldName is the field that a path of Flatten is in, as people write it.
func FieldName(path string) string {
	field, _, _ := strings.Cut(path, elementMark)
	return strings.TrimPrefix(field, ".")
}
