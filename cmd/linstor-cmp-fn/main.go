// Command linstor-cmp-fn renders LINSTOR storage for Kubernetes inside a
// kustomize build or a kpt package: a KRM function, which reads a ResourceList
// on stdin, takes no arguments and writes a ResourceList to stdout.
//
// # Input
//
// The functionConfig is a GeneratorConfig (linstor-cmp.io/v1alpha1) or the
// LinstorCluster itself. The spec of a GeneratorConfig has `path`, a folder
// below the function's own (default "."), `items`, inline objects of our kinds
// and Nodes, `nodes`, a file below the function's folder, and every other
// setting of `linstor-cmp generate` under the name of its flag; a setting here
// is as good as a flag.
//
// Objects of our kinds come from, in this order: the functionConfig, its
// spec.items, the items of the ResourceList, and files. Where two places have
// an object of one kind and name, they must agree (the first is taken), with
// two exceptions: a LinstorCluster as functionConfig, and an item that was read
// from that very file, win over the file whatever it says. The copy of the
// functionConfig that kustomize puts among the items is not counted.
//
// Files are read as the command line reads them, except in the function's own
// folder (path "."), where kustomize is at work: its kustomization, the files
// that this names, and folders with a kustomization of their own are left to
// kustomize. With a LinstorCluster only files of our kinds are read there, and
// none at all if the folder has no kustomization while the items come from
// files. A kpt package (a Kptfile among the items) is its items: files are read
// only below a path that is set.
//
// Nodes come from the first source that is set: the settings of the command
// line, or Node objects in the items, or nodes.yaml in the path, or the cluster
// that the function runs in.
//
// # Output
//
// Other items pass through as they are, in their order. Objects of our kinds
// and Nodes do not, unless they are files of a package: a function that drops
// such an item deletes the file. So those that are marked local-config, and all
// in a kpt package, stay. What an earlier run generated is replaced by the
// object of the same kind, namespace and name.
//
// Nothing generated is an error. On an error the exit code is 1, stdout has the
// items as they came in and the problems as results, nothing generated, or it
// is empty if stdin was no ResourceList.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
