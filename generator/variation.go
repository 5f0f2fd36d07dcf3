package generator

import (
	"fmt"
	"slices"
	"strings"

	"github.com/linstor-cmp/linstor-cmp/internal/api"
	"github.com/linstor-cmp/linstor-cmp/internal/manifest"
)

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
func apply(objects []*object, variation string, words map[string]any, edits ...func(any)) {
	for _, doc := range clusterTemplates()[variation] {
		kind, name := doc["kind"], peek(doc, "metadata")["name"]
		for _, o := range objects {
			if o.kind == kind && o.base == name {
				doc := reword(manifest.Clone(doc), words).(map[string]any)
				for _, edit := range edits {
					edit(doc)
				}
				patchBuiltin(o, doc)
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
	apply(objects, variation+"-"+strings.ToLower(ca.Kind), words, func(doc any) {
		if ca.Optional != nil {
			markOptional(doc, ca)
		}
	})
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

// older reports whether a version of Kubernetes is known and older than
// major.minor. Argo CD writes versions in several ways; see reference.
func older(version string, major, minor int) bool {
	var ma, mi int
	if n, _ := fmt.Sscanf(strings.TrimPrefix(version, "v"), "%d.%d", &ma, &mi); n != 2 {
		return false
	}
	return ma < major || ma == major && mi < minor
}
