package nodes

// maxNodes is twenty times what Kubernetes is built for.
const maxNodes = 100_000

// document reads one document: a Node, or a list of them.
func (d *decoder) document(v value) error {
	mark := d.mark()
	o, err := d.object(v, true)
	if err != nil {
		return err
	}
	return d.finish(&o, mark)
}

// items reads the items of a list at the top of a document.
func (d *decoder) items(o *object, line int, v value, top bool) error {
	o.items = &items{line: line}
	k := v.kind()
	switch {
	case k == null:
		o.items.absent = true
		return nil
	case !top:
		return nil // no Node has items: item tells
	case k != list:
		return d.wrong(list, "", "items", line, v)
	}
	return v.elements(func(v value) error {
		return d.item(o.items, v)
	})
}

// item reads one item of a list. What it is called may be told by the list
// alone, and only at its end.
func (d *decoder) item(in *items, v value) error {
	mark := d.mark()
	o, err := d.object(v, false)
	if err != nil {
		return err
	}
	bare := o.apiVersion == "" && o.kind == ""
	switch {
	case o.broken:
	case !bare && !o.isNode():
		d.back(mark)
		d.errorf(o.line, onlyNodes, "%s is no Node", o.what())
	default:
		if bare && in.bare == 0 {
			in.bare = o.line
		}
		if err := d.keep(in, &o); err != nil {
			return err
		}
	}
	return d.full()
}

const onlyNodes = "write the file with: kubectl get nodes -o json"

// keep adds a node to those of its document.
func (d *decoder) keep(in *items, o *object) error {
	switch {
	case len(d.nodes)+len(in.nodes) == maxNodes:
		return d.src.errorf(o.line, "more than %d Nodes", maxNodes)
	case o.items != nil:
		d.errorf(o.items.line, onlyNodes, "a Node has no items")
	case o.badName:
	case o.node.Name == "":
		d.errorf(o.line, "", "the Node has no metadata.name")
	case CheckName(o.node.Name) != nil:
		d.errorf(o.line, "", "metadata.name %s: %v", quote(o.node.Name), ErrName)
	default:
		in.nodes = append(in.nodes, placed{o.node, o.line})
	}
	return nil
}

// finish takes over the nodes of a document, now that its kind is known.
func (d *decoder) finish(o *object, mark int) error {
	switch {
	case o.broken:
	case o.isNode():
		one := items{}
		if err := d.keep(&one, o); err != nil {
			return err
		}
		d.take(one.nodes)
	case o.isList():
		d.finishList(o)
	default:
		d.back(mark)
		hint := onlyNodes
		if o.items != nil && o.kind == "" {
			hint = "kubectl writes the kind of a list after its items: the file may be cut off"
		}
		d.errorf(o.line, hint, "%s is neither a Node nor a list of Nodes", o.what())
	}
	return d.full()
}

func (d *decoder) finishList(o *object) {
	switch {
	case o.items == nil || o.items.absent:
		d.errorf(o.line, "the file may be cut off; a list without items says items: []", "the %s has no items", o.kind)
	case o.next != "" || o.leftover:
		d.errorf(o.line, onlyNodes, "the %s is only the beginning of a longer one: its metadata says that items are left", o.kind)
	case o.items.bare > 0 && o.kind == "List":
		d.errorf(o.items.bare, onlyNodes, "an item of a List has neither apiVersion nor kind")
	default:
		d.take(o.items.nodes)
	}
}

// take adds the nodes of a document to those of the input.
func (d *decoder) take(found []placed) {
	for _, n := range found {
		if first, dup := d.lines[n.Name]; dup {
			d.errorf(n.line, "", "Node %s is there twice, first at %s:%d", n.Name, d.file, first)
			continue
		}
		d.lines[n.Name] = n.line
		d.nodes = append(d.nodes, n.Node)
	}
}
