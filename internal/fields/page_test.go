package fields

import (
	"flag"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the reference page of the fields")

const page = "../../docs/reference/fields.md"

func TestPageIsFresh(t *testing.T) {
	if *update {
		if err := os.WriteFile(page, Markdown(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(Markdown()), string(have)); diff != "" {
		t.Errorf("%s (-table +page); `make golden` rewrites it:\n%s", page, diff)
	}
}
