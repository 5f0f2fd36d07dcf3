package fields

import "github.com/linstor-cmp/linstor-cmp/internal/api"

const (
	controller    = "Deployment/linstor-controller"
	csiController = "Deployment/linstor-csi-controller"
	csiNode       = "DaemonSet/linstor-csi-node"
	affinity      = "Deployment/linstor-affinity-controller"
	nfsServer     = "DaemonSet/linstor-csi-nfs-server"

	pod      = "/spec/template/spec"
	required = pod + "/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution/nodeSelectorTerms"
)

// proofs are those of all kinds.
func proofs() []proof {
	var all []proof
	for _, kind := range ofOverlays {
		all = append(all, of(kind, overlayProofs, satelliteTLSProofs, poolProofs, propertyProofs)...)
	}
	for _, kind := range ofCustomized {
		all = append(all, customizeProofs(kind)...)
	}
	for _, kind := range ofAllPatched {
		all = append(all, patchProofs(kind)...)
	}
	all = append(all, of(api.KindCluster, clusterProofs, componentProofs(), clusterTLSProofs)...)
	all = append(all, of(api.KindSatelliteConfiguration, satelliteConfigurationProofs)...)
	all = append(all, of(api.KindNodeConfiguration, nodeConfigurationProofs)...)
	all = append(all, of(api.KindImageConfiguration, imageProofs)...)
	return append(all, of(api.KindNodeConnection, connectionProofs)...)
}

// of says which kind proofs are of.
func of(kind string, lists ...[]proof) []proof {
	var out []proof
	for _, list := range lists {
		for _, p := range list {
			p.kind = kind
			out = append(out, p)
		}
	}
	return out
}

var clusterProofs = []proof{
	{path: "repository", with: `{repository: r.example.com/x}`, object: "DaemonSet/drbd-module-loader-a", pointer: pod + "/containers/pause/image", want: "r.example.com/x/pause:3.10"},
	{path: "nodeSelector", with: `{nodeSelector: {is: a}}`, object: controller, pointer: pod + "/nodeSelector", want: map[string]any{"is": "a"}},
	{path: "nodeSelector", with: `{nodeSelector: {is: a}}`, object: "DaemonSet/linstor-satellite-b"},
	{path: "nodeAffinity", with: `{nodeAffinity: {nodeSelectorTerms: [{matchExpressions: [{key: is, operator: In, values: [a]}]}]}}`, object: controller, pointer: required + "/0/matchExpressions/0/key", want: "is"},
	{path: "nodeAffinity", with: `{nodeAffinity: {nodeSelectorTerms: [{matchExpressions: [{key: is, operator: In, values: [a]}]}]}}`, object: "DaemonSet/linstor-satellite-b"},
	{path: "tolerations", with: `{tolerations: [{key: k, operator: Exists}]}`, object: "DaemonSet/linstor-satellite-c", pointer: "/kind", want: "DaemonSet"},
	{path: "tolerations", with: `{tolerations: [{key: k, operator: Exists}]}`, object: controller, pointer: pod + "/tolerations/4/key", want: "k"},
	{path: "tolerations", with: `{tolerations: [{key: k, operator: Exists}]}`, object: "DaemonSet/linstor-satellite-a", pointer: pod + "/tolerations/3/key", want: "k"},
	{path: "externalController.url", with: `{externalController: {url: "http://x:1,http://z:1"}}`, object: controller},
	{path: "externalController.url", with: `{externalController: {url: "http://x:1,http://z:1"}}`, object: csiController, pointer: pod + "/containers/linstor-csi/env/LS_CONTROLLERS/value", want: "http://x:1,http://z:1"},
	{path: "linstorPassphraseSecret", with: `{linstorPassphraseSecret: s}`, object: controller, pointer: pod + "/containers/linstor-controller/env/MASTER_PASSPHRASE/valueFrom/secretKeyRef", want: map[string]any{"name": "s", "key": "MASTER_PASSPHRASE"}},
	{path: "properties[].name", with: `{properties: [{name: p, value: "1"}]}`, object: "ConfigMap/linstor-controller-config", pointer: "/data/cluster.json#/properties/p", want: "1"},
	{path: "properties[].value", without: `{properties: [{name: DrbdOptions/Net/rr-conflict, value: retry-connect}]}`, with: `{properties: [{name: DrbdOptions/Net/rr-conflict, value: disconnect}]}`, object: "ConfigMap/linstor-controller-config", pointer: "/data/cluster.json#/properties/DrbdOptions~1Net~1rr-conflict", want: "disconnect"},
	{path: "properties[].name", with: `{properties: [{name: p, value: "1"}]}`, told: "properties (LinstorCluster)"},
	{path: "maxConcurrentEvacuations", with: `{maxConcurrentEvacuations: 2}`, object: "ConfigMap/linstor-controller-config", pointer: "/data/cluster.json#/maxConcurrentEvacuations", want: 2.0},
	{path: "maxConcurrentEvacuations", with: `{maxConcurrentEvacuations: 2}`, told: "maxConcurrentEvacuations (LinstorCluster)"},
}

