package convert

import "fmt"

// tls converts the Secrets of TLS. Where Helm or cert-manager made certificates
// whose names are not known, TLS stays on, with the default names: an
// installation that waits for a Secret is better than one in plain text.
func (c *converter) tls() {
	if s := c.in.controller; s != nil && !s.off {
		if secret := s.at("sslSecret"); secret.has() {
			c.cluster.set("internalTLS", map[string]any{"secretName": secret.text()}, secret)
		}
	}
	c.apiTLS()
	c.method("linstorSslMethod", "internalTLS", append([]*target{c.cluster}, c.sets...),
		"name the Secrets that there are: internalTLS.secretName of the LinstorCluster and of the overlay were RELEASE-control-secret and RELEASE-node-secret",
		"name an issuer: internalTLS.certManager of the LinstorCluster and of the overlay, in Piraeus 1 it was RELEASE-ca-issuer")
	c.method("linstorHttpsMethod", "apiTLS", []*target{c.cluster},
		"name the Secrets that there are: apiTLS.apiSecretName was RELEASE-controller-secret, and all others RELEASE-client-secret; the certificate of the API needs the name linstor-controller",
		"name an issuer: apiTLS.certManager of the LinstorCluster, in Piraeus 1 it was RELEASE-ca-issuer")
}

// apiTLS converts the Secrets of the API and of its clients, which in Piraeus 1
// shared one.
func (c *converter) apiTLS() {
	api := map[string]any{}
	var first, client field
	use := func(f field, names ...string) {
		secret := f.text()
		if secret == "" {
			return
		}
		if first.n == nil {
			first = f
		}
		for _, name := range names {
			api[name] = secret
		}
	}
	if s := c.in.controller; s != nil && !s.off {
		server := s.at("linstorHttpsControllerSecret")
		use(server, "apiSecretName")
		if server.has() {
			c.note(server.place(), fmt.Sprintf("the certificate in Secret %q is for the Service of Piraeus 1", server.text()), "clients call https://linstor-controller:3371 now: its certificate needs the name linstor-controller")
		}
		client = s.at("linstorHttpsClientSecret")
		use(client, "clientSecretName", "affinityControllerSecretName", "nfsServerSecretName", "csiControllerSecretName", "csiNodeSecretName")
	}
	if s := c.in.csi; s != nil && !s.off {
		use(s.at("linstorHttpsClientSecret"), "csiControllerSecretName", "csiNodeSecretName")
	}
	for _, s := range c.in.sets {
		f := s.at("linstorHttpsClientSecret")
		if f.has() && (!client.has() || f.text() != client.text()) {
			f.lost("satellites are no clients of the API", "")
		}
	}
	if len(api) > 0 {
		c.cluster.set("apiTLS", api, first)
	}
}

// method looks at who makes certificates; only the chart knows that.
func (c *converter) method(key, tls string, targets []*target, byHelm, byCertManager string) {
	f := c.in.helm.at(key)
	hint := ""
	switch f.text() {
	case "", "manual":
		return
	case "helm":
		hint = byHelm
	case "cert-manager":
		hint = byCertManager
	default:
		c.faults.Errorf(f.place(), "%s: want manual, helm or cert-manager, found %q", key, f.text())
		return
	}
	f.lost("the names of certificates depend on the release, which is not known here; "+tls+" is on, with names to amend", hint)
	for _, t := range targets {
		if t.spec[tls] == nil {
			t.set(tls, map[string]any{}, f)
		}
	}
}
