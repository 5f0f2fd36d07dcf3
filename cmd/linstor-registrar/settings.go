package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"time"
)

// settings are what the flags say.
type settings struct {
	controller    bool
	config        string
	interval      time.Duration
	poll          time.Duration
	timeout       time.Duration
	listen        string
	serverName    string
	events        bool
	restartCSI    bool
	probe         bool
	lvmBackup     string
	sys, proc     string
	account       string
	version       bool
	waitSatellite bool
}

// errUsage is a call that the flag package has complained about already.
var errUsage = errors.New("wrong usage")

func parse(args []string, stderr io.Writer) (settings, error) {
	var s settings
	flags := flag.NewFlagSet("linstor-registrar", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.BoolVar(&s.controller, "controller", false, "keep the controller's properties, node connections and passphrase instead of a node")
	flags.StringVar(&s.config, "config", "", "`file` that says what git wants (default /etc/linstor/node.json, with --controller /etc/linstor/cluster.json)")
	flags.DurationVar(&s.interval, "interval", time.Minute, "how often LINSTOR is compared with git while all is well")
	flags.DurationVar(&s.poll, "poll", 2*time.Second, "how often the file is looked at")
	flags.DurationVar(&s.timeout, "timeout", 20*time.Second, "how long LINSTOR may take to say what it knows; changes have longer")
	flags.StringVar(&s.listen, "listen", ":9943", "`address` for /healthz, /readyz and /metrics; empty: none")
	flags.StringVar(&s.serverName, "tls-server-name", "", "`name` in the controller's certificate, where the URL has another")
	flags.BoolVar(&s.events, "events", true, "tell faults as Kubernetes Events on the node")
	flags.BoolVar(&s.restartCSI, "restart-csi-node", true, "restart the node's linstor-csi-node pod after a change of its topology properties")
	flags.BoolVar(&s.probe, "probe", true, "make a storage pool known only when its volume group, thin pool or zpool is found on the node")
	flags.StringVar(&s.lvmBackup, "lvm-backup", "/etc/lvm/backup", "`directory` of LVM's metadata backup on the node, for --probe")
	flags.StringVar(&s.sys, "sys", "/sys", "`directory` of the node's sysfs, for --probe")
	flags.StringVar(&s.proc, "proc", "/proc", "`directory` of the node's procfs, for --probe")
	flags.StringVar(&s.account, "service-account", "/var/run/secrets/kubernetes.io/serviceaccount", "`directory` of the pod's service account")
	flags.BoolVar(&s.waitSatellite, "wait-for-satellite", true, "register the node once its satellite accepts connections")
	flags.BoolVar(&s.version, "version", false, "print the version and exit")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return s, err
		}
		return s, errUsage
	}
	switch {
	case flags.NArg() > 0:
		return s, fmt.Errorf("no arguments are taken, found %q", flags.Arg(0))
	case s.interval < time.Second || s.poll < 10*time.Millisecond || s.timeout < time.Second:
		return s, errors.New("--interval and --timeout are at least 1s, --poll at least 10ms")
	}
	if s.config == "" {
		s.config = "/etc/linstor/node.json"
		if s.controller {
			s.config = "/etc/linstor/cluster.json"
		}
	}
	return s, nil
}
