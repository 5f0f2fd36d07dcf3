package plugin_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"go.yaml.in/yaml/v3"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	k8syaml "sigs.k8s.io/yaml"
)

// objects are the objects of an installation, by type.
type objects struct {
	Deployments         []appsv1.Deployment
	ServiceAccounts     []corev1.ServiceAccount
	ClusterRoles        []rbacv1.ClusterRole
	ClusterRoleBindings []rbacv1.ClusterRoleBinding
	Roles               []rbacv1.Role
	RoleBindings        []rbacv1.RoleBinding
}

func (o objects) deployment(t *testing.T, name string) appsv1.Deployment {
	t.Helper()
	for _, d := range o.Deployments {
		if d.Name == name {
			return d
		}
	}
	t.Fatalf("there is no Deployment %s", name)
	return appsv1.Deployment{}
}

// anyOrder compares the containers and volumes of a pod by name: kustomize puts
// new ones before those that are there, kubectl does not.
var anyOrder = []cmp.Option{
	cmpopts.SortSlices(func(a, b corev1.Container) bool { return a.Name < b.Name }),
	cmpopts.SortSlices(func(a, b corev1.Volume) bool { return a.Name < b.Name }),
}

// decode decodes every document of a text strictly into its Kubernetes type.
func decode(t *testing.T, text []byte) (o objects) {
	t.Helper()
	for decoder := yaml.NewDecoder(bytes.NewReader(text)); ; {
		var document yaml.Node
		if err := decoder.Decode(&document); errors.Is(err, io.EOF) {
			return o
		} else if err != nil {
			t.Fatal(err)
		}
		one, err := yaml.Marshal(&document)
		if err != nil {
			t.Fatal(err)
		}
		var kind metav1.TypeMeta
		if err := k8syaml.Unmarshal(one, &kind); err != nil {
			t.Fatal(err)
		}
		switch kind {
		case appsv1TypeMeta("Deployment"):
			add(t, &o.Deployments, one)
		case metav1.TypeMeta{APIVersion: "v1", Kind: "ServiceAccount"}:
			add(t, &o.ServiceAccounts, one)
		case rbacTypeMeta("ClusterRole"):
			add(t, &o.ClusterRoles, one)
		case rbacTypeMeta("ClusterRoleBinding"):
			add(t, &o.ClusterRoleBindings, one)
		case rbacTypeMeta("Role"):
			add(t, &o.Roles, one)
		case rbacTypeMeta("RoleBinding"):
			add(t, &o.RoleBindings, one)
		default:
			t.Fatalf("nothing of kind %v belongs to an installation", kind)
		}
	}
}

func add[T any](t *testing.T, list *[]T, text []byte) {
	t.Helper()
	var object T
	if err := k8syaml.UnmarshalStrict(text, &object); err != nil {
		t.Fatalf("%v in:\n%s", err, text)
	}
	*list = append(*list, object)
}

func appsv1TypeMeta(kind string) metav1.TypeMeta {
	return metav1.TypeMeta{APIVersion: "apps/v1", Kind: kind}
}

func rbacTypeMeta(kind string) metav1.TypeMeta {
	return metav1.TypeMeta{APIVersion: "rbac.authorization.k8s.io/v1", Kind: kind}
}

func ptr[T any](v T) *T { return &v }

// installed builds a kustomization beside the stand-in for Argo CD.
func installed(t *testing.T, kustomization string) objects {
	t.Helper()
	fs := filesys.MakeFsInMemory()
	for _, file := range []string{"install/kustomization.yaml", "install/rbac.yaml", "install/sidecar.yaml", "argocd/argocd.yaml"} {
		from := file
		if filepath.Dir(file) == "argocd" {
			from = filepath.Join("testdata", file)
		}
		if err := fs.WriteFile("/"+file, []byte(readFile(t, from))); err != nil {
			t.Fatal(err)
		}
	}
	if err := fs.WriteFile("/argocd/kustomization.yaml", []byte(kustomization)); err != nil {
		t.Fatal(err)
	}
	built, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(fs, "/argocd")
	if err != nil {
		t.Fatal(err)
	}
	text, err := built.AsYaml()
	if err != nil {
		t.Fatal(err)
	}
	return decode(t, text)
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
