// Package fields is the table of every field of the input kinds: what it does
// here, in one sentence, and whether manifests can bring it about at all. The
// reference page is made of it, and its tests prove each row: they render with
// and without the field and look at what it says.
//
// It does not read or check input; internal/api has the types.
package fields

import (
	"strings"

	"github.com/linstor-cmp/linstor-cmp/internal/api"
)

// Row is what there is to know of one field.
type Row struct {
	Kinds []string // the input kinds that have the field with this meaning
	Path  string   // below spec; [] is an element of a list, .* a key of a map
	Does  string   // one sentence
	// Live says that only LINSTOR's own API can bring the field about, which
	// manifests do not call: the field is checked, and a warning names it.
	Live bool
}

// The kinds that share rows.
var (
	ofCluster     = []string{api.KindCluster}
	ofSatellites  = []string{api.KindSatelliteConfiguration}
	ofNodes       = []string{api.KindNodeConfiguration}
	ofOverlays    = []string{api.KindSatelliteConfiguration, api.KindNodeConfiguration}
	ofCustomized  = []string{api.KindCluster, api.KindNodeConfiguration}
	ofAllPatched  = []string{api.KindCluster, api.KindSatelliteConfiguration, api.KindNodeConfiguration}
	ofImages      = []string{api.KindImageConfiguration}
	ofConnections = []string{api.KindNodeConnection}
)

// Table returns the rows, in the order in which a person wants to read them.
func Table() []Row {
	var rows []Row
	for _, part := range []struct {
		kinds []string
		live  bool
		rows  [][2]string
	}{
		{ofCluster, false, clusterRows},
		{ofCluster, false, componentRows()},
		{ofCluster, false, clusterTLSRows},
		{ofCluster, true, clusterLiveRows},
		{ofSatellites, false, satelliteConfigurationRows},
		{ofNodes, false, nodeConfigurationRows},
		{ofOverlays, false, overlayRows},
		{ofOverlays, false, satelliteTLSRows},
		{ofOverlays, true, poolRows},
		{ofOverlays, true, propertyRows},
		{ofOverlays, true, overlayLiveRows},
		{ofCustomized, false, customizeRows},
		{ofAllPatched, false, patchRows},
		{ofImages, false, imageRows},
		{ofConnections, true, connectionRows},
	} {
		for _, r := range part.rows {
			rows = append(rows, Row{Kinds: part.kinds, Path: r[0], Does: r[1], Live: part.live})
		}
	}
	return rows
}

// Markdown returns the table as a page.
func Markdown() []byte {
	var b strings.Builder
	b.WriteString(`<!-- Made of the table in internal/fields: change that, and run ` + "`make golden`" + `. -->

# Fields

Every field of the [input](input.md), by its path below ` + "`spec`" + `; ` + "`[]`" + ` is an element of a
list and ` + "`.*`" + ` a key of a map. Each line is proved by a test, which renders with and
without the field.

Some fields need a live LINSTOR API, which manifests do not call: they are checked, and
a warning names them. What LINSTOR is to know of them is in
[cluster.json and node.json](output.md#clusterjson-and-nodejson).
`)
	heading := ""
	for _, r := range Table() {
		if h := strings.Join(r.Kinds, ", "); h != heading {
			heading = h
			b.WriteString("\n## " + h + "\n\n| field | what it does | live API |\n|---|---|---|\n")
		}
		needs := ""
		if r.Live {
			needs = "needed"
		}
		b.WriteString("| `" + r.Path + "` | " + r.Does + " | " + needs + " |\n")
	}
	return []byte(b.String())
}
