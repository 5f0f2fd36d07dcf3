package convert

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestFirstWish: a sidecar and its volume are two strategic patches of the
// Deployment, and nothing else.
func TestFirstWish(t *testing.T) {
	_, r := run(t, helm(`
    sidecars:
    - name: kube-rbac-proxy
      image: quay.io/brancz/kube-rbac-proxy:v0.11.0
      volumeMounts: [{name: rbac-proxy-config, mountPath: /etc/kube-rbac-proxy}]
    extraVolumes:
    - {name: rbac-proxy-config, configMap: {name: piraeus-rbac-proxy}}
`))
	want := `apiVersion: piraeus.io/v1
kind: LinstorCluster
metadata:
  name: linstor
spec:
  customizeComponents:
    patches:
    - patch: |
        spec:
          template:
            spec:
              containers:
              - image: quay.io/brancz/kube-rbac-proxy:v0.11.0
                name: kube-rbac-proxy
                volumeMounts:
                - mountPath: /etc/kube-rbac-proxy
                  name: rbac-proxy-config
      resourceName: linstor-controller
      resourceType: Deployment
    - patch: |
        spec:
          template:
            spec:
              volumes:
              - configMap:
                  name: piraeus-rbac-proxy
                name: rbac-proxy-config
      resourceName: linstor-controller
      resourceType: Deployment
  linstorPassphraseSecret: passphrase
`
	if diff := cmp.Diff(want, string(r.Files[0].Data)); diff != "" {
		t.Error(diff)
	}
}

