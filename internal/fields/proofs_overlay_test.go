package fields

const (
	satellite = "DaemonSet/linstor-satellite-a"
	loader    = "DaemonSet/drbd-module-loader-a"
	config    = "ConfigMap/satellite-config-a"

	marks  = `podTemplate: {metadata: {annotations: {x: z}}}`
	marked = "/spec/template/metadata/annotations/x"
	onlyB  = `[{matchExpressions: [{key: is, operator: In, values: [b]}]}]`
)

var satelliteConfigurationProofs = []proof{
	{path: "nodeSelector", without: `{` + marks + `}`, with: `{nodeSelector: {is: b}, ` + marks + `}`, object: satellite, pointer: marked},
	{path: "nodeAffinity", without: `{` + marks + `}`, with: `{nodeAffinity: {nodeSelectorTerms: ` + onlyB + `}, ` + marks + `}`, object: satellite, pointer: marked},
}

var nodeConfigurationProofs = []proof{
	{path: "nodeSelectorTerms", without: `{` + marks + `}`, with: `{nodeSelectorTerms: ` + onlyB + `, ` + marks + `}`, object: satellite, pointer: marked},
	// A second overlay, whose name is later, says something else in the same field.
	{path: "priority", without: saysMore(""), with: saysMore("priority: 1"), object: satellite, pointer: marked, want: "z"},
	{path: "optIn", without: `{nodeSelectorTerms: ` + onlyB + `, ` + marks + `}`, with: `{nodeSelectorTerms: ` + onlyB + `, optIn: true, ` + marks + `}`, object: satellite, pointer: marked, want: "z"},
	{path: "profile", with: `{profile: Talos}`, object: loader},
	{path: "profile", with: `{profile: Flatcar}`, object: loader, pointer: pod + "/volumes/usr-src"},
}

// saysMore is the spec of an overlay, and behind it a second overlay of a later
// name that says something else in the same field.
func saysMore(field string) string {
	if field != "" {
		field += ", "
	}
	return `{` + field + marks + `}
---
apiVersion: linstor-cmp.io/v1alpha1
kind: LinstorNodeConfiguration
metadata: {name: p}
spec: {podTemplate: {metadata: {annotations: {x: other}}}}`
}

var overlayProofs = []proof{
	{path: "podTemplate", with: `{` + marks + `}`, object: satellite, pointer: marked, want: "z"},
	{path: "resourceNameSuffixSeparator", with: `{resourceNameSuffixSeparator: "."}`, object: "ConfigMap/satellite-config.a", pointer: "/kind", want: "ConfigMap"},
	{path: "ipFamilies", with: `{ipFamilies: [IPv6]}`, told: "ipFamilies (o)"},
	{path: "deletionPolicy", with: `{deletionPolicy: Evacuate}`, told: "deletionPolicy (o)"},
	{path: "evacuationStrategy.attachedVolumeReattachTimeout", with: `{evacuationStrategy: {attachedVolumeReattachTimeout: 1m}}`, told: "evacuationStrategy (o)"},
	{path: "evacuationStrategy.unattachedVolumeAttachTimeout", with: `{evacuationStrategy: {unattachedVolumeAttachTimeout: 1m}}`, told: "evacuationStrategy (o)"},
}

const certificate = "Certificate/linstor-satellite-a"

