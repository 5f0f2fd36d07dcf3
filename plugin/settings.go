package plugin

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/linstor-cmp/linstor-cmp/generator"
	"github.com/linstor-cmp/linstor-cmp/internal/problem"
)

// Options are the settings of a run and where its nodes come from.
type Options struct {
	generator.Settings
	Nodes      string // a file, "-" is standard input
	Kubeconfig string
	Context    string
	Cluster    string

	// Guarded says that the node file was named by an Application, and so must
	// lie below the application path.
	Guarded bool
	// UnderArgoCD says that Argo CD runs the program: errors are short, and the
	// output is JSON.
	UnderArgoCD bool
}

const (
	defaultNamespace = "piraeus-datastore"
	// kubeconfigDirEnv is the sidecar's folder of kubeconfigs: an Application
	// may name files in it and nowhere else, since a kubeconfig can run programs.
	kubeconfigDirEnv     = "LINSTOR_CMP_KUBECONFIG_DIR"
	defaultKubeconfigDir = "/etc/linstor-cmp/kubeconfig"
)

// Resolve makes options of the flags that were given and of the environment:
// a flag beats a plugin parameter, which beats ARGOCD_ENV_LINSTOR_CMP_<NAME>,
// which beats LINSTOR_CMP_<NAME>. Empty variables and parameters count as unset.
func Resolve(flags map[string]string, environ []string) (Options, error) {
	env := map[string]string{}
	for _, e := range environ {
		if k, v, ok := strings.Cut(e, "="); ok {
			env[k] = v
		}
	}
	r := resolver{env: env, values: map[string]string{}, applications: map[string]bool{}}
	r.readEnvironment()
	r.readParameters()
	for name, v := range flags {
		r.set(name, v, "flag --"+name, false)
	}
	o := r.options()
	return o, r.faults.Err()
}

type resolver struct {
	env          map[string]string
	values       map[string]string
	applications map[string]bool // settings whose value an Application chose
	faults       problem.List
}

func (r *resolver) set(name, value, from string, byApplication bool) {
	p, known := lookup(name)
	if !known {
		r.faults.Add(problem.Problem{Message: fmt.Sprintf("%s: there is no such setting", from), Hint: "the settings are " + names()})
		return
	}
	if value == "" {
		return
	}
	if err := p.check(value); err != nil {
		r.faults.Add(problem.Problem{Message: fmt.Sprintf("%s: %v", from, err)})
		return
	}
	r.values[name], r.applications[name] = value, byApplication
}

func (r *resolver) readEnvironment() {
	const app = "ARGOCD_ENV_"
	for _, p := range Parameters {
		r.set(p.Name, r.env[p.EnvName()], "variable "+p.EnvName(), false)
	}
	for _, p := range Parameters {
		r.set(p.Name, r.env[app+p.EnvName()], "variable "+app+p.EnvName(), true)
	}
	for _, k := range sortedKeys(r.env) {
		own, ok := strings.CutPrefix(k, app)
		if ok && strings.HasPrefix(own, "LINSTOR_CMP_") && !slices.ContainsFunc(Parameters, func(p Parameter) bool { return p.EnvName() == own }) {
			r.faults.Add(problem.Problem{Message: fmt.Sprintf("the Application's env %s names no setting", own), Hint: "the settings are " + names()})
		}
	}
}

// readParameters reads the parameters of the Application as Argo CD hands them
// over; null and nothing are the same.
func (r *resolver) readParameters() {
	text := r.env["ARGOCD_APP_PARAMETERS"]
	if strings.TrimSpace(text) == "" {
		return
	}
	var list []struct {
		Name   string            `json:"name"`
		String *string           `json:"string"`
		Array  []string          `json:"array"`
		Map    map[string]string `json:"map"`
	}
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		r.faults.Add(problem.Problem{Message: fmt.Sprintf("ARGOCD_APP_PARAMETERS: %v", err)})
		return
	}
	for _, p := range list {
		from := fmt.Sprintf("plugin parameter %q", p.Name)
		switch {
		case p.Array != nil || p.Map != nil:
			r.faults.Add(problem.Problem{Message: from + ": every setting is a string", Hint: "say string: VALUE"})
		case p.String != nil:
			r.set(p.Name, *p.String, from, true)
		default:
			r.set(p.Name, "", from, true)
		}
	}
}

func (r *resolver) options() Options {
	o := Options{
		Settings: generator.Settings{
			Namespace:  first(r.values["namespace"], r.env["ARGOCD_APP_NAMESPACE"], defaultNamespace),
			Strict:     r.values["strict"] == "true",
			AllowEmpty: r.values["allow-empty"] == "true",
			Loader:     generator.Loader(first(r.values["loader"], string(generator.LoaderDaemonSet))),

			KubeVersion: first(r.values["kube-version"], r.env["KUBE_VERSION"]),
			APIVersions: strings.FieldsFunc(r.env["KUBE_API_VERSIONS"], func(c rune) bool { return c == ',' }),
		},
		Nodes: r.values["nodes"], Kubeconfig: r.values["kubeconfig"], Context: r.values["context"], Cluster: r.values["cluster"],
		Guarded:     r.applications["nodes"],
		UnderArgoCD: r.env["ARGOCD_APP_NAME"] != "",
	}
	if r.applications["kubeconfig"] {
		r.guardKubeconfig(o.Kubeconfig)
	}
	return o
}

func (r *resolver) guardKubeconfig(file string) {
	dir := first(r.env[kubeconfigDirEnv], defaultKubeconfigDir)
	realDir, err := filepath.EvalSymlinks(dir)
	if err == nil {
		var real string
		if real, err = filepath.EvalSymlinks(file); err == nil {
			if rel, err := filepath.Rel(realDir, real); err == nil && filepath.IsLocal(rel) {
				return
			}
		}
	}
	r.faults.Add(problem.Problem{
		Message: fmt.Sprintf("an Application may only name a kubeconfig below %s, and %s is none", dir, file),
		Hint:    "mount the kubeconfig there in the sidecar, or name a cluster of Argo CD with the setting cluster",
	})
}

// first returns the first text that is not empty.
func first(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}

func sortedKeys(m map[string]string) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
