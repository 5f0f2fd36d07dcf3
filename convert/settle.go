package convert

import (
	"regexp"

	"github.com/linstor-cmp/linstor-cmp/generator"
	"github.com/linstor-cmp/linstor-cmp/internal/manifest"
	"github.com/linstor-cmp/linstor-cmp/internal/problem"
)

// settle renders the output and takes out what keeps it from rendering, until
// it does: a sidecar that mounts a volume of Piraeus 1, a pool without a valid
// name. What is taken out is listed. The error is a problem.List of faults that
// nothing can be taken out for, at their places in the input.
func (c *converter) settle() error {
	for {
		faults, v := c.try()
		if faults == nil {
			return nil
		}
		// All are looked up before anything is taken out: that moves lines.
		blamed := map[*piece]problem.Problem{} // with its first fault
		var order []*piece
		var fatal problem.List
		for _, f := range faults {
			p, origin := c.blame(f.Place, v)
			switch {
			case p != nil && len(p.from) > 0:
				if _, again := blamed[p]; !again {
					blamed[p], order = f, append(order, p)
				}
				continue
			case origin != nil:
				f.Place = origin.place
			}
			fatal.Add(f)
		}
		if len(order) == 0 {
			return fatal
		}
		for _, p := range order {
			for _, t := range c.targets() {
				t.remove(p)
			}
			for _, n := range p.from {
				field{c, n}.unrendered(blamed[p])
			}
		}
	}
}

// unrendered lists a field whose piece of the output would not render.
func (f field) unrendered(fault problem.Problem) {
	message := fault.Message
	if fault.Subject != "" {
		message = fault.Subject + ": " + message
	}
	f.lost("it does not fit here: "+inOwnWords.ReplaceAllString(message, ""), fault.Hint)
}

// inOwnWords is how a fault names a patch of the output, which people do not
// have before them.
var inOwnWords = regexp.MustCompile(`customizeComponents\.patches\[\d+\] of (?:LinstorCluster|overlay "[^"]*"): `)

// try reads the files as they are written, and renders each overlay for a node,
// as if it were for every node. It returns the errors, and the variant of the
// files that they are about.
func (c *converter) try() (problem.List, variant) {
	var files []File
	for _, t := range c.targets() {
		files = append(files, t.encode(asWritten))
	}
	if _, err := interpret(files); err != nil {
		return errorsOf(err), asWritten
	}
	cluster := c.cluster.encode(everyNode)
	if len(c.sets) == 0 {
		_, err := render([]File{cluster}, generator.LoaderDaemonSet)
		return errorsOf(err), everyNode
	}
	for _, t := range c.sets {
		if _, err := render([]File{cluster, t.encode(everyNode)}, generator.LoaderDaemonSet); err != nil {
			return errorsOf(err), everyNode
		}
	}
	return nil, asWritten
}

func errorsOf(err error) problem.List {
	var list problem.List
	list.Merge(err)
	return list.Errors()
}

// blame finds what a place of the output was made of: a piece, or a field of
// the spec with its place in the input.
func (c *converter) blame(at problem.Place, v variant) (*piece, *node) {
	for _, t := range c.targets() {
		if t.file == at.File {
			return t.find(at.Line, v)
		}
	}
	return nil, nil
}

// find returns the piece or the field of the spec that line of the file is in.
func (t *target) find(line int, v variant) (*piece, *node) {
	docs, err := manifest.ReadDocuments(t.file, t.encode(v).Data)
	if err != nil || len(docs) == 0 {
		return nil, nil
	}
	start, found, origin := 0, (*piece)(nil), (*node)(nil)
	begins := func(p *piece, n *node, path ...any) {
		if l := docs[0].PlaceOf(path...).Line; l <= line && l >= start {
			start, found, origin = l, p, n
		}
	}
	for _, key := range append(manifest.SortedKeys(t.spec), t.kind.placement) {
		begins(nil, t.origin[key], "spec", key)
	}
	for i, p := range t.patches {
		begins(p, nil, "spec", "customizeComponents", "patches", i)
	}
	for i, p := range t.pools {
		begins(p, nil, "spec", "storagePools", i)
	}
	return found, origin
}
