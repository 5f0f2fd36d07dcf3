package manifest

import "strings"

// Format is how objects are written.
type Format int

// The formats: YAML documents after `---` lines, or one compact JSON object a line.
const (
	YAML Format = iota
	JSON
)

// Placeholder returns the text that stands for variable i (0 to 25) in the
// strings of a template.
func Placeholder(i int) string { return string(Mark) + string(rune('a'+i)) }

const placeholderLen = len(string(Mark)) + 1

// HasPlaceholder reports whether a plain value contains a placeholder anywhere.
func HasPlaceholder(v any) bool {
	switch x := v.(type) {
	case string:
		return strings.ContainsRune(x, Mark)
	case []any:
		for _, e := range x {
			if HasPlaceholder(e) {
				return true
			}
		}
	case map[string]any:
		for k, e := range x {
			if strings.ContainsRune(k, Mark) || HasPlaceholder(e) {
				return true
			}
		}
	}
	return false
}

// Fill replaces the placeholders in s by the variables.
func Fill(s string, vars []string) string {
	at := strings.IndexRune(s, Mark)
	if at < 0 {
		return s
	}
	var b strings.Builder
	for ; at >= 0; at = strings.IndexRune(s, Mark) {
		b.WriteString(s[:at])
		b.WriteString(vars[s[at+placeholderLen-1]-'a'])
		s = s[at+placeholderLen:]
	}
	b.WriteString(s)
	return b.String()
}

// Template is an encoded object in which some strings are still open. Writing
// it for one more set of variables costs copying, not encoding.
type Template struct {
	format Format
	parts  []part
	tail   []byte
}

// part is encoded text and the string that follows it.
type part struct {
	literal []byte
	text    string // with placeholders
	indent  int    // of the value's block, for a text of several lines in YAML
}

// Compile encodes a plain value in the given format. Strings that contain
// placeholders stay open. Keys may not contain any.
func Compile(v any, format Format) Template {
	e := &encoder{}
	if format == JSON {
		e.json(v)
		e.out = append(e.out, '\n')
	} else {
		e.out = append(e.out, "---\n"...)
		e.block(v, 0)
	}
	return Template{format: format, parts: e.parts, tail: e.out}
}

// Append writes the object with the variables filled in: one JSON object and a
// newline, or one YAML document that begins with its `---` line. The bytes are
// those of encoding the filled-in object.
func (t Template) Append(dst []byte, vars []string) []byte {
	for _, p := range t.parts {
		dst = append(dst, p.literal...)
		s := Fill(p.text, vars)
		if t.format == JSON {
			dst = appendQuoted(dst, s)
		} else {
			dst = appendScalar(dst, s, p.indent)
			dst = append(dst, '\n')
		}
	}
	return append(dst, t.tail...)
}

// encoder appends to out; at a string that stays open it closes a part.
type encoder struct {
	out   []byte
	parts []part
}

// open reports whether s stays open, having closed the part before it.
func (e *encoder) open(s string, indent int) bool {
	if !strings.ContainsRune(s, Mark) {
		return false
	}
	e.parts = append(e.parts, part{literal: e.out, text: s, indent: indent})
	e.out = nil
	return true
}
