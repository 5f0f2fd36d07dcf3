package registrar

import (
	"fmt"
	"iter"
	"runtime"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/linstor-cmp/linstor-cmp/registrar/linstor"
)

func TestTerms(t *testing.T) {
	labels := func(v string) map[string]string {
		if v == "-" {
			return nil
		}
		return map[string]string{"k": v}
	}
	tests := []struct {
		op     string
		values []string
		holds  []string // pairs of labels; - is none
		fails  []string
	}{
		{op: "Exists", holds: []string{"x x", "x y"}, fails: []string{"x -", "- x", "- -"}},
		{op: "DoesNotExist", holds: []string{"- -"}, fails: []string{"x -", "- x", "x x"}},
		{op: "In", values: []string{"x", "y"}, holds: []string{"x x", "x y"}, fails: []string{"x z", "z x", "x -"}},
		{op: "NotIn", values: []string{"x"}, holds: []string{"y z", "- y", "- -"}, fails: []string{"x y", "y x"}},
		{op: "Same", holds: []string{"x x", "- -"}, fails: []string{"x y", "x -"}},
		{op: "NotSame", holds: []string{"x y", "x -"}, fails: []string{"x x", "- -"}},
	}
	for _, tt := range tests {
		for want, pairs := range map[bool][]string{true: tt.holds, false: tt.fails} {
			for _, pair := range pairs {
				var a, b string
				_, _ = fmt.Sscan(pair, &a, &b)
				if got := (Term{Key: "k", Op: tt.op, Values: tt.values}).holds(labels(a), labels(b)); got != want {
					t.Errorf("%s %v of %q: %t, want %t", tt.op, tt.values, pair, got, want)
				}
			}
		}
	}
}

func TestPlanConnections(t *testing.T) {
	nodes := []Member{
		{Name: "b", Interfaces: []string{"default-ipv4"}, Labels: map[string]string{"zone": "1"}},
		{Name: "a", Interfaces: []string{"default-ipv4", "fast"}, Labels: map[string]string{"zone": "1"}},
		{Name: "c", Interfaces: []string{"default-ipv4"}, Labels: map[string]string{"zone": "2"}},
	}
	either := Cluster{Connections: []Rule{
		{Name: "1", Properties: map[string]string{"Aux/x": "1", "Aux/y": "1"}},
		{Name: "2", Properties: map[string]string{"Aux/x": "2"}, Selector: [][]Term{{{Key: "zone", Op: "Same"}}, {{Key: "zone", Op: "In", Values: []string{"9"}}}}},
	}}
	ours := func(m map[string]string) map[string]string { return marked(m) }
	tests := []struct {
		name   string
		want   Cluster
		have   []linstor.Connection
		plan   []string
		reason string
	}{
		{
			name: "new", want: either,
			plan: []string{
				`sets Aux/x, Aux/y on the connection of a and b: PUT /v1/node-connections/a/b {"override_props":{"Aux/linstor-cmp.io/applied":"[\"Aux/x\",\"Aux/y\"]","Aux/x":"2","Aux/y":"1"}}`,
				`sets Aux/x, Aux/y on the connection of a and c: PUT /v1/node-connections/a/c {"override_props":{"Aux/linstor-cmp.io/applied":"[\"Aux/x\",\"Aux/y\"]","Aux/x":"1","Aux/y":"1"}}`,
				`sets Aux/x, Aux/y on the connection of b and c: PUT /v1/node-connections/b/c {"override_props":{"Aux/linstor-cmp.io/applied":"[\"Aux/x\",\"Aux/y\"]","Aux/x":"1","Aux/y":"1"}}`,
			},
			reason: "every pair once; a later rule wins",
		},
		{
			name: "same", want: either,
			have: []linstor.Connection{
				{NodeA: "b", NodeB: "a", Props: ours(map[string]string{"Aux/x": "2", "Aux/y": "1"})},
				{NodeA: "A", NodeB: "C", Props: ours(map[string]string{"Aux/x": "1", "Aux/y": "1"})},
				{NodeA: "b", NodeB: "c", Props: ours(map[string]string{"Aux/x": "1", "Aux/y": "1"})},
				{NodeA: "a", NodeB: "gone", Props: ours(map[string]string{"Aux/z": "1"})},
			},
			plan: []string{}, reason: "either order of a pair, and names in any case",
		},
		{
			name: "withdrawn", want: Cluster{},
			have: []linstor.Connection{
				{NodeA: "a", NodeB: "b", Props: map[string]string{"Aux/x": "1", "Aux/foreign": "1", Remembered: `["Aux/x"]`}},
				{NodeA: "a", NodeB: "c", Props: map[string]string{"Aux/foreign": "1"}},
			},
			plan: []string{
				`removes Aux/x, Aux/linstor-cmp.io/applied on the connection of a and b: PUT /v1/node-connections/a/b {"delete_props":["Aux/x","Aux/linstor-cmp.io/applied"]}`,
			},
			reason: "what git no longer has goes, what somebody else set stays",
		},
		{
			name: "no interface", want: Cluster{Connections: []Rule{{Name: "r", Paths: []Path{{Name: "p", Interface: "FAST"}}}}},
			plan: []string{
				`error: connection r, path p: node b has no interface "FAST"; its connections stay as they are`,
				`error: connection r, path p: node c has no interface "FAST"; its connections stay as they are`,
			},
			reason: "one fault for each node, not for each pair",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.plan, outline(PlanConnections(tt.want, nodes, slices.Values(tt.have)))); diff != "" {
				t.Errorf("%s: plan (-want +got):\n%s", tt.reason, diff)
			}
		})
	}
}

// TestPlanConnectionsOfManyNodes: half a million pairs are planned in small
// portions, and comparing all of them takes little memory at any time.
func TestPlanConnectionsOfManyNodes(t *testing.T) {
	const n = 1000
	var nodes []Member
	for i := range n {
		nodes = append(nodes, Member{Name: fmt.Sprintf("node-%04d", i), Interfaces: []string{"default-ipv4"}})
	}
	want := Cluster{Connections: []Rule{{Name: "all", Properties: map[string]string{"Aux/x": "1"}}}}
	plan := PlanConnections(want, nodes, slices.Values([]linstor.Connection{}))
	if len(plan.Steps) != mostSteps || !plan.More || plan.InSync() {
		t.Errorf("%d steps, more: %t", len(plan.Steps), plan.More)
	}
	props := marked(map[string]string{"Aux/x": "1"})
	var most, before runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	var all iter.Seq[linstor.Connection] = func(yield func(linstor.Connection) bool) {
		for i := range n {
			for j := range i {
				if !yield(linstor.Connection{NodeA: nodes[i].Name, NodeB: nodes[j].Name, Props: props}) {
					return
				}
			}
			if i%100 == 0 {
				runtime.GC()
				var now runtime.MemStats
				runtime.ReadMemStats(&now)
				if now.HeapAlloc > most.HeapAlloc {
					most = now
				}
			}
		}
	}
	if plan := PlanConnections(want, nodes, all); !plan.InSync() {
		t.Errorf("%d steps for what is right", len(plan.Steps))
	}
	if grown := int64(most.HeapAlloc) - int64(before.HeapAlloc); grown > 4<<20 {
		t.Errorf("comparing 499,500 connections held %d bytes", grown)
	}
}
