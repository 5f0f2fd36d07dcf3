package linstor

// Node is a node as LINSTOR knows it. Fields that a registrar has no use for
// are left out and survive no round trip: nodes are changed by Change only.
type Node struct {
	Name             string              `json:"name"`
	Type             string              `json:"type"` // Satellite, Combined, Controller or Auxiliary, in any case
	Flags            []string            `json:"flags,omitempty"`
	Props            map[string]string   `json:"props,omitempty"`
	Interfaces       []Interface         `json:"net_interfaces,omitempty"`
	ConnectionStatus string              `json:"connection_status,omitempty"` // ONLINE once the controller has synchronised the satellite
	Providers        []string            `json:"storage_providers,omitempty"`
	Unsupported      map[string][]string `json:"unsupported_providers,omitempty"` // kind → why the node cannot do it
}

// Interface is a network interface of a node, by name. With a port and an
// encryption the controller may connect to the satellite through it.
type Interface struct {
	Name       string `json:"name"`
	Address    string `json:"address"`
	Port       int    `json:"satellite_port,omitempty"`
	Encryption string `json:"satellite_encryption_type,omitempty"` // PLAIN or SSL; LINSTOR answers in any case
	Active     *bool  `json:"is_active,omitempty"`                 // whether the controller connects through it
}

// Pool is a storage pool of a node.
type Pool struct {
	Name            string            `json:"storage_pool_name"`
	Node            string            `json:"node_name,omitempty"`
	Kind            string            `json:"provider_kind"` // LVM, LVM_THIN, ZFS, ZFS_THIN, FILE, FILE_THIN, DISKLESS and others
	Props           map[string]string `json:"props,omitempty"`
	SharedSpace     string            `json:"shared_space,omitempty"`
	ExternalLocking bool              `json:"external_locking,omitempty"`
	Reports         []ReturnCode      `json:"reports,omitempty"` // what LINSTOR has to say about the pool, errors among it
}

// Device is a block device that LINSTOR found empty on a node.
type Device struct {
	Path string `json:"device"`
	Size int64  `json:"size,omitempty"` // bytes
}

// Connection holds the properties of a pair of nodes.
type Connection struct {
	NodeA string            `json:"node_a"`
	NodeB string            `json:"node_b"`
	Props map[string]string `json:"props,omitempty"`
}

// The states of the controller's master passphrase.
const (
	PassphraseUnset    = "unset"
	PassphraseLocked   = "locked"
	PassphraseUnlocked = "unlocked"
)

// DevicePool is a request to make a volume group, a thin pool or a zpool of
// whole devices. Everything on the devices is lost.
type DevicePool struct {
	Kind      string   `json:"provider_kind"`
	Devices   []string `json:"device_paths"`
	Pool      string   `json:"pool_name"` // as in StorDriver/StorPoolName: VG, VG/thin pool or zpool
	PVArgs    []string `json:"pv_create_arguments,omitempty"`
	VGArgs    []string `json:"vg_create_arguments,omitempty"`
	LVArgs    []string `json:"lv_create_arguments,omitempty"`
	ZPoolArgs []string `json:"zpool_create_arguments,omitempty"`
}

// Properties is a change of properties: what to set and what to delete. Names
// that are in neither stay as they are.
type Properties struct {
	Override map[string]string `json:"override_props,omitempty"`
	Delete   []string          `json:"delete_props,omitempty"`
}
