// Package api holds the kinds that a person keeps in git, with the defaults
// that the API server would have set and the rules that Piraeus's webhooks
// check: here nothing else would.
//
// The piraeus.io/v1 kinds have the fields of Piraeus Operator 2.10 and 2.11.
// The linstor-cmp.io/v1alpha1 kinds are ours.
package api

import (
	"encoding/json"

	corev1 "k8s.io/api/core/v1"

	"github.com/linstor-cmp/linstor-cmp/internal/manifest"
)

// The API groups and versions of the input kinds.
const (
	PiraeusVersion = "piraeus.io/v1"
	OwnVersion     = "linstor-cmp.io/v1alpha1"
)

// The input kinds.
const (
	KindCluster                = "LinstorCluster"
	KindSatelliteConfiguration = "LinstorSatelliteConfiguration"
	KindNodeConfiguration      = "LinstorNodeConfiguration"
	KindNodeConnection         = "LinstorNodeConnection"
	KindImageConfiguration     = "LinstorImageConfiguration"
)

// Metadata is what we read of an input object's metadata. Namespace, labels
// and annotations are accepted and mean nothing to us.
type Metadata struct {
	Name        string            `json:"name"`
	Namespace   string            `json:"namespace,omitempty"`
	Labels      map[string]string `json:"labels,omitempty"`
	Annotations map[string]string `json:"annotations,omitempty"`
}

// LinstorCluster is the installation: one in every input.
type LinstorCluster struct {
	APIVersion string             `json:"apiVersion"`
	Kind       string             `json:"kind"`
	Metadata   Metadata           `json:"metadata"`
	Spec       LinstorClusterSpec `json:"spec,omitempty"`
	Status     json.RawMessage    `json:"status,omitempty"`
}

// LinstorClusterSpec says which nodes belong to the cluster and what runs in it.
type LinstorClusterSpec struct {
	Repository                 string               `json:"repository,omitempty"`
	ExternalController         *ExternalController  `json:"externalController,omitempty"`
	NodeSelector               map[string]string    `json:"nodeSelector,omitempty"`
	NodeAffinity               *corev1.NodeSelector `json:"nodeAffinity,omitempty"`
	Tolerations                []corev1.Toleration  `json:"tolerations,omitempty"`
	Properties                 []ControllerProperty `json:"properties,omitempty"`
	Patches                    []Patch              `json:"patches,omitempty"`
	CustomizeComponents        *CustomizeComponents `json:"customizeComponents,omitempty"`
	LinstorPassphraseSecret    string               `json:"linstorPassphraseSecret,omitempty"`
	InternalTLS                *TLSConfig           `json:"internalTLS,omitempty"`
	APITLS                     *APITLSConfig        `json:"apiTLS,omitempty"`
	Controller                 *Component           `json:"controller,omitempty"`
	CSIController              *ReplicatedComponent `json:"csiController,omitempty"`
	CSINode                    *Component           `json:"csiNode,omitempty"`
	HighAvailabilityController *Component           `json:"highAvailabilityController,omitempty"`
	AffinityController         *ReplicatedComponent `json:"affinityController,omitempty"`
	NFSServer                  *Component           `json:"nfsServer,omitempty"`
	MaxConcurrentEvacuations   *int32               `json:"maxConcurrentEvacuations,omitempty"`
}

// ExternalController is a LINSTOR controller that runs elsewhere.
type ExternalController struct {
	URL string `json:"url"`
}

// ControllerProperty is a LINSTOR property of the controller.
type ControllerProperty struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Component switches a component of the cluster and shapes its pods. An absent
// `enabled` means true.
type Component struct {
	Enabled     *bool        `json:"enabled,omitempty"`
	PodTemplate manifest.Raw `json:"podTemplate,omitempty"`
}

// ReplicatedComponent is a Component with a number of replicas.
type ReplicatedComponent struct {
	Enabled     *bool        `json:"enabled,omitempty"`
	PodTemplate manifest.Raw `json:"podTemplate,omitempty"`
	Replicas    *int32       `json:"replicas,omitempty"`
}

// CAReference names the certificate authority of a TLS setup.
type CAReference struct {
	Kind     string `json:"kind,omitempty"` // ConfigMap or Secret; default Secret
	Name     string `json:"name"`
	Key      string `json:"key,omitempty"` // default ca.crt
	Optional *bool  `json:"optional,omitempty"`
}

// IssuerReference names the cert-manager issuer that makes certificates.
type IssuerReference struct {
	Name  string `json:"name"`
	Kind  string `json:"kind,omitempty"`
	Group string `json:"group,omitempty"`
}

// TLSConfig sets up TLS between controller and satellites.
type TLSConfig struct {
	SecretName  string           `json:"secretName,omitempty"`
	CertManager *IssuerReference `json:"certManager,omitempty"`
	CAReference *CAReference     `json:"caReference,omitempty"`
}

