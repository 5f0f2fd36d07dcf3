package registrar

import (
	"maps"
	"slices"
)

// repeats notices changes that do not last. A change that has to be made again
// and again is undone by somebody: a second registrar with other addresses, a
// person, or LINSTOR itself, which spells some values in its own way.
type repeats struct {
	pass int
	made map[string]repeated
}

type repeated struct {
	object string
	passes []int // in which it was made, the latest window only
}

// A change is made too often if that many of the latest passes made it.
const (
	tooOften = 4
	window   = 12
)

// count takes note of a pass and returns a fault for each change that does not
// last.
func (r *repeats) count(pass Result) []Fault {
	r.pass++
	if r.made == nil {
		r.made = map[string]repeated{}
	}
	for _, s := range pass.Changes {
		m := r.made[s.Says]
		r.made[s.Says] = repeated{s.Object, append(m.passes, r.pass)}
	}
	var p Plan
	for _, says := range slices.Sorted(maps.Keys(r.made)) {
		m := r.made[says]
		m.passes = slices.DeleteFunc(m.passes, func(n int) bool { return n <= r.pass-window })
		r.made[says] = m
		switch {
		case len(m.passes) == 0:
			delete(r.made, says)
		case len(m.passes) >= tooOften:
			p.fault(KindRepeat, m.object,
				"look for a second registrar, an operator or a script that undoes it; or LINSTOR spells the value in its own way",
				"a change does not last and is made again and again: it %s", says)
		}
	}
	return p.Faults
}
