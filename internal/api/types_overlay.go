package api

import (
	"encoding/json"

	corev1 "k8s.io/api/core/v1"

	"github.com/linstor-cmp/linstor-cmp/internal/manifest"
)

// SatelliteTLSConfig is TLSConfig for a satellite.
type SatelliteTLSConfig struct {
	SecretName         string           `json:"secretName,omitempty"`
	CertManager        *IssuerReference `json:"certManager,omitempty"`
	CAReference        *CAReference     `json:"caReference,omitempty"`
	TLSHandshakeDaemon bool             `json:"tlsHandshakeDaemon,omitempty"`
}

// LinstorSatelliteConfiguration is Piraeus's node-group overlay.
type LinstorSatelliteConfiguration struct {
	APIVersion string                     `json:"apiVersion"`
	Kind       string                     `json:"kind"`
	Metadata   Metadata                   `json:"metadata"`
	Spec       SatelliteConfigurationSpec `json:"spec,omitempty"`
	Status     json.RawMessage            `json:"status,omitempty"`
}

// SatelliteConfigurationSpec is a selector and what the matching nodes get.
type SatelliteConfigurationSpec struct {
	NodeSelector map[string]string    `json:"nodeSelector,omitempty"`
	NodeAffinity *corev1.NodeSelector `json:"nodeAffinity,omitempty"`
	SatelliteSpec
}

// LinstorNodeConfiguration is our own node-group overlay.
type LinstorNodeConfiguration struct {
	APIVersion string                `json:"apiVersion"`
	Kind       string                `json:"kind"`
	Metadata   Metadata              `json:"metadata"`
	Spec       NodeConfigurationSpec `json:"spec,omitempty"`
}

// NodeConfigurationSpec is a strict selector, a priority, and what the
// matching nodes get.
type NodeConfigurationSpec struct {
	NodeSelectorTerms   []corev1.NodeSelectorTerm `json:"nodeSelectorTerms,omitempty"`
	Priority            int                       `json:"priority,omitempty"`
	OptIn               bool                      `json:"optIn,omitempty"`
	Profile             string                    `json:"profile,omitempty"` // Talos or Flatcar
	CustomizeComponents *CustomizeComponents      `json:"customizeComponents,omitempty"`
	SatelliteSpec
}

// SatelliteSpec is what both overlay kinds say about the nodes they match.
type SatelliteSpec struct {
	Patches                     []Patch             `json:"patches,omitempty"`
	PodTemplate                 manifest.Raw        `json:"podTemplate,omitempty"`
	StoragePools                []StoragePool       `json:"storagePools,omitempty"`
	Properties                  []NodeProperty      `json:"properties,omitempty"`
	InternalTLS                 *SatelliteTLSConfig `json:"internalTLS,omitempty"`
	IPFamilies                  []corev1.IPFamily   `json:"ipFamilies,omitempty"`
	DeletionPolicy              string              `json:"deletionPolicy,omitempty"` // Evacuate, Retain or Delete
	EvacuationStrategy          *EvacuationStrategy `json:"evacuationStrategy,omitempty"`
	ResourceNameSuffixSeparator string              `json:"resourceNameSuffixSeparator,omitempty"` // "-" (default) or "."
}

// EvacuationStrategy bounds the steps of an evacuation. Durations in Go's syntax.
type EvacuationStrategy struct {
	AttachedVolumeReattachTimeout string `json:"attachedVolumeReattachTimeout,omitempty"`
	UnattachedVolumeAttachTimeout string `json:"unattachedVolumeAttachTimeout,omitempty"`
}

// StoragePool is a LINSTOR storage pool of a node: a name and exactly one kind.
type StoragePool struct {
	Name         string               `json:"name"`
	Properties   []ControllerProperty `json:"properties,omitempty"`
	LvmPool      *LvmPool             `json:"lvmPool,omitempty"`
	LvmThinPool  *LvmThinPool         `json:"lvmThinPool,omitempty"`
	FilePool     *FilePool            `json:"filePool,omitempty"`
	FileThinPool *FilePool            `json:"fileThinPool,omitempty"`
	ZfsPool      *ZfsPool             `json:"zfsPool,omitempty"`
	ZfsThinPool  *ZfsPool             `json:"zfsThinPool,omitempty"`
	Source       *PoolSource          `json:"source,omitempty"`
}

// LvmPool is backed by a volume group; default: the pool's name.
type LvmPool struct {
	VolumeGroup                   string   `json:"volumeGroup,omitempty"`
	SharedSpace                   string   `json:"sharedSpace,omitempty"`
	ExternalLocking               bool     `json:"externalLocking,omitempty"`
	PhysicalVolumeCreateArguments []string `json:"physicalVolumeCreateArguments,omitempty"`
	VolumeGroupCreateArguments    []string `json:"volumeGroupCreateArguments,omitempty"`
}

// LvmThinPool is backed by a thin pool; defaults: thin pool = the pool's name,
// volume group = linstor_<thin pool>.
type LvmThinPool struct {
	VolumeGroup                   string   `json:"volumeGroup,omitempty"`
	ThinPool                      string   `json:"thinPool,omitempty"`
	PhysicalVolumeCreateArguments []string `json:"physicalVolumeCreateArguments,omitempty"`
	VolumeGroupCreateArguments    []string `json:"volumeGroupCreateArguments,omitempty"`
	LogicalVolumeCreateArguments  []string `json:"logicalVolumeCreateArguments,omitempty"`
}

// FilePool is backed by a directory; default: /var/lib/linstor-pools/<name>.
type FilePool struct {
	Directory string `json:"directory,omitempty"`
}

// ZfsPool is backed by a zpool; default: the pool's name.
type ZfsPool struct {
	ZPool                string   `json:"zPool,omitempty"`
	ZPoolCreateArguments []string `json:"zpoolCreateArguments,omitempty"`
}

// PoolSource lists empty devices from which the pool is made.
type PoolSource struct {
	HostDevices []string `json:"hostDevices"`
}

// NodeProperty is a LINSTOR property of a node with exactly one source.
type NodeProperty struct {
	Name       string          `json:"name"`
	Value      *string         `json:"value,omitempty"`
	ValueFrom  *PropertySource `json:"valueFrom,omitempty"`
	ExpandFrom *PropertyExpand `json:"expandFrom,omitempty"`
	Optional   bool            `json:"optional,omitempty"`
}

// PropertySource names a field of the node.
type PropertySource struct {
	NodeFieldRef string `json:"nodeFieldRef"`
}

// PropertyExpand makes one or many values of all keys that match.
type PropertyExpand struct {
	NodeFieldRef  string `json:"nodeFieldRef"`
	NameTemplate  string `json:"nameTemplate,omitempty"`
	ValueTemplate string `json:"valueTemplate,omitempty"`
	Delimiter     string `json:"delimiter,omitempty"`
}
