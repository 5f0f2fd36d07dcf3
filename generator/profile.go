package generator

import (
	"fmt"
	"slices"
	"strings"

	"github.com/linstor-cmp/linstor-cmp/internal/problem"
)

// profile is what an operating system has no place for.
type profile struct {
	osImage    string   // how its osImage begins
	containers []string // init containers that are left out
	volumes    []string // volumes that are left out, with their mounts
	moved      map[string]string
	lacks      []string // host paths whose use gets a hint
	noLoader   bool     // a loader gets a hint
}

// profiles by the name in a LinstorNodeConfiguration.
var profiles = map[string]profile{
	"Talos": { // ships DRBD itself, has no systemd, and /etc is read-only
		osImage:    "Talos",
		containers: []string{loaderName, "drbd-shutdown-guard"},
		volumes:    []string{"lib-modules", "usr-src", "run-systemd-system", "run-drbd-shutdown-guard", "systemd-bus-socket"},
		moved:      map[string]string{"etc-lvm-archive": "/var/etc/lvm/archive", "etc-lvm-backup": "/var/etc/lvm/backup"},
		lacks:      []string{"/lib/modules", "/usr/src", "/run/systemd", "/run/dbus/system_bus_socket"},
		noLoader:   true,
	},
	"Flatcar": { // has the kernel's headers elsewhere
		osImage: "Flatcar",
		volumes: []string{"usr-src"},
		lacks:   []string{"/usr/src"},
	},
}

// leaveOut takes out of a new satellite what the class's profile and policy
// have no place for.
func (g *generation) leaveOut(c *class, pod map[string]any) {
	p := profiles[c.node.profile]
	drop(pod, "initContainers", func(k map[string]any) bool {
		return slices.Contains(g.leftOut(c), k["name"].(string))
	})
	leaveOutVolumes(pod, p.volumes...)
	for name, path := range p.moved {
		if v := named(pod, "volumes", name); v != nil {
			member(v, "hostPath")["path"] = path
		}
	}
}

// leftOut names the init containers that a class is rendered without.
func (g *generation) leftOut(c *class) []string {
	list := slices.Clone(profiles[c.node.profile].containers)
	if c.images.fallback && g.images.unknownOS == "Skip" {
		list = append(list, loaderName)
	}
	return list
}

func leaveOutVolumes(pod map[string]any, names ...string) {
	drop(pod, "volumes", func(v map[string]any) bool { return slices.Contains(names, v["name"].(string)) })
	for _, list := range []string{"initContainers", "containers"} {
		for _, k := range elements(pod, list) {
			drop(k, "volumeMounts", func(m map[string]any) bool { return slices.Contains(names, m["name"].(string)) })
		}
	}
}

// dropRemains takes out init containers that a class was rendered without and
// that patches brought back only in part, by amending what is not there: the
// amendment of a loader means nothing where there is no loader.
func (g *generation) dropRemains(c *class, pod map[string]any) {
	for _, name := range g.leftOut(c) {
		drop(pod, "initContainers", func(k map[string]any) bool { return k["name"] == name && k["image"] == nil })
	}
}

// hints tells of nodes whose objects, after all patches, still need what their
// operating system lacks. Where someone took the loader out and left something
// else that keeps the pod from starting, that is a half-done job: a warning.
func (c *class) hints() []problem.Problem {
	var out []problem.Problem
	for _, name := range []string{"Flatcar", "Talos"} {
		p := profiles[name]
		needs := c.needs(p)
		if len(needs) == 0 {
			continue
		}
		var affected []string
		for _, e := range c.members {
			if strings.HasPrefix(e.node.OSImage, p.osImage) {
				affected = append(affected, e.node.Name)
			}
		}
		if affected == nil {
			continue
		}
		what := fmt.Sprintf("%s has no place for %s", name, strings.Join(needs, ", "))
		advice := fmt.Sprintf("a LinstorNodeConfiguration with spec.profile: %s leaves it out", name)
		if p.noLoader && c.loaderImageAfterPatches() == "" {
			out = append(out, problem.Problem{Severity: problem.Warning, Subject: nodeList(affected), Message: what, Hint: advice})
		} else {
			out = append(out, problem.Problem{Severity: problem.Hint, Subject: nodeList(affected), Message: what + "; " + advice})
		}
	}
	return out
}

// needs lists what the pods of a class use and the operating system lacks.
func (c *class) needs(p profile) []string {
	var needs []string
	for _, o := range c.objects {
		if o.kind != "DaemonSet" {
			continue
		}
		pod := o.podSpec()
		if p.noLoader && named(pod, "initContainers", loaderName) != nil {
			needs = append(needs, "the loader")
		}
		for _, v := range elements(pod, "volumes") {
			path, _ := peek(v, "hostPath")["path"].(string)
			for _, lack := range p.lacks {
				if path == lack || strings.HasPrefix(path, lack+"/") {
					needs = append(needs, path)
				}
			}
		}
	}
	slices.Sort(needs)
	return slices.Compact(needs)
}
