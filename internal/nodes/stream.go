package nodes

import "bytes"

// stream reads the documents of the input. Between documents there are blank
// lines, comments and markers; a document that begins with '{' is JSON, and
// ends where its brackets do. Any other is YAML and ends at the next marker.
func (d *decoder) stream() error {
	for {
		indent := d.blanks(0)
		c, ok := d.src.look(indent)
		switch {
		case !ok && d.src.ended():
			return d.src.fault()
		case c == '\n' || c == '#':
			d.src.skipLine()
		case c == '\r' && d.isBreak(indent+1):
			d.src.skipLine()
		case indent == 0 && d.at(0, byteOrderMark):
			d.src.skip(len(byteOrderMark))
		case d.isJSON(indent):
			d.src.skip(indent)
			if err := d.jsonDocuments(); err != nil {
				return err
			}
		case indent == 0 && d.isMarker("---"):
			if err := d.marker(); err != nil {
				return err
			}
		case indent == 0 && d.isMarker("..."):
			if i := d.blanks(3); !d.isLineEnd(i) {
				return d.src.errorf(d.src.line, "text after the end of a document (...)")
			}
			d.src.skipLine()
		default:
			if err := d.yamlDocument(c == '%' && indent == 0); err != nil {
				return err
			}
		}
	}
}

const byteOrderMark = "\ufeff"

// marker reads a line that begins with "---", and what a document may have on it.
func (d *decoder) marker() error {
	i := d.blanks(3)
	switch {
	case d.isLineEnd(i):
		d.src.skipLine()
		return nil
	case d.isJSON(i):
		d.src.skip(i)
		return d.jsonDocuments()
	}
	return d.yamlDocument(true)
}

// jsonDocuments reads JSON documents up to the end of the line on which one ends.
func (d *decoder) jsonDocuments() error {
	for {
		if err := d.json.document(d.document); err != nil {
			return err
		}
		for i := d.blanks(0); i > 0; i = d.blanks(0) {
			d.src.skip(i)
		}
		switch {
		case d.isLineEnd(0):
			d.src.skipLine()
			return nil
		case !d.isJSON(0):
			return d.json.unexpected("the next document")
		}
	}
}

// yamlDocument reads a YAML document. An odd one has directives before its
// marker, or text behind it.
func (d *decoder) yamlDocument(odd bool) error {
	y := newYAMLDocument(d, odd)
	var line []byte
	for opened := !odd; ; {
		_, more := d.src.look(0)
		marker := d.isMarker("---")
		if !more || marker && opened || d.isMarker("...") {
			if err := d.src.fault(); err != nil && !more {
				return err
			}
			return y.end()
		}
		opened = opened || marker
		number := d.src.line
		line = d.src.readLine(line[:0], maxWhole+1)
		if err := y.add(line, number); err != nil {
			return err
		}
	}
}

// blanks returns the index of the first byte from i on that is no blank.
func (d *decoder) blanks(i int) int {
	for {
		c, ok := d.src.look(i)
		if !ok || c != ' ' && c != '\t' {
			return i
		}
		i++
	}
}

func (d *decoder) at(i int, want string) bool {
	_, ok := d.src.look(i + len(want) - 1)
	return ok && bytes.HasPrefix(d.src.rest()[i:], []byte(want))
}

func (d *decoder) isMarker(marker string) bool {
	if !d.at(0, marker) {
		return false
	}
	c, ok := d.src.look(len(marker))
	return !ok || c == ' ' || c == '\t' || c == '\n' || c == '\r'
}

// isLineEnd reports whether nothing but a comment is left on the line.
func (d *decoder) isLineEnd(i int) bool {
	c, _ := d.src.look(i)
	return c == '#' || c == '\r' && d.isBreak(i+1) || d.isBreak(i)
}

func (d *decoder) isBreak(i int) bool {
	c, ok := d.src.look(i)
	return c == '\n' || !ok && d.src.ended()
}

// isJSON reports whether a JSON object begins here. A flow mapping of YAML does
// too, and is told apart by its first key, which JSON has in double quotes.
func (d *decoder) isJSON(i int) bool {
	c, _ := d.src.look(i)
	if c != '{' {
		return false
	}
	for i++; ; i++ {
		switch c, ok := d.src.look(i); {
		case !ok || c == '"' || c == '}':
			return true
		case c != ' ' && c != '\t' && c != '\n' && c != '\r':
			return false
		}
	}
}
