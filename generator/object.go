package generator

import (
	"reflect"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	storagev1 "k8s.io/api/storage/v1"

	"github.com/linstor-cmp/linstor-cmp/internal/manifest"
	"github.com/linstor-cmp/linstor-cmp/overlays/patch"
)

// object is a generated object on its way through the patches. It has its base
// name until the end.
type object struct {
	kind, base string
	component  string
	typ        reflect.Type // nil where Kubernetes has no Go type
	value      map[string]any
	movedFrom  *object // the satellite, of a loader that was moved out of it
}

// nodeKind is a kind of object that every node may get.
type nodeKind struct{ kind, base string }

var nodeKinds = []nodeKind{
	{"ConfigMap", "reactor-config"},
	{"ConfigMap", "satellite-config"},
	{"Certificate", "linstor-satellite"},
	{"DaemonSet", "drbd-module-loader"},
	{"DaemonSet", "linstor-satellite"},
}

// goTypes are the Go types of the kinds that we generate, by apiVersion and kind.
var goTypes = map[string]reflect.Type{
	"apps/v1 DaemonSet":  reflect.TypeFor[appsv1.DaemonSet](),
	"apps/v1 Deployment": reflect.TypeFor[appsv1.Deployment](),
	"v1 ConfigMap":       reflect.TypeFor[corev1.ConfigMap](),
	"v1 Service":         reflect.TypeFor[corev1.Service](),
	"v1 ServiceAccount":  reflect.TypeFor[corev1.ServiceAccount](),

	"rbac.authorization.k8s.io/v1 ClusterRole":        reflect.TypeFor[rbacv1.ClusterRole](),
	"rbac.authorization.k8s.io/v1 ClusterRoleBinding": reflect.TypeFor[rbacv1.ClusterRoleBinding](),
	"rbac.authorization.k8s.io/v1 Role":               reflect.TypeFor[rbacv1.Role](),
	"rbac.authorization.k8s.io/v1 RoleBinding":        reflect.TypeFor[rbacv1.RoleBinding](),
	"storage.k8s.io/v1 CSIDriver":                     reflect.TypeFor[storagev1.CSIDriver](),
}

func newObject(component string, value map[string]any) *object {
	kind, _ := value["kind"].(string)
	apiVersion, _ := value["apiVersion"].(string)
	o := &object{kind: kind, component: component, value: value, typ: goTypes[apiVersion+" "+kind]}
	o.base, _ = peek(value, "metadata")["name"].(string)
	return o
}

// title names the object in messages.
func (o *object) title() string { return o.kind + "/" + o.base }

// subject is the object as patches see it; final is its final name.
func (o *object) subject(final, namespace string) patch.Subject {
	apiVersion, _ := o.value["apiVersion"].(string)
	return patch.Subject{APIVersion: apiVersion, Kind: o.kind, Base: o.base, Final: final, Namespace: namespace, Object: o.value}
}

// member returns a mapping below v, made where it is absent. Where something
// else than a mapping stands, it returns a mapping that leads nowhere: the
// strict check at the end says what is wrong.
func member(v map[string]any, path ...string) map[string]any {
	for _, key := range path {
		next, ok := v[key].(map[string]any)
		if !ok {
			next = map[string]any{}
			if v[key] == nil {
				v[key] = next
			}
		}
		v = next
	}
	return v
}

// peek returns the mapping at a path below v, or nil; it changes nothing.
func peek(v map[string]any, path ...string) map[string]any {
	for _, key := range path {
		v, _ = v[key].(map[string]any)
	}
	return v
}

// podSpec is the pod spec of a workload.
func (o *object) podSpec() map[string]any { return member(o.value, "spec", "template", "spec") }

// elements returns the mappings of a list.
func elements(v map[string]any, key string) []map[string]any {
	list, _ := v[key].([]any)
	out := make([]map[string]any, 0, len(list))
	for _, e := range list {
		if m, ok := e.(map[string]any); ok {
			out = append(out, m)
		}
	}
	return out
}

// named returns the element of a list that has a name, or nil.
func named(v map[string]any, key, name string) map[string]any {
	for _, e := range elements(v, key) {
		if e["name"] == name {
			return e
		}
	}
	return nil
}

// drop takes the elements that f picks out of a list.
func drop(v map[string]any, key string, f func(map[string]any) bool) {
	list, ok := v[key].([]any)
	if !ok {
		return
	}
	v[key] = slices.DeleteFunc(list, func(e any) bool {
		m, ok := e.(map[string]any)
		return ok && f(m)
	})
}

// push appends to a list.
func push(v map[string]any, key string, items ...any) {
	list, _ := v[key].([]any)
	v[key] = append(list, items...)
}

// mounts returns the names of the volumes that containers mount.
func mounts(containers ...map[string]any) map[string]bool {
	out := map[string]bool{}
	for _, c := range containers {
		for _, key := range []string{"volumeMounts", "volumeDevices"} {
			for _, m := range elements(c, key) {
				if name, ok := m["name"].(string); ok {
					out[name] = true
				}
			}
		}
	}
	return out
}

// filled returns the value with placeholders filled in.
func filled(v any, with []string) any {
	switch x := v.(type) {
	case string:
		return manifest.Fill(x, with)
	case map[string]any:
		out := make(map[string]any, len(x))
		for k, e := range x {
			out[k] = filled(e, with)
		}
		return out
	case []any:
		out := make([]any, len(x))
		for i, e := range x {
			out[i] = filled(e, with)
		}
		return out
	}
	return v
}
