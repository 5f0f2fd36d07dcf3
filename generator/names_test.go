package generator

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/linstor-cmp/linstor-cmp/internal/nodes"
)

func TestFit(t *testing.T) {
	long := strings.Repeat("a", 63)
	for _, c := range []struct{ reason, name, want string }{
		{"a label stays", "node-a", "node-a"},
		{"so does one that looks like a number", "0123", "0123"},
		{"the longest label stays", long, long},
		{"a dot becomes a dash, and a hash says so", "a.b", "a-b-5ppjdn4e"},
		{"case goes too", "Node-C", "node-c-pghi3kna"},
		{"a longer one is cut", long + "b", strings.Repeat("a", 54) + "-iul7ol0d"},
		{"no dash is left before the hash", strings.Repeat("a", 53) + "." + strings.Repeat("b", 20), strings.Repeat("a", 53) + "-vbsi3803"},
		{"no dash is left at an end", "-a_", "a-eogus7gf"},
	} {
		got := fit(c.name, maxLabel)
		if got != c.want {
			t.Errorf("%s: fit(%q) is %q, want %q", c.reason, c.name, got, c.want)
		}
		if m := validation.IsDNS1123Label(got); m != nil {
			t.Errorf("%s: fit(%q) is %q: %v", c.reason, c.name, got, m)
		}
	}
}

// What differs, differs when it is fit: names of the same letters, and names
// that are the same up to where they are cut.
func TestFitKeepsNamesApart(t *testing.T) {
	seen := map[string]string{}
	for _, name := range []string{
		"a.b", "a-b", "a.b.", "A.b", "a-B", "a_b",
		strings.Repeat("x", 64), strings.Repeat("x", 65), strings.Repeat("x", 63) + "y", strings.Repeat("x", 63) + ".",
	} {
		got := fit(name, maxLabel)
		if other, dup := seen[got]; dup {
			t.Errorf("%q and %q both become %q", name, other, got)
		}
		seen[got] = name
	}
}

func TestANodeMayNotHaveAnothersFitName(t *testing.T) {
	_, err := tryRender(onlySatellites, nodesNamed("a.b", fit("a.b", maxLabel)))
	want := "error: node a.b: its objects would have the names of those of node a-b-5ppjdn4e\n" +
		"hint: leave one of the two out with the LinstorCluster's nodeSelector or nodeAffinity\n"
	if got := told(err); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestPiraeusNames(t *testing.T) {
	dots := overlay("dots", `{resourceNameSuffixSeparator: ".", nodeSelector: {is: a.b}}`)
	r := render(t, onlySatellites+dots, nodesNamed("a.b", "c.d"))
	for _, want := range []string{
		"DaemonSet/linstor-satellite.a.b", "DaemonSet/drbd-module-loader.a.b", "ConfigMap/satellite-config.a.b", "ConfigMap/reactor-config.a.b",
		"DaemonSet/linstor-satellite-" + fit("c.d", maxLabel),
	} {
		if r.objects[want] == nil {
			t.Errorf("there is no %s", want)
		}
	}
	if got := r.at("DaemonSet/linstor-satellite.a.b", "spec,selector,matchLabels,linstor-cmp.io/node"); got != fit("a.b", maxLabel) {
		t.Errorf("a label is the fit name, whatever the object's name: got %v", got)
	}
	if got := r.at("DaemonSet/linstor-satellite.a.b", volumes+",satellite-config,configMap,name"); got != "satellite-config.a.b" {
		t.Errorf("the satellite mounts %v", got)
	}
}

func TestFaultsOfNodeNames(t *testing.T) {
	dots := overlay("dots", `{resourceNameSuffixSeparator: "."}`)
	for _, c := range []struct{ reason, text, node, want string }{
		{"a name too long to stand in another", onlySatellites + dots, strings.Repeat("long.", 47) + "x", "is no name of an object: must be no more than 253"},
		{"a name that objects cannot have", onlySatellites + dots, "UPPER", `"drbd-module-loader.UPPER" is no name of an object`},
		{"no name of a node", onlySatellites, "a/b", `node "a/b": no name of a node`},
		{"no name at all", onlySatellites, "", `node "": no name of a node`},
	} {
		_, err := tryRender(c.text, nodesNamed(c.node))
		if got := told(err); !strings.Contains(got, c.want) {
			t.Errorf("%s: got %q, want %q in it", c.reason, got, c.want)
		}
	}
	if _, err := tryRender(onlySatellites, nodesNamed(strings.Repeat("long.", 47)+"x", "UPPER")); err != nil {
		t.Errorf("fit, every name of a node can stand in an object's: %v", err)
	}
}

func TestANodeTwice(t *testing.T) {
	_, err := tryRender(onlySatellites, append(nodesNamed("a", "b"), nodes.Node{Name: "a"}))
	if got, want := told(err), "error: node a: is in the list of nodes twice\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
