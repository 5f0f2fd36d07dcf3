package api

import (
	"fmt"
	"regexp"
)

// FieldRef is a parsed nodeFieldRef: a field of a node, one key of a map of
// the node, or all keys with a prefix.
type FieldRef struct {
	Field  string // metadata.name, metadata.namespace, metadata.uid, metadata.labels or metadata.annotations
	Key    string // of labels and annotations; with Prefix, what the keys begin with
	Prefix bool   // every key that begins with Key
}

var fieldRef = regexp.MustCompile(`^(metadata\.(?:name|namespace|uid))$|^(metadata\.(?:labels|annotations))(?:\['([^'*]*)(\*?)'\])?$`)

// ParseFieldRef parses metadata.name, metadata.namespace, metadata.uid,
// metadata.labels['key'] and metadata.annotations['key']; where many is true
// also a key that ends in * and a whole map.
func ParseFieldRef(text string, many bool) (FieldRef, error) {
	m := fieldRef.FindStringSubmatch(text)
	if m == nil {
		return FieldRef{}, fmt.Errorf("no field of a node: %q; want metadata.name, metadata.uid, metadata.labels['KEY'] or metadata.annotations['KEY']", text)
	}
	if m[1] != "" {
		return FieldRef{Field: m[1]}, nil
	}
	ref := FieldRef{Field: m[2], Key: m[3], Prefix: m[4] == "*" || len(text) == len(m[2])}
	if ref.Prefix && !many {
		return FieldRef{}, fmt.Errorf("%q names many values; use expandFrom", text)
	}
	if !ref.Prefix && ref.Key == "" {
		return FieldRef{}, fmt.Errorf("%q names no key", text)
	}
	return ref, nil
}
