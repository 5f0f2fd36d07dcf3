package fields

const pool = "/data/node.json#/storagePools/abc"

var arguments = []any{"-x", "1"}

// pools is the spec of one pool of a name.
func pools(fields string) string { return `{storagePools: [{name: abc, ` + fields + `}]}` }

// kindOfPool is the proof of a field of a kind of pool.
func kindOfPool(kind, field, value string, want any) proof {
	return proof{
		path:    "storagePools[]." + kind + "." + field,
		without: pools(kind + ": {}"), with: pools(kind + ": {" + field + ": " + value + "}"),
		object: config, pointer: pool + "/" + kind + "/" + field, want: want,
	}
}

// byDefault is the proof of a kind of pool, without any of its fields.
func byDefault(kind, field string, want any) proof {
	return proof{path: "storagePools[]." + kind, with: pools(kind + ": {}"), object: config, pointer: pool + "/" + kind + "/" + field, want: want}
}

var poolProofs = []proof{
	{path: "storagePools[].name", with: pools("lvmPool: {}"), object: config, pointer: pool + "/name", want: "abc"},
	{path: "storagePools[].name", with: pools("lvmPool: {}"), told: "storagePools (o)"},
	{path: "storagePools[].properties[].name", without: pools("lvmPool: {}"), with: pools(`lvmPool: {}, properties: [{name: p, value: "1"}]`), object: config, pointer: pool + "/properties/p/value", want: "1"},
	{path: "storagePools[].properties[].value", without: pools(`lvmPool: {}, properties: [{name: p, value: "1"}]`), with: pools(`lvmPool: {}, properties: [{name: p, value: "2"}]`), object: config, pointer: pool + "/properties/p/value", want: "2"},
	{path: "storagePools[].source.hostDevices", without: pools("lvmPool: {}"), with: pools("lvmPool: {}, source: {hostDevices: [/dev/x]}"), object: config, pointer: pool + "/source/hostDevices", want: []any{"/dev/x"}},
	byDefault("lvmPool", "volumeGroup", "abc"),
	kindOfPool("lvmPool", "volumeGroup", "vg", "vg"),
	kindOfPool("lvmPool", "sharedSpace", "s", "s"),
	kindOfPool("lvmPool", "externalLocking", "true", true),
	kindOfPool("lvmPool", "physicalVolumeCreateArguments", `[-x, "1"]`, arguments),
	kindOfPool("lvmPool", "volumeGroupCreateArguments", `[-x, "1"]`, arguments),
	byDefault("lvmThinPool", "thinPool", "abc"),
	byDefault("lvmThinPool", "volumeGroup", "linstor_abc"),
	kindOfPool("lvmThinPool", "volumeGroup", "vg", "vg"),
	kindOfPool("lvmThinPool", "thinPool", "t", "t"),
	kindOfPool("lvmThinPool", "physicalVolumeCreateArguments", `[-x, "1"]`, arguments),
	kindOfPool("lvmThinPool", "volumeGroupCreateArguments", `[-x, "1"]`, arguments),
	kindOfPool("lvmThinPool", "logicalVolumeCreateArguments", `[-x, "1"]`, arguments),
	byDefault("filePool", "directory", "/var/lib/linstor-pools/abc"),
	kindOfPool("filePool", "directory", "/d", "/d"),
	{path: "storagePools[].filePool", with: pools("filePool: {}"), object: satellite, pointer: pod + "/volumes/file-pool-abc/hostPath/path", want: "/var/lib/linstor-pools/abc"},
	{path: "storagePools[].filePool.directory", without: pools("filePool: {}"), with: pools("filePool: {directory: /d}"), object: satellite, pointer: pod + "/containers/linstor-satellite/volumeMounts/file-pool-abc/mountPath", want: "/d"},
	byDefault("fileThinPool", "directory", "/var/lib/linstor-pools/abc"),
	kindOfPool("fileThinPool", "directory", "/d", "/d"),
	{path: "storagePools[].fileThinPool", with: pools("fileThinPool: {}"), object: satellite, pointer: pod + "/containers/linstor-satellite/env/LOSETUP_CONTAINER_BIND_MOUNTS/value", want: "/var/lib/linstor-pools/abc"},
	{path: "storagePools[].fileThinPool.directory", without: pools("fileThinPool: {}"), with: pools("fileThinPool: {directory: /d}"), object: satellite, pointer: pod + "/volumes/file-pool-abc/hostPath/path", want: "/d"},
	byDefault("zfsPool", "zPool", "abc"),
	kindOfPool("zfsPool", "zPool", "z", "z"),
	byDefault("zfsPool", "zpoolCreateArguments", []any{"-o", "failmode=continue"}),
	kindOfPool("zfsPool", "zpoolCreateArguments", `[-x, "1"]`, arguments),
	byDefault("zfsThinPool", "zPool", "abc"),
	kindOfPool("zfsThinPool", "zPool", "z", "z"),
	kindOfPool("zfsThinPool", "zpoolCreateArguments", `[-x, "1"]`, arguments),
}
