package fields

// What a LinstorCluster says, beside its patches.
var clusterRows = [][2]string{
	{"repository", "Where all images come from, in the place of their own registries."},
	{"nodeSelector", "Labels that a node needs to get a satellite; the cluster's own pods run on such nodes only."},
	{"nodeAffinity", "Terms of which a node must match one to get a satellite; the cluster's own pods have them as their required node affinity."},
	{"tolerations", "Taints that keep no node out; the pods of the cluster and those of the nodes tolerate them too."},
	{"externalController.url", "URL of a LINSTOR controller that runs elsewhere, or several separated by commas: no controller is rendered, and every client asks there."},
	{"linstorPassphraseSecret", "Secret whose key `MASTER_PASSPHRASE` unlocks LINSTOR's encryption when the controller starts."},
}

// The components of the cluster, by the names of their fields, with what goes
// where they are switched off.
var components = [][3]string{
	{"controller", "the LINSTOR controller", ""},
	{"csiController", "the CSI controller", ", the CSIDriver among them"},
	{"csiNode", "the CSI node plugin", ""},
	{"highAvailabilityController", "the high-availability controller", ""},
	{"affinityController", "the affinity controller", ""},
	{"nfsServer", "the NFS server", ", and has the CSI driver offer no shared volumes"},
}

func componentRows() [][2]string {
	var rows [][2]string
	for _, c := range components {
		rows = append(rows,
			[2]string{c[0] + ".enabled", "`false` leaves out " + c[1] + " with all of its objects" + c[2] + "; the default is `true`."},
			[2]string{c[0] + ".podTemplate", "Strategic merge patch of the pods of " + c[1] + ", before all other patches of the cluster."},
		)
		if c[0] == "csiController" || c[0] == "affinityController" {
			rows = append(rows, [2]string{c[0] + ".replicas", "Number of replicas of " + c[1] + "; without it Kubernetes takes 1."})
		}
	}
	return rows
}

// TLS as the controller and the clients of its API have it.
var clusterTLSRows = [][2]string{
	{"internalTLS", "Also when empty: the controller talks to satellites with TLS, with a certificate from a Secret."},
	{"internalTLS.secretName", "The Secret with the controller's certificate and key; the default is `linstor-controller-internal-tls`."},
	{"internalTLS.certManager.name", "Issuer whom cert-manager asks to fill that Secret; without it nobody is asked."},
	{"internalTLS.certManager.kind", "Kind of the issuer; the default is `Issuer`."},
	{"internalTLS.certManager.group", "API group of the issuer; without it cert-manager takes its own."},
	{"internalTLS.caReference.name", "Secret or ConfigMap with the authority that the satellites' certificates come from; without it, the key `ca.crt` of the controller's Secret."},
	{"internalTLS.caReference.kind", "`Secret`, the default, or `ConfigMap`."},
	{"internalTLS.caReference.key", "Key that holds the authority; the default is `ca.crt`."},
	{"internalTLS.caReference.optional", "Whether the controller starts without that key."},
	{"apiTLS", "Also when empty: the LINSTOR API speaks HTTPS on port 3371, and its clients go there with certificates from Secrets."},
	{"apiTLS.apiSecretName", "The Secret of the API's server; the default is `linstor-api-tls`."},
	{"apiTLS.clientSecretName", "The Secret of the command line client in the controller's pod; the default is `linstor-client-tls`."},
	{"apiTLS.csiControllerSecretName", "The Secret of the CSI controller; the default is `linstor-csi-controller-tls`."},
	{"apiTLS.csiNodeSecretName", "The Secret of the CSI node plugin; the default is `linstor-csi-node-tls`."},
	{"apiTLS.affinityControllerSecretName", "The Secret of the affinity controller; the default is `linstor-affinity-controller-tls`."},
	{"apiTLS.nfsServerSecretName", "The Secret of the NFS server; the default is `linstor-csi-nfs-server-tls`."},
	{"apiTLS.certManager.name", "Issuer whom cert-manager asks to fill those Secrets; without it nobody is asked."},
	{"apiTLS.certManager.kind", "Kind of the issuer; the default is `Issuer`."},
	{"apiTLS.certManager.group", "API group of the issuer; without it cert-manager takes its own."},
	{"apiTLS.caReference.name", "Secret or ConfigMap with the authority that server and clients trust; without it, the key `ca.crt` of each one's own Secret."},
	{"apiTLS.caReference.kind", "`Secret`, the default, or `ConfigMap`."},
	{"apiTLS.caReference.key", "Key that holds the authority; the default is `ca.crt`."},
	{"apiTLS.caReference.optional", "Whether the pods start without that key."},
}

// What only LINSTOR's API can bring about.
var clusterLiveRows = [][2]string{
	{"properties[].name", "Name of a LINSTOR property of the controller, over Piraeus's defaults, in `cluster.json`."},
	{"properties[].value", "Value of that property, as it is written."},
	{"maxConcurrentEvacuations", "How many nodes Piraeus evacuates at once, in `cluster.json`."},
}
