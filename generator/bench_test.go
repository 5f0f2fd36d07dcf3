package generator

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/linstor-cmp/linstor-cmp/internal/manifest"
	"github.com/linstor-cmp/linstor-cmp/internal/nodes"
	"github.com/linstor-cmp/linstor-cmp/overlays"
)

// benchGroup is one of six groups: two strategic patches, an RFC 6902 patch
// and a podTemplate.
const benchGroup = `---
apiVersion: piraeus.io/v1
kind: LinstorSatelliteConfiguration
metadata: {name: group-@}
spec:
  nodeSelector: {group: g@}
  storagePools: [{name: thin, lvmThinPool: {volumeGroup: vg@}}]
  podTemplate: {spec: {hostNetwork: true, containers: [{name: linstor-satellite, resources: {requests: {memory: @Gi}}}]}}
  patches:
  - patch: "{apiVersion: apps/v1, kind: DaemonSet, metadata: {name: linstor-satellite}, spec: {template: {spec: {initContainers: [{name: drbd-module-loader, env: [{name: LB_HOW, value: g@}]}]}}}}"
  - patch: "{apiVersion: v1, kind: ConfigMap, metadata: {name: satellite-config}, data: {extra: g@}}"
  - target: {kind: DaemonSet, name: linstor-satellite}
    patch: "[{op: add, path: /metadata/annotations/group, value: g@}]"
`

func benchInput(b *testing.B, count int) (*overlays.Input, []nodes.Node) {
	text := "apiVersion: piraeus.io/v1\nkind: LinstorCluster\nmetadata: {name: c}\nspec: {}\n"
	for i := range 6 {
		text += strings.ReplaceAll(benchGroup, "@", fmt.Sprint(i+1))
	}
	docs, err := manifest.ReadDocuments("in.yaml", []byte(text))
	if err != nil {
		b.Fatal(err)
	}
	in, err := overlays.Read(docs, overlays.Files{})
	if err != nil {
		b.Fatal(err)
	}
	list := make([]nodes.Node, count)
	for i := range list {
		list[i] = nodes.Node{
			Name: fmt.Sprintf("node-%05d", i), OSImage: []string{"Ubuntu 22.04", "AlmaLinux 9", "Debian GNU/Linux 12"}[i%3],
			Labels: map[string]string{"group": fmt.Sprintf("g%d", i%6+1), "kubernetes.io/hostname": fmt.Sprintf("node-%05d", i), "topology.kubernetes.io/zone": "z"},
		}
	}
	return in, list
}

var benchSettings = Settings{Namespace: "piraeus-datastore", Loader: LoaderDaemonSet}

// BenchmarkGenerate is the whole run for a number of nodes, JSON written.
func BenchmarkGenerate(b *testing.B) {
	for _, count := range []int{10, 100, 1000, 5000, 10000} {
		b.Run(fmt.Sprint(count), func(b *testing.B) {
			in, list := benchInput(b, count)
			b.ReportAllocs()
			for b.Loop() {
				r, err := Generate(in, list, benchSettings)
				if err != nil {
					b.Fatal(err)
				}
				n, err := r.WriteTo(io.Discard, manifest.JSON)
				if err != nil {
					b.Fatal(err)
				}
				b.SetBytes(n)
			}
		})
	}
}

// BenchmarkOneMoreNode is what each node of a known class costs, beside
// encoding/json on the same objects as the floor: at most half of it is the aim.
func BenchmarkOneMoreNode(b *testing.B) {
	const count = 1000
	in, list := benchInput(b, count)
	r, err := Generate(in, list, benchSettings)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("fill in", func(b *testing.B) {
		b.ReportAllocs()
		var buf []byte
		i := 0
		for b.Loop() {
			e := r.entries[i%count]
			with := e.vars().list()
			buf = buf[:0]
			for _, t := range e.class.templates(manifest.JSON) {
				buf = t.Append(buf, with)
			}
			i++
		}
		b.SetBytes(int64(len(buf)))
	})
	b.Run("choose and fill in", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			more, err := Generate(in, list, benchSettings)
			if err != nil {
				b.Fatal(err)
			}
			if _, err := more.WriteTo(io.Discard, manifest.JSON); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/count, "ns/node")
	})
	b.Run("floor encoding json", func(b *testing.B) {
		b.ReportAllocs()
		var objects []map[string]any
		e := r.entries[0]
		for _, o := range e.class.objects {
			objects = append(objects, filled(o.value, e.vars().list()).(map[string]any))
		}
		var buf bytes.Buffer
		for b.Loop() {
			buf.Reset()
			enc := json.NewEncoder(&buf)
			for _, o := range objects {
				if err := enc.Encode(o); err != nil {
					b.Fatal(err)
				}
			}
		}
		b.SetBytes(int64(buf.Len()))
	})
}

// BenchmarkFirstRender is the class's own cost: expanding, patching, checking
// and encoding one class.
func BenchmarkFirstRender(b *testing.B) {
	in, list := benchInput(b, 1)
	b.ReportAllocs()
	for b.Loop() {
		r, err := Generate(in, list, benchSettings)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := r.WriteTo(io.Discard, manifest.YAML); err != nil {
			b.Fatal(err)
		}
	}
}