func componentProofs() []proof {
	var list []proof
	for field, workload := range map[string]string{
		"controller": controller, "csiController": csiController, "csiNode": csiNode,
		"highAvailabilityController": "DaemonSet/ha-controller", "affinityController": affinity, "nfsServer": nfsServer,
	} {
		list = append(list,
			proof{path: field + ".enabled", with: "{" + field + ": {enabled: false}}", object: workload},
			proof{path: field + ".podTemplate", with: "{" + field + ": {podTemplate: {metadata: {annotations: {x: z}}}}}", object: workload, pointer: "/spec/template/metadata/annotations/x", want: "z"},
		)
	}
	return append(list,
		proof{path: "controller.enabled", with: "{controller: {enabled: false}}", object: "ServiceAccount/linstor-controller"},
		proof{path: "csiController.enabled", with: "{csiController: {enabled: false}}", object: "CSIDriver/linstor.csi.linbit.com"},
		proof{path: "nfsServer.enabled", with: "{nfsServer: {enabled: false}}", object: csiController, pointer: pod + "/containers/linstor-csi/env/ENABLE_RWX/value", want: "false"},
		proof{path: "csiController.replicas", with: "{csiController: {replicas: 3}}", object: csiController, pointer: "/spec/replicas", want: int64(3)},
		proof{path: "affinityController.replicas", with: "{affinityController: {replicas: 0}}", object: affinity, pointer: "/spec/replicas", want: int64(0)},
	)
}

const (
	internal    = pod + "/volumes/internal-tls/projected/sources"
	apiVolume   = pod + "/volumes/api-tls/projected/sources"
	issuer      = "/spec/issuerRef"
	internalTLS = `{internalTLS: {caReference: {name: ca`
	apiTLS      = `{apiTLS: {caReference: {name: ca`
)

