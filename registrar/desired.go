package registrar

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/linstor-cmp/linstor-cmp/internal/problem"
)

// The ports on which satellites listen, by encryption.
const (
	Plain = "PLAIN"
	SSL   = "SSL"
)

var ports = map[string]int{Plain: 3366, SSL: 3367}

// Node is what LINSTOR is to know of a node: node.json.
type Node struct {
	Name       string
	Properties map[string]string
	Pools      []Pool
	Removed    []string // pools that LINSTOR is to forget once they are empty
	Families   []string // IPv4, IPv6, the preferred one first; empty: those of the pod, in its order
	Encryption string   // Plain or SSL
}

// Port returns where the node's satellite listens.
func (n Node) Port() int { return ports[n.Encryption] }

// nodeFile is node.json as it is written.
type nodeFile struct {
	Name                string            `json:"name"`
	Properties          map[string]string `json:"properties"`
	StoragePools        []poolFile        `json:"storagePools"`
	RemovedStoragePools []string          `json:"removedStoragePools"`
	IPFamilies          []string          `json:"ipFamilies"`
	Encryption          string            `json:"encryption"` // PLAIN (default) or SSL
}

// ParseNode reads node.json. The error is a problem.List of all its faults.
func ParseNode(data []byte) (Node, error) {
	var file nodeFile
	if err := strictJSON(data, &file); err != nil {
		return Node{}, problem.List{{Subject: "node.json", Message: err.Error()}}
	}
	n := Node{
		Name: file.Name, Properties: file.Properties, Removed: file.RemovedStoragePools,
		Families: file.IPFamilies, Encryption: strings.ToUpper(file.Encryption),
	}
	if n.Encryption == "" {
		n.Encryption = Plain
	}
	var faults problem.List
	fault := func(format string, args ...any) {
		faults.Add(problem.Problem{Subject: "node.json", Message: fmt.Sprintf(format, args...)})
	}
	if n.Name == "" {
		fault("name is missing")
	}
	if ports[n.Encryption] == 0 {
		fault("encryption is %q; want PLAIN or SSL", file.Encryption)
	}
	for i, f := range n.Families {
		if (f != "IPv4" && f != "IPv6") || slices.Contains(n.Families[:i], f) {
			fault("ipFamilies: %q; want IPv4 and IPv6, each at most once", f)
		}
	}
	checkNames("properties", file.Properties, fault)
	devices := map[string]string{}
	for _, p := range file.StoragePools {
		pool := p.pool(fault)
		if slices.ContainsFunc(n.Pools, func(o Pool) bool { return o.Name == pool.Name }) {
			fault("storage pool %q is listed twice", pool.Name)
		}
		for _, d := range pool.Devices {
			if other, used := devices[d]; used {
				fault("device %s belongs to the pools %q and %q", d, other, pool.Name)
			}
			devices[d] = pool.Name
		}
		n.Pools = append(n.Pools, pool)
	}
	for _, name := range n.Removed {
		if slices.ContainsFunc(n.Pools, func(o Pool) bool { return o.Name == name }) {
			fault("storage pool %q is in storagePools and in removedStoragePools", name)
		}
	}
	return n, faults.Err()
}

// checkNames refuses names of properties that a registrar keeps for itself.
func checkNames(where string, props map[string]string, fault func(string, ...any)) {
	for name := range props {
		if name == "" || name == Remembered {
			fault("%s: %q is not for git to set", where, name)
		}
	}
}

// strictJSON decodes one JSON value and refuses unknown fields.
func strictJSON(data []byte, into any) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(into); err != nil {
		return fmt.Errorf("no usable JSON: %w", err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return errors.New("there is more after the JSON object")
	}
	return nil
}

var (
	poolName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{1,46}[A-Za-z0-9]$`)
	// A backing as LINSTOR spells it: VG, VG/thin pool, zpool or dataset.
	backingName = regexp.MustCompile(`^[A-Za-z0-9.+_:-]+(/[A-Za-z0-9.+_:-]+)*$`)
)

func cleanDevice(d string) bool { return strings.HasPrefix(d, "/dev/") && path.Clean(d) == d }

// ParseAddresses reads the IP addresses of the pod, separated by commas, as
// the downward API gives status.podIPs.
func ParseAddresses(text string) ([]netip.Addr, error) {
	var out []netip.Addr
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		addr, err := netip.ParseAddr(part)
		if err != nil {
			return nil, fmt.Errorf("no IP address: %q", part)
		}
		out = append(out, addr.Unmap())
	}
	if len(out) == 0 {
		return nil, errors.New("the pod has no IP address yet")
	}
	return out, nil
}
