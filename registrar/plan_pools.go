package registrar

import (
	"fmt"
	"slices"
	"strings"

	"github.com/linstor-cmp/linstor-cmp/registrar/linstor"
)

// diskless is the kind of pools without storage; every node has one of them.
const diskless = "DISKLESS"

func (p *Plan) pools(want Node, seen Seen) {
	claimed := map[string]bool{} // devices that this plan writes to
	for _, w := range want.Pools {
		have := slices.IndexFunc(seen.Pools, func(h linstor.Pool) bool { return strings.EqualFold(h.Name, w.Name) })
		if have >= 0 {
			p.pool(want.Name, w, seen.Pools[have])
		} else {
			p.newPool(want.Name, w, seen, claimed)
		}
	}
	for _, h := range seen.Pools {
		if !slices.ContainsFunc(want.Pools, func(w Pool) bool { return strings.EqualFold(h.Name, w.Name) }) {
			p.extraPool(want, h, seen)
		}
	}
}

func subjectOf(pool, node string) string {
	return fmt.Sprintf("storage pool %s on node %s", pool, node)
}

// pool plans a pool that LINSTOR knows: its properties, and nothing else.
func (p *Plan) pool(node string, want Pool, have linstor.Pool) {
	subject := subjectOf(want.Name, node)
	const hint = "what a pool is made of cannot be changed: give the new one another name"
	backing := backingOf(have)
	switch {
	case have.Kind != want.Kind:
		p.fault(KindPool, subject, hint, "LINSTOR has it with kind %s, git says %s; nothing is changed", have.Kind, want.Kind)
		return
	case backing != want.Backing:
		p.fault(KindPool, subject, hint, "LINSTOR has it on %q, git says %q; nothing is changed", backing, want.Backing)
		return
	case have.SharedSpace != want.SharedSpace && (want.SharedSpace != "" || want.ExternalLocking),
		have.ExternalLocking != want.ExternalLocking:
		p.fault(KindPool, subject, hint, "LINSTOR has it with shared space %q and external locking %t, git says %q and %t; nothing is changed",
			have.SharedSpace, have.ExternalLocking, want.SharedSpace, want.ExternalLocking)
		return
	}
	for _, r := range have.Reports {
		if r.IsError() {
			p.fault(KindPool, subject, "", "LINSTOR reports: %s", r)
		}
	}
	if c := changes(want.Properties, have.Props, isBacking); !nothing(c) {
		p.step(KindPoolProps, subject, sentence(c)+" on "+subject, linstor.ModifyPool(node, want.Name, c))
	}
}

// newPool plans a pool that LINSTOR does not know.
func (p *Plan) newPool(node string, want Pool, seen Seen, claimed map[string]bool) {
	subject := subjectOf(want.Name, node)
	have := seen.Node
	for _, flag := range []string{"EVACUATE", "EVICTED"} {
		if hasFlag(*have, flag) {
			p.warn(KindPool, subject, "", "the node has the flag %s; no pool is made", flag)
			return
		}
	}
	if len(have.Providers) > 0 && !slices.Contains(have.Providers, want.Kind) {
		p.fault(KindPool, subject, "install what is missing on the node", "the satellite cannot do %s: %s",
			want.Kind, strings.Join(have.Unsupported[want.Kind], "; "))
		return
	}
	evidence := seen.Backing[want.Name]
	if len(want.Devices) > 0 {
		devices, fault := empty(want.Devices, seen)
		switch {
		case fault == "" && evidence == Present:
			p.fault(KindDevices, subject, "remove one of them, or write a pool without source",
				"%s %s is there, and yet LINSTOR calls %s empty; nothing is written to",
				noun(want.Kind), want.Backing, strings.Join(devices, ", "))
			return
		case fault == "":
			p.devicePool(node, want, devices, claimed)
			return
		case evidence != Present:
			p.fault(KindDevices, subject, "wipe it on the node if nothing on it is needed, or name another one",
				"%s; nothing is written to", fault)
			return
		}
	}
	switch evidence {
	case Present:
		p.createPool(node, want, "makes known "+subject)
	case Absent:
		p.fault(KindPool, subject, "make it on the node, or give the pool a source",
			"%s %s is not there", noun(want.Kind), want.Backing)
	case Unknown:
		p.fault(KindPool, subject, "mount the node's /etc/lvm/backup in the registrar, or start it with --probe=false",
			"whether %s %s is there cannot be told", noun(want.Kind), want.Backing)
	}
}

