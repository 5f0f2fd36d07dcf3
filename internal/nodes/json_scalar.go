package nodes

import (
	"bytes"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// maxScalar bounds the spelling of a number.
const maxScalar = 1000

// scalar consumes a text, a number, true, false or null.
func (j *jsonValue) scalar() (string, error) {
	if j.kind() == text {
		return j.text()
	}
	j.pending = false
	j.scratch = j.scratch[:0]
	for {
		c, ok := j.src.look(0)
		if !ok || !isWord(c) {
			break
		}
		if len(j.scratch) == maxScalar {
			return "", j.src.errorf(j.src.line, "a number of more than %d digits", maxScalar)
		}
		j.scratch = append(j.scratch, c)
		j.src.skip(1)
	}
	if len(j.src.rest()) == 0 {
		// A document begins with '{', so something has to follow.
		return "", j.ended("the rest of it")
	}
	if len(j.scratch) == 0 {
		return "", j.unexpected("a value")
	}
	if !isLiteral(j.scratch) && !isNumber(j.scratch) {
		return "", j.src.errorf(j.src.line, "not JSON: %s is no value", quote(string(j.scratch)))
	}
	return string(j.scratch), nil
}

func isWord(c byte) bool {
	return c == '+' || c == '-' || c == '.' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func isLiteral(b []byte) bool {
	return bytes.Equal(b, []byte("true")) || bytes.Equal(b, []byte("false")) || bytes.Equal(b, []byte("null"))
}

// isNumber holds b against the grammar of JSON numbers.
func isNumber(b []byte) bool {
	b = bytes.TrimPrefix(b, []byte("-"))
	n := digits(b)
	if n == 0 || n > 1 && b[0] == '0' {
		return false
	}
	b = b[n:]
	if len(b) > 0 && b[0] == '.' {
		if n = digits(b[1:]); n == 0 {
			return false
		}
		b = b[1+n:]
	}
	if len(b) == 0 {
		return true
	}
	if b[0] != 'e' && b[0] != 'E' {
		return false
	}
	b = b[1:]
	if len(b) > 0 && (b[0] == '+' || b[0] == '-') {
		b = b[1:]
	}
	return len(b) > 0 && digits(b) == len(b)
}

func digits(b []byte) int {
	n := 0
	for n < len(b) && b[n] >= '0' && b[n] <= '9' {
		n++
	}
	return n
}

// text consumes a text and returns it.
func (j *jsonValue) text() (string, error) {
	j.scratch = j.scratch[:0]
	if err := j.chars(true); err != nil {
		return "", err
	}
	return j.d.keptBytes(j.scratch), nil
}

// skipText consumes a text, which may be of any length.
func (j *jsonValue) skipText() error { return j.chars(false) }

// chars reads the characters of a text up to the closing quote, and appends
// them to the scratch buffer if they are to be kept.
func (j *jsonValue) chars(keep bool) error {
	j.pending = false
	j.src.skip(1)
	for {
		b := j.src.rest()
		if len(b) == 0 {
			return j.ended("the end of a text")
		}
		n := plainChars(b)
		if keep {
			j.scratch = append(j.scratch, b[:n]...)
			if err := j.d.room(len(j.scratch), j.src.line); err != nil {
				return err
			}
		}
		j.src.skip(n)
		if n == len(b) {
			continue
		}
		switch b[n] {
		case '"':
			j.src.skip(1)
			return nil
		case '\\':
			if err := j.escape(keep); err != nil {
				return err
			}
		default:
			return j.src.errorf(j.src.line, "not JSON: a control character (0x%02x) inside a text", b[n])
		}
	}
}

// plainChars returns how many bytes at the start of b stand for themselves.
func plainChars(b []byte) int {
	for i, c := range b {
		if c == '"' || c == '\\' || c < 0x20 {
			return i
		}
	}
	return len(b)
}

// escape consumes a backslash and what belongs to it.
func (j *jsonValue) escape(keep bool) error {
	c, ok := j.src.look(1)
	if !ok {
		return j.ended("the end of a text")
	}
	var r rune
	switch c {
	case '"', '\\', '/':
		r = rune(c)
	case 'b':
		r = '\b'
	case 'f':
		r = '\f'
	case 'n':
		r = '\n'
	case 'r':
		r = '\r'
	case 't':
		r = '\t'
	case 'u':
		return j.escapedRune(keep)
	default:
		return j.src.errorf(j.src.line, "not JSON: \\%c inside a text", c)
	}
	j.src.skip(2)
	if keep {
		j.scratch = utf8.AppendRune(j.scratch, r)
	}
	return nil
}

// escapedRune consumes \uXXXX, or two of them that are one character.
func (j *jsonValue) escapedRune(keep bool) error {
	r, err := j.hex(0)
	if err != nil {
		return err
	}
	size := 6
	if utf16.IsSurrogate(r) {
		c, _ := j.src.look(6)
		u, _ := j.src.look(7)
		pair := rune(utf8.RuneError)
		if c == '\\' && u == 'u' {
			low, err := j.hex(6)
			if err != nil {
				return err
			}
			pair = utf16.DecodeRune(r, low)
		}
		if pair == utf8.RuneError {
			return j.src.errorf(j.src.line, "not JSON: \\u%04x is half a character", r)
		}
		r, size = pair, 12
	}
	j.src.skip(size)
	if keep {
		j.scratch = utf8.AppendRune(j.scratch, r)
	}
	return nil
}

// hex returns the number of the \uXXXX that begins i bytes ahead.
func (j *jsonValue) hex(i int) (rune, error) {
	var b [4]byte
	for k := range b {
		c, ok := j.src.look(i + 2 + k)
		if !ok {
			return 0, j.ended("the end of a text")
		}
		b[k] = c
	}
	n, err := strconv.ParseUint(string(b[:]), 16, 16)
	if err != nil {
		return 0, j.src.errorf(j.src.line, "not JSON: \\u%s inside a text", quote(string(b[:])))
	}
	return rune(n), nil
}
