package generator

import (
	"io"
	"iter"

	"github.com/linstor-cmp/linstor-cmp/internal/manifest"
	"github.com/linstor-cmp/linstor-cmp/internal/problem"
)

// Result is a rendered installation. Everything that can fail has not.
type Result struct {
	Notes problem.List // warnings and hints, sorted

	namespace string
	shared    []*object
	entries   []*entry
}

// flushAt is how many bytes WriteTo gathers before it writes, so that the
// largest installations need no more memory than the smallest.
const flushAt = 1 << 18

// WriteTo writes the stream of objects: those of the cluster, then those of
// each node by name. The only error is the writer's.
func (r *Result) WriteTo(w io.Writer, format manifest.Format) (int64, error) {
	var total int64
	buf := make([]byte, 0, flushAt+flushAt/4)
	flush := func() error {
		n, err := w.Write(buf)
		total += int64(n)
		buf = buf[:0]
		return err
	}
	for _, o := range r.shared {
		buf = manifest.Compile(o.value, format).Append(buf, nil)
	}
	for _, e := range r.entries {
		with := e.vars().list()
		for _, t := range e.class.templates(format) {
			buf = t.Append(buf, with)
		}
		if len(buf) >= flushAt {
			if err := flush(); err != nil {
				return total, err
			}
		}
	}
	return total, flush()
}

// templates returns the encoded objects of a class.
func (c *class) templates(format manifest.Format) []manifest.Template {
	if c.template == nil {
		c.template = map[manifest.Format][]manifest.Template{}
	}
	if t, ok := c.template[format]; ok {
		return t
	}
	list := make([]manifest.Template, len(c.objects))
	for i, o := range c.objects {
		list[i] = manifest.Compile(o.value, format)
	}
	c.template[format] = list
	return list
}

// Objects returns the objects of the stream in its order.
func (r *Result) Objects() iter.Seq[map[string]any] {
	return func(yield func(map[string]any) bool) {
		for _, o := range r.shared {
			if !yield(o.value) {
				return
			}
		}
		for _, e := range r.entries {
			with := e.vars().list()
			for _, o := range e.class.objects {
				if !yield(filled(o.value, with).(map[string]any)) {
					return
				}
			}
		}
	}
}
