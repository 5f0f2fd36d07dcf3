package linstor

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
)

// Node returns a node. See IsNotFound for one that is not registered.
func (c *Client) Node(ctx context.Context, name string) (Node, error) {
	var n Node
	err := c.get(ctx, join("nodes", name), &n)
	return n, err
}

// Pools returns the storage pools of a node, with what LINSTOR last knew of
// their space: it does not ask the satellite.
func (c *Client) Pools(ctx context.Context, node string) ([]Pool, error) {
	var pools []Pool
	err := c.get(ctx, join("nodes", node, "storage-pools")+"?cached=true", &pools)
	return pools, err
}

// EmptyDevices returns the devices of a node that LINSTOR found empty.
func (c *Client) EmptyDevices(ctx context.Context, node string) ([]Device, error) {
	var devices []Device
	err := c.get(ctx, join("physical-storage", node), &devices)
	return devices, err
}

// Users returns the names of the resources in a pool of a node.
func (c *Client) Users(ctx context.Context, node, pool string) ([]string, error) {
	var resources []struct {
		Name string `json:"name"`
	}
	query := url.Values{"nodes": {node}, "storage_pools": {pool}}
	err := c.get(ctx, "/v1/view/resources?"+query.Encode(), &resources)
	names := make([]string, 0, len(resources))
	for _, r := range resources {
		names = append(names, r.Name)
	}
	return names, err
}

// ControllerProperties returns the properties of the controller.
func (c *Client) ControllerProperties(ctx context.Context) (map[string]string, error) {
	var props map[string]string
	err := c.get(ctx, "/v1/controller/properties", &props)
	return props, err
}

// PassphraseStatus returns the state of the master passphrase: one of the
// constants Passphrase…. See IsUnsupported for controllers before the request.
func (c *Client) PassphraseStatus(ctx context.Context) (string, error) {
	// Documented as a list of one; a bare object is as good.
	var raw json.RawMessage
	if err := c.get(ctx, "/v1/encryption/passphrase", &raw); err != nil {
		return "", err
	}
	type state struct {
		Status string `json:"status"`
	}
	var list []state
	if json.Unmarshal(raw, &list) == nil && len(list) > 0 {
		return list[0].Status, nil
	}
	var one state
	_ = json.Unmarshal(raw, &one) // an unknown shape is an unknown status
	return one.Status, nil
}

// EachNode calls do with every node of the cluster until it returns an error.
func (c *Client) EachNode(ctx context.Context, do func(Node) error) error {
	return list(ctx, c, "/v1/nodes", do)
}

// EachConnection calls do with every connection that has had properties, until
// it returns an error.
func (c *Client) EachConnection(ctx context.Context, do func(Connection) error) error {
	return list(ctx, c, "/v1/node-connections", do)
}

func (c *Client) get(ctx context.Context, path string, into any) error {
	ctx, cancel := context.WithTimeout(ctx, c.config.Timeout)
	defer cancel()
	answer, err := c.ask(ctx, http.MethodGet, path, nil)
	if err != nil {
		return err
	}
	defer answer.close()
	if err := answer.decode(into, mostSingle); err != nil {
		return answer.fault(nil, err)
	}
	return nil
}

// list has more time than get: a cluster of a thousand nodes is a long answer.
func list[T any](ctx context.Context, c *Client, path string, do func(T) error) error {
	ctx, cancel := context.WithTimeout(ctx, 6*c.config.Timeout)
	defer cancel()
	answer, err := c.ask(ctx, http.MethodGet, path, nil)
	if err != nil {
		return err
	}
	defer answer.close()
	var own stop
	err = each(answer, func(element T) error {
		if err := do(element); err != nil {
			own = stop{err}
			return err
		}
		return nil
	})
	if own.error != nil {
		return own.error
	}
	if err != nil {
		return answer.fault(nil, err)
	}
	return nil
}
