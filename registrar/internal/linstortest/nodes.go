package linstortest

import (
	"maps"
	"net/http"
	"slices"
	"strings"
)

var kinds = []string{"LVM", "LVM_THIN", "ZFS", "ZFS_THIN", "FILE", "FILE_THIN"}

func (s *Server) routes() {
	s.nodeRoutes()
	s.poolRoutes()
	s.clusterRoutes()
}

// answer is a node as the controller answers it.
func (s *Server) answer(n *node) node {
	out := *n
	out.Type = strings.ToUpper(n.Type[:1]) + strings.ToLower(n.Type[1:])
	out.ConnectionStatus = s.status(n)
	out.Props = maps.Clone(n.Props)
	out.NetInterfaces = slices.Clone(n.NetInterfaces)
	for i := range out.NetInterfaces {
		// A controller spells it in its own way.
		if out.NetInterfaces[i].Encryption == "PLAIN" && !s.documents.strict() {
			out.NetInterfaces[i].Encryption = "Plain"
		}
	}
	out.StorageProviders = append([]string{"DISKLESS"}, kinds...)
	if sat := s.satellites[n.Name]; sat != nil && sat.Providers != nil {
		out.StorageProviders = sat.Providers
		out.Unsupported = map[string][]string{}
		for _, k := range kinds {
			if !slices.Contains(sat.Providers, k) {
				out.Unsupported[k] = []string{"the tools of " + k + " are not installed"}
			}
		}
	}
	return out
}

func (s *Server) nodeRoutes() {
	s.handle("GET /v1/nodes", func(*http.Request, []byte) (int, any) {
		list := []node{}
		for _, name := range slices.Sorted(maps.Keys(s.nodes)) {
			list = append(list, s.answer(s.nodes[name]))
		}
		return http.StatusOK, list
	})
	s.handle("GET /v1/nodes/{node}", s.ofNode(func(n *node, _ *http.Request, _ []byte) (int, any) {
		return http.StatusOK, s.answer(n)
	}))
	s.handle("POST /v1/nodes", func(_ *http.Request, body []byte) (int, any) {
		var n node
		s.decode("POST /v1/nodes", body, &n, "name", "type", "net_interfaces")
		if _, there := s.nodes[n.Name]; there {
			return fail(http.StatusInternalServerError, exists, "Node '%s' already exists.", n.Name)
		}
		actives := 0
		for i := range n.NetInterfaces {
			s.checkInterface(n.NetInterfaces[i])
			if a := n.NetInterfaces[i].Active; a != nil && *a {
				actives++
			}
		}
		if actives != 1 || n.Type != "Satellite" || n.ConnectionStatus != "" || n.UUID != "" {
			s.t.Errorf("POST /v1/nodes: one active interface, type Satellite and nothing read-only is wanted: %s", body)
		}
		n.UUID = "node-" + n.Name
		s.nodes[n.Name] = &n
		s.pools[n.Name] = []storagePool{{Name: "DfltDisklessStorPool", NodeName: n.Name, Kind: "DISKLESS"}}
		return done(http.StatusCreated, "New node '%s' registered.", n.Name)
	})
	s.handle("PUT /v1/nodes/{node}", s.ofNode(func(n *node, _ *http.Request, body []byte) (int, any) {
		s.modify("PUT /v1/nodes/"+n.Name, body, &n.Props)
		return done(http.StatusOK, "Node '%s' modified.", n.Name)
	}))
	s.handle("POST /v1/nodes/{node}/net-interfaces", s.ofNode(func(n *node, _ *http.Request, body []byte) (int, any) {
		var i netInterface
		s.decode("POST net-interfaces", body, &i, "name", "address")
		s.checkInterface(i)
		if n.netInterface(i.Name) != nil {
			return fail(http.StatusInternalServerError, exists, "Interface '%s' already exists.", i.Name)
		}
		n.activate(&i)
		n.NetInterfaces = append(n.NetInterfaces, i)
		return done(http.StatusCreated, "New interface '%s'.", i.Name)
	}))
	s.handle("PUT /v1/nodes/{node}/net-interfaces/{netif}", s.ofNode(func(n *node, r *http.Request, body []byte) (int, any) {
		var i netInterface
		s.decode("PUT net-interfaces", body, &i, "name", "address")
		s.checkInterface(i)
		old := n.netInterface(r.PathValue("netif"))
		if old == nil || i.Name != old.Name {
			return fail(http.StatusNotFound, notFound, "Interface '%s' not found.", r.PathValue("netif"))
		}
		active := old.Active
		if i.Active != nil {
			n.activate(&i)
			active = i.Active
		}
		*old = i
		old.Active = active
		return done(http.StatusOK, "Interface '%s' modified.", i.Name)
	}))
}

func (n *node) netInterface(name string) *netInterface {
	for i := range n.NetInterfaces {
		if n.NetInterfaces[i].Name == name {
			return &n.NetInterfaces[i]
		}
	}
	return nil
}

// activate makes i the only active one if it says so, or if it is the first.
func (n *node) activate(i *netInterface) {
	if len(n.NetInterfaces) == 0 {
		yes := true
		i.Active = &yes
	}
	if i.Active != nil && *i.Active {
		for j := range n.NetInterfaces {
			n.NetInterfaces[j].Active = nil
		}
	}
}

func (s *Server) checkInterface(i netInterface) {
	if (i.Encryption != "PLAIN" || i.Port != 3366) && (i.Encryption != "SSL" || i.Port != 3367) || i.Address == "" {
		s.t.Errorf("no interface for a satellite: %+v", i)
	}
}

// ofNode looks up the node of a request.
func (s *Server) ofNode(do func(*node, *http.Request, []byte) (int, any)) func(*http.Request, []byte) (int, any) {
	return func(r *http.Request, body []byte) (int, any) {
		n := s.nodes[r.PathValue("node")]
		if n == nil {
			return fail(http.StatusNotFound, notFound, "Node '%s' not found.", r.PathValue("node"))
		}
		return do(n, r, body)
	}
}
