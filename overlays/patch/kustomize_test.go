package patch

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/kustomize/kyaml/openapi"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/linstor-cmp/linstor-cmp/internal/manifest"
)

// pointless are fields that no pod template may have.
var pointless = []string{"ephemeralContainers"}

// The merge keys that we read off Kubernetes' Go types are those of
// kustomize's OpenAPI schema, for every list of every kind that patches reach.
func TestSchemaIsKustomizes(t *testing.T) {
	for _, k := range []struct {
		apiVersion, kind string
		typ              reflect.Type
	}{
		{"apps/v1", "DaemonSet", reflect.TypeFor[appsv1.DaemonSet]()},
		{"apps/v1", "Deployment", reflect.TypeFor[appsv1.Deployment]()},
		{"v1", "ConfigMap", reflect.TypeFor[corev1.ConfigMap]()},
		{"v1", "Service", reflect.TypeFor[corev1.Service]()},
		{"v1", "ServiceAccount", reflect.TypeFor[corev1.ServiceAccount]()},
	} {
		lists := 0
		schema := openapi.SchemaForResourceType(yaml.TypeMeta{APIVersion: k.apiVersion, Kind: k.kind})
		if schema == nil {
			t.Fatalf("kustomize has no schema of %s", k.kind)
		}
		compareSchema(t, schema, k.typ, k.kind, &lists, 0)
		if k.kind == "DaemonSet" && lists < 30 {
			t.Errorf("only %d lists of a DaemonSet compared", lists)
		}
	}
}

func compareSchema(t *testing.T, theirs *openapi.ResourceSchema, typ reflect.Type, path string, lists *int, depth int) {
	t.Helper()
	if depth > 12 {
		return
	}
	fields := manifest.Fields(typ)
	for _, name := range manifest.SortedKeys(fields) {
		ours := schemaOf(typ, name, true)
		field := theirs.Field(name)
		at := path + "." + name
		if field == nil || field.IsMissingOrNull() || slices.Contains(pointless, name) {
			continue // newer than kustomize's schema, which then replaces
		}
		if el := elem(ours.typ); el != nil {
			*lists++
			strategy, keys := field.PatchStrategyAndKeyList()
			merges := strings.Contains(strategy, "merge")
			if merges != ours.merges || merges && !slices.Equal(keys, ours.keys) {
				t.Errorf("%s: kustomize %q %v, we %t %v", at, strategy, keys, ours.merges, ours.keys)
			}
			if elements := field.Elements(); elements != nil {
				compareSchema(t, elements, el, at, lists, depth+1)
			}
			continue
		}
		compareSchema(t, field, ours.typ, at, lists, depth+1)
	}
}

// Where kustomize does not lose data, we do what it does, but for the order of
// merged lists: it moves patched elements to the front.
func TestMergeIsKustomizes(t *testing.T) {
	for _, pod := range []string{
		`hostNetwork: true`,
		`containers: [{name: one, image: new}]`,
		`containers: [{name: new, image: new, env: [{name: X, value: x}]}]`,
		`containers: [{name: one, $patch: delete}]`,
		`containers: [{name: one, env: [{name: A, $patch: delete}, {name: C, value: c}]}]`,
		`containers: [{name: one, volumeMounts: [{mountPath: /a, readOnly: true}, {mountPath: /c, name: v}]}]`,
		`containers: [{name: one, args: [new]}]`,
		`initContainers: [{name: b, $patch: delete}, {name: c, image: cc}]`,
		`volumes: [{name: w, configMap: {name: other}}, {name: x, emptyDir: {}}]`,
		`volumes: [{name: w, configMap: null, emptyDir: {}}]`,
		`volumes: [{name: w, configMap: {$patch: delete}, emptyDir: {}}]`,
		`tolerations: [{key: z}]`,
		`tolerations: null`,
		`terminationGracePeriodSeconds: 5`,
		`securityContext: {runAsUser: 1, $patch: replace}`,
		`affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchFields: [{key: metadata.name, operator: In, values: [a]}]}]}}}`,
		`imagePullSecrets: [{name: a}, {name: b}]`,
		`hostAliases: [{ip: 1.2.3.4, hostnames: [a]}]`,
		`containers: [{name: one, ports: [{containerPort: 81, protocol: UDP, name: udp}]}]`,
		`topologySpreadConstraints: [{topologyKey: a, maxSkew: 1, whenUnsatisfiable: DoNotSchedule}]`,
	} {
		patch := head + "spec:\n  template:\n    spec:\n" + indent(pod, "      ")
		p, err := kustomize(t, patch, nil)
		if err != nil {
			t.Errorf("%s: %v", pod, err)
			continue
		}
		r, err := p.Apply(plain(t, []byte(base)).(map[string]any), daemonSet)
		if err != nil {
			t.Errorf("%s: %v", pod, err)
			continue
		}
		if diff := cmp.Diff(unordered(theirMerge(t, patch)), unordered(r.Object)); diff != "" {
			t.Errorf("%s (-kustomize +ours):\n%s", pod, diff)
		}
	}
}

func theirMerge(t *testing.T, patch string) any {
	t.Helper()
	fs := filesys.MakeFsInMemory()
	for name, text := range map[string]string{
		"/k/base.yaml": base, "/k/patch.yaml": patch,
		"/k/kustomization.yaml": "resources: [base.yaml]\npatches: [{path: patch.yaml}]\n",
	} {
		if err := fs.WriteFile(name, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	built, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(fs, "/k")
	if err != nil {
		t.Fatalf("kustomize: %v\n%s", err, patch)
	}
	text, err := built.AsYaml()
	if err != nil {
		t.Fatal(err)
	}
	return plain(t, text)
}

// unordered sorts merged lists by what their elements say.
func unordered(v any) any {
	switch x := v.(type) {
	case map[string]any:
		for k := range x {
			x[k] = unordered(x[k])
		}
	case []any:
		for i := range x {
			x[i] = unordered(x[i])
		}
		slices.SortStableFunc(x, func(a, b any) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
	}
	return v
}
