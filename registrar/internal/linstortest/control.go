package linstortest

import (
	"fmt"
	"maps"
	"slices"
)

// Start lets a satellite run on a node, registered or not.
func (s *Server) Start(name string, satellite Satellite) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.satellites[name] = &satellite
}

// Stop ends the satellite of a node.
func (s *Server) Stop(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.satellites, name)
}

// Restart restarts the controller, which forgets all if its database is lost
// and has to be told its passphrase again.
func (s *Server) Restart(lost bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.unlocked = false
	if lost {
		s.clear()
	}
}

// View is what a controller knows of a node, as its API has it.
type View struct {
	Registered bool
	Status     string
	Props      map[string]string
	Interfaces map[string]string // name → ADDRESS:PORT ENCRYPTION, with * if active
	Pools      map[string]string // name → KIND backing
	PoolProps  map[string]map[string]string
}

// Node returns what the controller knows of a node.
func (s *Server) Node(name string) View {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.nodes[name]
	if n == nil {
		return View{}
	}
	v := View{
		Registered: true, Status: s.status(n), Props: maps.Clone(n.Props),
		Interfaces: map[string]string{}, Pools: map[string]string{}, PoolProps: map[string]map[string]string{},
	}
	for _, i := range n.NetInterfaces {
		text := i.Address + " " + i.Encryption
		if i.Active != nil && *i.Active {
			text += " *"
		}
		v.Interfaces[i.Name] = text
	}
	for _, p := range s.pools[name] {
		if p.Kind != "DISKLESS" {
			v.Pools[p.Name] = p.Kind + " " + p.Props["StorDriver/StorPoolName"]
			v.PoolProps[p.Name] = maps.Clone(p.Props)
		}
	}
	return v
}

// SetNode sets or, with an empty value, deletes a property of a node by hand.
func (s *Server) SetNode(node, name, value string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	set(s.nodes[node].Props, name, value)
}

// SetPool does the same with a property of a pool.
func (s *Server) SetPool(node, pool, name, value string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	set(s.pool(node, pool).Props, name, value)
}

// SetController does the same with a property of the controller.
func (s *Server) SetController(name, value string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	set(s.controller, name, value)
}

func set(props map[string]string, name, value string) {
	if value == "" {
		delete(props, name)
		return
	}
	props[name] = value
}

// SetInterface changes the address of an interface by hand.
func (s *Server) SetInterface(node, name, address string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.nodes[node].netInterface(name).Address = address
}

// Flag gives a node a flag, such as EVACUATE.
func (s *Server) Flag(node, flag string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.nodes[node].Flags = append(s.nodes[node].Flags, flag)
}

// AddPool makes a pool by hand.
func (s *Server) AddPool(node, name, kind, backing string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pools[node] = append(s.pools[node], storagePool{
		Name: name, NodeName: node, Kind: kind, Props: map[string]string{"StorDriver/StorPoolName": backing},
	})
}

// DropPool forgets a pool by hand.
func (s *Server) DropPool(node, name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pools[node] = slices.DeleteFunc(s.pools[node], func(p storagePool) bool { return p.Name == name })
}

// Use says which resources are in a pool.
func (s *Server) Use(node, pool string, resources ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.users[node+"/"+pool] = resources
}

// Empty returns the devices of a node that are empty.
func (s *Server) Empty(node string) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.satellites[node].Empty)
}

// Controller returns the properties of the controller.
func (s *Server) Controller() map[string]string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.controller)
}

// Connection returns the properties of a pair of nodes.
func (s *Server) Connection(a, b string) map[string]string {
	s.mu.Lock()
	defer s.mu.Unlock()
	pair := [2]string{a, b}
	slices.Sort(pair[:])
	return maps.Clone(s.connections[pair])
}

// Passphrase returns the master passphrase, and whether it has been entered.
func (s *Server) Passphrase() (string, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.secret, s.unlocked
}

// Calls returns the requests that have been answered so far.
func (s *Server) Calls() []Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.calls)
}

// Bodies returns what these requests carried.
func (s *Server) Bodies() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.bodies)
}

// SetType makes a node one of another type.
func (s *Server) SetType(node, kind string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.nodes[node].Type = kind
}

// Register makes many nodes known by hand; the first hundred are in ten racks.
func (s *Server) Register(many int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range many {
		yes, name := true, fmt.Sprintf("node-%04d", i)
		props := map[string]string{"Aux/topology/linbit.com/hostname": name}
		if i < 100 {
			props["Aux/topology/rack"] = fmt.Sprint(i % 10)
		}
		s.nodes[name] = &node{
			Name: name, Type: "Satellite", UUID: "node-" + name, Props: props,
			NetInterfaces: []netInterface{{
				Name: "default-ipv4", Address: fmt.Sprintf("10.1.%d.%d", i/250, i%250+1), Port: 3366, Encryption: "PLAIN", Active: &yes,
			}},
		}
	}
}
