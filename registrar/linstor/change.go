package linstor

import (
	"net/http"
	"net/url"
	"time"
)

// Change is one request that changes something in LINSTOR. The functions below
// make all the changes that there are.
type Change struct {
	method, path string
	body         any
	patience     time.Duration // at least this long until the request counts as lost
}

// String returns the request without its body, such as "PUT /v1/nodes/a".
func (c Change) String() string { return c.method + " " + c.path }

// Body returns what the request carries, for tests and for logs; nil is none.
func (c Change) Body() any { return c.body }

// Patience returns how long the request may take at least.
func (c Change) Patience() time.Duration { return c.patience }

// LINSTOR answers most changes after the satellites have applied them, so they
// take longer than a look.
const (
	patience       = time.Minute
	devicePatience = 15 * time.Minute // wiping and zeroing large disks
)

func change(method string, body any, path ...string) Change {
	return Change{method: method, path: join(path...), body: body, patience: patience}
}

// RegisterNode makes a node known with its properties and interfaces.
func RegisterNode(n Node) Change { return change(http.MethodPost, n, "nodes") }

// ModifyNode changes properties of a node.
func ModifyNode(node string, p Properties) Change {
	return change(http.MethodPut, p, "nodes", node)
}

// CreateInterface adds a network interface to a node.
func CreateInterface(node string, i Interface) Change {
	return change(http.MethodPost, i, "nodes", node, "net-interfaces")
}

// ModifyInterface changes the network interface of that name.
func ModifyInterface(node string, i Interface) Change {
	return change(http.MethodPut, i, "nodes", node, "net-interfaces", i.Name)
}

// CreatePool makes a storage pool known whose backing exists. It touches no
// device.
func CreatePool(node string, p Pool) Change {
	return change(http.MethodPost, p, "nodes", node, "storage-pools")
}

// ModifyPool changes properties of a storage pool.
func ModifyPool(node, pool string, p Properties) Change {
	return change(http.MethodPut, p, "nodes", node, "storage-pools", pool)
}

// RemovePool makes LINSTOR forget a storage pool, which it refuses while the
// pool is in use. The backing stays on the node.
func RemovePool(node, pool string) Change {
	return change(http.MethodDelete, nil, "nodes", node, "storage-pools", pool)
}

// CreateDevicePool makes a backing of whole devices: everything on them is
// lost. It does not ask LINSTOR to make the storage pool in the same request:
// LINSTOR would wipe the devices again if that failed.
func CreateDevicePool(node string, d DevicePool) Change {
	c := change(http.MethodPost, d, "physical-storage", node)
	c.patience = devicePatience
	return c
}

// ModifyController changes properties of the controller.
func ModifyController(p Properties) Change {
	return change(http.MethodPost, p, "controller", "properties")
}

// ModifyConnection changes properties of a pair of nodes.
func ModifyConnection(nodeA, nodeB string, p Properties) Change {
	return change(http.MethodPut, p, "node-connections", nodeA, nodeB)
}

// SetPassphrase sets the master passphrase of a controller that has none.
func SetPassphrase(secret string) Change {
	return change(http.MethodPost, map[string]string{"new_passphrase": secret}, "encryption", "passphrase")
}

// EnterPassphrase unlocks a controller with its master passphrase.
func EnterPassphrase(secret string) Change {
	return change(http.MethodPatch, secret, "encryption", "passphrase")
}

// join makes a path below /v1 of names that may hold anything.
func join(segments ...string) string {
	path := "/v1"
	for _, s := range segments {
		path += "/" + url.PathEscape(s)
	}
	return path
}
