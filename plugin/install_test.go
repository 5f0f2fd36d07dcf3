package plugin_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"sigs.k8s.io/yaml"
)

const (
	repoServer = "argocd-repo-server"
	sidecar    = "linstor-cmp"
	tokenMount = "/var/run/secrets/kubernetes.io/serviceaccount"
)

// The sidecar as it is meant to be, field by field.
var wantSidecar = corev1.Container{
	Name:    sidecar,
	Image:   "ghcr.io/linstor-cmp/linstor-cmp:v0.1.0",
	Command: []string{"/var/run/argocd/argocd-cmp-server"},
	SecurityContext: &corev1.SecurityContext{
		RunAsUser:                ptr(int64(999)),
		RunAsNonRoot:             ptr(true),
		ReadOnlyRootFilesystem:   ptr(true),
		AllowPrivilegeEscalation: ptr(false),
		Capabilities:             &corev1.Capabilities{Drop: []corev1.Capability{"ALL"}},
		SeccompProfile:           &corev1.SeccompProfile{Type: corev1.SeccompProfileTypeRuntimeDefault},
	},
	Resources: corev1.ResourceRequirements{
		Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("50m"), corev1.ResourceMemory: resource.MustParse("256Mi")},
		Limits:   corev1.ResourceList{corev1.ResourceMemory: resource.MustParse("1Gi")},
	},
	VolumeMounts: []corev1.VolumeMount{
		{Name: "var-files", MountPath: "/var/run/argocd"},
		{Name: "plugins", MountPath: "/home/argocd/cmp-server/plugins"},
		{Name: "linstor-cmp-tmp", MountPath: "/tmp"},
		{Name: "linstor-cmp-token", MountPath: tokenMount, ReadOnly: true},
	},
}

var wantVolumes = []corev1.Volume{
	{Name: "linstor-cmp-tmp", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}},
	{Name: "linstor-cmp-token", VolumeSource: corev1.VolumeSource{Projected: &corev1.ProjectedVolumeSource{Sources: []corev1.VolumeProjection{
		{ServiceAccountToken: &corev1.ServiceAccountTokenProjection{Path: "token", ExpirationSeconds: ptr(int64(3600))}},
		{ConfigMap: &corev1.ConfigMapProjection{
			LocalObjectReference: corev1.LocalObjectReference{Name: "kube-root-ca.crt"},
			Items:                []corev1.KeyToPath{{Key: "ca.crt", Path: "ca.crt"}},
		}},
		{DownwardAPI: &corev1.DownwardAPIProjection{Items: []corev1.DownwardAPIVolumeFile{
			{Path: "namespace", FieldRef: &corev1.ObjectFieldSelector{FieldPath: "metadata.namespace"}},
		}}},
	}}}},
}

var wantRules = []rbacv1.PolicyRule{{APIGroups: []string{""}, Resources: []string{"nodes"}, Verbs: []string{"get", "list", "watch"}}}

func TestComponent(t *testing.T) {
	before := installed(t, "resources: [argocd.yaml]")
	after := installed(t, readFile(t, "testdata/argocd/kustomization.yaml"))

	t.Run("sidecar and volumes are added", func(t *testing.T) {
		want := before.deployment(t, repoServer)
		want.Namespace = "argocd"
		spec := &want.Spec.Template.Spec
		spec.Containers = append([]corev1.Container{wantSidecar}, spec.Containers...)
		spec.Volumes = append(slices.Clone(wantVolumes), spec.Volumes...)
		if diff := cmp.Diff(want, after.deployment(t, repoServer)); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	})
	t.Run("other Deployments stay as they are", func(t *testing.T) {
		want := before.deployment(t, "argocd-server")
		want.Namespace = "argocd"
		if diff := cmp.Diff(want, after.deployment(t, "argocd-server")); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	})
	t.Run("only the sidecar gets a token", func(t *testing.T) { checkToken(t, after.deployment(t, repoServer)) })
	t.Run("the right to read nodes, exactly", func(t *testing.T) {
		checkRBAC(t, after, "argocd")
		if n := len(after.ClusterRoles) + len(after.ClusterRoleBindings) + len(after.Roles) + len(after.RoleBindings); n != 2 {
			t.Errorf("%d roles and bindings, want 2", n)
		}
	})
	t.Run("another namespace reaches the binding", func(t *testing.T) {
		checkRBAC(t, installed(t, "namespace: gitops\nresources: [argocd.yaml]\ncomponents: [../install]"), "gitops")
	})
	t.Run("the image can be set", func(t *testing.T) {
		other := installed(t, "resources: [argocd.yaml]\ncomponents: [../install]\nimages: [{name: ghcr.io/linstor-cmp/linstor-cmp, newTag: v9}]")
		if got := other.deployment(t, repoServer).Spec.Template.Spec.Containers[0].Image; got != "ghcr.io/linstor-cmp/linstor-cmp:v9" {
			t.Errorf("image %s", got)
		}
	})
}

