package generator

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/linstor-cmp/linstor-cmp/internal/manifest"
	"github.com/linstor-cmp/linstor-cmp/internal/nodes"
	"github.com/linstor-cmp/linstor-cmp/internal/problem"
	"github.com/linstor-cmp/linstor-cmp/overlays"
)

// onlySatellites is a LinstorCluster on lines 1 to 10 whose own components are
// switched off, so that a test sees the objects of nodes; more goes below it.
const onlySatellites = `apiVersion: piraeus.io/v1
kind: LinstorCluster
metadata: {name: linstor}
spec:
  controller: {enabled: false}
  csiController: {enabled: false}
  csiNode: {enabled: false}
  highAvailabilityController: {enabled: false}
  affinityController: {enabled: false}
  nfsServer: {enabled: false}
`

// overlay is a LinstorSatelliteConfiguration; its spec, in flow style, is on
// the fifth line, that is line 15 right below onlySatellites.
func overlay(name, spec string) string {
	return "---\napiVersion: piraeus.io/v1\nkind: LinstorSatelliteConfiguration\nmetadata: {name: " + name + "}\nspec: " + spec + "\n"
}

// nodeOverlay is a LinstorNodeConfiguration, laid out as overlay is.
func nodeOverlay(name, spec string) string {
	return "---\napiVersion: linstor-cmp.io/v1alpha1\nkind: LinstorNodeConfiguration\nmetadata: {name: " + name + "}\nspec: " + spec + "\n"
}

// nodesNamed are nodes with a known operating system and a label "is" that has
// their name.
func nodesNamed(names ...string) []nodes.Node {
	var list []nodes.Node
	for _, n := range names {
		list = append(list, nodes.Node{Name: n, OSImage: "Ubuntu 22.04.5 LTS", Labels: map[string]string{"is": n}})
	}
	return list
}

// rendered is a stream that a test looks at.
type rendered struct {
	objects map[string]map[string]any // by KIND/NAME
	notes   problem.List
	text    string
}

// tryRender renders documents for nodes in namespace ns, with further settings.
func tryRender(text string, list []nodes.Node, with ...func(*Settings)) (rendered, error) {
	docs, err := manifest.ReadDocuments("in.yaml", []byte(text))
	if err != nil {
		return rendered{}, err
	}
	in, err := overlays.Read(docs, overlays.Files{})
	if err != nil {
		return rendered{}, err
	}
	s := Settings{Namespace: "ns", Loader: LoaderDaemonSet}
	for _, f := range with {
		f(&s)
	}
	result, err := Generate(in, list, s)
	if err != nil {
		return rendered{}, err
	}
	out := rendered{objects: map[string]map[string]any{}, notes: result.Notes}
	for o := range result.Objects() {
		out.objects[fmt.Sprintf("%s/%s", o["kind"], peek(o, "metadata")["name"])] = o
	}
	out.text, err = stream(result)
	return out, err
}

func stream(r *Result) (string, error) {
	var b bytes.Buffer
	_, err := r.WriteTo(&b, manifest.YAML)
	return b.String(), err
}

func render(t *testing.T, text string, list []nodes.Node, with ...func(*Settings)) rendered {
	t.Helper()
	out, err := tryRender(text, list, with...)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return out
}

func inInitContainer(s *Settings) { s.Loader = LoaderInitContainer }
func strictly(s *Settings)        { s.Strict = true }
func allowingNone(s *Settings)    { s.AllowEmpty = true }

// at returns what is at a path of an object, whose steps are separated by
// commas, since keys hold slashes and dots; an element of a list is found by
// its name or mountPath. It returns nil where there is nothing.
func (r rendered) at(object, path string) any {
	var v any
	if o, ok := r.objects[object]; ok {
		v = o
	}
	for step := range strings.SplitSeq(path, ",") {
		switch x := v.(type) {
		case map[string]any:
			v = x[step]
		case []any:
			v = nil
			for _, e := range x {
				if m, ok := e.(map[string]any); ok && (m["name"] == step || m["mountPath"] == step) {
					v = e
				}
			}
		default:
			return nil
		}
	}
	return v
}

// names returns the names, or else the values, of the elements of a list.
func (r rendered) names(object, path string) []string {
	list, _ := r.at(object, path).([]any)
	var out []string
	for _, e := range list {
		if m, ok := e.(map[string]any); ok {
			e = m["name"]
		}
		out = append(out, fmt.Sprint(e))
	}
	return out
}

// told returns what a person reads of a rendering that succeeded or failed.
func (r rendered) told(err error) string {
	if err != nil {
		return told(err)
	}
	return told(r.notes)
}

const (
	pod     = "spec,template,spec"
	inits   = pod + ",initContainers"
	pods    = pod + ",containers"
	volumes = pod + ",volumes"
)
