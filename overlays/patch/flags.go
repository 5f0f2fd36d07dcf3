package patch

import (
	"fmt"
	"strings"

	"github.com/linstor-cmp/linstor-cmp/internal/manifest"
	"github.com/linstor-cmp/linstor-cmp/internal/problem"
)

// flags are command line flags that are appended to a container's arguments.
type flags struct {
	container string
	args      []any
}

// Workload is the container of a workload that flags go to.
type Workload struct{ Kind, Name, Container string }

// FromFlags makes the patch that customizeComponents.flags stand for: sorted,
// "" is --flag, true and false are --flag=value, anything else two arguments.
func FromFlags(name string, place problem.Place, w Workload, values map[string]string) *Patch {
	f := flags{container: w.Container}
	for _, flag := range manifest.SortedKeys(values) {
		switch value := values[flag]; {
		case value == "":
			f.args = append(f.args, "--"+flag)
		case strings.EqualFold(value, "true") || strings.EqualFold(value, "false"):
			f.args = append(f.args, "--"+flag+"="+strings.ToLower(value))
		default:
			f.args = append(f.args, "--"+flag, value)
		}
	}
	return &Patch{Name: name, Place: place, selects: exact{"apps/v1", w.Kind, w.Name}, body: body{engine: flagArgs, flags: f}}
}

func (f flags) apply(object map[string]any) error {
	pod := object
	for _, key := range []string{"spec", "template", "spec"} {
		pod, _ = pod[key].(map[string]any)
	}
	list, _ := pod["containers"].([]any)
	for _, e := range list {
		c, ok := e.(map[string]any)
		if !ok || c["name"] != f.container {
			continue
		}
		args, ok := c["args"].([]any)
		if !ok && c["args"] != nil {
			return fmt.Errorf("the args of container %s are %s", f.container, manifest.Describe(c["args"]))
		}
		c["args"] = append(append([]any{}, args...), f.args...)
		return nil
	}
	return fmt.Errorf("there is no container %s", f.container)
}
