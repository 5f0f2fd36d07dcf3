package plugin

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/linstor-cmp/linstor-cmp/internal/nodes"
	"github.com/linstor-cmp/linstor-cmp/internal/nodes/kube"
	"github.com/linstor-cmp/linstor-cmp/internal/problem"
	"github.com/linstor-cmp/linstor-cmp/overlays"
)

// NodeList returns the nodes of the first source that is set: a file, a
// kubeconfig, an Argo CD cluster, nodes.yaml in the application path, or the
// cluster that the program runs in.
func (o Options) NodeList(ctx context.Context, dir string, stdin io.Reader, progress func(string)) ([]nodes.Node, error) {
	switch {
	case o.Nodes == "-" && !o.Guarded:
		progress("nodes on standard input")
		return nodes.Read(stdin, "standard input")
	case o.Nodes != "" && o.Guarded:
		return readBelow(dir, o.Nodes)
	case o.Nodes != "":
		return nodes.ReadFile(o.Nodes)
	case o.Kubeconfig == "" && o.Context == "" && o.Cluster == "":
		list, err := readBelow(dir, overlays.NodesFile)
		if !errors.Is(err, fs.ErrNotExist) {
			return list, err
		}
	}
	c := kube.Config{Kubeconfig: o.Kubeconfig, Context: o.Context, Cluster: o.Cluster, ArgoCDNamespace: ownNamespace(), Progress: progress}
	if c.Kubeconfig != "" || c.Context != "" {
		c.Cluster = "" // the first source that is set wins
	}
	return kube.List(ctx, c)
}

// ownNamespace is the namespace of the pod that the program runs in: where Argo
// CD is, if it is Argo CD's. Outside a pod it is empty.
func ownNamespace() string {
	data, err := os.ReadFile("/var/run/secrets/kubernetes.io/serviceaccount/namespace")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(data))
}

// readBelow reads a node file of the application path; no link leads out of it.
func readBelow(dir, name string) ([]nodes.Node, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("cannot read the application path: %w", err)
	}
	defer func() { _ = root.Close() }() // only read from
	file, err := root.Open(filepath.Clean(name))
	if err != nil {
		return nil, fmt.Errorf("node file %s: %w", name, problemOr(err, name))
	}
	defer func() { _ = file.Close() }() // only read from
	return nodes.Read(file, name)
}

func problemOr(err error, name string) error {
	if errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return problem.Problem{Place: problem.Place{File: name}, Message: err.Error(), Hint: "an Application's node file lies below its path"}
}