// `kubectl patch` gives the same Deployment, however often it runs.
func TestKubectlPatch(t *testing.T) {
	before := installed(t, "namespace: argocd\nresources: [argocd.yaml]").deployment(t, repoServer)
	patch, err := yaml.YAMLToJSONStrict([]byte(readFile(t, "install/sidecar.yaml")))
	if err != nil {
		t.Fatal(err)
	}
	want := installed(t, readFile(t, "testdata/argocd/kustomization.yaml")).deployment(t, repoServer)
	for _, run := range []string{"first", "second"} {
		text, err := json.Marshal(before)
		if err != nil {
			t.Fatal(err)
		}
		if text, err = strategicpatch.StrategicMergePatch(text, patch, appsv1.Deployment{}); err != nil {
			t.Fatal(err)
		}
		var got appsv1.Deployment
		if err := yaml.UnmarshalStrict(text, &got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got, anyOrder...); diff != "" {
			t.Errorf("%s time (-kustomize +kubectl):\n%s", run, diff)
		}
		before = got
	}
}

// The chart's values say the same as the component.
func TestHelmValues(t *testing.T) {
	var values struct {
		RepoServer struct {
			AutomountServiceAccountToken *bool `json:"automountServiceAccountToken"`
			ClusterRoleRules             struct {
				Enabled bool                `json:"enabled"`
				Rules   []rbacv1.PolicyRule `json:"rules"`
			} `json:"clusterRoleRules"`
			ExtraContainers []corev1.Container `json:"extraContainers"`
			Volumes         []corev1.Volume    `json:"volumes"`
		} `json:"repoServer"`
	}
	if err := yaml.UnmarshalStrict([]byte(readFile(t, "install/values-argo-helm.yaml")), &values); err != nil {
		t.Fatal(err)
	}
	got := values.RepoServer
	if diff := cmp.Diff([]corev1.Container{wantSidecar}, got.ExtraContainers); diff != "" {
		t.Errorf("extraContainers (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(wantVolumes, got.Volumes); diff != "" {
		t.Errorf("volumes (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(wantRules, got.ClusterRoleRules.Rules); diff != "" || !got.ClusterRoleRules.Enabled {
		t.Errorf("clusterRoleRules, enabled %t (-want +got):\n%s", got.ClusterRoleRules.Enabled, diff)
	}
	if auto := got.AutomountServiceAccountToken; auto == nil || *auto {
		t.Error("the chart would give every container of the pod a token")
	}
}

// The Secrets of Argo CD's namespace are readable only by who asks for it.
func TestClusterSecretsRole(t *testing.T) {
	got := decode(t, []byte(readFile(t, "install/rbac-cluster-secrets.yaml")))
	want := objects{
		Roles: []rbacv1.Role{{
			TypeMeta: rbacTypeMeta("Role"), ObjectMeta: metav1.ObjectMeta{Name: "linstor-cmp-cluster-secrets", Namespace: "argocd"},
			Rules: []rbacv1.PolicyRule{{APIGroups: []string{""}, Resources: []string{"secrets"}, Verbs: []string{"get", "list"}}},
		}},
		RoleBindings: []rbacv1.RoleBinding{{
			TypeMeta: rbacTypeMeta("RoleBinding"), ObjectMeta: metav1.ObjectMeta{Name: "linstor-cmp-cluster-secrets", Namespace: "argocd"},
			RoleRef:  rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "Role", Name: "linstor-cmp-cluster-secrets"},
			Subjects: []rbacv1.Subject{{Kind: "ServiceAccount", Name: repoServer, Namespace: "argocd"}},
		}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// checkToken finds the volumes with a token and who mounts them.
func checkToken(t *testing.T, d appsv1.Deployment) {
	t.Helper()
	pod := d.Spec.Template.Spec
	if auto := pod.AutomountServiceAccountToken; auto == nil || *auto {
		t.Error("the pod gives every container a token")
	}
	tokens := map[string]bool{}
	for _, v := range pod.Volumes {
		tokens[v.Name] = v.Projected != nil && slices.ContainsFunc(v.Projected.Sources, func(s corev1.VolumeProjection) bool { return s.ServiceAccountToken != nil })
	}
	var with []string
	for _, c := range slices.Concat(pod.InitContainers, pod.Containers) {
		for _, m := range c.VolumeMounts {
			if tokens[m.Name] {
				with = append(with, c.Name+" at "+m.MountPath)
			}
		}
	}
	if diff := cmp.Diff([]string{sidecar + " at " + tokenMount}, with); diff != "" {
		t.Errorf("containers with a token (-want +got):\n%s", diff)
	}
}

func checkRBAC(t *testing.T, o objects, namespace string) {
	t.Helper()
	wantRoles := []rbacv1.ClusterRole{{TypeMeta: rbacTypeMeta("ClusterRole"), ObjectMeta: metav1.ObjectMeta{Name: sidecar}, Rules: wantRules}}
	if diff := cmp.Diff(wantRoles, o.ClusterRoles); diff != "" {
		t.Errorf("cluster roles (-want +got):\n%s", diff)
	}
	wantBindings := []rbacv1.ClusterRoleBinding{{
		TypeMeta: rbacTypeMeta("ClusterRoleBinding"), ObjectMeta: metav1.ObjectMeta{Name: sidecar},
		RoleRef:  rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: sidecar},
		Subjects: []rbacv1.Subject{{Kind: "ServiceAccount", Name: repoServer, Namespace: namespace}},
	}}
	if diff := cmp.Diff(wantBindings, o.ClusterRoleBindings); diff != "" {
		t.Errorf("cluster role bindings (-want +got):\n%s", diff)
	}
}
