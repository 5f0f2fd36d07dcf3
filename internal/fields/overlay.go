package fields

// What chooses nodes in a LinstorSatelliteConfiguration.
var satelliteConfigurationRows = [][2]string{
	{"nodeSelector", "Labels of the nodes that it is for; all must be there."},
	{"nodeAffinity", "Terms of which a node must match one; both selectors must hold."},
}

// What chooses nodes in a LinstorNodeConfiguration, and what is its own.
var nodeConfigurationRows = [][2]string{
	{"nodeSelectorTerms", "Terms of which a node must match one; what Kubernetes takes for never matching is an error."},
	{"priority", "Whole number, 0 by default: a higher one applies later, and so wins."},
	{"optIn", "`true` also lets a node choose the overlay by its annotation `linstor-cmp.io/overlays`."},
	{"profile", "`Talos` or `Flatcar`: what that operating system has no place for is left out, before any patch."},
}

// What both overlays say about their nodes.
var overlayRows = [][2]string{
	{"podTemplate", "Strategic merge patch of the satellite's pods, before the overlay's other patches."},
	{"resourceNameSuffixSeparator", "`-`, the default, for names that are fit for a label, or `.` for those that Piraeus has."},
}

// TLS as the satellite has it.
var satelliteTLSRows = [][2]string{
	{"internalTLS", "Also when empty: the satellite listens with TLS on port 3367, with a certificate from a Secret."},
	{"internalTLS.secretName", "The Secret with the satellite's certificate and key; the default is the node's name and `-tls`."},
	{"internalTLS.certManager.name", "Issuer whom cert-manager asks to fill that Secret; without it nobody is asked."},
	{"internalTLS.certManager.kind", "Kind of the issuer; the default is `Issuer`."},
	{"internalTLS.certManager.group", "API group of the issuer; without it cert-manager takes its own."},
	{"internalTLS.caReference.name", "Secret or ConfigMap with the authority that the controller's certificate comes from; without it, the satellite's own Secret."},
	{"internalTLS.caReference.kind", "`Secret`, the default, or `ConfigMap`."},
	{"internalTLS.caReference.key", "Key that holds the authority; the default is `ca.crt`."},
	{"internalTLS.caReference.optional", "Whether the satellite starts without that key."},
	{"internalTLS.tlsHandshakeDaemon", "`true` adds a container with the kernel's TLS handshake daemon, for DRBD over TLS."},
}

// Storage pools: all are in node.json with their defaults; file pools are also
// mounted.
var poolRows = [][2]string{
	{"storagePools[].name", "Name of a pool, in `node.json`; one of a later overlay takes its place as a whole."},
	{"storagePools[].properties[].name", "Name of a LINSTOR property of the pool."},
	{"storagePools[].properties[].value", "Value of that property, as it is written."},
	{"storagePools[].source.hostDevices", "Empty devices below `/dev/` to make the pool of."},
	{"storagePools[].lvmPool", "A pool in a volume group."},
	{"storagePools[].lvmPool.volumeGroup", "The volume group; the default is the pool's name."},
	{"storagePools[].lvmPool.sharedSpace", "Name of the space that several nodes share."},
	{"storagePools[].lvmPool.externalLocking", "`true`: somebody else locks the shared space."},
	{"storagePools[].lvmPool.physicalVolumeCreateArguments", "Arguments for `pvcreate`, where the pool is made of devices."},
	{"storagePools[].lvmPool.volumeGroupCreateArguments", "Arguments for `vgcreate`."},
	{"storagePools[].lvmThinPool", "A pool in a thin pool of LVM."},
	{"storagePools[].lvmThinPool.volumeGroup", "The volume group; the default is `linstor_` and the thin pool's name."},
	{"storagePools[].lvmThinPool.thinPool", "The thin pool; the default is the pool's name."},
	{"storagePools[].lvmThinPool.physicalVolumeCreateArguments", "Arguments for `pvcreate`, where the pool is made of devices."},
	{"storagePools[].lvmThinPool.volumeGroupCreateArguments", "Arguments for `vgcreate`."},
	{"storagePools[].lvmThinPool.logicalVolumeCreateArguments", "Arguments for `lvcreate`."},
	{"storagePools[].filePool", "A pool of files in a directory of the host, which the satellite mounts."},
	{"storagePools[].filePool.directory", "The directory; the default is `/var/lib/linstor-pools/` and the pool's name."},
	{"storagePools[].fileThinPool", "A pool of sparse files in a directory of the host, which the satellite mounts."},
	{"storagePools[].fileThinPool.directory", "The directory; the default is `/var/lib/linstor-pools/` and the pool's name."},
	{"storagePools[].zfsPool", "A pool in a zpool."},
	{"storagePools[].zfsPool.zPool", "The zpool; the default is the pool's name."},
	{"storagePools[].zfsPool.zpoolCreateArguments", "Arguments for `zpool create`; the default is `-o failmode=continue`."},
	{"storagePools[].zfsThinPool", "A pool of sparse volumes in a zpool."},
	{"storagePools[].zfsThinPool.zPool", "The zpool; the default is the pool's name."},
	{"storagePools[].zfsThinPool.zpoolCreateArguments", "Arguments for `zpool create`; the default is `-o failmode=continue`."},
}

// Properties of nodes: resolved, in node.json.
var propertyRows = [][2]string{
	{"properties[].name", "Name of a LINSTOR property of the node, in `node.json`."},
	{"properties[].value", "Value of the property, as it is written."},
	{"properties[].valueFrom.nodeFieldRef", "Field of the node that is the value: its name, its UID, a label or an annotation."},
	{"properties[].expandFrom.nodeFieldRef", "Field of the node, or all labels or annotations with a prefix, to make values of."},
	{"properties[].expandFrom.nameTemplate", "What follows the name in the property of each key, with `$1` for the rest of the key and `$2` for its value."},
	{"properties[].expandFrom.valueTemplate", "The value, with `$1` and `$2` as in the name."},
	{"properties[].expandFrom.delimiter", "What joins the values in one property, without a name template."},
	{"properties[].optional", "`true`: no property where the field is not there, in the place of an empty one."},
}

// What an operator does while a node lives and leaves.
var overlayLiveRows = [][2]string{
	{"ipFamilies", "Address families of the satellite's network interfaces in LINSTOR; no object depends on it."},
	{"deletionPolicy", "What happens in LINSTOR when a node leaves; here its objects stay, as with `Retain`."},
	{"evacuationStrategy.attachedVolumeReattachTimeout", "How long an evacuation waits for volumes in use; no object depends on it."},
	{"evacuationStrategy.unattachedVolumeAttachTimeout", "How long an evacuation waits for volumes that nobody uses; no object depends on it."},
}
