// Command linstor-registrar makes a satellite known to LINSTOR and keeps what
// LINSTOR knows of it equal to git. It runs as the last container of every
// satellite's pod, and once, with --controller, beside the LINSTOR controller.
//
// # Environment
//
//	LS_CONTROLLERS        URLs of the controller, separated by commas
//	LS_ROOT_CA, LS_USER_CERTIFICATE, LS_USER_KEY (PEM), or the same names with
//	_FILE                 TLS; also LS_USERNAME and LS_PASSWORD
//	POD_IPS               addresses of the pod (status.podIPs)
//	LB_FORCE_NODE_NAME    name of the node (spec.nodeName), as the satellite has it
//	MASTER_PASSPHRASE     with --controller: the master passphrase, if there is one
//
// # State
//
// /healthz, /readyz and /metrics on the address of --listen. Ready means that
// the node is registered and online; /readyz also says what is wrong. One line
// is logged for every change made, and one for every new fault.
//
// The exit code is 0 after SIGTERM or SIGINT and 2 for a wrong call. Faults of
// LINSTOR or of the configuration never end it.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
)

// The size that a registrar is to stay below is 25 MiB; collecting garbage
// early costs it nothing, as it has hardly any work.
const (
	memoryLimit  = 14 << 20
	garbageShare = 40 // percent
)

func main() {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memoryLimit)
	}
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(garbageShare)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Getenv, os.Stdout, os.Stderr))
}
