package generator

import (
	"embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/linstor-cmp/linstor-cmp/internal/api"
	"github.com/linstor-cmp/linstor-cmp/internal/manifest"
)

//go:embed templates/cluster/*.yaml templates/cluster/variations/*.yaml
var clusterFiles embed.FS

var clusterTemplates = sync.OnceValue(func() map[string][]map[string]any {
	out := map[string][]map[string]any{}
	for _, dir := range []string{"templates/cluster", "templates/cluster/variations"} {
		entries, err := clusterFiles.ReadDir(dir)
		if err != nil {
			panic(err)
		}
		for _, e := range entries {
			if !e.IsDir() {
				out[strings.TrimSuffix(e.Name(), ".yaml")] = mustRead(clusterFiles, dir+"/"+e.Name())
			}
		}
	}
	return out
})

// clusterSet is a component of the cluster: the objects of one file.
type clusterSet struct {
	file      string
	component string // the component label of its certificates
	off       func(api.LinstorClusterSpec) bool
}

var clusterSets = []clusterSet{
	{"controller", "linstor-controller", func(s api.LinstorClusterSpec) bool { return s.ExternalController != nil || disabled(s.Controller) }},
	{"csi-controller", "linstor-csi-controller", func(s api.LinstorClusterSpec) bool { return replicatedOff(s.CSIController) }},
	{"csi-node", "linstor-csi-node", func(s api.LinstorClusterSpec) bool { return disabled(s.CSINode) }},
	{"ha-controller", "ha-controller", func(s api.LinstorClusterSpec) bool { return disabled(s.HighAvailabilityController) }},
	{"affinity-controller", "linstor-affinity-controller", func(s api.LinstorClusterSpec) bool { return replicatedOff(s.AffinityController) }},
	{"nfs-server", "linstor-csi-nfs-server", func(s api.LinstorClusterSpec) bool { return disabled(s.NFSServer) }},
	{"satellite-common", "linstor-satellite", func(api.LinstorClusterSpec) bool { return false }},
}

// An absent component is switched on, and so is one that does not say.
func disabled(c *api.Component) bool { return c != nil && c.Enabled != nil && !*c.Enabled }

func replicatedOff(c *api.ReplicatedComponent) bool {
	return c != nil && c.Enabled != nil && !*c.Enabled
}

// clusterObjects makes the cluster-wide objects before any patch of a user.
func (g *generation) clusterObjects() []*object {
	spec := g.in.Cluster.Spec
	var objects []*object
	for _, set := range clusterSets {
		if set.off(spec) {
			continue
		}
		for _, t := range clusterTemplates()[set.file] {
			objects = append(objects, newObject("", manifest.Clone(t).(map[string]any)))
		}
		objects = append(objects, g.certificates(set)...)
	}
	for _, o := range objects {
		o.component, _ = peek(o.value, "metadata", "labels")[labelComponent].(string)
		if o.podTemplate() != nil {
			g.place(o)
		}
		for _, s := range elements(o.value, "subjects") {
			s["namespace"] = g.settings.Namespace
		}
	}
	g.vary(objects)
	for _, o := range objects {
		g.labelShared(o)
	}
	return objects
}

func (o *object) podTemplate() map[string]any { return peek(o.value, "spec", "template") }

// labelShared gives a cluster-wide object what all of them carry.
func (g *generation) labelShared(o *object) {
	meta := member(o.value, "metadata")
	member(meta, "labels")[labelManagedBy] = "linstor-cmp"
	if !clusterScoped[o.kind] {
		meta["namespace"] = g.settings.Namespace
	}
	if o.component == "linstor-controller" {
		protect(meta)
	}
}

// protect keeps Argo CD from pruning an object that is no longer rendered, and
// from waiting for it: what LINSTOR needs goes only when a person says so.
func protect(meta map[string]any) {
	annotations := member(meta, "annotations")
	annotations["argocd.argoproj.io/sync-options"] = "Prune=false"
	annotations["argocd.argoproj.io/compare-options"] = "IgnoreExtraneous"
}

var clusterScoped = map[string]bool{"ClusterRole": true, "ClusterRoleBinding": true, "CSIDriver": true}

