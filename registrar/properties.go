package registrar

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/linstor-cmp/linstor-cmp/registrar/linstor"
)

// Remembered is the property, on every object that has properties, in which a
// registrar remembers which ones it set: a JSON list of names. Properties merge
// in LINSTOR, so that nothing else tells those that git no longer has from
// those that somebody else set.
const Remembered = "Aux/linstor-cmp.io/applied"

// topology is where the CSI driver reads what it tells Kubernetes of a node.
const topology = "Aux/topology/"

// remembered returns the names that have says were set from here. A value that
// is no list is somebody's accident: nothing is known to be ours then.
func remembered(have map[string]string) []string {
	var names []string
	if json.Unmarshal([]byte(have[Remembered]), &names) != nil {
		return nil
	}
	return names
}

// marked returns want with the names in it remembered.
func marked(want map[string]string) map[string]string {
	names := slices.Sorted(maps.Keys(want))
	if names == nil {
		names = []string{}
	}
	text, _ := json.Marshal(names) // a list of strings always encodes
	out := maps.Clone(want)
	if out == nil {
		out = map[string]string{}
	}
	out[Remembered] = string(text)
	return out
}

// changes returns what makes have equal to want: what differs is set, what was
// set from here and is wanted no more is deleted. keep names properties that
// are never deleted, whatever is remembered; it may be nil.
func changes(want, have map[string]string, keep func(string) bool) linstor.Properties {
	out := linstor.Properties{Override: map[string]string{}}
	for name, value := range marked(want) {
		if had, ok := have[name]; !ok || had != value {
			out.Override[name] = value
		}
	}
	for _, name := range remembered(have) {
		_, wanted := want[name]
		_, there := have[name]
		if !wanted && there && name != Remembered && (keep == nil || !keep(name)) {
			out.Delete = append(out.Delete, name)
		}
	}
	slices.Sort(out.Delete)
	return out
}

func nothing(p linstor.Properties) bool { return len(p.Override)+len(p.Delete) == 0 }

// sentence says what a change of properties does. Values are left out: some
// are secrets.
func sentence(p linstor.Properties) string {
	set := slices.DeleteFunc(slices.Sorted(maps.Keys(p.Override)), func(n string) bool { return n == Remembered })
	var parts []string
	if len(set) > 0 {
		parts = append(parts, "sets "+names(set))
	}
	if len(p.Delete) > 0 {
		parts = append(parts, "removes "+names(p.Delete))
	}
	if len(parts) == 0 {
		return "remembers which properties git sets"
	}
	return strings.Join(parts, " and ")
}

// names lists names, the first few of many.
func names(list []string) string {
	const most = 8
	if len(list) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(list[:most], ", "), len(list)-most)
	}
	return strings.Join(list, ", ")
}

// touchesTopology tells whether a change alters what the CSI driver reads.
func touchesTopology(p linstor.Properties) bool {
	for name := range p.Override {
		if strings.HasPrefix(name, topology) {
			return true
		}
	}
	return slices.ContainsFunc(p.Delete, func(n string) bool { return strings.HasPrefix(n, topology) })
}
