package nodes

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"
)

// plain turns all of a value into what encoding/json makes of it.
func plain(v value) (any, error) {
	switch v.kind() {
	case mapping:
		out := map[string]any{}
		err := v.members(func(key string, _ int, v value) (err error) {
			out[key], err = plain(v)
			return err
		})
		return out, err
	case list:
		out := []any{}
		err := v.elements(func(v value) error {
			e, err := plain(v)
			out = append(out, e)
			return err
		})
		return out, err
	}
	k := v.kind()
	s, err := v.scalar()
	switch k {
	case text:
		return s, err
	case null:
		return nil, err
	case boolean:
		return s == "true", err
	}
	return json.Number(s), err
}

// readJSON reads a value of a mapping, or only checks it.
func readJSON(in string, skip bool) (got any, err error) {
	d := newDecoder(iotest.HalfReader(strings.NewReader(`{"a":`+in+`}`)), "n")
	err = d.json.document(func(v value) error {
		return v.members(func(_ string, _ int, v value) (err error) {
			if !skip {
				got, err = plain(v)
			}
			return err
		})
	})
	if _, more := d.src.look(0); more && err == nil {
		err = fmt.Errorf("more follows")
	}
	return got, err
}

func FuzzJSON(f *testing.F) {
	for _, in := range []string{
		`{}`, `[]`, `[1,2]`, `[1,]`, `[,1]`, `{"a":1,}`, `{,}`, `{"a"}`, `{"a":}`, `{1:2}`, `{"a":1 "b":2}`, `[1 2]`, `nul`, `nulll`, `true`, `falsey`,
		`0`, `-0`, `00`, `01`, `-`, `+1`, `1.`, `.1`, `1.0`, `1e`, `1e+`, `1E-05`, `1.5e300`, `1e5.5`, `0x1`, `NaN`, `1_0`, `--1`,
		`""`, `"a`, `"\"`, `"\u"`, `"\u12"`, `"\u123g"`, `"\u+123"`, `"\uD83D\uDE00"`, `"\ud83d"`, `"\ude00\ud83d"`, `"\x"`, `"\/\b"`, "\"\x00\"", "\"\x7f\"", "\"\xff\"",
		` [ { "a" : [ ] } , null ] `, "[\n]", "[\f]", `]`, `}`, `1}`, `{"a":1}{"b":2}`, `"a"b`, jsonNode, `{"a":1,"a":2}`,
	} {
		f.Add(in)
	}
	f.Fuzz(func(t *testing.T, in string) {
		if strings.Count(in, "[")+strings.Count(in, "{") >= maxDepth-1 || len(in) > maxScalar || strings.Contains(in, "},") && !json.Valid([]byte(in)) {
			return
		}
		var want struct{ A any }
		dec := json.NewDecoder(strings.NewReader(`{"a":` + in + `}`))
		dec.UseNumber()
		wantErr := dec.Decode(&want)
		if wantErr == nil && (dec.More() || !json.Valid([]byte(in))) {
			return
		}
		got, err := readJSON(in, false)
		_, skipErr := readJSON(in, true)
		if (err == nil) != (skipErr == nil) {
			t.Fatalf("kept %v, skipped %v", err, skipErr)
		}
		if wantErr == nil && (!utf8.ValidString(in) || strings.Contains(err2(err), "half a character")) {
			if err == nil {
				t.Fatal("no error for what is no text")
			}
			return
		}
		if (err == nil) != (wantErr == nil) {
			t.Fatalf("want %v, got %v", wantErr, err)
		}
		if diff := cmp.Diff(want.A, got); err == nil && diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
	})
}

func err2(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// TestScalarKinds holds the kinds of YAML scalars against what Kubernetes
// makes of them.
func TestScalarKinds(t *testing.T) {
	for _, in := range []string{
		"y", "Y", "yes", "Yes", "YES", "n", "no", "on", "Off", "true", "True", "TRUE", "tRUE", "false", "~", "null", "Null", "NULL", "nULL", `""`, "''",
		"0012", "0o14", "0x1F", "0b11", "1_000", "12:30", "1:2:3", "2024-01-01", "2024-01-01T00:00:00Z", "1e3", "0089", "<<", "=", "+1", "-.5", "1.", "1.10",
		`"true"`, "'12'", "!!str 12", "!!str true", "a: b", "[a]", "|\n  12\n", ">\n  yes\n", "1.2.3", "v1", "-", "0x", "_1", "1__0", "+", "a#b", "on off",
	} {
		in = "a: " + in
		var want map[string]any
		if err := yaml.Unmarshal([]byte(in), &want); err != nil {
			continue
		}
		tree := newDecoder(strings.NewReader(""), "n").newTree(1)
		roots, err := tree.parse([]byte(in))
		if err != nil {
			t.Errorf("%q: %v", in, err)
			continue
		}
		got := tree.value(roots[0].Content[1]).kind()
		is := map[string]kind{"<nil>": null, "bool": boolean, "float64": number, "string": text, "[]interface {}": list, "map[string]interface {}": mapping}
		if want := is[fmt.Sprintf("%T", want["a"])]; got != want {
			t.Errorf("%q: got %v, Kubernetes reads %v", in, got, want)
		}
	}
}
