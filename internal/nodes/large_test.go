package nodes

import (
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
)

// writeList writes a list of nodes, each of about size bytes, the way kubectl
// prints it, and calls f after each.
func writeList(w io.Writer, count, size int, yaml bool, f func()) error {
	const images = `{"names":["registry.example/team/image@sha256:4d2e5c", "registry.example/team/image:1"],"sizeBytes":123456}`
	const imageLines = "\n    - names:\n      - registry.example/team/image@sha256:4d2e5c\n      - registry.example/team/image:1\n      sizeBytes: 123456"
	head, node, filler, end, tail := `{"apiVersion":"v1","items":[`,
		`{"apiVersion":"v1","kind":"Node","metadata":{"annotations":{"csi.volume.kubernetes.io/nodeid":"{\"a\":%[1]d}"},"labels":{"kubernetes.io/hostname":"node-%[1]d","kubernetes.io/os":"linux","topology.kubernetes.io/zone":"zone-%[2]d"},"name":"node-%[1]d","uid":"0000-%[1]d"},"spec":{"taints":[{"effect":"NoSchedule","key":"example.com/only"}]},"status":{"nodeInfo":{"architecture":"amd64","kernelVersion":"6.1.0","osImage":"Debian GNU/Linux 12"},"images":[{}`,
		",\n"+images, `]}}`, `],"kind":"List","metadata":{"resourceVersion":""}}`
	if yaml {
		head = "apiVersion: v1\nitems:"
		node = "\n- apiVersion: v1\n  kind: Node\n  metadata:\n    annotations:\n      csi.volume.kubernetes.io/nodeid: '{\"a\":%[1]d}'\n    labels:\n      kubernetes.io/hostname: node-%[1]d\n      kubernetes.io/os: linux\n      topology.kubernetes.io/zone: zone-%[2]d\n    name: node-%[1]d\n    uid: 0000-%[1]d\n  spec:\n    taints:\n    - effect: NoSchedule\n      key: example.com/only\n  status:\n    nodeInfo:\n      architecture: amd64\n      kernelVersion: 6.1.0\n      osImage: Debian GNU/Linux 12\n    images:\n    - {}"
		filler, end, tail = imageLines, "", "\nkind: List\nmetadata:\n  resourceVersion: \"\"\n"
	}
	rest := strings.Repeat(filler, size/len(filler)) + end
	_, _ = io.WriteString(w, head)
	for i := range count {
		if i > 0 && !yaml {
			_, _ = io.WriteString(w, ",")
		}
		fmt.Fprintf(w, node, i, i%3)
		if _, err := io.WriteString(w, rest); err != nil {
			return err
		}
		f()
	}
	_, err := io.WriteString(w, tail)
	return err
}

// TestReadLarge holds that the memory needed does not grow with the input.
func TestReadLarge(t *testing.T) {
	for _, tc := range []struct {
		name  string
		count int
		yaml  bool
	}{{"json 105 MB", 3500, false}, {"yaml 21 MB", 700, true}} {
		t.Run(tc.name, func(t *testing.T) {
			if testing.Short() && tc.yaml {
				t.Skip("takes seconds")
			}
			heap := func() uint64 {
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				return m.HeapAlloc
			}
			runtime.GC()
			before, peak := heap(), uint64(0)
			r, w := io.Pipe()
			go func() {
				n := 0
				w.CloseWithError(writeList(w, tc.count, 30_000, tc.yaml, func() {
					if n++; n%10 == 0 {
						peak = max(peak, heap())
					}
				}))
			}()
			got, err := Read(r, "n")
			if err != nil || len(got) != tc.count {
				t.Fatalf("got %d nodes, %v", len(got), err)
			}
			grown := float64(peak-min(peak, before)) / (1 << 20)
			t.Logf("the heap grew by %.1f MiB at most", grown)
			if grown > 64 {
				t.Errorf("the heap grew by %.1f MiB", grown)
			}
			for _, n := range got {
				if len(n.Labels) != 3 || len(n.Taints) != 1 || n.OSImage == "" || n.UID == "" {
					t.Fatalf("got %+v", n)
				}
			}
		})
	}
}

// TestReadKeepsLittle holds that ten thousand nodes are small.
func TestReadKeepsLittle(t *testing.T) {
	var in strings.Builder
	if err := writeList(&in, 10_000, 0, false, func() {}); err != nil {
		t.Fatal(err)
	}
	heap := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := heap()
	got, err := Read(strings.NewReader(in.String()), "n")
	if err != nil {
		t.Fatal(err)
	}
	each := (heap() - before) / uint64(len(got))
	t.Logf("%d bytes a node", each)
	if each > 2048 {
		t.Errorf("%d bytes a node", each)
	}
	runtime.KeepAlive(got)
	runtime.KeepAlive(&in)
}

func BenchmarkRead(b *testing.B) {
	for _, yaml := range []bool{false, true} {
		var in strings.Builder
		if err := writeList(&in, 100, 30_000, yaml, func() {}); err != nil {
			b.Fatal(err)
		}
		b.Run(map[bool]string{false: "json", true: "yaml"}[yaml], func(b *testing.B) {
			b.SetBytes(int64(in.Len()))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Read(strings.NewReader(in.String()), "n"); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
