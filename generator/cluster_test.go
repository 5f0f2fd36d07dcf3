package generator

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// whole is a LinstorCluster with every component, whose spec, in flow style, is
// on line 4.
func whole(spec string) string {
	return "apiVersion: piraeus.io/v1\nkind: LinstorCluster\nmetadata: {name: linstor}\nspec: " + spec + "\n"
}

func kindsAndNames(r rendered) []string {
	var out []string
	for key := range r.objects {
		out = append(out, key)
	}
	slices.Sort(out)
	return out
}

// What a switched-off component takes with it.
func TestComponentsSwitchedOff(t *testing.T) {
	all := kindsAndNames(render(t, whole("{}"), nodesNamed("a")))
	for _, c := range []struct{ component, gone string }{
		{"controller", "ClusterRole/linstor-controller ClusterRoleBinding/linstor-controller ConfigMap/linstor-controller-config Deployment/linstor-controller Role/linstor-controller RoleBinding/linstor-controller Service/linstor-controller ServiceAccount/linstor-controller"},
		{"csiController", "CSIDriver/linstor.csi.linbit.com ClusterRole/linstor-csi-controller ClusterRoleBinding/linstor-csi-controller Deployment/linstor-csi-controller Role/linstor-csi-controller RoleBinding/linstor-csi-controller ServiceAccount/linstor-csi-controller"},
		{"csiNode", "DaemonSet/linstor-csi-node Role/linstor-csi-node RoleBinding/linstor-csi-node ServiceAccount/linstor-csi-node"},
		{"highAvailabilityController", "ClusterRole/ha-controller ClusterRoleBinding/ha-controller DaemonSet/ha-controller ServiceAccount/ha-controller"},
		{"affinityController", "ClusterRole/linstor-affinity-controller ClusterRoleBinding/linstor-affinity-controller Deployment/linstor-affinity-controller Role/linstor-affinity-controller RoleBinding/linstor-affinity-controller ServiceAccount/linstor-affinity-controller"},
		{"nfsServer", "ClusterRole/linstor-csi-nfs-server ClusterRoleBinding/linstor-csi-nfs-server ConfigMap/linstor-csi-nfs-server-reactor-config ConfigMap/linstor-csi-nfs-server-templates DaemonSet/linstor-csi-nfs-server Role/linstor-csi-nfs-server RoleBinding/linstor-csi-nfs-server Service/linstor-csi-nfs ServiceAccount/linstor-csi-nfs-server"},
	} {
		left := kindsAndNames(render(t, whole("{"+c.component+": {enabled: false}}"), nodesNamed("a")))
		gone := slices.DeleteFunc(slices.Clone(all), func(k string) bool { return slices.Contains(left, k) })
		if diff := cmp.Diff(strings.Fields(c.gone), gone); diff != "" {
			t.Errorf("%s: %s", c.component, diff)
		}
		// A component that does not say is on, as the API server has it.
		if diff := cmp.Diff(all, kindsAndNames(render(t, whole("{"+c.component+": {podTemplate: {metadata: {annotations: {a: b}}}}}"), nodesNamed("a")))); diff != "" {
			t.Errorf("%s with a pod template only: %s", c.component, diff)
		}
	}
}

// Patches of a LinstorCluster in their order: a pod template, then
// customizeComponents, then patches; the last word counts.
func TestOrderOfTheClustersPatches(t *testing.T) {
	template := "controller: {podTemplate: {spec: {containers: [{name: linstor-controller, image: 'template:1'}]}}}"
	customize := "customizeComponents: {patches: [{resourceType: deployment, resourceName: LINSTOR-controller, patch: '{spec: {template: {spec: {containers: [{name: linstor-controller, image: \"customize:1\"}]}}}}'}]}"
	patches := "patches: [{target: {kind: Deployment, name: linstor-controller}, patch: '[{op: replace, path: /spec/template/spec/containers/0/image, value: \"patches:1\"}]'}]"
	for _, c := range []struct{ spec, want string }{
		{template, "template:1"},
		{customize + ", " + template, "customize:1"},
		{patches + ", " + customize + ", " + template, "patches:1"},
	} {
		r := render(t, whole("{"+c.spec+"}"), nodesNamed("a"))
		if got := r.at("Deployment/linstor-controller", pods+",linstor-controller,image"); got != c.want {
			t.Errorf("%s: got %v, want %s", c.spec, got, c.want)
		}
	}
}

