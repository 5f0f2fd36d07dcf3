package registrar

import (
	"bufio"
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Probe looks for the backing of pools in files of the node, which say it
// without LVM's or ZFS's commands. Fields are directories; an empty one is not
// there to look into.
//
// LINSTOR cannot be asked: it makes a pool known whether its backing is there
// or not, and keeps a broken one.
type Probe struct {
	LVMBackup string // LVM's own backup of its metadata: /etc/lvm/backup
	Sys       string // /sys: the devices that the kernel's device mapper has
	Proc      string // /proc: the zpools that are imported
	Off       bool   // take every backing to be there
}

// Backing returns whether the backing of a pool is on the node.
func (p Probe) Backing(pool Pool) Evidence {
	switch {
	case p.Off:
		return Present
	case pool.Kind == LVM:
		return p.lvm(pool.Backing, "")
	case pool.Kind == LVMThin:
		vg, thin, _ := strings.Cut(pool.Backing, "/")
		return p.lvm(vg, thin)
	case pool.Kind == ZFS || pool.Kind == ZFSThin:
		return p.zpool(pool.Backing)
	}
	// The satellite's pod mounts the directory of a file pool, and makes it.
	return Present
}

// zpool looks for an imported pool. Of a dataset only the pool can be seen.
func (p Probe) zpool(backing string) Evidence {
	if p.Proc == "" {
		return Unknown
	}
	pool, _, _ := strings.Cut(backing, "/")
	if _, err := os.Stat(filepath.Join(p.Proc, "spl/kstat/zfs", pool)); err == nil {
		return Present
	} else if !errors.Is(err, fs.ErrNotExist) {
		return Unknown
	}
	return Absent
}

// lvm looks for a volume group, or for a thin pool in it: among the volumes
// that are active, and in LVM's backup, which has those that are not.
func (p Probe) lvm(vg, thin string) Evidence {
	if p.active(vg, thin) {
		return Present
	}
	if p.LVMBackup == "" {
		return Unknown
	}
	data, err := readFile(filepath.Join(p.LVMBackup, vg), mostMetadata)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if _, err := os.Stat(p.LVMBackup); err != nil {
			return Unknown
		}
		return Absent
	case err != nil:
		return Unknown
	case hasVolume(data, vg, thin):
		return Present
	}
	return Absent
}

// mostMetadata is more than LVM's metadata of a volume group ever takes.
const mostMetadata = 16 << 20

// active looks at the names of the kernel's mapped devices, in which a dash of
// a name is doubled and a single one separates: vg-lv.
func (p Probe) active(vg, thin string) bool {
	if p.Sys == "" {
		return false
	}
	escape := func(s string) string { return strings.ReplaceAll(s, "-", "--") }
	found, _ := filepath.Glob(filepath.Join(p.Sys, "block/dm-*/dm/name"))
	for _, path := range found {
		data, err := readFile(path, 4096)
		if err != nil {
			continue
		}
		name := strings.TrimSpace(string(data))
		rest, ok := strings.CutPrefix(name, escape(vg)+"-")
		if !ok || strings.HasPrefix(rest, "-") {
			continue // a volume group whose name goes on after a dash
		}
		switch base := escape(thin); {
		case thin == "", rest == base+"-tpool", rest == base+"_tdata":
			return true
		}
	}
	return false
}

// hasVolume reads LVM's text format: sections in braces. A volume group is the
// outermost section; a thin pool is a logical volume with a segment of that
// type.
func hasVolume(data []byte, vg, thin string) bool {
	var path []string
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		line, _, _ := strings.Cut(strings.TrimSpace(lines.Text()), "\t#")
		line = strings.TrimSpace(line)
		switch {
		case strings.HasSuffix(line, "{"):
			path = append(path, strings.TrimSpace(strings.TrimSuffix(line, "{")))
			if thin == "" && len(path) == 1 && path[0] == vg {
				return true
			}
		case line == "}":
			if len(path) > 0 {
				path = path[:len(path)-1]
			}
		case line == `type = "thin-pool"` && len(path) == 4 &&
			path[0] == vg && path[1] == "logical_volumes" && path[2] == thin:
			return true
		}
	}
	return false
}

// links returns what the device paths of the pools are links to, where that
// can be seen from here.
func links(pools []Pool) map[string]string {
	out := map[string]string{}
	for _, p := range pools {
		for _, d := range p.Devices {
			if real, err := filepath.EvalSymlinks(d); err == nil && real != d {
				out[d] = real
			}
		}
	}
	return out
}