var clusterTLSProofs = []proof{
	{path: "internalTLS", with: `{internalTLS: {}}`, object: controller, pointer: internal + "/0/secret/name", want: "linstor-controller-internal-tls"},
	{path: "internalTLS.secretName", without: `{internalTLS: {}}`, with: `{internalTLS: {secretName: s}}`, object: controller, pointer: internal + "/0/secret/name", want: "s"},
	{path: "internalTLS.certManager.name", without: `{internalTLS: {}}`, with: `{internalTLS: {certManager: {name: i}}}`, object: "Certificate/linstor-controller-internal-tls", pointer: issuer, want: map[string]any{"name": "i", "kind": "Issuer"}},
	{path: "internalTLS.certManager.kind", without: `{internalTLS: {certManager: {name: i}}}`, with: `{internalTLS: {certManager: {name: i, kind: K}}}`, object: "Certificate/linstor-controller-internal-tls", pointer: issuer + "/kind", want: "K"},
	{path: "internalTLS.certManager.group", without: `{internalTLS: {certManager: {name: i}}}`, with: `{internalTLS: {certManager: {name: i, group: g}}}`, object: "Certificate/linstor-controller-internal-tls", pointer: issuer + "/group", want: "g"},
	{path: "internalTLS.caReference.name", without: `{internalTLS: {}}`, with: internalTLS + `}}}`, object: controller, pointer: internal + "/1/secret", want: map[string]any{"name": "ca", "items": []any{map[string]any{"key": "ca.crt", "path": "ca.crt"}}}},
	{path: "internalTLS.caReference.kind", without: internalTLS + `}}}`, with: internalTLS + `, kind: ConfigMap}}}`, object: controller, pointer: internal + "/1/configMap/name", want: "ca"},
	{path: "internalTLS.caReference.key", without: internalTLS + `}}}`, with: internalTLS + `, key: x.pem}}}`, object: controller, pointer: internal + "/1/secret/items/0", want: map[string]any{"key": "x.pem", "path": "ca.crt"}},
	{path: "internalTLS.caReference.optional", without: internalTLS + `}}}`, with: internalTLS + `, optional: true}}}`, object: controller, pointer: internal + "/1/secret/optional", want: true},
	{path: "apiTLS", with: `{apiTLS: {}}`, object: "Service/linstor-controller", pointer: "/spec/ports/secure-api/port", want: int64(3371)},
	{path: "apiTLS", with: `{apiTLS: {}}`, object: csiNode, pointer: pod + "/containers/linstor-csi/env/LS_CONTROLLERS/value", want: "https://linstor-controller:3371"},
	{path: "apiTLS.apiSecretName", without: `{apiTLS: {}}`, with: `{apiTLS: {apiSecretName: s}}`, object: controller, pointer: apiVolume + "/0/secret/name", want: "s"},
	{path: "apiTLS.clientSecretName", without: `{apiTLS: {}}`, with: `{apiTLS: {clientSecretName: s}}`, object: controller, pointer: pod + "/volumes/client-tls/projected/sources/0/secret/name", want: "s"},
	{path: "apiTLS.csiControllerSecretName", without: `{apiTLS: {}}`, with: `{apiTLS: {csiControllerSecretName: s}}`, object: csiController, pointer: pod + "/volumes/linstor-client-tls/secret/secretName", want: "s"},
	{path: "apiTLS.csiNodeSecretName", without: `{apiTLS: {}}`, with: `{apiTLS: {csiNodeSecretName: s}}`, object: csiNode, pointer: pod + "/volumes/linstor-client-tls/secret/secretName", want: "s"},
	{path: "apiTLS.affinityControllerSecretName", without: `{apiTLS: {}}`, with: `{apiTLS: {affinityControllerSecretName: s}}`, object: affinity, pointer: pod + "/volumes/linstor-client-tls/secret/secretName", want: "s"},
	{path: "apiTLS.nfsServerSecretName", without: `{apiTLS: {}}`, with: `{apiTLS: {nfsServerSecretName: s}}`, object: nfsServer, pointer: pod + "/volumes/linstor-client-tls/secret/secretName", want: "s"},
	{path: "apiTLS.certManager.name", without: `{apiTLS: {}}`, with: `{apiTLS: {certManager: {name: i}}}`, object: "Certificate/linstor-api-tls", pointer: issuer, want: map[string]any{"name": "i", "kind": "Issuer"}},
	{path: "apiTLS.certManager.kind", without: `{apiTLS: {certManager: {name: i}}}`, with: `{apiTLS: {certManager: {name: i, kind: K}}}`, object: "Certificate/linstor-csi-node-tls", pointer: issuer + "/kind", want: "K"},
	{path: "apiTLS.certManager.group", without: `{apiTLS: {certManager: {name: i}}}`, with: `{apiTLS: {certManager: {name: i, group: g}}}`, object: "Certificate/linstor-client-tls", pointer: issuer + "/group", want: "g"},
	{path: "apiTLS.caReference.name", without: `{apiTLS: {}}`, with: apiTLS + `}}}`, object: affinity, pointer: pod + "/containers/linstor-affinity-controller/env/LS_ROOT_CA/valueFrom/secretKeyRef", want: map[string]any{"name": "ca", "key": "ca.crt"}},
	{path: "apiTLS.caReference.kind", without: apiTLS + `}}}`, with: apiTLS + `, kind: ConfigMap}}}`, object: controller, pointer: apiVolume + "/1/configMap/name", want: "ca"},
	{path: "apiTLS.caReference.key", without: apiTLS + `}}}`, with: apiTLS + `, key: x.pem}}}`, object: csiNode, pointer: pod + "/containers/linstor-csi/env/LS_ROOT_CA/valueFrom/secretKeyRef/key", want: "x.pem"},
	{path: "apiTLS.caReference.optional", without: apiTLS + `}}}`, with: apiTLS + `, optional: true}}}`, object: nfsServer, pointer: pod + "/initContainers/linstor-wait-node-online/env/LS_ROOT_CA/valueFrom/secretKeyRef/optional", want: true},
}
