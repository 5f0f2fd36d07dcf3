package nodes

import (
	"bytes"
	"errors"

	"github.com/linstor-cmp/linstor-cmp/internal/problem"
)

// maxWhole bounds a YAML document, or an item of a list, that is parsed as a
// whole, in bytes. Its tree is tens of times as large.
const maxWhole = 4 << 20

// The parts of a list that is read item by item. See yamlDocument.
type part int

const (
	inHead  part = iota // up to the line "items:"
	inItems             // up to the line that is less indented than they are
	inTail              // what follows
	inWhole             // not such a list
	inRuin              // too large for anything; the rest is dropped
)

// yamlDocument takes the lines of one YAML document. A list as kubectl prints
// it has a line "items:" at column 0 and below it items that begin with '-',
// all in one column, with nothing but their own lines, further in, between. Of
// such a list each item is parsed alone, and at the end the rest of the
// document.
//
// That has to come to the same as parsing the document as a whole. Every doubt
// therefore ends in doing just that: an item that is no YAML on its own (its
// quotes or brackets close elsewhere; it has an alias from outside), a rest
// that has anchors or is no YAML, a line that fits nowhere. The text is kept
// for it as long as it is small enough.
type yamlDocument struct {
	d     *decoder
	part  part
	mark  int // the faults before the document
	start int // line
	text  []byte
	lost  bool // the document is too large for text

	frame   []byte // head and tail
	head    int    // lines of the frame before the items
	tail    int    // the line at which the tail begins
	column  int    // of the dashes; -1 before the first one
	item    []byte
	itemAt  int // line
	found   items
	problem error // why the items cannot be parsed alone
}

func newYAMLDocument(d *decoder, odd bool) *yamlDocument {
	y := &yamlDocument{d: d, mark: d.mark(), start: d.src.line, column: -1}
	if odd {
		y.part = inWhole
	}
	return y
}

// add takes a line, its end included.
func (y *yamlDocument) add(line []byte, number int) error {
	if y.part == inRuin {
		return nil
	}
	if len(line) > maxWhole {
		return y.ruin(number)
	}
	if !y.lost {
		if len(y.text)+len(line) > maxWhole {
			y.lost, y.text = true, nil
		} else {
			y.text = append(y.text, line...)
		}
	}
	switch y.part {
	case inHead:
		y.frame = append(y.frame, line...)
		y.head++
		if isItemsLine(line) {
			y.part = inItems
			y.found.line = number
		}
	case inItems:
		if err := y.addToItems(line, number); err != nil {
			return err
		}
	case inTail:
		y.frame = append(y.frame, line...)
	}
	if y.lost && (y.part == inHead || y.part == inWhole || len(y.frame) > maxWhole || len(y.item) > maxWhole) {
		return y.ruin(y.start)
	}
	return nil
}

// ruin gives up a document that is too large to go back to its beginning.
func (y *yamlDocument) ruin(line int) error {
	if y.problem != nil {
		return y.drop(y.problem)
	}
	p := y.d.src.errorf(line, "a YAML document of more than %d MiB that is not laid out as kubectl prints a list", maxWhole>>20)
	p.Hint = onlyNodes
	return y.drop(p)
}

// drop gives the document up for a fault that outweighs all others.
func (y *yamlDocument) drop(err error) error {
	y.part = inRuin
	y.text, y.frame, y.item = nil, nil, nil
	y.d.back(y.mark)
	return y.fault(err)
}

// fault adds a problem with the document.
func (y *yamlDocument) fault(err error) error {
	var p problem.Problem
	if !errors.As(err, &p) {
		return err
	}
	y.d.add(p)
	return y.d.full()
}

// notPlain goes back to parsing the document as a whole.
func (y *yamlDocument) notPlain(why error) error {
	y.d.back(y.mark)
	y.problem = why
	y.part = inWhole
	y.found, y.frame, y.item = items{}, nil, nil
	if y.lost {
		return y.ruin(y.start)
	}
	return nil
}

// end takes the end of the document.
func (y *yamlDocument) end() error {
	if y.part == inItems || y.part == inTail {
		if err := y.endList(); err != nil {
			return err
		}
	}
	if y.part == inRuin || y.part == inTail {
		return nil
	}
	t := y.d.newTree(y.start)
	roots, err := t.parse(y.text)
	if err != nil {
		return y.fault(err)
	}
	for _, root := range roots {
		if err := t.measure(root, 0); err != nil {
			return y.fault(err)
		}
		if err := y.d.document(t.value(root)); err != nil {
			return err
		}
	}
	return nil
}

// isItemsLine reports whether a line is the key "items", with its value below.
func isItemsLine(line []byte) bool {
	rest, ok := bytes.CutPrefix(line, []byte("items:"))
	if !ok {
		return false
	}
	trimmed := bytes.TrimLeft(rest, " \t")
	return len(bytes.TrimSpace(trimmed)) == 0 || trimmed[0] == '#' && len(trimmed) < len(rest)
}
