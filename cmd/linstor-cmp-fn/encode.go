package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/linstor-cmp/linstor-cmp/internal/problem"
)

// write writes the list with other items: those given, and then what more adds,
// which is text of list elements. Nothing is written unless all that is given
// can be encoded.
func (l *resourceList) write(w io.Writer, items []*yaml.Node, more func(*bufio.Writer), results []*yaml.Node) error {
	members := []member{{"items", items}, {"functionConfig", nil}, {"results", append(slices.Clip(l.results), results...)}}
	if l.config != nil {
		members[1].values = []*yaml.Node{l.config}
	}
	texts := make([][]byte, len(members))
	for i, m := range members {
		var err error
		if texts[i], err = m.encode(); err != nil {
			return err
		}
	}
	switch {
	case len(items) > 0:
	case more == nil:
		texts[0] = []byte("items: []\n")
	default:
		texts[0] = []byte("items:\n")
	}
	out := bufio.NewWriterSize(w, 1<<16)
	_, _ = fmt.Fprintf(out, "apiVersion: %s\nkind: ResourceList\n", l.apiVersion) // Flush returns its error
	_, _ = out.Write(texts[0])
	if more != nil {
		more(out)
	}
	_, _ = out.Write(texts[1])
	_, _ = out.Write(texts[2])
	if err := out.Flush(); err != nil {
		return fmt.Errorf("cannot write to stdout: %w", err)
	}
	return nil
}

// writeFailed writes the list of a run that failed: the items as they came in,
// and the problems.
func (l *resourceList) writeFailed(w io.Writer, results []*yaml.Node) error {
	return l.write(w, l.items, nil, results)
}

// member is a member of the list: its name and its elements, or its one value.
type member struct {
	key    string
	values []*yaml.Node
}

// encode returns the member as lines of YAML, comments kept; nothing without values.
func (m member) encode() (text []byte, err error) {
	if len(m.values) == 0 {
		return nil, nil
	}
	defer func() { // the values are whatever came in
		if r := recover(); r != nil {
			text, err = nil, problem.Problem{Message: fmt.Sprintf("cannot write %s: %v", m.key, r)}
		}
	}()
	value := &yaml.Node{Kind: yaml.SequenceNode, Content: m.values}
	if m.key == "functionConfig" {
		value = m.values[0]
	}
	spellNulls(value, false)
	var out bytes.Buffer
	enc := yaml.NewEncoder(&out)
	enc.SetIndent(2)
	enc.CompactSeqIndent()
	err = enc.Encode(&yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{{Kind: yaml.ScalarNode, Value: m.key}, value}})
	return out.Bytes(), err
}

// spellNulls writes out values that are left out inside brackets: the encoder
// would make empty texts of these nulls.
func spellNulls(n *yaml.Node, flow bool) {
	flow = flow || n.Style&yaml.FlowStyle != 0
	if flow && n.Kind == yaml.ScalarNode && n.Value == "" && n.ShortTag() == "!!null" {
		n.Value = "null"
	}
	for _, c := range n.Content {
		spellNulls(c, flow)
	}
}
