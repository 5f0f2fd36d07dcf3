package kube

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// eventNamespace is where Kubernetes wants Events on objects that are in no
// namespace.
const eventNamespace = "default"

// TellNode records a warning as an Event on a node, where `kubectl describe
// node` shows it. The reason is a word in CamelCase, without spaces.
func (c *Client) TellNode(ctx context.Context, node, reason, message string) error {
	now := time.Now().UTC()
	const most = 1000 // Kubernetes takes 1024 bytes
	if len(message) > most {
		message = strings.ToValidUTF8(message[:most], "") + "…"
	}
	stamp := now.Format(time.RFC3339)
	return c.do(ctx, http.MethodPost, "/api/v1/namespaces/"+eventNamespace+"/events", nil, map[string]any{
		"apiVersion": "v1",
		"kind":       "Event",
		"metadata": map[string]any{
			"name":      fmt.Sprintf("%.200s.%x", node, now.UnixNano()),
			"namespace": eventNamespace,
		},
		// The kubelet names nodes in this way, and so kubectl looks for them.
		"involvedObject": map[string]any{"apiVersion": "v1", "kind": "Node", "name": node, "uid": node},
		"type":           "Warning",
		"reason":         reason,
		"message":        message,
		"source":         map[string]any{"component": "linstor-registrar", "host": node},
		"firstTimestamp": stamp,
		"lastTimestamp":  stamp,
		"count":          1,
	}, nil)
}

// list is a page of a list, as far as it matters here.
type list struct {
	Metadata struct {
		Continue string `json:"continue"`
	} `json:"metadata"`
	Items []struct {
		Metadata struct {
			Name   string            `json:"name"`
			UID    string            `json:"uid"`
			Labels map[string]string `json:"labels"`
		} `json:"metadata"`
	} `json:"items"`
}

// NodeLabels returns, of every node of the cluster, its labels with these keys.
func (c *Client) NodeLabels(ctx context.Context, keys []string) (map[string]map[string]string, error) {
	out := map[string]map[string]string{}
	query := url.Values{"limit": {"100"}}
	for {
		var page list
		if err := c.do(ctx, http.MethodGet, "/api/v1/nodes", query, nil, &page); err != nil {
			return nil, err
		}
		for _, n := range page.Items {
			labels := map[string]string{}
			for k, v := range n.Metadata.Labels {
				if slices.Contains(keys, k) {
					labels[k] = v
				}
			}
			out[n.Metadata.Name] = labels
		}
		if page.Metadata.Continue == "" {
			return out, nil
		}
		query.Set("continue", page.Metadata.Continue)
	}
}

// CSINode is the label that the CSI driver's pods have, and no others.
const CSINode = "app.kubernetes.io/component=linstor-csi-node"

// RestartCSINode deletes the CSI driver's pod of a node; its DaemonSet makes a
// new one. Pods of other nodes or with other labels are never deleted.
func (c *Client) RestartCSINode(ctx context.Context, node string) error {
	if node == "" {
		return errors.New("no node is given")
	}
	path := "/api/v1/namespaces/" + url.PathEscape(c.Namespace) + "/pods"
	var pods list
	query := url.Values{"labelSelector": {CSINode}, "fieldSelector": {"spec.nodeName=" + node}}
	if err := c.do(ctx, http.MethodGet, path, query, nil, &pods); err != nil {
		return err
	}
	key, value, _ := strings.Cut(CSINode, "=")
	for _, p := range pods.Items {
		if p.Metadata.Labels[key] != value {
			continue
		}
		// The UID keeps a pod alive that has taken the place of the one seen.
		err := c.do(ctx, http.MethodDelete, path+"/"+url.PathEscape(p.Metadata.Name), nil, map[string]any{
			"apiVersion": "v1", "kind": "DeleteOptions",
			"preconditions": map[string]any{"uid": p.Metadata.UID},
		}, nil)
		var refused *statusError
		if errors.As(err, &refused) && (refused.code == http.StatusNotFound || refused.code == http.StatusConflict) {
			continue // it is gone already
		}
		if err != nil {
			return err
		}
	}
	return nil
}
