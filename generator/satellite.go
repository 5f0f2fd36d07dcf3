package generator

import (
	"embed"
	"slices"
	"strings"
	"sync"

	corev1 "k8s.io/api/core/v1"

	"github.com/linstor-cmp/linstor-cmp/internal/api"
	"github.com/linstor-cmp/linstor-cmp/internal/manifest"
	"github.com/linstor-cmp/linstor-cmp/overlays/patch"
)

//go:embed templates/node/*.yaml
var nodeFiles embed.FS

// templates holds the documents of a file of the program, decoded once.
var nodeTemplates = sync.OnceValue(func() map[string][]map[string]any {
	out := map[string][]map[string]any{}
	for _, name := range []string{"satellite", "loader", "config", "tls"} {
		out[name] = mustRead(nodeFiles, "templates/node/"+name+".yaml")
	}
	return out
})

// mustRead decodes a file of the program; a fault in it is ours.
func mustRead(files embed.FS, name string) []map[string]any {
	data, err := files.ReadFile(name)
	if err != nil {
		panic(err)
	}
	docs, err := manifest.ReadDocuments(name, data)
	if err != nil {
		panic(err)
	}
	var out []map[string]any
	for _, d := range docs {
		v, err := manifest.Value(name, d.Node, nil)
		if err != nil {
			panic(err)
		}
		out = append(out, v.(map[string]any))
	}
	return out
}

func template(name string, i int) map[string]any {
	return manifest.Clone(nodeTemplates()[name][i]).(map[string]any)
}

// expand makes the objects of a class before any patch, in Piraeus's shape:
// the loader is an init container of the satellite.
func (g *generation) expand(c *class, v vars) []*object {
	satellite := newObject("linstor-satellite", template("satellite", 0))
	config := newObject("linstor-satellite", template("config", 0))
	objects := []*object{newObject("linstor-satellite", template("config", 1)), config}
	member(config.value, "data")["node.json"] = v.json
	pod := satellite.podSpec()
	for _, list := range []string{"initContainers", "containers"} {
		for _, k := range elements(pod, list) {
			k["image"] = c.images.of[k["image"].(string)]
		}
	}
	loader := named(pod, "initContainers", loaderName)
	if c.images.precompiled {
		leaveOutVolumes(pod, "usr-src")
		push(loader, "env", map[string]any{"name": "LB_HOW", "value": "shipped_modules"})
	}
	if tls := c.node.tls; tls != nil {
		addTLS(satellite, config, c, v)
		if tls.CertManager != nil {
			objects = append(objects, certificate(tls, v))
		}
	}
	addFilePools(pod, c.node.pools)
	addTolerations(pod, g.in.Cluster.Spec.Tolerations)
	g.leaveOut(c, pod)
	objects = append(objects, satellite)
	for _, o := range objects {
		g.label(o, v)
	}
	return objects
}

// addTLS sets up TLS between controller and satellite.
func addTLS(satellite, config *object, c *class, v vars) {
	tls := c.node.tls
	patchBuiltin(satellite, template("tls", 0))
	patchBuiltin(config, template("tls", 1))
	pod := satellite.podSpec()
	secret := map[string]any{"secret": map[string]any{"name": tlsSecret(tls, v)}}
	sources := []any{secret, authority(tls, secret)}
	push(pod, "volumes", map[string]any{"name": "internal-tls", "projected": map[string]any{"sources": sources}})
	if tls.TLSHandshakeDaemon {
		tlshd := named(member(template("tls", 2), "spec", "template", "spec"), "containers", "ktls-utils")
		tlshd["image"] = c.images.of["ktls-utils"]
		push(pod, "containers", tlshd)
	}
}

// authority is the projection of the certificate authority; by default it is in
// the certificate's own Secret.
func authority(tls *api.SatelliteTLSConfig, secret map[string]any) map[string]any {
	ca := tls.CAReference
	if ca == nil {
		return secret
	}
	source := map[string]any{"name": ca.Name, "items": []any{map[string]any{"key": ca.Key, "path": "ca.crt"}}}
	if ca.Optional != nil {
		source["optional"] = *ca.Optional
	}
	if ca.Kind == "ConfigMap" {
		return map[string]any{"configMap": source}
	}
	return map[string]any{"secret": source}
}

// patchBuiltin applies a patch of our own.
func patchBuiltin(o *object, p map[string]any) {
	merged, _, err := patch.Merge(o.value, p, o.typ)
	if err != nil {
		panic(err) // the patch is part of the program, and a test applies it
	}
	o.value = merged
}

func tlsSecret(tls *api.SatelliteTLSConfig, v vars) string {
	if tls.SecretName != "" {
		return tls.SecretName
	}
	return v.name + "-tls"
}

