package nodes

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/linstor-cmp/linstor-cmp/internal/problem"
)

// ReadFile reads the nodes in a file, as Read does.
func ReadFile(path string) ([]Node, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("cannot read the nodes: %w", err)
	}
	defer func() { _ = f.Close() }() // only read from
	return Read(f, filepath.ToSlash(path))
}

// Read reads nodes, and returns them sorted by name: from a v1 Node, a v1 List
// or NodeList of them, or any number of either, as YAML documents, as JSON
// documents one after the other, or both mixed. No document, or a list of
// nothing, is no node and no error.
//
// The input may be what kubectl prints for thousands of nodes. JSON, and a YAML
// list laid out as kubectl does, are read item by item: the memory needed is
// that of the nodes, not of the input. Any other YAML document may be as large
// as 4 MiB.
//
// The name stands for the input in errors. All faults of the content come in
// one problem.List, each with its line, at most 100. Faults are: what is no
// node; a node without a valid name or with one that another has; a field of
// the wrong type (an unquoted true is no label value); a duplicate key among
// the fields that are read; an input that is cut off or a list that says that
// it goes on; text that is not UTF-8. No nodes are returned with an error.
func Read(r io.Reader, name string) ([]Node, error) {
	r, err := checkEncoding(r, name)
	if err != nil {
		return nil, err
	}
	d := newDecoder(r, name)
	if err := d.stream(); err != nil && !errors.Is(err, errFull) {
		var p problem.Problem
		if !errors.As(err, &p) {
			return nil, err
		}
		d.add(p)
	}
	if err := d.err(); err != nil {
		return nil, err
	}
	Sort(d.nodes)
	return d.nodes, nil
}

// decoder holds what is read so far.
type decoder struct {
	faults
	src    *source
	json   *jsonValue
	texts  Interner
	budget int // how much the object at hand may still keep, in bytes

	nodes []Node
	lines map[string]int // of the nodes, by name
}

func newDecoder(r io.Reader, name string) *decoder {
	d := &decoder{faults: faults{file: name}, src: newSource(r, name), lines: map[string]int{}, budget: maxKept}
	d.json = &jsonValue{d: d, src: d.src}
	return d
}

// maxShared is the length up to which a text is likely to come again.
const maxShared = 128

// kept returns the copy of a text that nodes share.
func (d *decoder) kept(s string) string {
	if len(s) > maxShared {
		return s
	}
	return d.texts.Text(s)
}

func (d *decoder) keptBytes(b []byte) string {
	if len(b) > maxShared {
		return string(b)
	}
	return d.texts.Bytes(b)
}
