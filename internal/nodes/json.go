package nodes

import (
	"github.com/linstor-cmp/linstor-cmp/internal/problem"
)

// maxDepth bounds the nesting of documents, as package manifest does.
const maxDepth = 200

// jsonValue is the value at which the input stands. Reading it moves on to the
// next one, so there is only ever one of it, and no tree: what is not asked
// for is checked and dropped.
type jsonValue struct {
	d       *decoder
	src     *source
	pending bool // the value is not consumed yet
	depth   int
	scratch []byte
}

// document reads one whole JSON value.
func (j *jsonValue) document(f func(v value) error) error {
	j.depth = 0
	return j.one(f)
}

// one has f read the value at hand, and skips it if f does not.
func (j *jsonValue) one(f func(v value) error) error {
	if _, err := j.next("a value"); err != nil {
		return err
	}
	j.pending = true
	if f != nil {
		if err := f(j); err != nil {
			return err
		}
	}
	if j.pending {
		return j.skip()
	}
	return nil
}

func (j *jsonValue) line() int { return j.src.line }

func (j *jsonValue) kind() kind {
	c, _ := j.src.look(0)
	switch c {
	case '{':
		return mapping
	case '[':
		return list
	case '"':
		return text
	case 't', 'f':
		return boolean
	case 'n':
		return null
	}
	return number
}

func (j *jsonValue) skip() error {
	switch j.kind() {
	case mapping:
		return j.members(nil)
	case list:
		return j.elements(nil)
	case text:
		return j.skipText()
	}
	_, err := j.scalar()
	return err
}

func (j *jsonValue) members(f func(key string, line int, v value) error) error {
	return j.nested('}', func() error {
		c, err := j.next("a key")
		if err != nil {
			return err
		}
		if c != '"' {
			return j.unexpected("a key in double quotes")
		}
		key, line := "", j.src.line
		if f == nil {
			err = j.skipText()
		} else {
			key, err = j.text()
		}
		if err != nil {
			return err
		}
		if c, err = j.next("':'"); err != nil {
			return err
		}
		if c != ':' {
			return j.unexpected("':' after a key")
		}
		j.src.skip(1)
		if f == nil {
			return j.one(nil)
		}
		return j.one(func(v value) error { return f(key, line, v) })
	})
}

func (j *jsonValue) elements(f func(v value) error) error {
	return j.nested(']', func() error { return j.one(f) })
}

// nested reads what stands between two brackets, item by item.
func (j *jsonValue) nested(closing byte, item func() error) error {
	j.pending = false
	if j.depth++; j.depth > maxDepth {
		return j.src.errorf(j.src.line, "the document is nested more than %d levels deep", maxDepth)
	}
	j.src.skip(1)
	c, err := j.next("a value")
	if err != nil {
		return err
	}
	for c != closing {
		if err := item(); err != nil {
			return err
		}
		if c, err = j.next("',' or '" + string(closing) + "'"); err != nil {
			return err
		}
		if c == ',' {
			j.src.skip(1)
			// A bracket after a comma is met by item, which has no use for it.
			continue
		}
		if c != closing {
			return j.unexpected("',' or '" + string(closing) + "'")
		}
	}
	j.src.skip(1)
	j.depth--
	return nil
}

// next moves to the next byte that is no white space and returns it.
func (j *jsonValue) next(want string) (byte, error) {
	for {
		b := j.src.rest()
		if len(b) == 0 {
			return 0, j.ended(want)
		}
		for i, c := range b {
			switch c {
			case '\n':
				j.src.line++
			case ' ', '\t', '\r':
			default:
				j.src.skip(i)
				return c, nil
			}
		}
		j.src.skip(len(b))
	}
}

// ended is the error for an input that ends too early.
func (j *jsonValue) ended(want string) error {
	if err := j.src.fault(); err != nil {
		return err
	}
	p := j.src.errorf(j.src.line, "the file ends inside a JSON document, where %s should follow", want)
	p.Hint = "the file is cut off: write it again"
	return p
}

func (j *jsonValue) unexpected(want string) problem.Problem {
	b := j.src.rest()
	return j.src.errorf(j.src.line, "not JSON: %s where %s should stand", quote(string(b[:runeLen(b)])), want)
}

func runeLen(b []byte) int {
	for i := range b {
		if i > 0 && b[i]&0xc0 != 0x80 {
			return i
		}
	}
	return min(len(b), 4)
}
