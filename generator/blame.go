package generator

import (
	"github.com/linstor-cmp/linstor-cmp/internal/manifest"
	"github.com/linstor-cmp/linstor-cmp/internal/problem"
)

// blame is how to find the patch that brought a fault.
type blame struct {
	rebuild func([]step) ([]*object, error) // makes the objects with only some of the steps
	steps   []step
	with    []string // what fills in the placeholders
	whose   string   // whose objects they are, in messages
}

// checkAll checks finished objects and reports what is wrong with them, each
// fault with the patch that brought it: a step after which it is there and
// before which it is not.
func (g *generation) checkAll(objects []*object, b blame) {
	left := map[string]fault{}
	for _, f := range check(objects, b.with) {
		left[f.key()] = f
	}
	there := b.presence()
	for _, key := range manifest.SortedKeys(left) {
		f := left[key]
		p := problem.Problem{Place: g.in.Cluster.Place, Subject: f.object + b.whose, Message: f.Path + ": " + f.Message, Hint: f.Hint}
		if s, ok := b.bringer(key, there); ok {
			p.Place = s.patch.Locate(f.fields...)
			p.Message = s.patch.Name + ": " + p.Message
		}
		g.addOnce(p)
	}
}

// presence returns a function that tells which faults are there after the
// first n steps; it remembers, since many faults ask the same.
func (b blame) presence() func(n int) map[string]bool {
	known := map[int]map[string]bool{}
	return func(n int) map[string]bool {
		if found, ok := known[n]; ok {
			return found
		}
		found := map[string]bool{}
		if objects, err := b.rebuild(b.steps[:n]); err == nil {
			for _, f := range check(objects, b.with) {
				found[f.key()] = true
			}
		}
		known[n] = found
		return found
	}
}

// bringer returns the step that brought a fault, if a step did.
func (b blame) bringer(key string, there func(int) map[string]bool) (step, bool) {
	if len(b.steps) == 0 || there(0)[key] {
		return step{}, false
	}
	without, with := 0, len(b.steps)
	for with-without > 1 {
		if middle := (with + without) / 2; there(middle)[key] {
			with = middle
		} else {
			without = middle
		}
	}
	return b.steps[with-1], true
}

func (f fault) key() string { return f.object + "\x00" + f.Path + "\x00" + f.Message }
