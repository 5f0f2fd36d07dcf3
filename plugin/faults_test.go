package plugin_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/linstor-cmp/linstor-cmp/internal/problem"
	"github.com/linstor-cmp/linstor-cmp/plugin"
)

func TestResolveFaults(t *testing.T) {
	cases := map[string]struct {
		reason string
		flags  map[string]string
		env    []string
		want   []string // a text in each fault, in their order
	}{
		"an unknown parameter": {
			reason: "a misspelt name must not vanish",
			env:    parameters(`[{"name":"namspace","string":"x"}]`),
			want:   []string{`plugin parameter "namspace": there is no such setting`},
		},
		"an unknown parameter without a value": {
			reason: "nor may it when it is empty",
			env:    parameters(`[{"name":"namspace"}]`),
			want:   []string{`plugin parameter "namspace": there is no such setting`},
		},
		"an unknown variable of the Application": {
			reason: "the Application's variables with our prefix are meant for us",
			env:    []string{"ARGOCD_ENV_LINSTOR_CMP_NAMSPACE=x"},
			want:   []string{"LINSTOR_CMP_NAMSPACE names no setting"},
		},
		"the folder of kubeconfigs is not the Application's to choose": {
			reason: "it would lift the guard of the kubeconfig",
			env:    []string{"ARGOCD_ENV_LINSTOR_CMP_KUBECONFIG_DIR=/"},
			want:   []string{"LINSTOR_CMP_KUBECONFIG_DIR names no setting"},
		},
		"an array and a map": {
			reason: "every setting is one string",
			env:    parameters(`[{"name":"nodes","array":["a"]},{"name":"loader","map":{"a":"b"}}]`),
			want:   []string{`plugin parameter "loader": every setting is a string`, `plugin parameter "nodes": every setting is a string`},
		},
		"an empty array": {
			reason: "it is still no string",
			env:    parameters(`[{"name":"nodes","array":[]}]`),
			want:   []string{`plugin parameter "nodes": every setting is a string`},
		},
		"parameters that are no JSON": {
			reason: "somebody calls the program by hand",
			env:    parameters(`namespace=x`),
			want:   []string{"ARGOCD_APP_PARAMETERS: "},
		},
		"parameters that are no list": {
			reason: "JSON of another shape",
			env:    parameters(`{"namespace":"x"}`),
			want:   []string{"ARGOCD_APP_PARAMETERS: "},
		},
		"a string that is a boolean": {
			reason: "Argo CD sends strings only, and true is not the text true",
			env:    parameters(`[{"name":"strict","string":true}]`),
			want:   []string{"ARGOCD_APP_PARAMETERS: "},
		},
		"booleans in other words": {
			reason: "there is one spelling, wherever it comes from",
			flags:  map[string]string{"strict": "yes"},
			env:    append(parameters(`[{"name":"allow-empty","string":"True"}]`), "LINSTOR_CMP_STRICT=1"),
			want:   []string{`flag --strict: want true or false, found "yes"`, `plugin parameter "allow-empty": want true or false, found "True"`, `variable LINSTOR_CMP_STRICT: want true or false, found "1"`},
		},
		"a word that is not allowed": {
			reason: "the choices are few and named",
			env:    []string{"ARGOCD_ENV_LINSTOR_CMP_LOADER=daemonset"},
			want:   []string{`variable ARGOCD_ENV_LINSTOR_CMP_LOADER: want DaemonSet or InitContainer, found "daemonset"`},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := plugin.Resolve(c.flags, c.env)
			var faults problem.List
			if !errors.As(err, &faults) {
				t.Fatalf("%s: error %v, want a problem.List", c.reason, err)
			}
			faults = faults.Sorted()
			if len(faults) != len(c.want) {
				t.Fatalf("%s: %d faults, want %d:\n%v", c.reason, len(faults), len(c.want), err)
			}
			for i, want := range c.want {
				if !strings.Contains(faults[i].Error(), want) {
					t.Errorf("%s: fault %q does not say %q", c.reason, faults[i].Error(), want)
				}
			}
		})
	}
}
