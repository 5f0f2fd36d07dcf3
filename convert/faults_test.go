package convert

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestFaults: what is wrong with the input itself stops the conversion, with
// its place.
func TestFaults(t *testing.T) {
	for _, tt := range []struct{ reason, input, want string }{
		{"nothing at all", "", "there is nothing of Piraeus Operator v1 in the input"},
		{"another file", "replicas: 3\nimage: x", "in.yaml:1: neither values of the chart of Piraeus Operator v1 nor one of its resources"},
		{"a list", "[a]", "in.yaml:1: neither values of the chart of Piraeus Operator v1 nor one of its resources"},
		{"other objects alone", "{apiVersion: v1, kind: ConfigMap, metadata: {name: x}}", "there is nothing of Piraeus Operator v1 in the input"},
		{"a kind of Piraeus 0", "{apiVersion: piraeus.linbit.com/v1alpha1, kind: LinstorNodeSet, metadata: {name: x}}", "in.yaml:1: there is no kind LinstorNodeSet of piraeus.linbit.com/v1alpha1 to convert"},
		{"values twice", "csi: {}\n---\ncsi: {}", "in.yaml:3: a second document with values of the chart; the first is at in.yaml:1"},
		{"values and resources", "csi: {}\n---\n" + set("{}"), "in.yaml:3: the input has both values of the chart and resources, which the chart made of them"},
		{"two controllers", strings.TrimPrefix(cs, "\n---\n") + "{}" + cs + "{}", "in.yaml:6: a second LinstorController; the first is at in.yaml:4"},
		{"two sets of one name", set("{}") + "\n---\n" + set("{}"), `in.yaml:6: a second LinstorSatelliteSet "ns"; the first is at in.yaml:4`},
		{"a name that leaves the folder", strings.Replace(set("{}"), "name: ns", "name: ../../etc", 1), `in.yaml:1: no name of a satellite set: "../../etc"`},
		{"a wrong type", "csi:\n  controllerReplicas: many", `in.yaml:2: csi.controllerReplicas: want a whole number, found the text "many"`},
		{"a component that is none", "csi: true", "in.yaml:1: csi: want a mapping, found true"},
		{"a list that is none", helm("    sidecars: proxy\n"), `in.yaml:5: operator.controller.sidecars: want a list, found the text "proxy"`},
		{"a flag that is none", "csi: {enabled: maybe}", `in.yaml:1: csi.enabled: want true or false, found the text "maybe"`},
		{"a text that is none", helm("    sslSecret: {name: x}\n"), "in.yaml:5: operator.controller.sslSecret: want a text, found a mapping"},
		{"an unknown mode", set("{kernelModuleInjectionMode: Magic}"), `in.yaml:4: spec.kernelModuleInjectionMode: want Compile, ShippedModules, DepsOnly or None, found "Magic"`},
		{"an unknown method", helm("linstorSslMethod: magic\n"), `in.yaml:5: linstorSslMethod: want manual, helm or cert-manager, found "magic"`},
		{"terms that Kubernetes refuses: leaving them out would put satellites everywhere", set("\n  affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: a, operator: Like}]}]}}}"), `in.yaml:5: spec.nodeAffinity.nodeSelectorTerms[0].matchExpressions[0].operator: Unsupported value: "Like"`},
		{"tolerations that Kubernetes refuses", set("\n  tolerations: [{key: a, operator: Like}]"), `in.yaml:5: spec.tolerations[0].operator: want Exists or Equal, found "Like"`},
		{"more sidecars than anybody has", set("{sidecars: [" + sidecars(200) + "]}"), "in.yaml:1: overlays/ns/ns.yaml would have more than 150 patches, which are never needed"},
		{"a bomb of aliases", bomb(), "in.yaml:1: the documents expand to more than 16 MiB of text"},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			r, err := Convert(documents(t, "in.yaml", tt.input))
			if err == nil {
				t.Fatalf("no error, want %s\n%s", tt.want, r.Stream())
			}
			if !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("got  %s\nwant %s", err, tt.want)
			}
		})
	}
}

func sidecars(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "{name: s%d, image: a}, ", i)
	}
	return b.String()
}

// bomb is values that expand to 100 MiB of text.
func bomb() string {
	return "global: {a: &a " + strings.Repeat("x", 1<<20) + ", b: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a], c: [*b, *b, *b, *b, *b, *b, *b, *b, *b, *b]}"
}

// TestSetting: one key of a file in TOML.
func TestSetting(t *testing.T) {
	for _, tt := range []struct{ reason, file, want string }{
		{"an empty file", "", "[s]\nk = \"v\"\n"},
		{"a section that is not there", "[a]\nk = 1\n", "[a]\nk = 1\n\n[s]\nk = \"v\"\n"},
		{"after the header of the section, and not of one after it", "[s]\nj = 1\n\n[a]\nk = 2\n", "[s]\nk = \"v\"\nj = 1\n\n[a]\nk = 2\n"},
		{"in the place of what it has", "[s]\nj = 1\n  k = 2\n", "[s]\nj = 1\nk = \"v\"\n"},
	} {
		if diff := cmp.Diff(tt.want, setting(tt.file, "[s]", "k", "v")); diff != "" {
			t.Errorf("%s: %s", tt.reason, diff)
		}
	}
}

// FuzzConvert: whatever comes, there is a result that accounts for every key
// and renders, or an error.
func FuzzConvert(f *testing.F) {
	for _, name := range inputs {
		f.Add(file(f, name))
	}
	f.Fuzz(func(t *testing.T, text string) {
		docs := documentsOrNone(text)
		c, err := read(docs)
		if err != nil {
			return
		}
		if c.convert(); c.faults.Err() != nil || c.settle() != nil {
			return
		}
		r := c.result()
		if left := c.count()[untouched]; len(left) > 0 {
			t.Errorf("%s is neither in the output nor listed", left[0].path())
		}
		if _, err := interpret([]File{{"all.yaml", r.Stream()}}); err != nil {
			t.Errorf("the output cannot be read: %v\n%s", err, r.Stream())
		}
	})
}
