package registrar

import (
	"context"
	"maps"

	"github.com/linstor-cmp/linstor-cmp/registrar/linstor"
)

// ClusterKeeper keeps what is of no single node: properties of the controller,
// connections between nodes, the master passphrase. Its fields are set before
// the first pass.
type ClusterKeeper struct {
	Client     *linstor.Client
	Passphrase string // empty: git says nothing of one
	// Labels returns, of each node of the cluster, the labels with these keys.
	// Nil: a node's label is its LINSTOR property Aux/topology/KEY.
	Labels func(ctx context.Context, keys []string) (map[string]map[string]string, error)

	want    Cluster
	repeats repeats
}

// Load takes over what git says. An error leaves what it said before.
func (k *ClusterKeeper) Load(data []byte) error {
	want, err := ParseCluster(data)
	if err != nil {
		return err
	}
	k.want = want
	return nil
}

// Subject names what is kept.
func (k *ClusterKeeper) Subject() string { return "controller" }

// Pass looks, plans and applies once.
func (k *ClusterKeeper) Pass(ctx context.Context, busy func(Step)) Result {
	plan, err := k.controller(ctx)
	if err != nil {
		return lookFailed(k.Subject(), err)
	}
	connections, err := k.connections(ctx)
	if err != nil {
		// What could be learnt is done all the same.
		r := apply(ctx, k.Client, plan, busy)
		failed := lookFailed("connections", err)
		r.Faults, r.Failed, r.InSync = append(r.Faults, failed.Faults...), true, false
		return r
	}
	plan.Steps = append(plan.Steps, connections.Steps...)
	plan.Faults = append(plan.Faults, connections.Faults...)
	plan.More = connections.More
	r := apply(ctx, k.Client, plan, busy)
	if again := k.repeats.count(r); len(again) > 0 {
		r.Faults, r.InSync = append(r.Faults, again...), false
	}
	return r
}

func (k *ClusterKeeper) controller(ctx context.Context) (Plan, error) {
	have, err := k.Client.ControllerProperties(ctx)
	if err != nil {
		return Plan{}, err
	}
	status := ""
	if k.Passphrase != "" {
		status, err = k.Client.PassphraseStatus(ctx)
		if err != nil && !linstor.IsUnsupported(err) {
			return Plan{}, err
		}
	}
	return PlanController(k.want, have, k.Passphrase, status), nil
}

// connections plans while the list of connections comes in.
func (k *ClusterKeeper) connections(ctx context.Context) (Plan, error) {
	keys := k.want.keys()
	var labels map[string]map[string]string
	if k.Labels != nil && len(keys) > 0 {
		var err error
		if labels, err = k.Labels(ctx, keys); err != nil {
			return Plan{}, err
		}
	}
	var nodes []Member
	err := k.Client.EachNode(ctx, func(n linstor.Node) error {
		m := Member{Name: n.Name, Labels: maps.Clone(labels[n.Name])}
		if k.Labels == nil {
			m.Labels = map[string]string{}
			for _, key := range keys {
				if v, ok := n.Props[topology+key]; ok {
					m.Labels[key] = v
				}
			}
		}
		for _, i := range n.Interfaces {
			m.Interfaces = append(m.Interfaces, i.Name)
		}
		nodes = append(nodes, m)
		return nil
	})
	if err != nil {
		return Plan{}, err
	}
	var failed error
	plan := PlanConnections(k.want, nodes, func(yield func(linstor.Connection) bool) {
		failed = k.Client.EachConnection(ctx, func(c linstor.Connection) error {
			yield(c) // the plan takes all of them
			return nil
		})
	})
	return plan, failed
}
