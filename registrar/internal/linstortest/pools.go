package linstortest

import (
	"net/http"
	"slices"
	"strings"
)

func (s *Server) poolRoutes() {
	s.handle("GET /v1/nodes/{node}/storage-pools", s.ofNode(func(n *node, r *http.Request, _ []byte) (int, any) {
		if r.URL.Query().Get("cached") != "true" {
			s.t.Errorf("pools are asked for without cached: every satellite would be bothered")
		}
		return http.StatusOK, append([]storagePool{}, s.pools[n.Name]...)
	}))
	s.handle("POST /v1/nodes/{node}/storage-pools", s.ofNode(func(n *node, _ *http.Request, body []byte) (int, any) {
		var p storagePool
		s.decode("POST storage-pools", body, &p, "storage_pool_name", "provider_kind")
		backing := p.Props["StorDriver/StorPoolName"]
		switch {
		case !slices.Contains(kinds, p.Kind) || backing == "" || p.NodeName != "" || p.Reports != nil:
			s.t.Errorf("no storage pool to make: %s", body)
		case s.status(n) != "ONLINE":
			s.t.Errorf("a pool is made on node %s, which is %s", n.Name, s.status(n))
		}
		if s.pool(n.Name, p.Name) != nil {
			return fail(http.StatusInternalServerError, exists, "Storage pool '%s' already exists.", p.Name)
		}
		p.NodeName = n.Name
		if kind, there := s.satellites[n.Name].Backings[backing]; !there || kind != family(p.Kind) {
			// As a controller does: it is kept, broken.
			p.Reports = []rc{{Code: maskError | unknownFail, Message: "'" + backing + "' not found"}}
			s.pools[n.Name] = append(s.pools[n.Name], p)
			s.t.Errorf("pool %s is made without its backing %s", p.Name, backing)
			return fail(http.StatusInternalServerError, unknownFail, "'%s' not found", backing)
		}
		s.pools[n.Name] = append(s.pools[n.Name], p)
		return done(http.StatusCreated, "New storage pool '%s'.", p.Name)
	}))
	s.handle("PUT /v1/nodes/{node}/storage-pools/{pool}", s.ofNode(func(n *node, r *http.Request, body []byte) (int, any) {
		p := s.pool(n.Name, r.PathValue("pool"))
		if p == nil {
			return fail(http.StatusNotFound, notFound, "Storage pool '%s' not found.", r.PathValue("pool"))
		}
		before := p.Props["StorDriver/StorPoolName"]
		s.modify("PUT storage-pools/"+p.Name, body, &p.Props)
		if p.Props["StorDriver/StorPoolName"] != before {
			s.t.Errorf("pool %s was moved to another backing: %s", p.Name, body)
		}
		return done(http.StatusOK, "Storage pool '%s' modified.", p.Name)
	}))
	s.handle("DELETE /v1/nodes/{node}/storage-pools/{pool}", s.ofNode(func(n *node, r *http.Request, _ []byte) (int, any) {
		name := r.PathValue("pool")
		if users := s.users[n.Name+"/"+name]; len(users) > 0 {
			s.t.Errorf("pool %s is to be removed and has %v", name, users)
			return fail(http.StatusInternalServerError, inUse, "Storage pool '%s' is in use.", name)
		}
		s.pools[n.Name] = slices.DeleteFunc(s.pools[n.Name], func(p storagePool) bool { return p.Name == name })
		return done(http.StatusOK, "Storage pool '%s' deleted.", name)
	}))
	s.handle("GET /v1/view/resources", func(r *http.Request, _ []byte) (int, any) {
		query := r.URL.Query()
		list := []map[string]any{}
		for _, name := range s.users[query.Get("nodes")+"/"+query.Get("storage_pools")] {
			list = append(list, map[string]any{"name": name, "node_name": query.Get("nodes")})
		}
		return http.StatusOK, list
	})
	s.handle("GET /v1/physical-storage/{node}", s.ofNode(func(n *node, _ *http.Request, _ []byte) (int, any) {
		list := []map[string]any{}
		for _, d := range s.satellites[n.Name].Empty {
			list = append(list, map[string]any{"device": d, "size": 1 << 40, "rotational": false})
		}
		return http.StatusOK, list
	}))
	s.handle("POST /v1/physical-storage/{node}", s.ofNode(s.createDevicePool))
}

func (s *Server) createDevicePool(n *node, _ *http.Request, body []byte) (int, any) {
	var c physicalStorageCreate
	s.decode("POST physical-storage", body, &c, "provider_kind", "device_paths", "pool_name")
	sat := s.satellites[n.Name]
	for _, d := range c.Devices {
		if !slices.Contains(sat.Empty, d) {
			s.t.Errorf("device %s is written to and is not empty", d)
			return fail(http.StatusInternalServerError, unknownFail, "device '%s' is not empty", d)
		}
	}
	sat.Empty = slices.DeleteFunc(sat.Empty, func(d string) bool { return slices.Contains(c.Devices, d) })
	if sat.Backings == nil {
		sat.Backings = map[string]string{}
	}
	sat.Backings[c.Pool] = family(c.Kind)
	return done(http.StatusCreated, "Devices of pool '%s' made.", c.Pool)
}

// family is the kind without what makes no difference to the backing.
func family(kind string) string {
	if kind == "LVM_THIN" {
		return kind
	}
	return strings.TrimSuffix(kind, "_THIN")
}

func (s *Server) pool(node, name string) *storagePool {
	for i := range s.pools[node] {
		if s.pools[node][i].Name == name {
			return &s.pools[node][i]
		}
	}
	return nil
}
