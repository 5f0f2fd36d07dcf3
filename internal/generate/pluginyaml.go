package main

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/linstor-cmp/linstor-cmp/plugin"
	"go.yaml.in/yaml/v3"
)

const pluginHeader = `# Made by ` + "`make generate`" + ` from the table of settings in plugin/parameters.go: change
# it there, not here.
#
# What argocd-cmp-server is to know of the plugin. There is no spec.version, which
# would become part of the name that an Application writes, and no spec.discover:
# only an Application that names the plugin is rendered by it.
`

// pluginConfig is Argo CD's ConfigManagementPlugin, as far as we use it.
type pluginConfig struct {
	APIVersion string `yaml:"apiVersion"`
	Kind       string `yaml:"kind"`
	Metadata   struct {
		Name string `yaml:"name"`
	} `yaml:"metadata"`
	Spec struct {
		Generate   pluginCommand `yaml:"generate"`
		Parameters struct {
			Static  []announcement `yaml:"static"`
			Dynamic pluginCommand  `yaml:"dynamic"`
		} `yaml:"parameters"`
	} `yaml:"spec"`
}

type pluginCommand struct {
	Command []string `yaml:"command,flow"`
}

// announcement is what package plugin announces of a setting.
type announcement struct {
	Name           string `json:"name" yaml:"name"`
	Title          string `json:"title" yaml:"title"`
	Tooltip        string `json:"tooltip" yaml:"tooltip"`
	ItemType       string `json:"itemType" yaml:"itemType,omitempty"`
	CollectionType string `json:"collectionType" yaml:"collectionType,omitempty"`
	String         string `json:"string" yaml:"string,omitempty"`
}

func pluginYAML() ([]byte, error) {
	var config pluginConfig
	config.APIVersion, config.Kind = "argoproj.io/v1alpha1", "ConfigManagementPlugin"
	config.Metadata.Name = program
	config.Spec.Generate.Command = []string{program, "generate", "."}
	config.Spec.Parameters.Dynamic.Command = []string{program, "parameters"}

	// The static list is what the dynamic command prints: both are announced,
	// the static one even where the command cannot run.
	decoder := json.NewDecoder(bytes.NewReader(plugin.Announce()))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&config.Spec.Parameters.Static); err != nil {
		return nil, fmt.Errorf("the announcement of the parameters has changed: %w", err)
	}

	out := bytes.NewBufferString(pluginHeader)
	encoder := yaml.NewEncoder(out)
	encoder.SetIndent(2)
	if err := encoder.Encode(config); err != nil {
		return nil, fmt.Errorf("cannot encode %s: %w", pluginFile, err)
	}
	if err := encoder.Close(); err != nil {
		return nil, fmt.Errorf("cannot encode %s: %w", pluginFile, err)
	}
	return out.Bytes(), nil
}
