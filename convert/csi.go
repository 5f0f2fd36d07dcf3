package convert

import "strings"

const kubelet = "/var/lib/kubelet"

// csi converts the driver: the CSI controller and the CSI nodes.
func (c *converter) csi() {
	s := c.in.csi
	if s == nil {
		c.note(c.roots[0].place, "the input has no LinstorCSIDriver, so nothing is known of it", "convert it together with the other resources, or amend the LinstorCluster")
		return
	}
	if s.off {
		off := map[string]any{"enabled": false}
		c.cluster.set("csiController", off, s.own)
		c.cluster.set("csiNode", off, s.own)
		s.own.done() // and nothing of it is rendered
		return
	}
	controller := component{c: c, to: c.cluster, kind: "Deployment", name: "linstor-csi-controller", main: "linstor-csi"}
	node := component{c: c, to: c.cluster, kind: "DaemonSet", name: "linstor-csi-node", main: "linstor-csi"}
	if replicas := s.at("controllerReplicas"); replicas.number(1) != 1 {
		c.cluster.set("csiController", map[string]any{"replicas": replicas.number(1)}, replicas)
	}
	if strategy := s.at("controllerStrategy"); strategy.has() {
		c.cluster.patch(controller.kind, controller.name, "", map[string]any{"spec": map[string]any{"strategy": strategy.whole()}}, strategy)
	}
	controller.affinity(s.at("controllerAffinity"))
	if affinity := s.at("nodeAffinity"); affinity.has() { // else it follows the satellites
		node.affinity(affinity)
	}
	controller.tolerations(s.at("controllerTolerations"))
	node.tolerations(s.at("nodeTolerations"))
	controller.sidecars(s.at("controllerSidecars", "sidecars"))
	controller.volumes(s.at("controllerExtraVolumes", "extraVolumes"))
	node.sidecars(s.at("nodeSidecars"))
	node.volumes(s.at("nodeExtraVolumes"))
	for _, container := range []string{"attacher", "provisioner", "resizer", "snapshotter"} {
		threads := s.at("csi" + strings.ToUpper(container[:1]) + container[1:] + "WorkerThreads")
		if n := threads.number(10); n != 10 {
			controller.container("csi-"+container, map[string]any{"env": []any{map[string]any{"name": "WORKER_THREADS", "value": threads.text()}}}, threads)
		}
	}
	for _, k := range []component{controller, node} {
		if resources := s.at("resources"); resources.has() {
			k.containers(func() map[string]any { return map[string]any{"resources": resources.whole()} }, resources)
		}
		k.metadata(s.labels, s.annotations)
		k.priority(s.at("priorityClassName"))
		k.pullSecret(s.at("imagePullSecret"))
		k.pullPolicy(s.at("imagePullPolicy"))
	}
	c.kubeletPath(s.at("kubeletPath"), node)
	if level := s.at("logLevel"); level.has() {
		c.cluster.flags["csiController"] = map[string]any{"log-level": level.text()}
		c.cluster.flags["csiNode"] = map[string]any{"log-level": level.text()}
	}
	s.at("enableTopology").dropUnless("volumes always follow the topology of their nodes", "", true)
	s.at("csiControllerServiceAccountName").dropUnless("the CSI controller has a ServiceAccount of its own", "", "csi-controller", "linstor-csi-controller")
	s.at("csiNodeServiceAccountName").dropUnless("the CSI nodes have a ServiceAccount of their own", "", "csi-node", "linstor-csi-node")
	for _, sidecar := range []struct{ key, component string }{
		{"csiAttacherImage", "csi-attacher"},
		{"csiLivenessProbeImage", "csi-livenessprobe"},
		{"csiNodeDriverRegistrarImage", "csi-node-driver-registrar"},
		{"csiProvisionerImage", "csi-provisioner"},
		{"csiSnapshotterImage", "csi-snapshotter"},
		{"csiResizerImage", "csi-resizer"},
	} {
		c.image(sidecar.component, s.at(sidecar.key))
	}
	c.image("linstor-csi", s.at("linstorPluginImage", "pluginImage"))
}

// kubeletPath moves what the CSI nodes share with the kubelet.
func (c *converter) kubeletPath(f field, node component) {
	dir := strings.TrimSuffix(f.text(), "/")
	if dir == "" || dir == kubelet {
		return
	}
	host := func(volume, path string) any {
		return map[string]any{"name": volume, "hostPath": map[string]any{"path": path}}
	}
	node.pod(map[string]any{
		"containers": []any{
			map[string]any{"name": node.main, "volumeMounts": []any{
				map[string]any{"mountPath": kubelet, "$patch": "delete"},
				map[string]any{"name": "publish-dir", "mountPath": dir, "mountPropagation": "Bidirectional"},
			}},
			map[string]any{"name": "csi-node-driver-registrar", "env": []any{
				map[string]any{"name": "KUBELET_REGISTRATION_PATH", "value": dir + "/plugins/linstor.csi.linbit.com/csi.sock"},
			}},
		},
		"volumes": []any{
			host("publish-dir", dir), host("registration-dir", dir+"/plugins_registry"),
			host("plugin-dir", dir+"/plugins/linstor.csi.linbit.com"),
		},
	}, f)
}
