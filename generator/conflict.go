package generator

import (
	"fmt"
	"slices"

	"github.com/linstor-cmp/linstor-cmp/internal/manifest"
	"github.com/linstor-cmp/linstor-cmp/internal/problem"
	"github.com/linstor-cmp/linstor-cmp/overlays"
	"github.com/linstor-cmp/linstor-cmp/overlays/patch"
)

// conflict is a field of an object that two overlays of equal priority set to
// different values.
type conflict struct {
	first, second *overlays.Overlay
	object, field string
}

// conflictWatch sees what each overlay of a class changes in each object. A
// nil watch sees nothing.
type conflictWatch struct {
	object  string
	overlay *overlays.Overlay
	start   map[string]string
	patches []*patch.Patch // of the overlay
	changes []change
	found   []conflict
}

// change is what one overlay made of the fields that it set; a field that it
// removed is "".
type change struct {
	overlay *overlays.Overlay
	fields  map[string]string
}

// newConflictWatch returns a watch if two overlays of the class could conflict.
func newConflictWatch(c *class) *conflictWatch {
	for i := 1; i < len(c.overlays); i++ {
		if c.overlays[i].Priority == c.overlays[i-1].Priority {
			return &conflictWatch{}
		}
	}
	return nil
}

func (w *conflictWatch) begin(o *object) {
	if w != nil {
		w.object, w.overlay, w.start, w.changes = o.title(), nil, nil, nil
	}
}

// before is told of a patch that is about to change the object.
func (w *conflictWatch) before(s step, o *object) {
	if w == nil {
		return
	}
	if s.overlay != w.overlay {
		w.end(o)
		if w.overlay = s.overlay; s.overlay != nil {
			w.start, w.patches = patch.Flatten(o.value, o.typ), nil
		}
	}
	w.patches = append(w.patches, s.patch)
}

// end closes what the current overlay did to the object; nil if it deleted it.
func (w *conflictWatch) end(o *object) {
	if w == nil || w.overlay == nil {
		return
	}
	now := map[string]string{}
	if o != nil {
		now = patch.Flatten(o.value, o.typ)
	}
	mine := change{w.overlay, map[string]string{}}
	for field, old := range w.start {
		if now[field] != old {
			mine.fields[field] = now[field]
		}
	}
	for field, value := range now {
		if _, was := w.start[field]; !was {
			mine.fields[field] = value
		}
	}
	for _, p := range w.patches { // what it says again counts too
		if o == nil {
			break
		}
		for field := range p.Sets(o.typ) {
			if value, there := now[field]; there {
				mine.fields[field] = value
			}
		}
	}
	for _, other := range w.changes {
		if other.overlay.Priority != mine.overlay.Priority {
			continue
		}
		for _, field := range manifest.SortedKeys(mine.fields) {
			if was, both := other.fields[field]; both && was != mine.fields[field] {
				w.found = append(w.found, conflict{other.overlay, mine.overlay, w.object, patch.FieldName(field)})
			}
		}
	}
	w.changes = append(w.changes, mine)
	w.overlay = nil
}

// noteConflicts remembers the conflicts of a class for its nodes, those in
// settings of the satellite included.
func (g *generation) noteConflicts(c *class, w *conflictWatch) {
	if w == nil {
		return
	}
	found := w.found
	for j, second := range c.overlays {
		for _, first := range c.overlays[:j] {
			if first.Priority != second.Priority {
				continue
			}
			for _, field := range differing(first, second) {
				found = append(found, conflict{first, second, "the satellite", field})
			}
		}
	}
	seen := map[conflict]bool{}
	for _, k := range found {
		if seen[k] {
			continue
		}
		seen[k] = true
		for _, e := range c.members {
			g.conflicts[k] = append(g.conflicts[k], e.node.Name)
		}
	}
}

// differing names the fields of two overlays of which the later one replaces
// another value of the earlier one as a whole.
func differing(a, b *overlays.Overlay) []string {
	var out []string
	for _, f := range []struct {
		name   string
		differ bool
	}{
		{"spec.internalTLS", a.Spec.InternalTLS != nil && b.Spec.InternalTLS != nil && fmt.Sprintf("%+v", tlsText(a)) != fmt.Sprintf("%+v", tlsText(b))},
		{"spec.ipFamilies", a.Spec.IPFamilies != nil && b.Spec.IPFamilies != nil && !slices.Equal(a.Spec.IPFamilies, b.Spec.IPFamilies)},
		{"spec.deletionPolicy", bothDiffer(a.Spec.DeletionPolicy, b.Spec.DeletionPolicy)},
		{"spec.resourceNameSuffixSeparator", bothDiffer(a.Spec.ResourceNameSuffixSeparator, b.Spec.ResourceNameSuffixSeparator)},
		{"spec.profile", bothDiffer(a.Profile, b.Profile)},
	} {
		if f.differ {
			out = append(out, f.name)
		}
	}
	return out
}

func bothDiffer(a, b string) bool { return a != "" && b != "" && a != b }

func tlsText(o *overlays.Overlay) string {
	t := o.Spec.InternalTLS
	text := fmt.Sprintf("%s %t", t.SecretName, t.TLSHandshakeDaemon)
	if t.CertManager != nil {
		text += fmt.Sprintf(" %+v", *t.CertManager)
	}
	if t.CAReference != nil {
		text += fmt.Sprintf(" %s/%s/%s", t.CAReference.Kind, t.CAReference.Name, t.CAReference.Key)
	}
	return text
}

// reportConflicts turns what was found into warnings, or errors if strict.
func (g *generation) reportConflicts() {
	severity, outcome := problem.Warning, ", and the later one wins"
	if g.settings.Strict {
		severity, outcome = problem.Error, ""
	}
	for k, names := range g.conflicts {
		slices.Sort(names)
		g.faults.Add(problem.Problem{
			Severity: severity,
			Place:    k.second.Place,
			Message: fmt.Sprintf("overlays %q (%s) and %q (%s) set %s of %s of %s to different values%s",
				k.first.Name, k.first.Place, k.second.Name, k.second.Place, k.field, k.object, nodeList(names), outcome),
			Hint: "give one of them a higher priority, or let their nodes differ",
		})
	}
}
