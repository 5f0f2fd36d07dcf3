package nodes

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
)

// object is what is kept of a Kubernetes object: what a Node has, and what a
// list of them has.
type object struct {
	line       int
	broken     bool // a fault of it is told already, and it is of no use
	apiVersion string
	kind       string
	node       Node
	badName    bool // of the wrong type, which is told already

	items    *items // nil without the member
	next     string // metadata.continue
	leftover bool   // metadata.remainingItemCount is more than 0
}

// items is what the items of a list come to.
type items struct {
	line   int  // of the member
	absent bool // its value is null
	nodes  []placed
	bare   int // line of the first item without apiVersion and kind, or 0
}

// placed is a node with the line that it begins on.
type placed struct {
	Node
	line int
}

func (o *object) isNode() bool { return o.apiVersion == "v1" && o.kind == "Node" }

func (o *object) isList() bool {
	return o.apiVersion == "v1" && (o.kind == "List" || o.kind == "NodeList")
}

func (o *object) what() string {
	switch {
	case o.kind == "":
		return "an object without kind"
	case o.apiVersion == "":
		return fmt.Sprintf("a %s without apiVersion", quote(o.kind))
	}
	return fmt.Sprintf("an object of apiVersion %s and kind %s", quote(o.apiVersion), quote(o.kind))
}

// object reads the fields of a Node or of a list. The items of a list are read
// one by one if it stands at the top of a document.
func (d *decoder) object(v value, top bool) (object, error) {
	o := object{line: v.line()}
	if k := v.kind(); k != mapping {
		o.broken = true
		d.errorf(o.line, "", "not a Kubernetes object, but %s", k)
		return o, d.full()
	}
	budget := d.budget
	d.budget = maxKept
	defer func() { d.budget = budget }()
	err := d.mapping("", o.line, v, func(key string, line int, v value) error {
		switch key {
		case "apiVersion":
			return d.typeText(&o, &o.apiVersion, key, line, v)
		case "kind":
			return d.typeText(&o, &o.kind, key, line, v)
		case "metadata":
			return d.metadata(&o, line, v)
		case "spec":
			return d.spec(&o.node, line, v)
		case "status":
			return d.status(&o.node, line, v)
		case "items":
			return d.items(&o, line, v, top)
		}
		return nil
	})
	return o, err
}

// typeText reads apiVersion or kind. Without them nothing else can be said.
func (d *decoder) typeText(o *object, into *string, key string, line int, v value) error {
	k := v.kind()
	o.broken = o.broken || k != text && k != null
	return d.text(into, "", key, line, v)
}

func (d *decoder) metadata(o *object, line int, v value) error {
	const at = "metadata"
	return d.mapping(at, line, v, func(key string, line int, v value) (err error) {
		switch key {
		case "name":
			k := v.kind()
			o.badName = k != text && k != null
			return d.text(&o.node.Name, at, key, line, v)
		case "uid":
			return d.text(&o.node.UID, at, key, line, v)
		case "labels":
			o.node.Labels, err = d.textMap(at+".labels", line, v)
		case "annotations":
			o.node.Annotations, err = d.textMap(at+".annotations", line, v)
		case "continue":
			return d.text(&o.next, at, key, line, v)
		case "remainingItemCount":
			return d.count(&o.leftover, at, key, line, v)
		}
		return err
	})
}

func (d *decoder) spec(n *Node, line int, v value) error {
	return d.mapping("spec", line, v, func(key string, line int, v value) error {
		if key != "taints" {
			return nil
		}
		return d.list("spec.taints", line, v, func(v value) error {
			var t corev1.Taint
			var effect string
			const at = "spec.taints[]"
			err := d.mapping(at, v.line(), v, func(key string, line int, v value) error {
				switch key {
				case "key":
					return d.text(&t.Key, at, key, line, v)
				case "value":
					return d.text(&t.Value, at, key, line, v)
				case "effect":
					return d.text(&effect, at, key, line, v)
				}
				return nil
			})
			t.Effect = corev1.TaintEffect(effect)
			n.Taints = append(n.Taints, t)
			return err
		})
	})
}

func (d *decoder) status(n *Node, line int, v value) error {
	return d.mapping("status", line, v, func(key string, line int, v value) error {
		if key != "nodeInfo" {
			return nil
		}
		const at = "status.nodeInfo"
		return d.mapping(at, line, v, func(key string, line int, v value) error {
			switch key {
			case "osImage":
				return d.text(&n.OSImage, at, key, line, v)
			case "kernelVersion":
				return d.text(&n.KernelVersion, at, key, line, v)
			case "architecture":
				return d.text(&n.Architecture, at, key, line, v)
			}
			return nil
		})
	})
}
