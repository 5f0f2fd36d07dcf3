package registrar

import (
	"context"
	"net/netip"
	"slices"
	"strings"

	"github.com/linstor-cmp/linstor-cmp/registrar/linstor"
)

// NodeKeeper keeps one node. Its fields are set before the first pass.
type NodeKeeper struct {
	Client    *linstor.Client
	Addresses []netip.Addr // of the pod
	NodeName  string       // what the satellite calls itself; must be the name in node.json
	Probe     Probe
	// Listening tells whether the satellite accepts connections. Nil: it does.
	Listening func(ctx context.Context, address string, port int) error
	// RestartCSI restarts the CSI driver of the node after a change of its
	// topology. Nil: nobody does.
	RestartCSI func(ctx context.Context, node string) error

	want        Node
	seen        Seen
	rest        bool // the last pass found nothing to do
	turn        int
	repeats     repeats
	restartsCSI bool // a restart is due
}

// Load takes over what git says. An error leaves what it said before.
func (k *NodeKeeper) Load(data []byte) error {
	want, err := ParseNode(data)
	if err != nil {
		return err
	}
	k.want, k.rest = want, false
	return nil
}

// Subject names what is kept.
func (k *NodeKeeper) Subject() string { return "node " + k.want.Name }

// Pass looks, plans and applies once. At rest it makes a single request, for
// the node and for its pools in turn; if that shows a difference, all is looked
// at before anything is done.
func (k *NodeKeeper) Pass(ctx context.Context, busy func(Step)) Result {
	if k.NodeName != k.want.Name {
		p := Plan{}
		p.fault(KindConfig, k.Subject(), "mount the satellite-config of this node",
			"node.json is of node %q, but the satellite calls itself %q; nothing is changed", k.want.Name, k.NodeName)
		return Result{Faults: p.Faults}
	}
	if k.rest {
		if err := k.glance(ctx); err != nil {
			return k.failed(err)
		}
		if plan := PlanNode(k.want, k.Addresses, k.seen); plan.InSync() {
			return k.done(ctx, apply(ctx, k.Client, plan, busy))
		}
	}
	k.rest = false
	if waiting := k.satellite(ctx); waiting != "" {
		known := k.seen.Node != nil // and not online
		return Result{Waiting: waiting, Failed: true, Known: known, Registered: known}
	}
	if err := k.look(ctx); err != nil {
		return k.failed(err)
	}
	plan := PlanNode(k.want, k.Addresses, k.seen)
	r := apply(ctx, k.Client, plan, busy)
	for _, s := range r.Changes {
		k.restartsCSI = k.restartsCSI || s.Topology
	}
	return k.done(ctx, r)
}

// done is what follows every pass that came to its end.
func (k *NodeKeeper) done(ctx context.Context, r Result) Result {
	if again := k.repeats.count(r); len(again) > 0 {
		r.Faults, r.InSync = append(r.Faults, again...), false
	}
	k.rest = r.InSync
	return k.restart(ctx, r)
}

func (k *NodeKeeper) failed(err error) Result {
	k.rest = false
	return lookFailed(k.Subject(), err)
}

// satellite waits for the satellite before the controller is told of it.
func (k *NodeKeeper) satellite(ctx context.Context) string {
	online := k.seen.Node != nil && strings.EqualFold(k.seen.Node.ConnectionStatus, online)
	wanted := k.want.interfaces(k.Addresses)
	if online || k.Listening == nil || len(wanted) == 0 {
		return ""
	}
	if err := k.Listening(ctx, wanted[0].Address, wanted[0].Port); err != nil {
		return "the satellite does not accept connections yet: " + err.Error()
	}
	return ""
}

// glance renews one half of what was seen.
func (k *NodeKeeper) glance(ctx context.Context) error {
	k.turn++
	if k.turn%2 == 0 {
		pools, err := k.Client.Pools(ctx, k.want.Name)
		if err == nil || linstor.IsNotFound(err) {
			k.seen.Pools = pools
			return nil
		}
		return err
	}
	return k.node(ctx)
}

func (k *NodeKeeper) node(ctx context.Context) error {
	node, err := k.Client.Node(ctx, k.want.Name)
	switch {
	case linstor.IsNotFound(err):
		k.seen.Node = nil
	case err != nil:
		return err
	default:
		k.seen.Node = &node
	}
	return nil
}

// look sees anew all that a plan may depend on.
func (k *NodeKeeper) look(ctx context.Context) error {
	k.seen = Seen{}
	if err := k.node(ctx); err != nil {
		return err
	}
	if k.seen.Node == nil || !strings.EqualFold(k.seen.Node.ConnectionStatus, online) {
		return nil
	}
	var err error
	if k.seen.Pools, err = k.Client.Pools(ctx, k.want.Name); err != nil {
		return err
	}
	has := func(pool string) bool {
		return slices.ContainsFunc(k.seen.Pools, func(p linstor.Pool) bool { return strings.EqualFold(p.Name, pool) })
	}
	k.seen.Backing = map[string]Evidence{}
	devices := false
	for _, p := range k.want.Pools {
		if !has(p.Name) {
			k.seen.Backing[p.Name] = k.Probe.Backing(p)
			devices = devices || len(p.Devices) > 0
		}
	}
	if devices {
		found, err := k.Client.EmptyDevices(ctx, k.want.Name)
		if err != nil {
			return err
		}
		for _, d := range found {
			k.seen.Empty = append(k.seen.Empty, d.Path)
		}
		k.seen.Real = links(k.want.Pools)
	}
	k.seen.Users = map[string][]string{}
	for _, name := range k.want.Removed {
		if has(name) {
			if k.seen.Users[name], err = k.Client.Users(ctx, k.want.Name, name); err != nil {
				return err
			}
		}
	}
	return nil
}

// restart restarts the CSI driver if that is due and the node can be used.
func (k *NodeKeeper) restart(ctx context.Context, r Result) Result {
	if !k.restartsCSI || k.RestartCSI == nil || !r.Online {
		return r
	}
	if err := k.RestartCSI(ctx, k.want.Name); err != nil {
		p := Plan{}
		p.fault(KindRestart, k.Subject(), "restart the linstor-csi-node pod of the node by hand",
			"its topology has changed, and the CSI driver reads it at its start only: %v", err)
		r.Faults, r.Failed = append(r.Faults, p.Faults...), true
		return r
	}
	k.restartsCSI = false
	r.Changes = append(r.Changes, Step{
		Kind: KindRestart, Object: k.Subject(), Says: "restarts the CSI driver of " + k.Subject() + ", whose topology has changed",
	})
	return r
}
