// Package manifest is the program's vocabulary of Kubernetes objects: reading
// YAML documents without losing where each line stood, turning them into plain
// values, holding values against Go types strictly, and writing objects as
// JSON or YAML, byte for byte the same every time.
//
// A plain value is what encoding/json would make of JSON, except that integers
// are int64 (or json.Number beyond 64 bits), so that no digit is lost: nil,
// bool, int64, json.Number, string, []any, map[string]any.
//
// It knows nothing of LINSTOR, overlays or patches.
package manifest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"

	"go.yaml.in/yaml/v3"

	"github.com/linstor-cmp/linstor-cmp/internal/problem"
)

// Document is one YAML document of a file, not yet interpreted.
type Document struct {
	Node  *yaml.Node // never a document or null node
	Place problem.Place
}

// PlaceOf returns where the value at a path of keys (string) and list indexes
// (int) stands: the line of the deepest part of the path that is there.
func (d Document) PlaceOf(path ...any) problem.Place {
	at, n := d.Place, d.Node
	for _, step := range path {
		for n.Kind == yaml.AliasNode {
			n = n.Alias
		}
		var next, line *yaml.Node
		switch key := step.(type) {
		case string:
			for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
				if n.Content[i].Value == key {
					line, next = n.Content[i], n.Content[i+1]
				}
			}
		case int:
			if n.Kind == yaml.SequenceNode && key < len(n.Content) {
				line, next = n.Content[key], n.Content[key]
			}
		}
		if next == nil {
			return at
		}
		at.Line, n = line.Line, next
	}
	return at
}

var yamlErrorLine = regexp.MustCompile(`^yaml: (?:line (\d+): )?`)

// ReadDocuments splits data into its documents. Empty documents are left out.
// Lines are those of the file. The error is a problem.Problem with the place
// of the syntax error; what stood before it is not returned.
func ReadDocuments(file string, data []byte) ([]Document, error) {
	if err := checkEncoding(file, data); err != nil {
		return nil, err
	}
	var docs []Document
	dec := yaml.NewDecoder(bytes.NewReader(data))
	for {
		var doc yaml.Node
		err := decodeNode(dec, &doc)
		if errors.Is(err, io.EOF) {
			return docs, nil
		}
		if err != nil {
			return nil, syntaxError(file, err)
		}
		if doc.Kind != yaml.DocumentNode || len(doc.Content) != 1 {
			continue
		}
		root := doc.Content[0]
		if root.Kind == yaml.ScalarNode && root.ShortTag() == "!!null" {
			continue
		}
		docs = append(docs, Document{Node: root, Place: problem.Place{File: file, Line: root.Line}})
	}
}

// checkEncoding refuses what is not UTF-8 text before the parser sees it:
// its own message for these names no file.
func checkEncoding(file string, data []byte) error {
	if bytes.HasPrefix(data, []byte{0xff, 0xfe}) || bytes.HasPrefix(data, []byte{0xfe, 0xff}) {
		return problem.Problem{Place: problem.Place{File: file}, Message: "the file is UTF-16", Hint: "save it as UTF-8"}
	}
	return nil
}

// decodeNode turns a panic of the parser into an error: its input is hostile.
func decodeNode(dec *yaml.Decoder, into *yaml.Node) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("yaml: %v", r)
		}
	}()
	return dec.Decode(into)
}

func syntaxError(file string, err error) error {
	text, at := err.Error(), problem.Place{File: file}
	if m := yamlErrorLine.FindStringSubmatch(text); m != nil {
		at.Line, _ = strconv.Atoi(m[1])
		text = text[len(m[0]):]
	}
	return problem.Problem{Place: at, Message: "not YAML: " + text}
}

// Text is a string of an input field together with where its content begins.
type Text struct {
	Value string
	Place problem.Place // of the first line of the content
	Block bool          // the content's lines are the file's lines (a literal block)
}

// PlaceOf returns where line n (1-based) of the text stands in the file. For a
// text that is not a literal block only the place of the whole is known.
func (t Text) PlaceOf(n int) problem.Place {
	at := t.Place
	if t.Block && n > 0 && at.Line > 0 {
		at.Line += n - 1
	}
	return at
}

// Raw is a part of an input document that is interpreted later. The zero Raw
// is an absent field.
type Raw struct {
	Node *yaml.Node
	File string
}

// Place returns where the part begins.
func (r Raw) Place() problem.Place {
	if r.Node == nil {
		return problem.Place{}
	}
	return problem.Place{File: r.File, Line: r.Node.Line}
}

func textOf(file string, n *yaml.Node) Text {
	t := Text{Value: n.Value, Place: problem.Place{File: file, Line: n.Line}}
	if n.Style&yaml.LiteralStyle != 0 && n.Line > 0 {
		t.Block = true
		t.Place.Line++
	}
	return t
}
