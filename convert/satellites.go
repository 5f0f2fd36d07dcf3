package convert

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/linstor-cmp/linstor-cmp/internal/manifest"
)

// satelliteSets makes an overlay of each set of satellites, and gathers in the
// LinstorCluster which nodes are to have a satellite at all.
func (c *converter) satelliteSets() {
	everywhere := false
	for _, s := range c.in.sets {
		if s.off {
			s.own.lost("satellites cannot be switched off: every node that the LinstorCluster chooses has one", "choose none, with a nodeSelector and --allow-empty")
			continue
		}
		t := newTarget(fmt.Sprintf("overlays/%s/%s.yaml", s.name, s.name), overlayKind)
		t.name, t.section = s.name, s
		c.sets = append(c.sets, t)
		c.placement(s, t)
		everywhere = everywhere || len(t.terms) == 0
		if secret := s.at("sslSecret"); secret.has() {
			t.set("internalTLS", map[string]any{"secretName": secret.text()}, secret)
		}
	}
	slices.SortFunc(c.sets, func(a, b *target) int { return cmp.Compare(a.name, b.name) })
	if everywhere {
		return
	}
	for _, t := range c.sets {
		c.cluster.terms = append(c.cluster.terms, t.terms...)
	}
}

// placement reads which nodes a set is for.
func (c *converter) placement(s *section, t *target) {
	affinity := s.at("affinity")
	if !affinity.has() {
		return
	}
	for _, part := range affinity.mapping() {
		if part.key() != "nodeAffinity" {
			part.drop("a satellite is tied to its node, whatever else runs there", "")
			continue
		}
		part.at("preferredDuringSchedulingIgnoredDuringExecution").drop("a satellite is tied to its node, without preference", "")
		required := part.at("requiredDuringSchedulingIgnoredDuringExecution")
		terms := required.at("nodeSelectorTerms")
		for _, term := range terms.list() {
			t.terms = append(t.terms, term.whole())
		}
		t.origin[t.kind.placement] = terms.n
		if c.cluster.origin[clusterKind.placement] == nil {
			c.cluster.origin[clusterKind.placement] = terms.n
		}
	}
}

// satelliteSet converts what a set says of its satellites. Whether they have
// TLS is known by now.
func (c *converter) satelliteSet(s *section, t *target) {
	k := component{c: c, to: t, kind: "DaemonSet", name: "linstor-satellite", main: "linstor-satellite"}
	// Piraeus 1 ran all satellites in the network of their hosts, and LINSTOR
	// knows them, and the peers of every DRBD device, by those addresses.
	pod := map[string]any{"hostNetwork": true, "dnsPolicy": "ClusterFirstWithHostNet"}
	if policy := s.at("dnsPolicy").text(); policy != "" {
		pod["dnsPolicy"] = policy
	}
	t.set("podTemplate", map[string]any{"spec": pod}, s.at("dnsPolicy"))
	c.clusterTolerations(s.at("tolerations"))
	c.pools(s.at("storagePools"), t)
	s.at("automaticStorageType").dropUnless("no pools are made of whatever devices there are", "name the devices: storagePools of the overlay, with source.hostDevices", "None")
	k = c.loader(s, k)
	k.env(s.at("additionalEnv"), k.main)
	k.resources(s.at("resources"))
	k.sidecars(s.at("sidecars"))
	k.volumes(s.at("extraVolumes"))
	k.metadata(s.labels, s.annotations)
	k.priority(s.at("priorityClassName"))
	k.pullSecret(s.at("drbdRepoCred"))
	k.pullPolicy(s.at("imagePullPolicy"))
	c.monitoring(s, k)
	c.image("linstor-satellite", s.at("satelliteImage"))
	s.at("serviceAccountName").dropUnless("satellites run as the ServiceAccount satellite", "", "linstor-satellite", "satellite")
	if host := s.at("mountDrbdResourceDirectoriesFromHost"); host.flag(false) {
		k.pod(map[string]any{
			"volumes": []any{
				map[string]any{"name": "etc-drbd-conf", "hostPath": map[string]any{"path": "/etc/drbd.conf", "type": "File"}},
				map[string]any{"name": "etc-drbd-d", "hostPath": map[string]any{"path": "/etc/drbd.d", "type": "Directory"}},
			},
			"containers": []any{map[string]any{"name": k.main, "volumeMounts": []any{
				map[string]any{"name": "etc-drbd-conf", "mountPath": "/etc/drbd.conf"},
				map[string]any{"name": "etc-drbd-d", "mountPath": "/etc/drbd.d"},
			}}},
		}, host)
	}
	if level := s.at("logLevel"); level.has() && level.text() != "info" {
		shapes := plainShapes()
		if t.spec["internalTLS"] != nil {
			shapes = tlsShapes()
		}
		config := shapes["ConfigMap/satellite-config"].data["linstor_satellite.toml"]
		k.config("satellite-config", "linstor_satellite.toml", setting(config, "[logging]", "linstor_level", upper(level.text())), level)
	}
}

// clusterTolerations lets satellites onto tainted nodes: which taints keep a
// node out is for the LinstorCluster to say.
func (c *converter) clusterTolerations(f field) {
	list, _ := c.cluster.spec["tolerations"].([]any)
	for _, one := range f.list() {
		value := one.whole()
		if !slices.ContainsFunc(list, func(o any) bool { return manifest.Equal(o, value) }) {
			list = append(list, value)
		}
	}
	if list != nil {
		c.cluster.set("tolerations", list, f)
	}
}

// monitoring converts what is said of the container that exports metrics.
func (c *converter) monitoring(s *section, k component) {
	image, address := s.at("monitoringImage"), s.at("monitoringBindAddress")
	if image.n != nil && image.n.value == "" {
		// An empty image switched it off.
		k.container("drbd-reactor", map[string]any{"$patch": "delete"}, image)
		image.done()
		address.drop("there is nothing to bind: the container is switched off", "")
		return
	}
	c.image("drbd-reactor", image)
	if address.has() {
		config := plainShapes()["ConfigMap/reactor-config"].data["prometheus.toml"]
		k.config("reactor-config", "prometheus.toml", setting(config, "[[prometheus]]", "address", address.text()+":9942"), address)
	}
}
