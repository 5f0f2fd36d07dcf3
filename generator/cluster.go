package generator

import (
	"embed"
	"encoding/json"
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
