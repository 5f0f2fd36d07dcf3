package convert

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// controller converts the LINSTOR controller.
func (c *converter) controller() {
	s := c.in.controller
	if s == nil {
		c.note(c.roots[0].place, "the input has no LinstorController, so nothing is known of it", "convert it together with the other resources, or amend the LinstorCluster")
		return
	}
	if s.off {
		s.own.done() // and nothing of it is rendered
		return
	}
	k := component{c: c, to: c.cluster, kind: "Deployment", name: "linstor-controller", main: "linstor-controller"}
	if secret := s.at("luksSecret"); secret.has() {
		c.cluster.set("linstorPassphraseSecret", secret.text(), secret)
	} else if c.in.helm.n != nil {
		c.note(s.own.place(), "LINSTOR's passphrase is in a Secret that Helm made, RELEASE-passphrase, and the controller does not start without it", "keep the Secret and name it: linstorPassphraseSecret of the LinstorCluster")
	}
	s.at("masterPassphrase").drop("no Secret is ever written", "keep it in a Secret under MASTER_PASSPHRASE, named by linstorPassphraseSecret")
	c.properties(s.at("additionalProperties"))
	c.replicas(s.at("replicas"), k)
	k.env(s.at("additionalEnv"), k.main)
	k.resources(s.at("resources"))
	k.affinity(s.at("affinity"))
	k.tolerations(s.at("tolerations"))
	k.sidecars(s.at("sidecars"))
	k.volumes(s.at("extraVolumes"))
	k.metadata(s.labels, s.annotations)
	k.priority(s.at("priorityClassName"))
	k.pullSecret(s.at("drbdRepoCred"))
	k.pullPolicy(s.at("imagePullPolicy"))
	c.controllerConfig(s, k)
	c.image("linstor-controller", s.at("controllerImage"))
	s.at("serviceAccountName").dropUnless("the controller has a ServiceAccount of its own", "", "linstor-controller")
}

// controllerConfig writes linstor.toml anew, where it says anything but the
// built-in one.
func (c *converter) controllerConfig(s *section, k component) {
	file := plainShapes()["ConfigMap/linstor-controller-config"].data["linstor.toml"]
	if c.cluster.spec["apiTLS"] != nil {
		file = tlsShapes()["ConfigMap/linstor-controller-config"].data["linstor.toml"]
	}
	before := file
	var from []field
	set := func(f field, header, key, value string) {
		file = setting(file, header, key, value)
		from = append(from, f)
	}
	c.database(s, set)
	http, https := s.at("httpBindAddress"), s.at("httpsBindAddress")
	if http.has() {
		set(http, "[http]", "listen_addr", http.text())
		c.localAPI(http, k)
	}
	if c.cluster.spec["apiTLS"] == nil {
		https.drop("there is no HTTPS without linstorHttpsControllerSecret", "")
	} else if https.has() {
		set(https, "[https]", "listen_addr", https.text())
	}
	if level := s.at("logLevel"); level.has() && level.text() != "info" {
		set(level, "[logging]", "linstor_level", upper(level.text()))
	}
	if file != before {
		k.config("linstor-controller-config", "linstor.toml", file, from...)
	}
}

func (c *converter) database(s *section, set func(f field, header, key, value string)) {
	url := s.at("dbConnectionURL")
	switch text := url.text(); {
	case text == "" || text == "k8s":
	case strings.HasPrefix(text, "etcd:"):
		url.lost("LINSTOR's database is the API of Kubernetes, and no etcd", "migrate the database before: Piraeus's guide for the upgrade to version 2 begins with that")
	default:
		set(url, "[db]", "connection_url", text)
	}
	s.at("dbCertSecret").drop("no certificate for a database is mounted", "mount it with a patch of Deployment/linstor-controller, and name its files in section [db] of linstor.toml")
	s.at("dbUseClientCert").dropUnless("no certificate for a database is mounted", "", false)
}

// localAPI takes care of what an API that listens on one address only means
// for the kubelet, which asks the pod's: as in Piraeus 1 it asks the leader
// election instead.
func (c *converter) localAPI(address field, k component) {
	if slices.Contains([]string{"0.0.0.0", "::", "[::]"}, address.text()) {
		return
	}
	probe := func() map[string]any {
		return map[string]any{"httpGet": map[string]any{"path": "/", "port": int64(9999)}}
	}
	k.container(k.main, map[string]any{
		"env":          []any{map[string]any{"name": "K8S_AWAIT_ELECTION_STATUS_ENDPOINT", "value": ":9999"}},
		"startupProbe": probe(), "livenessProbe": probe(),
	}, address)
	if c.cluster.spec["apiTLS"] == nil {
		c.note(address.place(), fmt.Sprintf("LINSTOR's API listens on %s alone, where its clients in other pods do not reach it", address.text()), "give them HTTPS with apiTLS, or a sidecar that lets them in")
	}
}

func (c *converter) properties(f field) {
	var list []any
	for _, p := range f.mapping() {
		list = append(list, map[string]any{"name": p.key(), "value": p.text()})
	}
	if list != nil {
		c.cluster.set("properties", list, f)
	}
}

func (c *converter) replicas(f field, k component) {
	if n := f.number(1); n != 1 {
		k.to.patch(k.kind, k.name, "", map[string]any{"spec": map[string]any{"replicas": n}}, f)
	}
}

// endpoints looks at the URLs by which clients were told to find the
// controller. It is an external one where none is rendered.
func (c *converter) endpoints() {
	var given []field
	for _, s := range append(slices.Clone(c.in.sets), c.in.csi, c.in.controller) {
		if s == nil {
			continue
		}
		if f := s.at("controllerEndpoint"); f.has() && !slices.ContainsFunc(given, func(o field) bool { return o.n == f.n }) {
			given = append(given, f)
		}
	}
	rendered := c.in.controller != nil && !c.in.controller.off
	var own *regexp.Regexp
	if rendered {
		own = regexp.MustCompile(`^https?://` + regexp.QuoteMeta(c.in.controller.name) + `\.[a-z0-9-]+\.svc(\.[a-z0-9.-]+)?:337[01]$`)
	}
	for i, f := range given {
		url := f.text()
		switch {
		case rendered && c.in.controller.name != "" && own.MatchString(url):
		case rendered:
			f.lost("clients find the controller at its Service linstor-controller", "for a controller that runs elsewhere give externalController of the LinstorCluster")
		case i == 0:
			c.cluster.set("externalController", map[string]any{"url": url}, f)
		case url != given[0].text():
			f.lost("all clients have one controller, at "+given[0].text(), "")
		}
	}
	if given == nil && c.in.controller != nil && c.in.controller.off {
		c.cluster.set("controller", map[string]any{"enabled": false}, c.in.controller.own)
	}
}
