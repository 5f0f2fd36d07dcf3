// Command linstor-cmp renders LINSTOR storage for Kubernetes from a folder in
// git and the nodes of a cluster, by hand or as Argo CD's plugin.
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
