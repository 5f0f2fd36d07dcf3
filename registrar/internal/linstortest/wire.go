package linstortest

// The bodies of requests and answers, written down from the API's documentation
// and not shared with the client, so that a mistake there shows here.

type node struct {
	Name             string              `json:"name"`
	Type             string              `json:"type"`
	Flags            []string            `json:"flags,omitempty"`
	Props            map[string]string   `json:"props,omitempty"`
	NetInterfaces    []netInterface      `json:"net_interfaces,omitempty"`
	ConnectionStatus string              `json:"connection_status,omitempty"`
	UUID             string              `json:"uuid,omitempty"`
	StorageProviders []string            `json:"storage_providers,omitempty"`
	Unsupported      map[string][]string `json:"unsupported_providers,omitempty"`
}

type netInterface struct {
	Name       string `json:"name"`
	Address    string `json:"address"`
	Port       int    `json:"satellite_port,omitempty"`
	Encryption string `json:"satellite_encryption_type,omitempty"`
	Active     *bool  `json:"is_active,omitempty"`
	UUID       string `json:"uuid,omitempty"`
}

type storagePool struct {
	Name            string            `json:"storage_pool_name"`
	NodeName        string            `json:"node_name,omitempty"`
	Kind            string            `json:"provider_kind"`
	Props           map[string]string `json:"props,omitempty"`
	SharedSpace     string            `json:"shared_space,omitempty"`
	ExternalLocking bool              `json:"external_locking,omitempty"`
	Reports         []rc              `json:"reports,omitempty"`
}

type physicalStorageCreate struct {
	Kind      string   `json:"provider_kind"`
	Devices   []string `json:"device_paths"`
	Pool      string   `json:"pool_name"`
	PVArgs    []string `json:"pv_create_arguments,omitempty"`
	VGArgs    []string `json:"vg_create_arguments,omitempty"`
	LVArgs    []string `json:"lv_create_arguments,omitempty"`
	ZPoolArgs []string `json:"zpool_create_arguments,omitempty"`
}

type propsModify struct {
	Override  map[string]string `json:"override_props,omitempty"`
	Delete    []string          `json:"delete_props,omitempty"`
	Namespace []string          `json:"delete_namespaces,omitempty"`
}

type connection struct {
	NodeA string            `json:"node_a"`
	NodeB string            `json:"node_b"`
	Props map[string]string `json:"props"`
}

type rc struct {
	Code    int64  `json:"ret_code"`
	Message string `json:"message"`
	Cause   string `json:"cause,omitempty"`
}

// Return codes: the highest bits are the severity, the lowest the number.
const (
	maskError   = int64(-0x4000000000000000)
	notFound    = 300
	exists      = 500
	inUse       = 600
	invalid     = 200
	unknownFail = 999
)
