package registrar_test

import (
	"slices"
	"strings"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/linstor-cmp/linstor-cmp/registrar/internal/linstortest"
)

func source(devices ...string) m { return m{"hostDevices": devices} }

var deviceCall = "POST /v1/physical-storage/{node}"

// deviceScenarios: pools that are made of devices. The test controller fails
// the test when a device is written to that is not empty.
var deviceScenarios = map[string]scenario{
	"pools of empty devices": {
		run: func(w *world) {
			w.satellite(nil, "/dev/sdb", "/dev/sdc", "/dev/sdd")
			w.git(pools(
				pool("thin", "lvmThinPool", m{
					"volumeGroup": "linstor_thin", "thinPool": "thin", "logicalVolumeCreateArguments": []string{"--zero", "n"},
				}, "source", source("/dev/sdb", "/dev/sdc")),
				pool("zpl", "zfsPool", m{"zPool": "zpl", "zpoolCreateArguments": []string{"-o", "failmode=continue"}}, "source", source("/dev/sdd")),
			))
			w.begin()
			w.after(20 * time.Second)
			if diff := cmp.Diff(map[string]string{"thin": "LVM_THIN linstor_thin/thin", "zpl": "ZFS zpl"}, w.server.Node("a").Pools); diff != "" {
				w.Errorf("pools (-want +got):\n%s", diff)
			}
			w.logs("makes thin pool linstor_thin/thin of the empty devices /dev/sdb, /dev/sdc on node a")
			var bodies []string
			for _, b := range w.server.Bodies() {
				if strings.Contains(b, "device_paths") {
					bodies = append(bodies, b)
				}
			}
			if diff := cmp.Diff([]string{
				`{"provider_kind":"LVM_THIN","device_paths":["/dev/sdb","/dev/sdc"],"pool_name":"linstor_thin/thin","lv_create_arguments":["--zero","n"]}`,
				`{"provider_kind":"ZFS","device_paths":["/dev/sdd"],"pool_name":"zpl","zpool_create_arguments":["-o","failmode=continue"]}`,
			}, bodies); diff != "" {
				w.Errorf("requests (-want +got):\n%s", diff)
			}
			w.after(10 * interval)
		},
		delete: []string{deviceCall, deviceCall},
	},
	"a device that is not empty": {run: func(w *world) {
		w.satellite(nil, "/dev/sdb")
		w.git(pools(pool("pool", "lvmPool", m{"volumeGroup": "vg0"}, "source", source("/dev/sdb", "/dev/sdc"))))
		w.begin()
		w.after(10 * interval)
		w.logs("LINSTOR does not report device /dev/sdc as empty; nothing is written to")
		if !slices.Contains(w.server.Empty("a"), "/dev/sdb") {
			w.Error("the device beside it was used")
		}
	}},
	"a device that two pools want": {
		run: func(w *world) {
			w.satellite(nil, "/dev/sdb")
			// Two names of one device pass the check of the file.
			w.git(pools(
				pool("one", "lvmPool", m{"volumeGroup": "vg0"}, "source", source("/dev/sdb")),
				pool("two", "lvmPool", m{"volumeGroup": "vg1"}, "source", source("/dev/./sdb")),
			))
			w.begin()
			w.after(interval)
			w.logs(`no clean path below /dev/`)
			w.git(pools(
				pool("one", "lvmPool", m{"volumeGroup": "vg0"}, "source", source("/dev/sdb")),
				pool("two", "lvmPool", m{"volumeGroup": "vg1"}, "source", source("/dev/sdb")),
			))
			w.after(interval)
			w.logs(`device /dev/sdb belongs to the pools`)
		},
	},
	"the devices are used already, the controller has forgotten": {run: func(w *world) {
		w.satellite(map[string]string{"vg0": "LVM"})
		w.vg("vg0", "")
		w.git(pools(pool("pool", "lvmPool", m{"volumeGroup": "vg0"}, "source", source("/dev/sdb"))))
		w.begin()
		w.after(20 * time.Second)
		if got := w.server.Node("a").Pools["pool"]; got != "LVM vg0" {
			w.Errorf("pool: %q, want it known without a device being touched", got)
		}
	}},
	"the backing is there and the device is empty": {run: func(w *world) {
		w.satellite(map[string]string{"vg0": "LVM"}, "/dev/sdb")
		w.vg("vg0", "")
		w.git(pools(pool("pool", "lvmPool", m{"volumeGroup": "vg0"}, "source", source("/dev/sdb"))))
		w.begin()
		w.after(3 * interval)
		w.logs("volume group vg0 is there, and yet LINSTOR calls /dev/sdb empty; nothing is written to")
	}},
	"the answer to the making of a backing is lost": {
		run: func(w *world) {
			w.satellite(nil, "/dev/sdb")
			w.git(pools(pool("pool", "lvmPool", m{"volumeGroup": "vg0"}, "source", source("/dev/sdb"))))
			w.server.Trouble(linstortest.Trouble{Request: "POST /v1/physical-storage", Lost: true, Times: 1})
			w.begin()
			w.after(20 * time.Second)
			w.vg("vg0", "") // what the satellite has done
			w.after(2 * interval)
			if got := w.server.Node("a").Pools["pool"]; got != "LVM vg0" {
				w.Errorf("pool: %q", got)
			}
		},
		delete: []string{deviceCall},
	},
	"the backing is made, the pool fails": {
		run: func(w *world) {
			w.satellite(nil, "/dev/sdb")
			w.git(pools(pool("pool", "lvmPool", m{"volumeGroup": "vg0"}, "source", source("/dev/sdb"))))
			w.server.Trouble(linstortest.Trouble{Request: "POST /v1/nodes/a/storage-pools", Status: 500, Body: `[{"ret_code":-4611686018427386905,"message":"no luck"}]`, Times: 3})
			w.begin()
			w.after(10 * time.Second)
			w.vg("vg0", "")
			w.after(2 * interval)
			w.logs("LINSTOR answers 500 Internal Server Error: no luck")
			if got := w.server.Node("a").Pools["pool"]; got != "LVM vg0" {
				w.Errorf("pool: %q", got)
			}
		},
		delete: []string{deviceCall},
	},
}