// place sets images, and which nodes a workload runs on.
func (g *generation) place(o *object) {
	pod, spec := o.podSpec(), g.in.Cluster.Spec
	for _, list := range []string{"initContainers", "containers"} {
		for _, k := range elements(pod, list) {
			k["image"] = g.images.of(k["image"].(string))
		}
	}
	if len(spec.NodeSelector) > 0 {
		pod["nodeSelector"] = plainOf(spec.NodeSelector)
	}
	if spec.NodeAffinity != nil {
		member(pod, "affinity", "nodeAffinity")["requiredDuringSchedulingIgnoredDuringExecution"] = plainOf(spec.NodeAffinity)
	}
	addTolerations(pod, spec.Tolerations)
}

// plainOf is a typed value without numbers as a plain value.
func plainOf(v any) any {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err) // labels and selectors always encode
	}
	var out any
	if err := json.Unmarshal(data, &out); err != nil {
		panic(err)
	}
	return out
}

// vary applies the variations that the settings call for, in Piraeus's order.
func (g *generation) vary(objects []*object) {
	spec := g.in.Cluster.Spec
	if url := controllerURL(spec); url != "" {
		apply(objects, "linstor-url", map[string]any{"LINSTOR_URL": url})
	}
	if older(g.settings.KubeVersion, 1, 25) {
		apply(objects, "csi-without-selinux-mount", nil)
	}
	if older(g.settings.KubeVersion, 1, 20) {
		apply(objects, "controller-without-dual-stack", nil)
	}
	if spec.LinstorPassphraseSecret != "" {
		apply(objects, "controller-passphrase", map[string]any{"PASSPHRASE_SECRET": spec.LinstorPassphraseSecret})
	}
	words := secretNames(spec)
	if t := spec.InternalTLS; t != nil {
		apply(objects, "controller-internal-tls", words)
		applyAuthority(objects, "internal-ca", t.CAReference, words)
	}
	if t := spec.APITLS; t != nil {
		for _, name := range []string{"controller-api-tls", "csi-api-tls", "affinity-controller-api-tls", "nfs-server-api-tls"} {
			apply(objects, name, words)
		}
		applyAuthority(objects, "api-ca", t.CAReference, words)
	}
	if disabled(spec.NFSServer) {
		apply(objects, "csi-without-rwx", nil)
	}
	for name, c := range map[string]*api.ReplicatedComponent{"linstor-csi-controller": spec.CSIController, "linstor-affinity-controller": spec.AffinityController} {
		if c != nil && c.Replicas != nil {
			scale(objects, name, int64(*c.Replicas))
		}
	}
	if !slices.Contains(g.settings.APIVersions, "groupsnapshot.storage.k8s.io/v1beta2") {
		apply(objects, "csi-without-group-snapshots", nil)
	}
	for _, o := range objects {
		if o.title() == "ConfigMap/linstor-controller-config" {
			member(o.value, "data")["cluster.json"] = g.clusterJSON()
		}
	}
}

func controllerURL(s api.LinstorClusterSpec) string {
	switch {
	case s.ExternalController != nil:
		return s.ExternalController.URL
	case s.APITLS != nil:
		return "https://linstor-controller:3371"
	}
	return ""
}

// apply merges the documents of a variation into the objects that they name;
// those whose object is not rendered are passed over.
func apply(objects []*object, variation string, words map[string]any) {
	for _, doc := range clusterTemplates()[variation] {
		kind, name := doc["kind"], peek(doc, "metadata")["name"]
		for _, o := range objects {
			if o.kind == kind && o.base == name {
				patchBuiltin(o, reword(manifest.Clone(doc), words).(map[string]any))
			}
		}
	}
}

func scale(objects []*object, deployment string, replicas int64) {
	for _, o := range objects {
		if o.kind == "Deployment" && o.base == deployment {
			member(o.value, "spec")["replicas"] = replicas
		}
	}
}

func applyAuthority(objects []*object, variation string, ca *api.CAReference, words map[string]any) {
	if ca == nil {
		return
	}
	words["CA_NAME"], words["CA_KEY"] = ca.Name, ca.Key
	apply(objects, variation+"-"+strings.ToLower(ca.Kind), words)
	if ca.Optional == nil {
		return
	}
	for _, o := range objects {
		if o.podTemplate() != nil {
			markOptional(o.podSpec(), ca)
		}
	}
}

