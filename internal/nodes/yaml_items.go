package nodes

import (
	"bytes"

	"go.yaml.in/yaml/v3"
)

// addToItems takes a line below "items:".
func (y *yamlDocument) addToItems(line []byte, number int) error {
	content := bytes.TrimLeft(line, " ")
	column := len(line) - len(content)
	switch {
	case isBlank(content) || content[0] == '#':
	case isDash(content) && (column == y.column || y.column < 0):
		if err := y.endItem(); err != nil || y.part != inItems {
			return err
		}
		y.column = column
		y.itemAt = number
		y.item = y.item[:0]
	case y.column < 0:
		return y.notPlain(nil)
	case column > y.column:
	case column == 0 && isKey(content):
		if err := y.endItem(); err != nil || y.part != inItems {
			return err
		}
		y.part = inTail
		y.tail = number
		y.frame = append(y.frame, line...)
		return nil
	default:
		return y.notPlain(nil)
	}
	if y.column >= 0 {
		y.item = append(y.item, line...)
	}
	return nil
}

// endItem reads the item whose lines are complete.
func (y *yamlDocument) endItem() error {
	if y.column < 0 {
		return nil
	}
	t := y.d.newTree(y.itemAt)
	roots, err := t.parse(y.item)
	if err != nil {
		return y.notPlain(err)
	}
	if len(roots) != 1 || roots[0].Kind != yaml.SequenceNode || len(roots[0].Content) != 1 {
		return y.notPlain(nil)
	}
	root := roots[0].Content[0]
	if err := t.measure(root, 2); err != nil {
		return y.drop(err)
	}
	return y.d.item(&y.found, t.value(root))
}

// endList reads what stands around the items. It leaves the part at inTail if
// the document is read with that.
func (y *yamlDocument) endList() error {
	if y.part == inItems {
		if y.column < 0 {
			return y.notPlain(nil)
		}
		if err := y.endItem(); err != nil || y.part != inItems {
			return err
		}
		y.part = inTail
	}
	t := y.d.newTree(y.start)
	if y.tail > 0 {
		t.cut, t.gap = y.head, y.tail-y.start-y.head
	}
	roots, err := t.parse(y.frame)
	if err != nil {
		return y.notPlain(err)
	}
	if len(roots) != 1 || !y.isFrame(roots[0]) {
		return y.notPlain(nil)
	}
	if err := t.measure(roots[0], 0); err != nil {
		return y.drop(err)
	}
	o, err := y.d.object(t.value(roots[0]), true)
	if err != nil {
		return err
	}
	o.items = &y.found
	return y.d.finish(&o, y.mark)
}

// isFrame reports whether what stands around the items is a mapping with a
// member "items", at its line, that has no value, and nothing that could refer
// to the items or be referred to by them.
func (y *yamlDocument) isFrame(root *yaml.Node) bool {
	if root.Kind != yaml.MappingNode || hasAnchor(root) {
		return false
	}
	for i := 0; i+1 < len(root.Content); i += 2 {
		k, v := root.Content[i], root.Content[i+1]
		if k.Line == y.head && k.Column == 1 && k.Value == "items" {
			return v.Kind == yaml.ScalarNode && v.ShortTag() == "!!null" && v.Value == ""
		}
	}
	return false
}

func hasAnchor(n *yaml.Node) bool {
	if n.Anchor != "" || n.Kind == yaml.AliasNode {
		return true
	}
	for _, c := range n.Content {
		if hasAnchor(c) {
			return true
		}
	}
	return false
}

// isBlank reports whether a line has nothing on it.
func isBlank(content []byte) bool { return len(bytes.TrimSpace(content)) == 0 }

// isDash reports whether an item begins here.
func isDash(content []byte) bool {
	return content[0] == '-' && (len(content) == 1 || content[1] == ' ' || content[1] == '\t' || content[1] == '\n' || content[1] == '\r')
}

// isKey reports whether a plain key begins here. Other keys, with quotes or an
// anchor, are rare enough to leave them to the parser.
func isKey(content []byte) bool {
	name, rest, found := bytes.Cut(content, []byte(":"))
	if !found || len(name) == 0 || len(rest) > 0 && !bytes.ContainsAny(rest[:1], " \t\r\n") {
		return false
	}
	for _, c := range name {
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z') {
			return false
		}
	}
	return true
}