var satelliteTLSProofs = []proof{
	{path: "internalTLS", with: `{internalTLS: {}}`, object: satellite, pointer: pod + "/containers/linstor-satellite/ports/linstor/containerPort", want: int64(3367)},
	{path: "internalTLS", with: `{internalTLS: {}}`, object: satellite, pointer: internal + "/0/secret/name", want: "a-tls"},
	{path: "internalTLS.secretName", without: `{internalTLS: {}}`, with: `{internalTLS: {secretName: s}}`, object: satellite, pointer: internal + "/0/secret/name", want: "s"},
	{path: "internalTLS.certManager.name", without: `{internalTLS: {}}`, with: `{internalTLS: {certManager: {name: i}}}`, object: certificate, pointer: issuer, want: map[string]any{"name": "i", "kind": "Issuer"}},
	{path: "internalTLS.certManager.kind", without: `{internalTLS: {certManager: {name: i}}}`, with: `{internalTLS: {certManager: {name: i, kind: K}}}`, object: certificate, pointer: issuer + "/kind", want: "K"},
	{path: "internalTLS.certManager.group", without: `{internalTLS: {certManager: {name: i}}}`, with: `{internalTLS: {certManager: {name: i, group: g}}}`, object: certificate, pointer: issuer + "/group", want: "g"},
	{path: "internalTLS.caReference.name", without: `{internalTLS: {}}`, with: internalTLS + `}}}`, object: satellite, pointer: internal + "/1/secret", want: map[string]any{"name": "ca", "items": []any{map[string]any{"key": "ca.crt", "path": "ca.crt"}}}},
	{path: "internalTLS.caReference.kind", without: internalTLS + `}}}`, with: internalTLS + `, kind: ConfigMap}}}`, object: satellite, pointer: internal + "/1/configMap/name", want: "ca"},
	{path: "internalTLS.caReference.key", without: internalTLS + `}}}`, with: internalTLS + `, key: x.pem}}}`, object: satellite, pointer: internal + "/1/secret/items/0/key", want: "x.pem"},
	{path: "internalTLS.caReference.optional", without: internalTLS + `}}}`, with: internalTLS + `, optional: true}}}`, object: satellite, pointer: internal + "/1/secret/optional", want: true},
	{path: "internalTLS.tlsHandshakeDaemon", without: `{internalTLS: {}}`, with: `{internalTLS: {tlsHandshakeDaemon: true}}`, object: satellite, pointer: pod + "/containers/ktls-utils/name", want: "ktls-utils"},
}

const property = "/data/node.json#/properties/"

var propertyProofs = []proof{
	{path: "properties[].name", with: `{properties: [{name: p, value: "1"}]}`, object: config, pointer: property + "p", want: "1"},
	{path: "properties[].name", with: `{properties: [{name: p, value: "1"}]}`, told: "properties (o)"},
	{path: "properties[].value", without: `{properties: [{name: p, value: "1"}]}`, with: `{properties: [{name: p, value: "2"}]}`, object: config, pointer: property + "p", want: "2"},
	{path: "properties[].valueFrom.nodeFieldRef", without: `{properties: [{name: p, value: "1"}]}`, with: `{properties: [{name: p, valueFrom: {nodeFieldRef: metadata.uid}}]}`, object: config, pointer: property + "p", want: "u-1"},
	{path: "properties[].expandFrom.nodeFieldRef", without: `{properties: [{name: p, expandFrom: {nodeFieldRef: "metadata.labels['none*']", valueTemplate: $2}}]}`, with: `{properties: [{name: p, expandFrom: {nodeFieldRef: "metadata.labels['di*']", valueTemplate: $2}}]}`, object: config, pointer: property + "p", want: "ssd"},
	{path: "properties[].expandFrom.nameTemplate", without: `{properties: [{name: p, expandFrom: {nodeFieldRef: "metadata.labels['di*']", valueTemplate: $2}}]}`, with: `{properties: [{name: p, expandFrom: {nodeFieldRef: "metadata.labels['di*']", nameTemplate: -$1-$2, valueTemplate: $2}}]}`, object: config, pointer: property + "p-sk-ssd", want: "ssd"},
	{path: "properties[].expandFrom.valueTemplate", without: `{properties: [{name: p, expandFrom: {nodeFieldRef: "metadata.labels['di*']"}}]}`, with: `{properties: [{name: p, expandFrom: {nodeFieldRef: "metadata.labels['di*']", valueTemplate: $1=$2}}]}`, object: config, pointer: property + "p", want: "sk=ssd"},
	{path: "properties[].expandFrom.delimiter", without: `{properties: [{name: p, expandFrom: {nodeFieldRef: metadata.labels, valueTemplate: $2}}]}`, with: `{properties: [{name: p, expandFrom: {nodeFieldRef: metadata.labels, valueTemplate: $2, delimiter: ", "}}]}`, object: config, pointer: property + "p", want: "ssd, a, a"},
	{path: "properties[].optional", without: `{properties: [{name: p, valueFrom: {nodeFieldRef: "metadata.labels['none']"}}]}`, with: `{properties: [{name: p, optional: true, valueFrom: {nodeFieldRef: "metadata.labels['none']"}}]}`, object: config, pointer: property + "p"},
}