// TestPieces looks at what single keys become.
func TestPieces(t *testing.T) {
	for _, tt := range []struct {
		reason, input        string
		has, hasNot, missing []string
	}{
		{
			reason: "the modes of the loader are what LB_HOW calls them, and only to compile takes sources",
			input:  set("{kernelModuleInjectionMode: DepsOnly, kernelModuleInjectionAdditionalSourceDirectory: /opt/src}"),
			has:    []string{"- name: LB_HOW value: deps_only", `- "$patch": delete mountPath: /usr/src`}, hasNot: []string{"/opt/src"},
			missing: []string{"spec.kernelModuleInjectionAdditionalSourceDirectory: only kernelModuleInjectionMode Compile has sources"},
		},
		{
			reason:  "without a loader nothing of it is patched back in, the pull policy included",
			input:   set("{kernelModuleInjectionMode: None, imagePullPolicy: Always, additionalEnv: [{name: A, value: b}], kernelModuleInjectionResources: {limits: {cpu: 1}}}"),
			has:     []string{`initContainers: - "$patch": delete name: drbd-module-loader`, "initContainers: - imagePullPolicy: Always name: drbd-shutdown-guard"},
			hasNot:  []string{"value: b name: drbd-module-loader"},
			missing: []string{"spec.kernelModuleInjectionResources: there is no loader"},
		},
		{
			reason: "Flatcar has no /usr/src, and Piraeus 1 called that none",
			input:  set("{kernelModuleInjectionMode: Compile, kernelModuleInjectionAdditionalSourceDirectory: none}"),
			has:    []string{"value: compile", `- "$patch": delete mountPath: /usr/src`},
		},
		{
			reason: "satellites stay in the network of their hosts, where LINSTOR knows them",
			input:  set("{}"),
			has:    []string{"podTemplate: spec: dnsPolicy: ClusterFirstWithHostNet hostNetwork: true"},
		},
		{
			reason: "every set has its own nodes, and the cluster those of all; the controller may run anywhere, as before",
			input:  set("{"+terms("a")+"}") + other("{"+terms("b")+"}") + cs + "{dbConnectionURL: k8s}",
			has:    []string{"nodeSelectorTerms: - matchExpressions: - key: a operator: Exists - matchExpressions: - key: b operator: Exists", "affinity: nodeAffinity: null"},
		},
		{
			reason: "one set for all nodes means all nodes",
			input:  set("{"+terms("a")+"}") + other("{}"),
			has:    []string{"nodeSelectorTerms: - matchExpressions: - key: a operator: Exists"}, hasNot: []string{"nodeAffinity"},
		},
		{
			reason: "the tolerations of satellites say which nodes have one, so they are the cluster's; each once",
			input:  set("{tolerations: [{key: t, operator: Exists}]}") + other("{tolerations: [{operator: Exists, key: t}]}"),
			has:    []string{"kind: LinstorCluster metadata: name: linstor spec: tolerations: - key: t operator: Exists ---"},
		},
		{
			reason: "the tolerations of the controller let no satellite anywhere, and add to its own",
			input:  set("{}") + cs + "{tolerations: [{key: t, operator: Exists}]}",
			has:    []string{"- op: add path: /spec/template/spec/tolerations/- value: key: t operator: Exists resourceName: linstor-controller resourceType: Deployment type: json"},
			hasNot: []string{"spec: tolerations"},
		},
		{
			reason:  "without a LinstorController the endpoint of the others is an external one",
			input:   set("{controllerEndpoint: 'http://a.example.com:3370'}") + other("{controllerEndpoint: 'http://b.example.com:3370'}"),
			has:     []string{"externalController: url: http://a.example.com:3370"},
			missing: []string{"spec.controllerEndpoint: all clients have one controller, at http://a.example.com:3370", "the input has no LinstorController"},
		},
		{
			reason: "the endpoint of the controller's own Service is what clients have anyhow, and another is not",
			input:  set("{controllerEndpoint: 'http://cs.ns.svc:3370'}") + other("{controllerEndpoint: 'http://elsewhere:3370'}") + cs + "{dbConnectionURL: k8s}",
			hasNot: []string{"externalController"}, missing: []string{"spec.controllerEndpoint: clients find the controller at its Service"},
		},
		{
			reason: "an empty image switched the container off that exports metrics",
			input:  set(`{monitoringImage: "", monitoringBindAddress: 127.0.0.1}`),
			has:    []string{`containers: - "$patch": delete name: drbd-reactor`}, missing: []string{"spec.monitoringBindAddress: there is nothing to bind"},
		},
		{
			reason: "a mirror of everything stays one, without the tags",
			input: helm(`
  satelliteSet: {satelliteImage: "mirror/p/server:v1", kernelModuleInjectionImage: "mirror/p/drbd9-bionic:v9"}
csi: {pluginImage: "mirror/p/csi:v1", csiAttacherImage: "mirror/p/csi-attacher:v3"}
`),
			hasNot: []string{"repository"}, has: []string{"image: mirror/p/drbd9-bionic:v9"}, missing: []string{"operator.controller.controllerImage: an image of Piraeus 1"},
		},
		{
			reason: "a mirror of everything stays one, without the tags (all of one registry)",
			input:  "operator: {controller: {controllerImage: 'mirror:5000/p/server:v1'}, satelliteSet: {satelliteImage: 'mirror:5000/p/server:v1'}}\ncsi: {pluginImage: 'mirror:5000/p/csi:v1'}",
			has:    []string{"repository: mirror:5000/p"}, hasNot: []string{"server:v1"},
			missing: []string{"all images came from mirror:5000/p", "Secret that Helm made, RELEASE-passphrase"},
		},
		{
			reason:  "certificates that Helm or cert-manager made: TLS stays on",
			input:   helm("  satelliteSet: {}\nlinstorSslMethod: cert-manager\nlinstorHttpsMethod: helm\n"),
			has:     []string{"apiTLS: {}", "internalTLS: {} linstorPassphraseSecret", "internalTLS: {} podTemplate"},
			missing: []string{"linstorSslMethod: the names of certificates depend on the release", "RELEASE-ca-issuer", "RELEASE-client-secret"},
		},
		{
			reason: "a file that is written anew keeps what TLS put into it",
			input:  helm("    logLevel: debug\n  satelliteSet: {logLevel: debug}\nlinstorSslMethod: helm\nlinstorHttpsMethod: helm\n"),
			has:    []string{`[netcom] type = "ssl"`, `ssl_protocol = "TLSv1.2" [logging] linstor_level = "DEBUG"`, `[https] enabled = true`, `truststore_password = "linstor" [logging] linstor_level = "DEBUG"`},
		},
		{
			reason: "a name of a Secret stays where Helm was told one",
			input:  helm("    sslSecret: mine\nlinstorSslMethod: helm\n"),
			has:    []string{"internalTLS: secretName: mine"},
		},
		{
			reason:  "an address for HTTPS without HTTPS did nothing",
			input:   helm("    httpsBindAddress: 10.0.0.1\n"),
			hasNot:  []string{"10.0.0.1"},
			missing: []string{"operator.controller.httpsBindAddress: there is no HTTPS without linstorHttpsControllerSecret"},
		},
		{
			reason:  "HTTPS, its address, and who else asks the API",
			input:   helm("    httpsBindAddress: '::1'\nlinstorHttpsControllerSecret: server\nlinstorHttpsClientSecret: client\n"),
			has:     []string{`[https] listen_addr = "::1" enabled = true`, "apiSecretName: server", "csiNodeSecretName: client", "nfsServerSecretName: client"},
			missing: []string{`Secret "server" is for the Service of Piraeus 1`, "needs the name linstor-controller"},
		},
		{
			reason: "any address but all: the kubelet asks the leader election, as in Piraeus 1",
			input:  helm("    httpBindAddress: '[::]'\n"),
			has:    []string{`[http] listen_addr = "[::]"`}, hasNot: []string{"9999"},
		},
		{
			reason:  "etcd has no counterpart, another database has",
			input:   set("{}") + cs + "{dbConnectionURL: 'etcd://etcd:2379', dbCertSecret: certs, dbUseClientCert: true}",
			hasNot:  []string{"etcd://", "certs"},
			missing: []string{"spec.dbConnectionURL: LINSTOR's database is the API of Kubernetes", "spec.dbCertSecret: no certificate", "spec.dbUseClientCert: no certificate"},
		},
		{
			reason: "a text of a configuration file cannot end its string",
			input:  set("{}") + cs + `{dbConnectionURL: "jdbc:x\"\n[evil]"}`,
			has:    []string{`connection_url = "jdbc:x\"\n[evil]"`},
		},
		{
			reason:  "a name that the pod has already would amend what is there",
			input:   set("{sidecars: [{name: drbd-reactor, image: a}, {name: mine, image: a}, {name: mine, image: b}], extraVolumes: [{name: run, emptyDir: {}}, {name: v, emptyDir: {}}]}"),
			has:     []string{"- image: a name: mine", "volumes: - emptyDir: {} name: v"},
			hasNot:  []string{"image: b", "name: drbd-reactor"},
			missing: []string{`spec.sidecars[0]: DaemonSet/linstor-satellite has a container "drbd-reactor" already`, "spec.sidecars[2]", `spec.extraVolumes[0]: DaemonSet/linstor-satellite has a volume "run"`},
		},
		{
			reason:  "what would not render is taken out and listed, and what needed it too",
			input:   set("{sidecars: [{name: good, image: a}, {name: bad, image: a, volumeMounts: [{name: v, mountPath: /v}]}, {name: worse, imagine: a}], extraVolumes: [{name: v, hostPath: {path: /v}, emptyDir: {}}]}"),
			has:     []string{"- image: a name: good"},
			hasNot:  []string{"name: bad", "name: v", "imagine"},
			missing: []string{"spec.extraVolumes[0]: it does not fit here", "2 sources", `spec.sidecars[1]: it does not fit here`, `there is no volume "v"`, `spec.sidecars[2]: it does not fit here`},
		},
		{
			reason:  "a pool that cannot be is listed, and the others stay",
			input:   set("{storagePools: {lvmPools: [{name: a, volumeGroup: vg}, {name: good, volumeGroup: vg}], zfsPools: [{name: tank, zPool: z}]}}"),
			has:     []string{"name: good", "zfsPool: zPool: z"},
			missing: []string{`spec.storagePools.lvmPools[0]: it does not fit here: spec.storagePools[0]: no name of a storage pool`},
		},
		{
			reason:  "an unknown key is listed once, at the top of what nobody knows, even if it is empty",
			input:   helm("    tolerationz: [{key: a}]\nglobal: {imagePullPolicy: \"\", imagePullPolice: \"\"}\n"),
			missing: []string{"in.yaml:5: operator.controller.tolerationz: no key of Piraeus 1", "in.yaml:6: global.imagePullPolice: no key of Piraeus 1"},
		},
		{
			reason:  "an object of others is not converted, and said to pass through",
			input:   set("{}") + "\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\ndata: {a: b}",
			hasNot:  []string{"ConfigMap"},
			missing: []string{"the document: no resource of Piraeus Operator v1"},
		},
		{
			reason:  "what is left of a chart that does more",
			input:   helm("csi: {kubeletPath: /var/lib/kubelet/, logLevel: debug}\nstork: {enabled: true}\nglobal: {setSecurityContext: false}\n"),
			has:     []string{"flags: csiController: log-level: debug csiNode: log-level: debug"},
			hasNot:  []string{"publish-dir"},
			missing: []string{"stork: Stork is no part", "global.setSecurityContext: every container"},
		},
		{
			reason:  "ServiceAccounts other than the ones there are",
			input:   set("{serviceAccountName: mine}") + cs + "{serviceAccountName: linstor-controller}",
			missing: []string{"spec.serviceAccountName: satellites run as the ServiceAccount satellite"},
		},
		{
			reason:  "the chart's values by halves: its defaults are not known",
			input:   "operator: {satelliteSet: {automaticStorageType: LVM}}",
			missing: []string{"these seem not to be all values", "operator.satelliteSet.automaticStorageType: no pools are made"},
		},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			_, r := run(t, tt.input)
			compare(t, r, tt.has, tt.hasNot, tt.missing)
		})
	}
}
