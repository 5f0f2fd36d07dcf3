package registrar_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/linstor-cmp/linstor-cmp/registrar/internal/linstortest"
)

// scenario is a story of a registrar. What it may cost data is listed: the
// requests that delete something or write to devices, in their order.
type scenario struct {
	run    func(*world)
	delete []string
}

// calls are all requests that a registrar makes, whatever happens.
var calls = []string{
	"GET /v1/controller/properties",
	"GET /v1/encryption/passphrase",
	"GET /v1/node-connections",
	"GET /v1/nodes",
	"GET /v1/nodes/{node}",
	"GET /v1/nodes/{node}/storage-pools",
	"GET /v1/physical-storage/{node}",
	"GET /v1/view/resources",

	"POST /v1/nodes",
	"PUT /v1/nodes/{node}",
	"POST /v1/nodes/{node}/net-interfaces",
	"PUT /v1/nodes/{node}/net-interfaces/{netif}",
	"POST /v1/nodes/{node}/storage-pools",
	"PUT /v1/nodes/{node}/storage-pools/{pool}",
	"POST /v1/controller/properties",
	"PUT /v1/node-connections/{a}/{b}",
	"POST /v1/encryption/passphrase",
	"PATCH /v1/encryption/passphrase",

	// Those that may cost something: see the scenarios that list them.
	"POST /v1/physical-storage/{node}",
	"DELETE /v1/nodes/{node}/storage-pools/{pool}",
}

// TestScenarios tells every story, and then which requests were ever made.
func TestScenarios(t *testing.T) {
	made := map[string]bool{}
	for _, group := range []map[string]scenario{
		firstScenarios, driftScenarios, poolScenarios, deviceScenarios, troubleScenarios, clusterScenarios,
	} {
		for _, name := range slices.Sorted(maps.Keys(group)) {
			s := group[name]
			t.Run(name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					w := newWorld(t)
					s.run(w)
					if w.stop != nil {
						w.stop()
					}
					var deleted []string
					for _, c := range w.server.Calls() {
						call := c.Method + " " + c.Pattern
						made[call] = true
						if costs(c) {
							deleted = append(deleted, call)
						}
					}
					if diff := cmp.Diff(s.delete, deleted); diff != "" {
						t.Errorf("requests that delete or write to devices (-want +got):\n%s", diff)
					}
					if t.Failed() {
						t.Logf("log:\n%s", w.log)
					}
				})
			})
		}
	}
	if t.Failed() {
		return // a story that broke off has not made all its requests
	}
	if diff := cmp.Diff(slices.Sorted(slices.Values(calls)), slices.Sorted(maps.Keys(made))); diff != "" {
		t.Errorf("requests ever made (-want +got):\n%s", diff)
	}
}

func costs(c linstortest.Call) bool {
	return c.Method == "DELETE" || strings.HasPrefix(c.Pattern, "/v1/physical-storage") && c.Method != "GET" ||
		strings.Contains(c.Pattern, "evacuate") || strings.Contains(c.Pattern, "lost")
}
