package manifest

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// Clone returns a deep copy of a plain value.
func Clone(v any) any {
	switch x := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(x))
		for k, e := range x {
			out[k] = Clone(e)
		}
		return out
	case []any:
		out := make([]any, len(x))
		for i, e := range x {
			out[i] = Clone(e)
		}
		return out
	}
	return v
}

// Equal reports whether two plain values are the same, numbers by their value.
func Equal(a, b any) bool {
	switch x := a.(type) {
	case map[string]any:
		y, ok := b.(map[string]any)
		if !ok || len(x) != len(y) {
			return false
		}
		for k, e := range x {
			f, ok := y[k]
			if !ok || !Equal(e, f) {
				return false
			}
		}
		return true
	case []any:
		y, ok := b.([]any)
		if !ok || len(x) != len(y) {
			return false
		}
		for i := range x {
			if !Equal(x[i], y[i]) {
				return false
			}
		}
		return true
	case json.Number:
		return sameNumber(x, b)
	}
	switch y := b.(type) {
	case json.Number:
		return sameNumber(y, a)
	case map[string]any, []any:
		return false
	}
	return a == b
}

// sameNumber compares a number with any value: whole numbers by their digits,
// fractions as floating point.
func sameNumber(x json.Number, other any) bool {
	switch other.(type) {
	case int64, json.Number:
	default:
		return false
	}
	a, b := x.String(), fmt.Sprint(other)
	if !strings.ContainsAny(a+b, ".eE") {
		return a == b
	}
	f, errF := strconv.ParseFloat(a, 64)
	g, errG := strconv.ParseFloat(b, 64)
	return errF == nil && errG == nil && f == g
}
