package registrar

import (
	"path"
	"strings"

	"github.com/linstor-cmp/linstor-cmp/registrar/linstor"
)

// The kinds of storage pools, as LINSTOR calls them.
const (
	LVM      = "LVM"
	LVMThin  = "LVM_THIN"
	ZFS      = "ZFS"
	ZFSThin  = "ZFS_THIN"
	File     = "FILE"
	FileThin = "FILE_THIN"
)

// Pool is a storage pool that git wants.
type Pool struct {
	Name            string
	Kind            string
	Backing         string // VG, VG/thin pool, zpool or directory
	Properties      map[string]string
	Devices         []string // to make the backing of; empty: the backing is there
	SharedSpace     string
	ExternalLocking bool
	Arguments       Arguments
}

// Arguments go to the commands that make a backing of devices.
type Arguments struct{ PV, VG, LV, ZPool []string }

// poolFile is a storage pool in node.json, with the fields of an overlay.
type poolFile struct {
	Name         string         `json:"name"`
	Properties   []propertyFile `json:"properties"`
	LvmPool      *lvmFile       `json:"lvmPool"`
	LvmThinPool  *lvmThinFile   `json:"lvmThinPool"`
	FilePool     *directoryFile `json:"filePool"`
	FileThinPool *directoryFile `json:"fileThinPool"`
	ZfsPool      *zfsFile       `json:"zfsPool"`
	ZfsThinPool  *zfsFile       `json:"zfsThinPool"`
	Source       *struct {
		HostDevices []string `json:"hostDevices"`
	} `json:"source"`
}

type propertyFile struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type lvmFile struct {
	VolumeGroup                   string   `json:"volumeGroup"`
	SharedSpace                   string   `json:"sharedSpace"`
	ExternalLocking               bool     `json:"externalLocking"`
	PhysicalVolumeCreateArguments []string `json:"physicalVolumeCreateArguments"`
	VolumeGroupCreateArguments    []string `json:"volumeGroupCreateArguments"`
}

type lvmThinFile struct {
	VolumeGroup                   string   `json:"volumeGroup"`
	ThinPool                      string   `json:"thinPool"`
	PhysicalVolumeCreateArguments []string `json:"physicalVolumeCreateArguments"`
	VolumeGroupCreateArguments    []string `json:"volumeGroupCreateArguments"`
	LogicalVolumeCreateArguments  []string `json:"logicalVolumeCreateArguments"`
}

type directoryFile struct {
	Directory string `json:"directory"`
}

type zfsFile struct {
	ZPool                string   `json:"zPool"`
	ZPoolCreateArguments []string `json:"zpoolCreateArguments"`
}

// pool is the file's entry, checked. What it says of devices is checked most
// strictly: it may cost data.
func (f poolFile) pool(fault func(string, ...any)) Pool {
	p := Pool{Name: f.Name, Properties: properties("storage pool "+f.Name, f.Properties, fault)}
	if !poolName.MatchString(p.Name) {
		fault("no name of a storage pool: %q", p.Name)
	}
	kinds := 0
	set := func(kind, backing string, args Arguments) {
		kinds++
		p.Kind, p.Backing, p.Arguments = kind, backing, args
	}
	if k := f.LvmPool; k != nil {
		set(LVM, k.VolumeGroup, Arguments{PV: k.PhysicalVolumeCreateArguments, VG: k.VolumeGroupCreateArguments})
		p.SharedSpace, p.ExternalLocking = k.SharedSpace, k.ExternalLocking
	}
	if k := f.LvmThinPool; k != nil {
		set(LVMThin, k.VolumeGroup+"/"+k.ThinPool, Arguments{
			PV: k.PhysicalVolumeCreateArguments, VG: k.VolumeGroupCreateArguments, LV: k.LogicalVolumeCreateArguments,
		})
	}
	for kind, k := range map[string]*directoryFile{File: f.FilePool, FileThin: f.FileThinPool} {
		if k != nil {
			set(kind, k.Directory, Arguments{})
		}
	}
	for kind, k := range map[string]*zfsFile{ZFS: f.ZfsPool, ZFSThin: f.ZfsThinPool} {
		if k != nil {
			set(kind, k.ZPool, Arguments{ZPool: k.ZPoolCreateArguments})
		}
	}
	if kinds != 1 {
		fault("storage pool %q has %d kinds; want one", p.Name, kinds)
		return p
	}
	files := p.Kind == File || p.Kind == FileThin
	switch {
	case files && (!path.IsAbs(p.Backing) || path.Clean(p.Backing) != p.Backing || p.Backing == "/"):
		fault("storage pool %q: no clean absolute path: %q", p.Name, p.Backing)
	case !files && !backingName.MatchString(p.Backing),
		p.Kind == LVM && strings.Contains(p.Backing, "/"),
		p.Kind == LVMThin && strings.Count(p.Backing, "/") != 1:
		fault("storage pool %q: no backing of kind %s: %q", p.Name, p.Kind, p.Backing)
	}
	if f.Source != nil {
		p.Devices = f.Source.HostDevices
		switch {
		case files:
			fault("storage pool %q: a file pool takes no devices", p.Name)
		case len(p.Devices) == 0:
			fault("storage pool %q: source.hostDevices is empty", p.Name)
		}
		for _, d := range p.Devices {
			if !cleanDevice(d) {
				fault("storage pool %q: no clean path below /dev/: %q", p.Name, d)
			}
		}
	}
	return p
}

func properties(where string, list []propertyFile, fault func(string, ...any)) map[string]string {
	out := map[string]string{}
	for _, p := range list {
		if _, twice := out[p.Name]; twice {
			fault("%s: property %q is set twice", where, p.Name)
		}
		out[p.Name] = p.Value
	}
	checkNames(where, out, fault)
	for name := range out {
		if isBacking(name) {
			fault("%s: property %s says what the pool is made of; that is not for properties to change", where, name)
		}
	}
	return out
}

// The properties in which LINSTOR keeps what a pool is made of: the first is
// in use since 2021, the others come from before and are still answered.
const storPoolName = "StorDriver/StorPoolName"

var olderBackings = map[string][]string{
	LVM:      {"StorDriver/LvmVg"},
	LVMThin:  {"StorDriver/LvmVg", "StorDriver/ThinPool"},
	ZFS:      {"StorDriver/ZPool"},
	ZFSThin:  {"StorDriver/ZPoolThin"},
	File:     {"StorDriver/FileDir"},
	FileThin: {"StorDriver/FileDir"},
}

func isBacking(property string) bool {
	switch property {
	case storPoolName, "StorDriver/LvmVg", "StorDriver/ThinPool", "StorDriver/ZPool", "StorDriver/ZPoolThin", "StorDriver/FileDir":
		return true
	}
	return false
}

// backingOf returns what a pool is made of as LINSTOR knows it, or nothing.
func backingOf(p linstor.Pool) string {
	if b := p.Props[storPoolName]; b != "" {
		return b
	}
	var parts []string
	for _, name := range olderBackings[p.Kind] {
		if p.Props[name] == "" {
			return ""
		}
		parts = append(parts, p.Props[name])
	}
	return strings.Join(parts, "/")
}
