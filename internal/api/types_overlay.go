package api

import (
	"encoding/json"

	corev1 "k8s.io/api/core/v1"

	"github.com/linstor-cmp/linstor-cmp/internal/manifest"
)

type SatelliteTLSConfig struct {
	SecretName         string           `json:"secretName,omitempty"`
	CertManager        *IssuerReference `json:"certManager,omitempty"`
	CAReference        *CAReference     `json:"caReference,omitempty"`
	TLSHandshakeDaemon bool             `json:"tlsHandshakeDaemon,omitempty"`
}

type LinstorSatelliteConfiguration struct {
	APIVersion string                     `json:"apiVersion"`
	Kind       string                     `json:"kind"`
	Metadata   Metadata                   `json:"metadata"`
	Spec       SatelliteConfigurationSpec `json:"spec,omitempty"`
	Status     json.RawMessage            `json:"status,omitempty"`
}

type SatelliteConfigurationSpec struct {
	NodeSelector map[string]string    `json:"nodeSelector,omitempty"`
	NodeAffinity *corev1.NodeSelector `json:"nodeAffinity,omitempty"`
	SatelliteSpec
}

type LinstorNodeConfiguration struct {
	APIVersion string                `json:"apiVersion"`
	Kind       string                `json:"kind"`
	Metadata   Metadata              `json:"metadata"`
	Spec       NodeConfigurationSpec `json:"spec,omitempty"`
}

type NodeConfigurationSpec struct {
	NodeSelectorTerms   []corev1.NodeSelectorTerm `json:"nodeSelectorTerms,omitempty"`
	Priority            int                       `json:"priority,omitempty"`
	OptIn               bool                      `json:"optIn,omitempty"`
	Profile             string                    `json:"profile,omitempty"` // Talos or Flatcar
	CustomizeComponents *CustomizeComponents      `json:"customizeComponents,omitempty"`
	SatelliteSpec
}

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

type EvacuationStrategy struct {
	AttachedVolumeReattachTimeout string `json:"attachedVolumeReattachTimeout,omitempty"`
	UnattachedVolumeAttachTimeout string `json:"unattachedVolumeAttachTimeout,omitempty"`
}

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

type LvmPool struct {
	VolumeGroup                   string   `json:"volumeGroup,omitempty"`
	SharedSpace                   string   `json:"sharedSpace,omitempty"`
	ExternalLocking               bool     `json:"externalLocking,omitempty"`
	PhysicalVolumeCreateArguments []string `json:"physicalVolumeCreateArguments,omitempty"`
	VolumeGroupCreateArguments    []string `json:"volumeGroupCreateArguments,omitempty"`
}

type LvmThinPool struct {
	VolumeGroup                   string   `json:"volumeGroup,omitempty"`
	ThinPool                      string   `json:"thinPool,omitempty"`
	PhysicalVolumeCreateArguments []string `json:"physicalVolumeCreateArguments,omitempty"`
	VolumeGroupCreateArguments    []string `json:"volumeGroupCreateArguments,omitempty"`
	LogicalVolumeCreateArguments  []string `json:"logicalVolumeCreateArguments,omitempty"`
}

type FilePool struct {
	Directory string `json:"directory,omitempty"`
}

type ZfsPool struct {
	ZPool                string   `json:"zPool,omitempty"`
	ZPoolCreateArguments []string `json:"zpoolCreateArguments,omitempty"`
}

type PoolSource struct {
	HostDevices []string `json:"hostDevices"`
}

type NodeProperty struct {
	Name       string          `json:"name"`
	Value      *string         `json:"value,omitempty"`
	ValueFrom  *PropertySource `json:"valueFrom,omitempty"`
	ExpandFrom *PropertyExpand `json:"expandFrom,omitempty"`
	Optional   bool            `json:"optional,omitempty"`
}

type PropertySource struct {
	NodeFieldRef string `json:"nodeFieldRef"`
}

type PropertyExpand struct {
	NodeFieldRef  string `json:"nodeFieldRef"`
	NameTemplate  string `json:"nameTemplate,omitempty"`
	ValueTemplate string `json:"valueTemplate,omitempty"`
	Delimiter     string `json:"delimiter,omitempty"`
}
