package plugin_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/linstor-cmp/linstor-cmp/generator"
	"github.com/linstor-cmp/linstor-cmp/plugin"
)

// parameters is the environment of an Application with these parameters.
func parameters(json string) []string { return []string{"ARGOCD_APP_PARAMETERS=" + json} }

func TestResolve(t *testing.T) {
	cases := map[string]struct {
		reason string
		flags  map[string]string
		env    []string
		want   func(*plugin.Options) // what differs from the defaults
	}{
		"nothing is set": {
			reason: "everything has a default",
			want:   func(*plugin.Options) {},
		},
		"a flag beats all": {
			reason: "who types a command means it",
			flags:  map[string]string{"namespace": "of-flag"},
			env:    append(parameters(`[{"name":"namespace","string":"of-parameter"}]`), "ARGOCD_ENV_LINSTOR_CMP_NAMESPACE=of-application", "LINSTOR_CMP_NAMESPACE=of-sidecar"),
			want:   func(o *plugin.Options) { o.Namespace = "of-flag" },
		},
		"a parameter beats the variables": {
			reason: "parameters are what Argo CD's UI edits",
			env:    append(parameters(`[{"name":"namespace","string":"of-parameter"}]`), "ARGOCD_ENV_LINSTOR_CMP_NAMESPACE=of-application", "LINSTOR_CMP_NAMESPACE=of-sidecar"),
			want:   func(o *plugin.Options) { o.Namespace = "of-parameter" },
		},
		"the Application's variable beats the sidecar's": {
			reason: "the sidecar's variables are defaults for all Applications",
			env:    []string{"LINSTOR_CMP_NAMESPACE=of-sidecar", "ARGOCD_ENV_LINSTOR_CMP_NAMESPACE=of-application"},
			want:   func(o *plugin.Options) { o.Namespace = "of-application" },
		},
		"the sidecar's variable beats the destination": {
			reason: "a setting beats what Argo CD says of itself",
			env:    []string{"ARGOCD_APP_NAMESPACE=of-destination", "LINSTOR_CMP_NAMESPACE=of-sidecar"},
			want:   func(o *plugin.Options) { o.Namespace = "of-sidecar" },
		},
		"the destination beats the default": {
			reason: "an Application says where it goes",
			env:    []string{"ARGOCD_APP_NAMESPACE=of-destination"},
			want:   func(o *plugin.Options) { o.Namespace = "of-destination" },
		},
		"an empty destination is none": {
			reason: "an Application of cluster-wide objects has no namespace",
			env:    []string{"ARGOCD_APP_NAMESPACE="},
			want:   func(*plugin.Options) {},
		},
		"an empty parameter is none": {
			reason: "the UI cannot remove a parameter that it announces, only empty it",
			env:    append(parameters(`[{"name":"namespace","string":""},{"name":"loader"}]`), "LINSTOR_CMP_NAMESPACE=of-sidecar"),
			want:   func(o *plugin.Options) { o.Namespace = "of-sidecar" },
		},
		"an empty variable of the Application is none": {
			reason: "Argo CD expands an unknown variable to nothing",
			env:    []string{"ARGOCD_ENV_LINSTOR_CMP_NAMESPACE=", "LINSTOR_CMP_NAMESPACE=of-sidecar"},
			want:   func(o *plugin.Options) { o.Namespace = "of-sidecar" },
		},
		"parameters are null": {
			reason: "that is what Argo CD sends for an Application without any",
			env:    parameters("null"),
			want:   func(*plugin.Options) {},
		},
		"parameters are an empty text": {
			reason: "a variable that is set to nothing",
			env:    parameters(" "),
			want:   func(*plugin.Options) {},
		},
		"parameters are an empty list": {
			reason: "an Application with parameters: []",
			env:    parameters("[]"),
			want:   func(*plugin.Options) {},
		},
		"the last of two equal parameters counts": {
			reason: ".argocd-source.yaml appends to what the Application says",
			env:    parameters(`[{"name":"loader","string":"InitContainer"},{"name":"loader","string":"DaemonSet"}]`),
			want:   func(*plugin.Options) {},
		},
		"booleans and words": {
			reason: "every way to give a setting takes the same words",
			flags:  map[string]string{"strict": "true"},
			env:    append(parameters(`[{"name":"allow-empty","string":"true"}]`), "LINSTOR_CMP_LOADER=InitContainer"),
			want: func(o *plugin.Options) {
				o.Strict, o.AllowEmpty, o.Loader = true, true, generator.LoaderInitContainer
			},
		},
		"false beats true": {
			reason: "a boolean that is turned off is given, not missing",
			flags:  map[string]string{"strict": "false"},
			env:    []string{"LINSTOR_CMP_STRICT=true"},
			want:   func(*plugin.Options) {},
		},
		"sources of nodes": {
			reason: "they are handed on as they are given",
			flags:  map[string]string{"nodes": "-", "kubeconfig": "/home/somebody/.kube/config", "context": "prod", "cluster": "west"},
			want: func(o *plugin.Options) {
				o.Nodes, o.Kubeconfig, o.Context, o.Cluster = "-", "/home/somebody/.kube/config", "prod", "west"
			},
		},
		"a node file of a parameter is guarded": {
			reason: "who writes to the repository must not read the sidecar's files",
			env:    parameters(`[{"name":"nodes","string":"/etc/nodes.yaml"}]`),
			want:   func(o *plugin.Options) { o.Nodes, o.Guarded = "/etc/nodes.yaml", true },
		},
		"a node file of the Application's variable is guarded": {
			reason: "it comes from the same people as a parameter",
			env:    []string{"ARGOCD_ENV_LINSTOR_CMP_NODES=nodes.json"},
			want:   func(o *plugin.Options) { o.Nodes, o.Guarded = "nodes.json", true },
		},
		"a node file of the sidecar is not guarded": {
			reason: "who installs the sidecar knows its files",
			env:    []string{"LINSTOR_CMP_NODES=/etc/nodes.yaml"},
			want:   func(o *plugin.Options) { o.Nodes = "/etc/nodes.yaml" },
		},
		"a flag lifts the guard": {
			reason: "the value is no longer the Application's",
			flags:  map[string]string{"nodes": "/etc/nodes.yaml"},
			env:    parameters(`[{"name":"nodes","string":"nodes.json"}]`),
			want:   func(o *plugin.Options) { o.Nodes = "/etc/nodes.yaml" },
		},
		"Argo CD runs it": {
			reason: "only Argo CD names the Application",
			env:    []string{"ARGOCD_APP_NAME=linstor"},
			want:   func(o *plugin.Options) { o.UnderArgoCD = true },
		},
		"what Argo CD says of the destination": {
			reason: "the objects have to fit the API server that gets them",
			env:    []string{"KUBE_VERSION=1.31.4", "KUBE_API_VERSIONS=v1,,apps/v1"},
			want:   func(o *plugin.Options) { o.KubeVersion, o.APIVersions = "1.31.4", []string{"v1", "apps/v1"} },
		},
		"a version that is set": {
			reason: "a setting beats what Argo CD says of itself",
			env:    append(parameters(`[{"name":"kube-version","string":"v1.30"}]`), "KUBE_VERSION=1.31.4"),
			want:   func(o *plugin.Options) { o.KubeVersion = "v1.30" },
		},
		"variables of others": {
			reason: "the sidecar and the plugin's env hold more than ours",
			env:    []string{"ARGOCD_ENV_HELM_ARGS=x", "LINSTOR_CMP_KUBECONFIG_DIR=/keys", "LINSTOR_CMP_E2E_CACHE=/cache", "PATH=/bin", "odd"},
			want:   func(*plugin.Options) {},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			want := plugin.Options{Settings: generator.Settings{Namespace: "piraeus-datastore", Loader: generator.LoaderDaemonSet}}
			c.want(&want)
			got, err := plugin.Resolve(c.flags, c.env)
			if err != nil {
				t.Fatalf("%s: %v", c.reason, err)
			}
			if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, diff)
			}
		})
	}
}
