package fields

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/linstor-cmp/linstor-cmp/generator"
	"github.com/linstor-cmp/linstor-cmp/internal/api"
	"github.com/linstor-cmp/linstor-cmp/internal/manifest"
	"github.com/linstor-cmp/linstor-cmp/internal/nodes"
	"github.com/linstor-cmp/linstor-cmp/internal/problem"
	"github.com/linstor-cmp/linstor-cmp/overlays"
)

// proof is a document rendered twice, and what only the second time is so.
type proof struct {
	kind, path    string
	without, with string // spec of the document, in flow style; none is {}

	// What is somewhere in an object. The object is KIND/NAME. The pointer is a
	// JSON pointer, in which an element of a list may go by its name, and which
	// goes on behind a # in a text that is JSON.
	object, pointer string
	want            any // nothing: there is nothing, not even the object

	// Or what is told, a part of it; or what is not told any more.
	told string
	gone bool
}

// The nodes of every proof: a and b with labels, c with a taint, d with an
// operating system that no row matches.
const proofNodes = `
{apiVersion: v1, kind: Node, metadata: {name: a, uid: u-1, labels: {is: a, disk: ssd, kubernetes.io/hostname: a}, annotations: {linstor-cmp.io/overlays: o}}, status: {nodeInfo: {osImage: Ubuntu 22.04.5 LTS, kernelVersion: 5.15.0-generic, architecture: amd64}}}
---
{apiVersion: v1, kind: Node, metadata: {name: b, labels: {is: b}}, status: {nodeInfo: {osImage: Ubuntu 22.04.5 LTS}}}
---
{apiVersion: v1, kind: Node, metadata: {name: c}, spec: {taints: [{key: k, value: v, effect: NoSchedule}]}, status: {nodeInfo: {osImage: Ubuntu 22.04.5 LTS}}}
---
{apiVersion: v1, kind: Node, metadata: {name: d, labels: {is: d, disk: ssd}}, status: {nodeInfo: {osImage: Arch Linux}}}
`

// patchFile is a file beside the document.
const patchFile = "[{op: add, path: /metadata/annotations/x, value: z}]"

// outcome is what a rendering gives; without objects if it fails.
type outcome struct {
	objects map[string]any
	told    string
	failed  bool
}

func renderSpec(t *testing.T, kind, spec string) outcome {
	t.Helper()
	if spec == "" {
		spec = "{}"
	}
	version := api.PiraeusVersion
	if kind == api.KindNodeConfiguration || kind == api.KindImageConfiguration {
		version = api.OwnVersion
	}
	text := fmt.Sprintf("apiVersion: %s\nkind: %s\nmetadata: {name: o}\nspec: %s\n", version, kind, spec)
	if kind != api.KindCluster {
		text += "---\napiVersion: piraeus.io/v1\nkind: LinstorCluster\nmetadata: {name: linstor}\nspec: {}\n"
	}
	list, err := nodes.Read(strings.NewReader(proofNodes), "nodes.yaml")
	if err != nil {
		t.Fatal(err)
	}
	result, err := generateText(text, list)
	if err != nil {
		return outcome{told: told(err), failed: true}
	}
	out := outcome{objects: map[string]any{}, told: told(result.Notes)}
	for o := range result.Objects() {
		out.objects[fmt.Sprintf("%s/%s", o["kind"], o["metadata"].(map[string]any)["name"])] = o
	}
	return out
}

func generateText(text string, list []nodes.Node) (*generator.Result, error) {
	docs, err := manifest.ReadDocuments("in.yaml", []byte(text))
	if err != nil {
		return nil, err
	}
	in, err := overlays.Read(docs, overlays.Files{Read: func(name string) ([]byte, error) {
		if name != "patch.yaml" {
			return nil, fs.ErrNotExist
		}
		return []byte(patchFile), nil
	}})
	if err != nil {
		return nil, err
	}
	return generator.Generate(in, list, generator.Settings{Namespace: "ns", Loader: generator.LoaderDaemonSet})
}

