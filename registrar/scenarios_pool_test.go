package registrar_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/linstor-cmp/linstor-cmp/registrar/internal/linstortest"
)

// pool is a storage pool in node.json.
func pool(name, kind string, backing map[string]any, more ...any) map[string]any {
	p := map[string]any{"name": name, kind: backing}
	for i := 0; i+1 < len(more); i += 2 {
		p[more[i].(string)] = more[i+1]
	}
	return p
}

func pools(list ...any) map[string]any { return map[string]any{"storagePools": list} }

type m = map[string]any

// satellite starts the satellite of node a with what is on the node.
func (w *world) satellite(backings map[string]string, empty ...string) {
	w.server.Start("a", linstortest.Satellite{
		Address: address, Port: 3366, Encryption: "PLAIN", Backings: backings, Empty: empty,
	})
}

// poolScenarios: pools whose backing is there, or is not.
var poolScenarios = map[string]scenario{
	"pools of all six kinds": {run: func(w *world) {
		w.vg("vg0", "thin")
		w.vg("vg1", "")
		if err := os.MkdirAll(filepath.Join(filepath.Dir(w.backup), "proc/spl/kstat/zfs/tank"), 0o755); err != nil {
			w.Fatal(err)
		}
		w.satellite(map[string]string{
			"vg1": "LVM", "vg0/thin": "LVM_THIN", "tank": "ZFS", "tank/linstor": "ZFS", "/var/lib/p5": "FILE", "/var/lib/p6": "FILE",
		})
		w.git(pools(
			pool("p-1", "lvmPool", m{"volumeGroup": "vg1"}),
			pool("p-2", "lvmThinPool", m{"volumeGroup": "vg0", "thinPool": "thin"}),
			pool("p-3", "zfsPool", m{"zPool": "tank"}),
			pool("p-4", "zfsThinPool", m{"zPool": "tank/linstor", "zpoolCreateArguments": []string{"-o", "failmode=continue"}}),
			pool("p-5", "filePool", m{"directory": "/var/lib/p5"}),
			pool("p-6", "fileThinPool", m{"directory": "/var/lib/p6"}, "properties", []any{m{"name": "PrefNic", "value": "default-ipv4"}}),
		))
		w.begin()
		w.after(20 * time.Second)
		if diff := cmp.Diff(map[string]string{
			"p-1": "LVM vg1", "p-2": "LVM_THIN vg0/thin", "p-3": "ZFS tank", "p-4": "ZFS_THIN tank/linstor",
			"p-5": "FILE /var/lib/p5", "p-6": "FILE_THIN /var/lib/p6",
		}, w.server.Node("a").Pools); diff != "" {
			w.Errorf("pools (-want +got):\n%s", diff)
		}
	}},
	"a pool waits for its backing": {run: func(w *world) {
		w.satellite(nil)
		w.git(pools(pool("pool", "lvmThinPool", m{"volumeGroup": "vg0", "thinPool": "thin"})))
		w.begin()
		w.after(2 * interval)
		w.logs("thin pool vg0/thin is not there")
		w.ready(true, "the node is registered and online")
		w.vg("vg0", "") // without the thin pool
		w.after(2 * interval)
		w.satellite(map[string]string{"vg0/thin": "LVM_THIN"})
		w.vg("vg0", "thin")
		w.after(2 * interval)
		if got := w.server.Node("a").Pools["pool"]; got != "LVM_THIN vg0/thin" {
			w.Errorf("pool: %q", got)
		}
		w.logs("LINSTOR is as git says")
	}},
	"a kind that the node cannot do": {run: func(w *world) {
		w.server.Start("a", linstortest.Satellite{
			Address: address, Port: 3366, Encryption: "PLAIN", Providers: []string{"DISKLESS", "FILE"},
		})
		w.vg("vg0", "")
		w.git(pools(pool("pool", "lvmPool", m{"volumeGroup": "vg0"})))
		w.begin()
		w.after(interval)
		w.logs("the satellite cannot do LVM: the tools of LVM are not installed")
	}},
	"a pool that git has otherwise": {run: func(w *world) {
		w.vg("vg0", "thin")
		w.satellite(map[string]string{"vg0": "LVM", "vg0/thin": "LVM_THIN"})
		w.git(pools())
		w.begin()
		w.after(10 * time.Second)
		w.server.AddPool("a", "kind", "LVM", "vg0")
		w.server.AddPool("a", "backing", "LVM_THIN", "vg9/thin")
		before := w.server.Node("a").PoolProps
		w.git(pools(
			pool("kind", "lvmThinPool", m{"volumeGroup": "vg0", "thinPool": "thin"}, "properties", []any{m{"name": "Aux/x", "value": "1"}}),
			pool("backing", "lvmThinPool", m{"volumeGroup": "vg0", "thinPool": "thin"}),
		))
		w.after(3 * interval)
		if diff := cmp.Diff(before, w.server.Node("a").PoolProps); diff != "" {
			w.Errorf("pools were changed (-before +now):\n%s", diff)
		}
		w.logs("storage pool kind on node a: LINSTOR has it with kind LVM, git says LVM_THIN; nothing is changed")
		w.logs(`storage pool backing on node a: LINSTOR has it on \"vg9/thin\", git says \"vg0/thin\"; nothing is changed`)
		if len(w.told) != 2 {
			w.Errorf("Kubernetes was told of %d faults, want each once", len(w.told))
		}
	}},
	"properties of a pool are kept": {run: func(w *world) {
		w.vg("vg0", "")
		w.satellite(map[string]string{"vg0": "LVM"})
		with := func(props ...any) map[string]any {
			return pools(pool("pool", "lvmPool", m{"volumeGroup": "vg0"}, "properties", props))
		}
		w.git(with(m{"name": "Aux/x", "value": "1"}, m{"name": "Aux/y", "value": "1"}))
		w.begin()
		w.after(20 * time.Second)
		w.server.SetPool("a", "pool", "Aux/x", "by hand")
		w.server.SetPool("a", "pool", "Aux/foreign", "stays")
		w.after(3 * interval)
		w.git(with(m{"name": "Aux/x", "value": "1"}))
		w.after(5 * time.Second)
		if diff := cmp.Diff(map[string]string{
			"Aux/x": "1", "Aux/foreign": "stays", applied: `["Aux/x"]`, "StorDriver/StorPoolName": "vg0",
		}, w.server.Node("a").PoolProps["pool"]); diff != "" {
			w.Errorf("properties (-want +got):\n%s", diff)
		}
	}},
	"a pool is dropped by hand": {run: func(w *world) {
		w.vg("vg0", "")
		w.satellite(map[string]string{"vg0": "LVM"})
		w.git(pools(pool("pool", "lvmPool", m{"volumeGroup": "vg0"})))
		w.begin()
		w.after(20 * time.Second)
		w.server.DropPool("a", "pool")
		w.after(3 * interval)
		if got := w.server.Node("a").Pools["pool"]; got != "LVM vg0" {
			w.Errorf("pool: %q", got)
		}
	}},
	"git no longer has a pool": {run: func(w *world) {
		w.vg("vg0", "")
		w.satellite(map[string]string{"vg0": "LVM"})
		w.git(pools(pool("pool", "lvmPool", m{"volumeGroup": "vg0"})))
		w.begin()
		w.after(20 * time.Second)
		w.server.AddPool("a", "foreign", "LVM", "vg0")
		w.git(pools())
		w.after(10 * interval)
		w.logs("storage pool pool on node a: git no longer has it; it is left as it is")
		if strings.Contains(w.log.String(), "foreign") {
			w.Errorf("a pool that git never had is nobody's business:\n%s", w.log)
		}
		if got := len(w.server.Node("a").Pools); got != 2 {
			w.Errorf("%d pools, want both", got)
		}
	}},
	"git removes a pool": {
		run: func(w *world) {
			w.vg("vg0", "")
			w.satellite(map[string]string{"vg0": "LVM"})
			w.git(pools(pool("pool", "lvmPool", m{"volumeGroup": "vg0"})))
			w.begin()
			w.after(20 * time.Second)
			w.server.Use("a", "pool", "pvc-1", "pvc-2")
			w.git(m{"storagePools": []any{}, "removedStoragePools": []string{"pool", "never-was", "DfltDisklessStorPool"}})
			w.after(3 * interval)
			w.logs("it is not empty and stays: it holds pvc-1, pvc-2")
			w.logs("it is the pool of resources without storage; it stays")
			if len(w.server.Node("a").Pools) != 1 {
				w.Error("the pool is gone")
			}
			w.server.Use("a", "pool")
			w.after(2 * interval)
			if len(w.server.Node("a").Pools) != 0 {
				w.Error("the pool is still there")
			}
			w.logs("removes storage pool pool on node a, which is empty")
		},
		delete: []string{"DELETE /v1/nodes/{node}/storage-pools/{pool}"},
	},
	"a node that is being emptied": {run: func(w *world) {
		w.vg("vg0", "")
		w.satellite(map[string]string{"vg0": "LVM"})
		w.git(pools())
		w.begin()
		w.after(10 * time.Second)
		w.server.Flag("a", "EVACUATE")
		w.git(pools(pool("pool", "lvmPool", m{"volumeGroup": "vg0"})))
		w.after(3 * interval)
		w.logs("the node has the flag EVACUATE; no pool is made")
	}},
	"nothing to look for backings in": {run: func(w *world) {
		w.node.Probe.LVMBackup = ""
		w.git(pools(pool("pool", "lvmPool", m{"volumeGroup": "vg0"})))
		w.begin()
		w.after(interval)
		w.logs("whether volume group vg0 is there cannot be told")
	}},
	"shared space differs": {run: func(w *world) {
		w.git(pools())
		w.begin()
		w.after(10 * time.Second)
		w.server.AddPool("a", "pool", "LVM", "vg0")
		w.git(pools(pool("pool", "lvmPool", m{"volumeGroup": "vg0", "sharedSpace": "san", "externalLocking": true})))
		w.after(interval)
		w.logs(fmt.Sprintf("git says %s and true; nothing is changed", `\"san\"`))
	}},
}