// empty returns the names that LINSTOR has for the devices, or which of them it
// does not call empty.
func empty(devices []string, seen Seen) (found []string, fault string) {
	for _, d := range devices {
		name := d
		if !slices.Contains(seen.Empty, d) {
			name = seen.Real[d]
		}
		if name == "" || !slices.Contains(seen.Empty, name) {
			return nil, fmt.Sprintf("LINSTOR does not report device %s as empty", d)
		}
		found = append(found, name)
	}
	return found, ""
}

// devicePool plans a pool with its backing: two requests, so that a failure of
// the second leaves the devices alone and is mended by the next look.
func (p *Plan) devicePool(node string, want Pool, devices []string, claimed map[string]bool) {
	subject := subjectOf(want.Name, node)
	for _, d := range devices {
		if claimed[d] {
			p.fault(KindDevices, subject, "give every device to one pool", "device %s belongs to two pools; nothing is written to", d)
			return
		}
	}
	for _, d := range devices {
		claimed[d] = true
	}
	p.step(KindDevices, subject, fmt.Sprintf("makes %s %s of the empty devices %s on node %s",
		noun(want.Kind), want.Backing, strings.Join(devices, ", "), node),
		linstor.CreateDevicePool(node, linstor.DevicePool{
			Kind: want.Kind, Devices: devices, Pool: want.Backing,
			PVArgs: want.Arguments.PV, VGArgs: want.Arguments.VG, LVArgs: want.Arguments.LV, ZPoolArgs: want.Arguments.ZPool,
		}))
	p.createPool(node, want, "makes known "+subject)
}

func (p *Plan) createPool(node string, want Pool, says string) {
	props := marked(want.Properties)
	props[storPoolName] = want.Backing
	p.step(KindPool, subjectOf(want.Name, node), fmt.Sprintf("%s (%s %s)", says, want.Kind, want.Backing),
		linstor.CreatePool(node, linstor.Pool{
			Name: want.Name, Kind: want.Kind, Props: props,
			SharedSpace: want.SharedSpace, ExternalLocking: want.ExternalLocking,
		}))
}

// extraPool plans a pool that git does not have.
func (p *Plan) extraPool(want Node, have linstor.Pool, seen Seen) {
	subject := subjectOf(have.Name, want.Name)
	_, ours := have.Props[Remembered]
	if !slices.Contains(want.Removed, have.Name) {
		if ours {
			p.warn(KindPoolRemoval, subject, "to have it removed once it is empty: removedStoragePools: ["+have.Name+"]",
				"git no longer has it; it is left as it is")
		}
		return
	}
	users, asked := seen.Users[have.Name]
	switch {
	case have.Kind == diskless:
		p.fault(KindPoolRemoval, subject, "", "it is the pool of resources without storage; it stays")
	case !asked:
		p.fault(KindPoolRemoval, subject, "", "whether it is empty is not known; it stays")
	case len(users) > 0:
		p.fault(KindPoolRemoval, subject, "move or delete them first", "it is not empty and stays: it holds %s", names(users))
	default:
		p.step(KindPoolRemoval, subject, "removes "+subject+", which is empty", linstor.RemovePool(want.Name, have.Name))
	}
}

func noun(kind string) string {
	switch kind {
	case LVM:
		return "volume group"
	case LVMThin:
		return "thin pool"
	case ZFS, ZFSThin:
		return "zpool"
	}
	return "directory"
}