// certificate asks cert-manager for the satellite's certificate.
func certificate(tls *api.SatelliteTLSConfig, v vars) *object {
	issuer := map[string]any{"name": tls.CertManager.Name, "kind": "Issuer"}
	if tls.CertManager.Kind != "" {
		issuer["kind"] = tls.CertManager.Kind
	}
	if tls.CertManager.Group != "" {
		issuer["group"] = tls.CertManager.Group
	}
	return newObject("linstor-satellite", map[string]any{
		"apiVersion": "cert-manager.io/v1",
		"kind":       "Certificate",
		"metadata":   map[string]any{"name": "linstor-satellite"},
		"spec": map[string]any{
			"dnsNames":   []any{v.name},
			"issuerRef":  issuer,
			"secretName": tlsSecret(tls, v),
			"usages":     []any{"server auth"},
		},
	})
}

// addFilePools mounts the directories of file pools. A volume has its name
// from its pool, so that a pool more or less renames no other's.
func addFilePools(pod map[string]any, pools []api.StoragePool) {
	satellite := named(pod, "containers", "linstor-satellite")
	var dirs []string
	for _, p := range pools {
		k := p.FilePool
		if k == nil {
			k = p.FileThinPool
		}
		if k == nil {
			continue
		}
		volume := "file-pool-" + fit(p.Name, maxLabel-len("file-pool-"))
		push(pod, "volumes", map[string]any{"name": volume, "hostPath": map[string]any{"path": k.Directory, "type": "DirectoryOrCreate"}})
		if !slices.Contains(dirs, k.Directory) {
			push(satellite, "volumeMounts", map[string]any{"name": volume, "mountPath": k.Directory})
			dirs = append(dirs, k.Directory)
		}
	}
	if dirs != nil {
		push(satellite, "env", map[string]any{"name": "LOSETUP_CONTAINER_BIND_MOUNTS", "value": strings.Join(dirs, ":")})
	}
}

// addTolerations adds the cluster's tolerations; one with the key, operator,
// value and effect of another takes its place.
func addTolerations(pod map[string]any, list []corev1.Toleration) {
	for _, t := range list {
		m := map[string]any{}
		for k, v := range map[string]string{"key": t.Key, "operator": string(t.Operator), "value": t.Value, "effect": string(t.Effect)} {
			if v != "" {
				m[k] = v
			}
		}
		if t.TolerationSeconds != nil {
			m["tolerationSeconds"] = *t.TolerationSeconds
		}
		drop(pod, "tolerations", func(o map[string]any) bool {
			return o["key"] == m["key"] && operator(o) == operator(m) && o["value"] == m["value"] && o["effect"] == m["effect"]
		})
		push(pod, "tolerations", m)
	}
}

// operator is a toleration's operator; without one it is Equal.
func operator(toleration map[string]any) any {
	if o := toleration["operator"]; o != nil {
		return o
	}
	return string(corev1.TolerationOpEqual)
}

// label gives a new object of a node its labels and annotations.
func (g *generation) label(o *object, v vars) {
	meta := member(o.value, "metadata")
	meta["labels"] = map[string]any{
		labelName: "piraeus-datastore", labelComponent: o.component, labelNode: v.fit, labelManagedBy: "linstor-cmp",
	}
	meta["namespace"] = g.settings.Namespace
	member(meta, "annotations")[labelNode] = v.name
	protect(meta)
	if o.kind == "DaemonSet" {
		pin(o.podSpec(), v)
		selector := podLabels(o.component, v)
		member(o.value, "spec")["selector"] = map[string]any{"matchLabels": selector}
		member(o.value, "spec", "template", "metadata")["labels"] = manifest.Clone(selector)
	}
}

func podLabels(component string, v vars) map[string]any {
	return map[string]any{labelName: "piraeus-datastore", labelComponent: component, labelNode: v.fit}
}

// requirement is the field requirement that pins a pod to a node.
func requirement(v vars) map[string]any {
	return map[string]any{"key": "metadata.name", "operator": "In", "values": []any{v.name}}
}

// pin ties a pod to its node: every alternative of its required node affinity,
// whoever wrote it, must hold on that node.
func pin(pod map[string]any, v vars) {
	required := member(pod, "affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution")
	terms := elements(required, "nodeSelectorTerms")
	if len(terms) == 0 {
		required["nodeSelectorTerms"] = []any{map[string]any{"matchFields": []any{requirement(v)}}}
		return
	}
	for _, t := range terms {
		if !slices.ContainsFunc(elements(t, "matchFields"), func(f map[string]any) bool { return manifest.Equal(f, requirement(v)) }) {
			push(t, "matchFields", requirement(v))
		}
	}
}
