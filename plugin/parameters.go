// Package plugin is the Argo CD door, and what it shares with the others: the
// table of settings, how flags, parameters and environment make settings of
// them, where nodes come from, and how a run is told to people.
//
// It renders nothing itself: package generator does.
package plugin

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Parameter is one setting of generate: a flag, a plugin parameter and an
// environment variable, all from this table.
type Parameter struct {
	Name    string
	Title   string // in Argo CD's UI
	Help    string // one sentence
	Bool    bool
	Default string   // as people read it
	Values  []string // what is allowed; nil: anything
}

// Parameters is the table of settings. Flags, plugin.yaml, the announcement
// and the reference page are made of it.
var Parameters = []Parameter{
	{
		Name: "namespace", Title: "Namespace", Default: "the Application's destination namespace, else piraeus-datastore",
		Help: "Namespace of every generated object.",
	},
	{
		Name: "nodes", Title: "Node file", Default: "none",
		Help: "File that lists the nodes, in place of a cluster; - is standard input.",
	},
	{
		Name: "kubeconfig", Title: "Kubeconfig", Default: "none",
		Help: "Kubeconfig of the cluster whose nodes are listed.",
	},
	{
		Name: "context", Title: "Context", Default: "the kubeconfig's own",
		Help: "Context of the kubeconfig.",
	},
	{
		Name: "cluster", Title: "Cluster", Default: "the cluster that Argo CD runs in",
		Help: "Name of the Argo CD cluster whose nodes are listed.",
	},
	{
		Name: "strict", Title: "Strict", Bool: true, Default: "false",
		Help: "Overlays of equal priority that set one field to different values are an error, not a warning.",
	},
	{
		Name: "allow-empty", Title: "Allow empty", Bool: true, Default: "false",
		Help: "No node that qualifies for a satellite is no error.",
	},
	{
		Name: "loader", Title: "Loader", Default: "DaemonSet", Values: []string{"DaemonSet", "InitContainer"},
		Help: "Where the DRBD kernel-module loader runs: in a DaemonSet of its own, or as an init container of the satellite.",
	},
	{
		Name: "kube-version", Title: "Kubernetes version", Default: "what Argo CD says of the destination cluster, else the newest",
		Help: "Version of the cluster's API server, on which some fields depend.",
	},
}

// EnvName is the environment variable of a setting; with the prefix
// ARGOCD_ENV_ it is the one that an Application sets.
func (p Parameter) EnvName() string {
	return "LINSTOR_CMP_" + strings.ToUpper(strings.ReplaceAll(p.Name, "-", "_"))
}

// names lists the settings in a message.
func names() string {
	list := make([]string, len(Parameters))
	for i, p := range Parameters {
		list[i] = p.Name
	}
	return strings.Join(list, ", ")
}

func lookup(name string) (Parameter, bool) {
	i := slices.IndexFunc(Parameters, func(p Parameter) bool { return p.Name == name })
	if i < 0 {
		return Parameter{}, false
	}
	return Parameters[i], true
}

// check says what is wrong with a value of the setting.
func (p Parameter) check(value string) error {
	switch {
	case p.Bool && value != "true" && value != "false":
		return fmt.Errorf("want true or false, found %q", value)
	case p.Values != nil && !slices.Contains(p.Values, value):
		return fmt.Errorf("want %s, found %q", strings.Join(p.Values, " or "), value)
	}
	return nil
}

// announcement is one entry of what Argo CD shows in its UI.
type announcement struct {
	Name     string `json:"name"`
	Title    string `json:"title"`
	Tooltip  string `json:"tooltip"`
	ItemType string `json:"itemType,omitempty"`
	String   string `json:"string,omitempty"`
}

func announcements() []announcement {
	list := make([]announcement, len(Parameters))
	for i, p := range Parameters {
		a := announcement{Name: p.Name, Title: p.Title, Tooltip: p.Help}
		if p.Bool {
			a.ItemType, a.String = "boolean", "false"
		}
		if p.Values != nil {
			a.String = p.Default
		}
		list[i] = a
	}
	return list
}

// Announce returns the parameters as Argo CD's dynamic announcement wants
// them: a JSON array.
func Announce() []byte {
	data, err := json.Marshal(announcements())
	if err != nil {
		panic(err) // strings always encode
	}
	return append(data, '\n')
}
