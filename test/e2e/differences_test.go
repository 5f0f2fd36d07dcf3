package e2e

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDifferences(t *testing.T) {
	for _, test := range []struct {
		reason    string
		want, got any
		fields    []string
	}{
		{
			reason: "a default of the API server's is no difference",
			want:   map[string]any{"a": map[string]any{}},
			got:    map[string]any{"a": map[string]any{"b": 1}},
		},
		{
			reason: "a number is the same however it was read",
			want:   FromJSON(t, []byte(`{"a": 1}`))[0]["a"],
			got:    int64(1),
		},
		{
			reason: "a field that was dropped and one that was changed are named",
			want:   map[string]any{"a": []any{map[string]any{"x": "1", "y": "2"}}},
			got:    map[string]any{"a": []any{map[string]any{"y": "3"}}},
			fields: []string{"/a/0/x: rendered 1, stored <nil>", "/a/0/y: rendered 2, stored 3"},
		},
		{
			reason: "of a list of another length there is no telling which element is which",
			want:   map[string]any{"a": []any{"x"}},
			got:    map[string]any{"a": []any{"y", "x"}},
			fields: []string{"/a: rendered [x], stored [y x]"},
		},
	} {
		t.Run(test.reason, func(t *testing.T) {
			if diff := cmp.Diff(test.fields, differences("", test.want, test.got)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