// APITLSConfig sets up TLS between the LINSTOR API and its clients.
type APITLSConfig struct {
	APISecretName                string           `json:"apiSecretName,omitempty"`
	ClientSecretName             string           `json:"clientSecretName,omitempty"`
	CSIControllerSecretName      string           `json:"csiControllerSecretName,omitempty"`
	CSINodeSecretName            string           `json:"csiNodeSecretName,omitempty"`
	AffinityControllerSecretName string           `json:"affinityControllerSecretName,omitempty"`
	NFSServerSecretName          string           `json:"nfsServerSecretName,omitempty"`
	CertManager                  *IssuerReference `json:"certManager,omitempty"`
	CAReference                  *CAReference     `json:"caReference,omitempty"`
}

// Patch is a kustomize-style patch: a strategic merge patch or an RFC 6902
// patch, inline or in a file beside the one that names it.
type Patch struct {
	Patch   manifest.Text   `json:"patch,omitempty"`
	Path    string          `json:"path,omitempty"`
	Target  *Selector       `json:"target,omitempty"`
	Options map[string]bool `json:"options,omitempty"`
}

// Selector picks objects by anchored regular expressions and label selectors,
// as kustomize does.
type Selector struct {
	Group              string `json:"group,omitempty"`
	Version            string `json:"version,omitempty"`
	Kind               string `json:"kind,omitempty"`
	Name               string `json:"name,omitempty"`
	Namespace          string `json:"namespace,omitempty"`
	AnnotationSelector string `json:"annotationSelector,omitempty"`
	LabelSelector      string `json:"labelSelector,omitempty"`
}

// CustomizeComponents patches generated objects the way KubeVirt does.
type CustomizeComponents struct {
	Patches []CustomizePatch             `json:"patches,omitempty"`
	Flags   map[string]map[string]string `json:"flags,omitempty"` // component → flag → value
}

// CustomizePatch is one patch of CustomizeComponents.
type CustomizePatch struct {
	ResourceType      string                    `json:"resourceType"`
	ResourceName      string                    `json:"resourceName"`
	Type              string                    `json:"type,omitempty"` // strategic (default), json or merge
	Patch             manifest.Text             `json:"patch"`
	NodeSelectorTerms []corev1.NodeSelectorTerm `json:"nodeSelectorTerms,omitempty"`
	Options           map[string]bool           `json:"options,omitempty"`
}

// LinstorNodeConnection sets paths and properties between nodes.
type LinstorNodeConnection struct {
	APIVersion string             `json:"apiVersion"`
	Kind       string             `json:"kind"`
	Metadata   Metadata           `json:"metadata"`
	Spec       NodeConnectionSpec `json:"spec,omitempty"`
	Status     json.RawMessage    `json:"status,omitempty"`
}

// NodeConnectionSpec says which pairs of nodes and what they get.
type NodeConnectionSpec struct {
	Selector   []ConnectionSelector `json:"selector,omitempty"`
	Properties []ControllerProperty `json:"properties,omitempty"`
	Paths      []ConnectionPath     `json:"paths,omitempty"`
}

// ConnectionSelector is a list of label rules, all of which must hold.
type ConnectionSelector struct {
	MatchLabels []ConnectionLabel `json:"matchLabels,omitempty"`
}

// ConnectionLabel is one rule on a label of both nodes.
type ConnectionLabel struct {
	Key    string   `json:"key"`
	Op     string   `json:"op,omitempty"` // Exists (default), DoesNotExist, In, NotIn, Same, NotSame
	Values []string `json:"values,omitempty"`
}

// ConnectionPath is a network path: an interface of the nodes.
type ConnectionPath struct {
	Name      string `json:"name"`
	Interface string `json:"interface"`
}

// LinstorImageConfiguration is laid over the built-in image table.
type LinstorImageConfiguration struct {
	APIVersion string                 `json:"apiVersion"`
	Kind       string                 `json:"kind"`
	Metadata   Metadata               `json:"metadata"`
	Spec       ImageConfigurationSpec `json:"spec,omitempty"`
}

// ImageConfigurationSpec changes images by placeholder, field by field.
type ImageConfigurationSpec struct {
	Base       string                    `json:"base,omitempty"`
	UnknownOS  string                    `json:"unknownOS,omitempty"` // Fallback (default), Skip or Error
	Components map[string]ComponentImage `json:"components,omitempty"`
}

// ComponentImage is an image and the rows that replace it on some nodes.
type ComponentImage struct {
	Image  string     `json:"image,omitempty"`
	Tag    string     `json:"tag,omitempty"`
	Digest string     `json:"digest,omitempty"`
	Match  []ImageRow `json:"match,omitempty"`
}

// ImageRow is the image of nodes whose node info matches. Empty fields match all.
type ImageRow struct {
	OSImage       string `json:"osImage,omitempty"`       // Go regular expression, unanchored
	KernelVersion string `json:"kernelVersion,omitempty"` // Go regular expression, unanchored
	Architecture  string `json:"architecture,omitempty"`  // equal
	Image         string `json:"image,omitempty"`
	Tag           string `json:"tag,omitempty"`
	Digest        string `json:"digest,omitempty"`
	Precompiled   bool   `json:"precompiled,omitempty"`
}