// markOptional writes optional beside each reference to an authority.
func markOptional(v any, ca *api.CAReference) {
	switch x := v.(type) {
	case []any:
		for _, e := range x {
			markOptional(e, ca)
		}
	case map[string]any:
		for _, key := range []string{"secret", "configMap", "secretKeyRef", "configMapKeyRef"} {
			ref, ok := x[key].(map[string]any)
			if ok && ref["name"] == ca.Name && (ref["items"] != nil || ref["key"] == ca.Key) {
				ref["optional"] = *ca.Optional
			}
		}
		for _, e := range x {
			markOptional(e, ca)
		}
	}
}

// reword replaces strings that are one of the words as a whole; a word that
// stands for nothing takes its field with it.
func reword(v any, words map[string]any) any {
	switch x := v.(type) {
	case string:
		if w, ok := words[x]; ok {
			return w
		}
	case []any:
		for i := range x {
			x[i] = reword(x[i], words)
		}
	case map[string]any:
		for k := range x {
			if w := reword(x[k], words); w == nil && x[k] != nil {
				delete(x, k)
			} else {
				x[k] = w
			}
		}
	}
	return v
}

// secretNames are the Secrets of TLS, by the words that stand for them.
func secretNames(s api.LinstorClusterSpec) map[string]any {
	t := api.APITLSConfig{}
	if s.APITLS != nil {
		t = *s.APITLS
	}
	internal := ""
	if s.InternalTLS != nil {
		internal = s.InternalTLS.SecretName
	}
	words := map[string]any{}
	for word, names := range map[string][2]string{
		"INTERNAL_TLS_SECRET":            {internal, "linstor-controller-internal-tls"},
		"API_TLS_SECRET":                 {t.APISecretName, "linstor-api-tls"},
		"CLIENT_TLS_SECRET":              {t.ClientSecretName, "linstor-client-tls"},
		"CSI_CONTROLLER_TLS_SECRET":      {t.CSIControllerSecretName, "linstor-csi-controller-tls"},
		"CSI_NODE_TLS_SECRET":            {t.CSINodeSecretName, "linstor-csi-node-tls"},
		"AFFINITY_CONTROLLER_TLS_SECRET": {t.AffinityControllerSecretName, "linstor-affinity-controller-tls"},
		"NFS_SERVER_TLS_SECRET":          {t.NFSServerSecretName, "linstor-csi-nfs-server-tls"},
	} {
		words[word] = names[1]
		if names[0] != "" {
			words[word] = names[0]
		}
	}
	return words
}

// certificates asks cert-manager for the certificates of a component.
func (g *generation) certificates(set clusterSet) []*object {
	spec := g.in.Cluster.Spec
	var out []*object
	for _, t := range clusterTemplates()["certificates"] {
		if peek(t, "metadata", "labels")[labelComponent] != set.component {
			continue
		}
		var issuer *api.IssuerReference
		if peek(t, "metadata")["name"] == "linstor-controller-internal-tls" {
			if spec.InternalTLS != nil {
				issuer = spec.InternalTLS.CertManager
			}
		} else if spec.APITLS != nil {
			issuer = spec.APITLS.CertManager
		}
		if issuer == nil {
			continue
		}
		words := secretNames(spec)
		for word, value := range map[string]string{"ISSUER_NAME": issuer.Name, "ISSUER_KIND": issuer.Kind, "ISSUER_GROUP": issuer.Group} {
			words[word] = nil
			if value != "" {
				words[word] = value
			}
		}
		if words["ISSUER_KIND"] == nil {
			words["ISSUER_KIND"] = "Issuer"
		}
		for _, host := range []string{"linstor-controller.NAMESPACE", "linstor-controller.NAMESPACE.svc"} {
			words[host] = strings.Replace(host, "NAMESPACE", g.settings.Namespace, 1)
		}
		out = append(out, newObject(set.component, reword(manifest.Clone(t), words).(map[string]any)))
	}
	return out
}

// older reports whether a version of Kubernetes is known and older than
// major.minor. Argo CD writes versions in several ways; see reference.
func older(version string, major, minor int) bool {
	var ma, mi int
	if n, _ := fmt.Sscanf(strings.TrimPrefix(version, "v"), "%d.%d", &ma, &mi); n != 2 {
		return false
	}
	return ma < major || ma == major && mi < minor
}