// What depends on the version of Kubernetes; what is not known is the newest.
func TestKubernetesVersions(t *testing.T) {
	for _, c := range []struct {
		version            string
		seLinux, dualStack bool
	}{
		{"", true, true},
		{"v1.31.4", true, true},
		{"1.25", true, true},
		{"v1.25.0+k3s1", true, true},
		{"v1.24.17+k3s1", false, true},
		{"1.20", false, true},
		{"v1.19.16", false, false},
		{"2.0", true, true},
		{"newest", true, true},
	} {
		r := render(t, whole("{}"), nodesNamed("a"), func(s *Settings) { s.KubeVersion = c.version })
		if got := r.at("CSIDriver/linstor.csi.linbit.com", "spec,seLinuxMount") != nil; got != c.seLinux {
			t.Errorf("%s: seLinuxMount is there: %v, want %v", c.version, got, c.seLinux)
		}
		if got := r.at("Service/linstor-controller", "spec,ipFamilyPolicy") != nil; got != c.dualStack {
			t.Errorf("%s: ipFamilyPolicy is there: %v, want %v", c.version, got, c.dualStack)
		}
	}
}

func TestGroupSnapshots(t *testing.T) {
	for _, c := range []struct {
		served []string
		want   string
	}{
		{nil, "false"},
		{[]string{"v1", "apps/v1", "groupsnapshot.storage.k8s.io/v1beta1"}, "false"},
		{[]string{"apps/v1", "groupsnapshot.storage.k8s.io/v1beta2"}, "true"},
	} {
		r := render(t, whole("{}"), nodesNamed("a"), func(s *Settings) { s.APIVersions = c.served })
		if got := r.at("Deployment/linstor-csi-controller", pods+",csi-snapshotter,env,FEATURE_GATE_CSI_VOLUME_GROUP_SNAPSHOT,value"); got != c.want {
			t.Errorf("%v: got %v, want %s", c.served, got, c.want)
		}
	}
}

// The references to an authority that is optional say so, and no others.
func TestOptionalAuthorities(t *testing.T) {
	const controller, csi = "Deployment/linstor-controller", "Deployment/linstor-csi-controller"
	source := func(r rendered, volume string, i int) any {
		list, _ := r.at(controller, volumes+","+volume+",projected,sources").([]any)
		for _, ref := range list[i].(map[string]any) {
			return ref.(map[string]any)["optional"]
		}
		return "no source"
	}
	spec := func(internal, api string) string {
		return whole("{internalTLS: {caReference: {name: internal-ca" + internal + "}}, apiTLS: {caReference: {kind: ConfigMap, name: api-ca" + api + "}}}")
	}
	for _, c := range []struct {
		reason, text  string
		internal, api any
	}{
		{"neither says", spec("", ""), nil, nil},
		{"one is", spec(", optional: true", ""), true, nil},
		{"the other is not", spec("", ", optional: false"), nil, false},
		{"both say", spec(", optional: false", ", optional: true"), false, true},
	} {
		r := render(t, c.text, nodesNamed("a"))
		want := []any{nil, c.internal, nil, c.api, nil, c.api, c.api, nil}
		got := []any{
			source(r, "internal-tls", 0), source(r, "internal-tls", 1), source(r, "api-tls", 0), source(r, "api-tls", 1), source(r, "client-tls", 0), source(r, "client-tls", 1),
			r.at(csi, pods+",linstor-csi,env,LS_ROOT_CA,valueFrom,configMapKeyRef,optional"), r.at(csi, pods+",linstor-csi,env,LS_USER_KEY,valueFrom,secretKeyRef,optional"),
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", c.reason, diff)
		}
	}
}

// Without an authority of its own, a certificate brings it.
func TestAuthorityOfTheCertificate(t *testing.T) {
	r := render(t, whole("{apiTLS: {csiNodeSecretName: mine}}"), nodesNamed("a"))
	want := map[string]any{"secretKeyRef": map[string]any{"name": "mine", "key": "ca.crt"}}
	if diff := cmp.Diff(any(want), r.at("DaemonSet/linstor-csi-node", inits+",linstor-wait-node-online,env,LS_ROOT_CA,valueFrom")); diff != "" {
		t.Error(diff)
	}
	for key := range r.objects {
		if strings.HasPrefix(key, "Certificate/") {
			t.Errorf("nobody asked for %s", key)
		}
	}
}