func told(err error) string {
	var list problem.List
	list.Merge(err)
	var out strings.Builder
	for _, p := range list.Sorted() {
		out.WriteString(strings.Join(p.Lines(), "\n") + "\n")
	}
	return out.String()
}

// holds reports whether an outcome is what a proof says of the field.
func (p proof) holds(o outcome) error {
	if p.told != "" {
		if strings.Contains(o.told, p.told) == p.gone {
			return fmt.Errorf("it is told:\n%s", o.told)
		}
		return nil
	}
	if o.failed {
		return errors.New(o.told)
	}
	got, err := lookUp(o.objects[p.object], p.pointer)
	if err != nil {
		return err
	}
	if a, b := asJSON(got), asJSON(p.want); a != b {
		return fmt.Errorf("%s has at %s %s, not %s", p.object, p.pointer, a, b)
	}
	return nil
}

func asJSON(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// lookUp follows a pointer; where it leads nowhere, there is nil.
func lookUp(v any, pointer string) (any, error) {
	here, inside, nested := strings.Cut(pointer, "#")
	for _, step := range strings.Split(here, "/")[1:] {
		step = strings.NewReplacer("~1", "/", "~0", "~").Replace(step)
		switch x := v.(type) {
		case map[string]any:
			v = x[step]
		case []any:
			v = element(x, step)
		default:
			return nil, nil
		}
	}
	text, isText := v.(string)
	if !nested || !isText {
		return v, nil
	}
	var document any
	if err := json.Unmarshal([]byte(text), &document); err != nil {
		return nil, fmt.Errorf("%s is no JSON: %w", here, err)
	}
	return lookUp(document, inside)
}

func element(list []any, step string) any {
	if i, err := strconv.Atoi(step); err == nil {
		if i < len(list) {
			return list[i]
		}
		return nil
	}
	at := slices.IndexFunc(list, func(e any) bool {
		m, _ := e.(map[string]any)
		return m["name"] == step
	})
	if at < 0 {
		return nil
	}
	return list[at]
}

// needsLive is how the warning begins that names fields which need an API.
const needsLive = "warning: these fields need a live LINSTOR API, which manifests do not call: "

// TestEachFieldDoesWhatItsRowSays renders the proofs of each row without and
// with the field: what a proof looks at must not be so without, and be so with.
func TestEachFieldDoesWhatItsRowSays(t *testing.T) {
	all := proofs()
	used := map[int]bool{}
	for _, row := range Table() {
		for _, kind := range row.Kinds {
			t.Run(kind+"/"+row.Path, func(t *testing.T) {
				found := false
				for i, p := range all {
					if p.kind == kind && p.path == row.Path {
						found, used[i] = true, true
						prove(t, row, p)
					}
				}
				if !found {
					t.Error("the row has no proof")
				}
			})
		}
	}
	for i, p := range all {
		if !used[i] {
			t.Errorf("the proof of %s %s has no row", p.kind, p.path)
		}
	}
}

func prove(t *testing.T, row Row, p proof) {
	t.Helper()
	without, with := renderSpec(t, p.kind, p.without), renderSpec(t, p.kind, p.with)
	if without.failed && !p.gone {
		t.Errorf("without the field: %s", without.told)
	}
	if with.failed && !strings.HasPrefix(p.told, "error: ") {
		t.Errorf("with the field: %s", with.told)
	}
	if p.holds(without) == nil {
		t.Errorf("it is so without the field too: %+v", p)
	}
	if err := p.holds(with); err != nil {
		t.Errorf("with the field: %v", err)
	}
	if named := strings.Contains(with.told, needsLive); named != row.Live {
		t.Errorf("a warning says that it needs a live API: %v, and the row says %v:\n%s", named, row.Live, with.told)
	}
}
