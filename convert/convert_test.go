package convert

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/linstor-cmp/linstor-cmp/generator"
	"github.com/linstor-cmp/linstor-cmp/internal/manifest"
	"github.com/linstor-cmp/linstor-cmp/internal/nodes"
)

// inputs are the files that are converted as a whole.
var inputs = []string{"defaults", "full", "resources", "off"}

func documents(t testing.TB, name, text string) []manifest.Document {
	t.Helper()
	docs, err := manifest.ReadDocuments(name, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return docs
}

func file(t testing.TB, name string) string {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name + ".yaml")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// run converts a text and returns the converter too, to look at what became of
// every key.
func run(t testing.TB, text string) (*converter, *Result) {
	t.Helper()
	c, err := read(documents(t, "in.yaml", text))
	if err != nil {
		t.Fatal(err)
	}
	c.convert()
	if err := c.faults.Err(); err != nil {
		t.Fatal(err)
	}
	if err := c.settle(); err != nil {
		t.Fatal(err)
	}
	return c, c.result()
}

// count sorts the leaves of the input by what became of them.
func (c *converter) count() map[state][]*node {
	by := map[state][]*node{}
	for _, root := range c.roots {
		root.leaves(func(n *node) { by[n.state] = append(by[n.state], n) })
	}
	return by
}

// TestEveryLeafIsAccountedFor: each is in the output, says nothing, or is below
// a key that is listed; and nothing is listed that is not missing.
func TestEveryLeafIsAccountedFor(t *testing.T) {
	for _, name := range inputs {
		t.Run(name, func(t *testing.T) {
			c, r := run(t, file(t, name))
			by := c.count()
			for _, n := range by[untouched] {
				t.Errorf("%s: untouched", n.path())
			}
			for _, n := range by[empty] {
				if !n.blank() {
					t.Errorf("%s: passed over though it says %v", n.path(), n.value)
				}
			}
			covered := map[string]bool{}
			for _, n := range by[listed] {
				for m := n; m != nil; m = m.parent {
					for _, entry := range r.Missing {
						if slices.Contains(strings.Split(entry.Path, ", "), m.path()) {
							covered[entry.Path], covered[n.path()] = true, true
						}
					}
				}
				if !covered[n.path()] {
					t.Errorf("%s: missing, and not listed", n.path())
				}
			}
			for _, entry := range r.Missing {
				if !covered[entry.Path] {
					t.Errorf("%s: listed, and not missing", entry.Path)
				}
				if entry.Place.Line == 0 || entry.Reason == "" {
					t.Errorf("%s: no place or no reason: %+v", entry.Path, entry)
				}
			}
			t.Logf("%d leaves: %d in the output, %d say nothing, %d listed by %d warnings",
				len(by[used])+len(by[empty])+len(by[listed]), len(by[used]), len(by[empty]), len(by[listed]), len(r.Missing))
		})
	}
}

// respelled are the keys whose value the output says in other words.
var respelled = map[string]string{
	"linstorSslMethod":                                                 "",
	"linstorHttpsMethod":                                               "",
	"operator.controller.enabled":                                      "",
	"operator.satelliteSet.enabled":                                    "",
	"csi.enabled":                                                      "",
	"haController.enabled":                                             "",
	"operator.controller.logLevel":                                     `linstor_level = "DEBUG"`,
	"operator.satelliteSet.logLevel":                                   `linstor_level = "TRACE"`,
	"operator.satelliteSet.kernelModuleInjectionMode":                  "value: compile",
	"operator.satelliteSet.storagePools.zfsPools[0].thin":              "zfsThinPool:",
	"operator.satelliteSet.mountDrbdResourceDirectoriesFromHost":       "path: /etc/drbd.d",
	"operator.controller.additionalProperties.FullProperty/controller": "full-controller-property",
}

// TestWhatIsUsedIsInTheOutput: a key that counts as taken over can be found
// again, by its value.
func TestWhatIsUsedIsInTheOutput(t *testing.T) {
	c, r := run(t, file(t, "full"))
	out := string(r.Stream())
	for _, n := range c.count()[used] {
		want, other := respelled[n.path()]
		if !other {
			want = fmt.Sprint(n.value)
		}
		if isCollection(n.value) {
			continue // an empty one
		}
		if !strings.Contains(out, want) {
			t.Errorf("%s: %q is not in the output", n.path(), want)
		}
	}
	for _, n := range c.count()[listed] {
		if s := fmt.Sprint(n.value); strings.HasPrefix(s, "full-") && strings.Contains(out, s) {
			t.Errorf("%s: listed as missing, and yet %q is in the output", n.path(), s)
		}
	}
}

// TestOutputRenders renders what each input gives for nodes that its overlays
// are for and for one that they are not for.
func TestOutputRenders(t *testing.T) {
	list := []nodes.Node{
		{Name: "one", OSImage: "Ubuntu 22.04", Labels: map[string]string{"full-node-label": "full-node-value", "disks": "nvme"}},
		{Name: "two", OSImage: "Debian GNU/Linux 12", Labels: map[string]string{"full-node-label": "full-node-value", "disks": "hdd"}},
		{Name: "none", OSImage: "Ubuntu 22.04"},
	}
	for _, name := range inputs {
		t.Run(name, func(t *testing.T) {
			_, r := run(t, file(t, name))
			for how, files := range map[string][]File{"files": r.Files, "stream": {{"all.yaml", r.Stream()}}} {
				in, err := interpret(files)
				if err != nil {
					t.Fatalf("%s: %v", how, err)
				}
				result, err := generator.Generate(in, list, generator.Settings{Namespace: "storage", Loader: generator.LoaderDaemonSet})
				if err != nil {
					t.Fatalf("%s: %v", how, err)
				}
				satellites := 0
				for o := range result.Objects() {
					if o["kind"] == "DaemonSet" && strings.HasPrefix(fmt.Sprint(at(o, "metadata")["name"]), "linstor-satellite-") {
						satellites++
					}
				}
				want := map[string]int{"defaults": 3, "full": 2, "resources": 2, "off": 3}[name]
				if satellites != want {
					t.Errorf("%s: %d satellites, want %d", how, satellites, want)
				}
			}
		})
	}
}

// TestSameInputSameBytes: maps of Go do not show in the output.
func TestSameInputSameBytes(t *testing.T) {
	_, first := run(t, file(t, "full"))
	for range 5 {
		_, again := run(t, file(t, "full"))
		if diff := cmp.Diff(first, again); diff != "" {
			t.Fatal(diff)
		}
	}
}

func documentsOrNone(text string) []manifest.Document {
	docs, err := manifest.ReadDocuments("in.yaml", []byte(text))
	if err != nil {
		return nil
	}
	return docs
}
