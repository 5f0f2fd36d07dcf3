package generator

import (
	"crypto/sha256"
	"encoding/base32"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/linstor-cmp/linstor-cmp/internal/problem"
)

// The labels and annotations that every object of a node carries.
const (
	labelNode      = "linstor-cmp.io/node" // the fit name; as an annotation, the exact name
	labelName      = "app.kubernetes.io/name"
	labelComponent = "app.kubernetes.io/component"
	labelManagedBy = "app.kubernetes.io/managed-by"
	labelInstance  = "app.kubernetes.io/instance" // Argo CD's
)

const (
	maxLabel = 63 // characters of a DNS label
	hashLen  = 8
)

// fit makes a name fit for a DNS label of at most limit characters: lower case,
// dashes for everything else. A name that is changed or cut ends in a hash of
// the exact name, so that no two names become one.
func fit(name string, limit int) string {
	out := strings.Trim(strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z' || '0' <= r && r <= '9' || r == '-':
			return r
		case 'A' <= r && r <= 'Z':
			return r - 'A' + 'a'
		}
		return '-'
	}, name), "-")
	if out == name && len(out) <= limit {
		return out
	}
	if room := limit - hashLen - 1; len(out) > room {
		out = strings.TrimRight(out[:room], "-")
	}
	sum := sha256.Sum256([]byte(name))
	return out + "-" + strings.ToLower(base32.HexEncoding.EncodeToString(sum[:]))[:hashLen]
}

// checkNames reports nodes whose fit names are the same: a node that is called
// what another's name is hashed to.
func checkNames(entries []*entry) problem.List {
	var faults problem.List
	seen := make(map[string]string, len(entries))
	for _, e := range entries {
		if other, dup := seen[e.fit]; dup {
			faults.Add(problem.Problem{
				Subject: fmt.Sprintf("node %s", e.node.Name),
				Message: fmt.Sprintf("its objects would have the names of those of node %s", other),
				Hint:    "leave one of the two out with the LinstorCluster's nodeSelector or nodeAffinity",
			})
		}
		seen[e.fit] = e.node.Name
	}
	return faults
}

// checkPlainNames reports nodes whose name may not stand in an object's name
// unchanged, where an overlay asks for Piraeus's names.
func checkPlainNames(entries []*entry) problem.List {
	var faults problem.List
	for _, e := range entries {
		if e.class.node.separator != "." {
			continue
		}
		longest := loaderName + "." + e.node.Name
		if m := validation.IsDNS1123Subdomain(longest); len(m) > 0 {
			faults.Add(problem.Problem{
				Subject: "node " + e.node.Name,
				Message: fmt.Sprintf("%q is no name of an object: %s", longest, m[0]),
				Hint:    `leave out resourceNameSuffixSeparator: "." for this node; then its name is made fit`,
			})
		}
	}
	return faults
}

// nodeList names nodes in a message: all of a few, the first of many.
func nodeList(names []string) string {
	const most = 10
	switch {
	case len(names) == 1:
		return "node " + names[0]
	case len(names) <= most:
		return "nodes " + strings.Join(names, ", ")
	}
	return fmt.Sprintf("nodes %s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}
