package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/linstor-cmp/linstor-cmp/registrar"
	"github.com/linstor-cmp/linstor-cmp/registrar/kube"
	"github.com/linstor-cmp/linstor-cmp/registrar/linstor"
)

// version is set at link time.
var version = "unknown"

// The exit codes.
const (
	exitDone  = 0
	exitFault = 1 // the address for the state cannot be listened on
	exitUsage = 2
)

// run is the program. It returns when ctx ends.
func run(ctx context.Context, args []string, getenv func(string) string, stdout, stderr io.Writer) int {
	s, err := parse(args, stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return exitDone
	case s.version && err == nil:
		fmt.Fprintln(stdout, "linstor-registrar", version)
		return exitDone
	}
	var loop *registrar.Loop
	if err == nil {
		loop, err = newLoop(s, getenv, slog.New(slog.NewTextHandler(stderr, nil)))
	}
	if err != nil {
		if !errors.Is(err, errUsage) {
			fmt.Fprintf(stderr, "error: %v\n", err)
		}
		return exitUsage
	}
	stop, err := serve(s.listen, loop.State.Handler(), loop.Log)
	if err != nil {
		fmt.Fprintf(stderr, "error: %v\nhint: choose another address with --listen\n", err)
		return exitFault
	}
	defer stop()
	loop.Log.Info("linstor-registrar begins", "version", version, "config", s.config, "interval", s.interval)
	loop.Run(ctx)
	return exitDone
}

func newLoop(s settings, getenv func(string) string, log *slog.Logger) (*registrar.Loop, error) {
	config, err := linstor.FromEnvironment(getenv)
	if err != nil {
		return nil, err
	}
	config.Timeout, config.UserAgent = s.timeout, "linstor-registrar/"+version
	if s.serverName != "" && config.TLS != nil {
		config.TLS.ServerName = s.serverName
	}
	client, err := linstor.New(config)
	if err != nil {
		return nil, fmt.Errorf("LS_CONTROLLERS: %w", err)
	}
	cluster, err := kube.InCluster(getenv, s.account)
	if err != nil && !errors.Is(err, kube.ErrNoCluster) {
		return nil, err
	}
	loop := &registrar.Loop{
		Config: s.config, Interval: s.interval, Poll: s.poll, Log: log,
		State: &registrar.State{AlwaysReady: s.controller},
	}
	if s.controller {
		keeper := &registrar.ClusterKeeper{Client: client, Passphrase: getenv("MASTER_PASSPHRASE")}
		if cluster != nil {
			keeper.Labels = cluster.NodeLabels
		}
		loop.Keeper = keeper
		return loop, nil
	}
	keeper, err := nodeKeeper(s, client, getenv)
	if err != nil {
		return nil, err
	}
	if cluster != nil {
		if s.restartCSI {
			keeper.RestartCSI = cluster.RestartCSINode
		}
		if s.events {
			loop.Tell = tell(cluster, keeper.NodeName)
		}
	}
	if cluster == nil && (s.events || s.restartCSI) {
		log.Warn("no service account is mounted: faults are not told to Kubernetes, and the CSI driver is not restarted after a change of topology")
	}
	loop.Keeper = keeper
	return loop, nil
}

func nodeKeeper(s settings, client *linstor.Client, getenv func(string) string) (*registrar.NodeKeeper, error) {
	addresses, err := registrar.ParseAddresses(getenv("POD_IPS"))
	if err != nil {
		return nil, fmt.Errorf("POD_IPS: %w", err)
	}
	name := getenv("LB_FORCE_NODE_NAME")
	if name == "" {
		return nil, errors.New("LB_FORCE_NODE_NAME is not set; want the node's name, as the satellite has it")
	}
	keeper := &registrar.NodeKeeper{
		Client: client, Addresses: addresses, NodeName: name,
		Probe: registrar.Probe{LVMBackup: s.lvmBackup, Sys: s.sys, Proc: s.proc, Off: !s.probe},
	}
	if s.waitSatellite {
		keeper.Listening = listening
	}
	return keeper, nil
}

// listening connects to a satellite and hangs up.
func listening(ctx context.Context, address string, port int) error {
	conn, err := (&net.Dialer{Timeout: 2 * time.Second}).DialContext(ctx, "tcp", net.JoinHostPort(address, strconv.Itoa(port)))
	if err != nil {
		return err
	}
	return conn.Close()
}

// tell makes Events of faults: the reason is the kind of step in CamelCase.
func tell(cluster *kube.Client, node string) func(context.Context, registrar.Fault) error {
	return func(ctx context.Context, f registrar.Fault) error {
		reason := "Linstor"
		for word := range strings.SplitSeq(string(f.Kind), "-") {
			reason += strings.ToUpper(word[:1]) + word[1:]
		}
		message := f.Error()
		if f.Hint != "" {
			message += " (" + f.Hint + ")"
		}
		return cluster.TellNode(ctx, node, reason, message)
	}
}

// serve answers probes in the background until stop is called.
func serve(address string, handler http.Handler, log *slog.Logger) (stop func(), err error) {
	if address == "" {
		return func() {}, nil
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, err
	}
	server := &http.Server{
		Handler: handler, ReadHeaderTimeout: 5 * time.Second, WriteTimeout: 10 * time.Second,
		IdleTimeout: 30 * time.Second, MaxHeaderBytes: 16 << 10,
	}
	log.Info("state is served", "address", listener.Addr().String())
	go func() {
		if err := server.Serve(listener); err != nil && !errors.Is(err, http.ErrServerClosed) {
			log.Error("state is no longer served: " + err.Error())
		}
	}()
	return func() { _ = server.Close() }, nil
}
