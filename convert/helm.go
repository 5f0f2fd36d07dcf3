package convert

// haController converts the HA controller, which was a Deployment and is now a
// DaemonSet that guards its own node.
func (c *converter) haController() {
	s := c.in.ha
	if s == nil {
		return
	}
	if s.off {
		c.cluster.set("highAvailabilityController", map[string]any{"enabled": false}, s.own)
		s.own.done() // and nothing of it is rendered
		return
	}
	k := component{c: c, to: c.cluster, kind: "DaemonSet", name: "ha-controller", main: "ha-controller"}
	k.tolerations(s.at("tolerations"))
	k.resources(s.at("resources"))
	k.metadata(s.labels, s.annotations)
	k.pullPolicy(s.at("imagePullPolicy"))
	s.at("affinity").drop("the HA controller runs wherever there is a satellite", "")
	s.at("replicas").drop("the HA controller runs wherever there is a satellite", "")
	s.at("podsecuritycontext").drop("the HA controller is privileged, to act on DRBD", "")
	c.image("ha-controller", s.at("image"))
}

// helmOnly lists what the chart installed beside LINSTOR, and the operator.
func (c *converter) helmOnly() {
	h := c.in.helm
	if h.n == nil {
		return
	}
	for _, extra := range []struct{ key, reason, hint string }{
		{"etcd", "LINSTOR's database is the API of Kubernetes, and no etcd", "migrate the database before: Piraeus's guide for the upgrade to version 2 begins with that"},
		{"stork", "Stork is no part of these manifests", "install its own chart where pods name it as their scheduler"},
		{"csi-snapshotter", "no snapshot controller is part of these manifests, and CSI needs one for snapshots", "install the snapshot controller and its CRDs on their own"},
	} {
		f := h.at(extra.key)
		if f.at("enabled").n != nil && !f.at("enabled").flag(true) {
			f.done() // neither here nor there
			continue
		}
		f.drop(extra.reason, extra.hint)
	}
	for _, part := range h.at("operator").mapping() {
		if key := part.key(); key != "controller" && key != "satelliteSet" {
			part.drop("there is no operator", operatorHints[key])
		}
	}
	for _, policy := range h.at("psp").mapping() {
		policy.drop("Kubernetes has no PodSecurityPolicies any more", "label the namespace for Pod Security: it has to allow privileged pods")
	}
	h.at("global").at("setSecurityContext").drop("every container has its securityContext, and none comes from here", "patch it with customizeComponents")
	for _, key := range []string{"nameOverride", "fullnameOverride"} {
		h.at(key).drop("the names of objects are fixed", "")
	}
	c.idle()
}

var operatorHints = map[string]string{
	"args": "the controller backs up its database itself before it migrates it; for monitoring, write a PodMonitor of your own for the controller and the satellites",
}

// idle lists what the values say for all components, where none of those that
// are switched on took it.
func (c *converter) idle() {
	for _, f := range c.in.controller.shared {
		if f.n != nil && f.n.state == untouched {
			f.drop("nothing that is switched on has it", "")
		}
	}
}
