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
// fault with the patch that brought it: the last step after which it is there
// and before which it is not.
func (g *generation) checkAll(objects []*object, b blame) {
	left := map[string]fault{}
	for _, f := range check(objects, b.with) {
		left[f.key()] = f
	}
	brought := map[string]step{}
	for n := len(b.steps); n > 0 && len(brought) < len(left); n-- {
		before := map[string]bool{}
		if objects, err := b.rebuild(b.steps[:n-1]); err == nil {
			for _, f := range check(objects, b.with) {
				before[f.key()] = true
			}
		}
		for key := range left {
			if _, known := brought[key]; !known && !before[key] {
				brought[key] = b.steps[n-1]
			}
		}
	}
	for _, key := range manifest.SortedKeys(left) {
		f := left[key]
		p := problem.Problem{Place: g.in.Cluster.Place, Subject: f.object + b.whose, Message: f.Path + ": " + f.Message, Hint: f.Hint}
		if s, ok := brought[key]; ok {
			p.Place = s.patch.Locate(f.fields...)
			p.Message = s.patch.Name + ": " + p.Message
		}
		g.addOnce(p)
	}
}

func (f fault) key() string { return f.object + "\x00" + f.Path + "\x00" + f.Message }
