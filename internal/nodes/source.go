package nodes

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/linstor-cmp/linstor-cmp/internal/problem"
)

// window is how much of the input is looked at together, in bytes.
const window = 64 << 10

// source is the input: bytes that are known to be UTF-8, with the number of
// the line they stand on. It holds one window of it, whatever the size.
type source struct {
	name string
	r    io.Reader
	buf  []byte
	pos  int // buf[pos:end] is read, checked and not consumed
	end  int
	raw  int // buf[end:raw] is read, and may be the beginning of a character
	line int // the line of buf[pos], from 1
	err  error
}

func newSource(r io.Reader, name string) *source {
	return &source{name: name, r: r, buf: make([]byte, window), line: 1}
}

// errorf returns a problem at a line of the input.
func (s *source) errorf(line int, format string, args ...any) problem.Problem {
	return problem.Problem{
		Place:   problem.Place{File: s.name, Line: line},
		Message: fmt.Sprintf(format, args...),
	}
}

// more reads on, keeping what is not consumed. It reports whether there are
// new bytes; if not, either the window is full or the input has ended.
func (s *source) more() bool {
	if s.err != nil {
		return false
	}
	if s.pos > 0 {
		copy(s.buf, s.buf[s.pos:s.raw])
		s.end, s.raw, s.pos = s.end-s.pos, s.raw-s.pos, 0
	}
	if s.raw == len(s.buf) {
		return false
	}
	before := s.end
	for range 100 {
		n, err := s.r.Read(s.buf[s.raw:])
		s.raw += n
		s.err = err
		s.check()
		if s.end > before || s.err != nil {
			return s.end > before
		}
	}
	s.err = io.ErrNoProgress
	return false
}

var errNotUTF8 = errors.New("not UTF-8")

// check moves the end of the usable bytes to the last whole character.
func (s *source) check() {
	for s.end < s.raw {
		if valid := validPrefix(s.buf[s.end:s.raw]); valid > 0 {
			s.end += valid
			continue
		}
		if s.err != nil || utf8.FullRune(s.buf[s.end:s.raw]) {
			if s.err == nil || errors.Is(s.err, io.EOF) {
				s.err = errNotUTF8
			}
			s.raw = s.end
		}
		return
	}
}

// validPrefix returns how many bytes at the start of b are whole characters.
func validPrefix(b []byte) int {
	if utf8.Valid(b) {
		return len(b)
	}
	n := 0
	for n < len(b) {
		r, size := utf8.DecodeRune(b[n:])
		if r == utf8.RuneError && size <= 1 {
			break
		}
		n += size
	}
	return n
}

// look returns the i-th byte that is not consumed yet. It is false at the end
// of the input, and for a byte beyond one window.
func (s *source) look(i int) (byte, bool) {
	for s.pos+i >= s.end {
		if !s.more() {
			return 0, false
		}
	}
	return s.buf[s.pos+i], true
}

// ended reports whether all bytes there are have been looked at.
func (s *source) ended() bool { return s.err != nil }

// rest returns unconsumed bytes, none only at the end of the input.
func (s *source) rest() []byte {
	if s.pos == s.end {
		s.more()
	}
	return s.buf[s.pos:s.end]
}

// skip consumes n bytes of rest that hold no line break.
func (s *source) skip(n int) { s.pos += n }

// skipLine consumes what is left of a line, and its end.
func (s *source) skipLine() {
	for b := s.rest(); len(b) > 0; b = s.rest() {
		if i := bytes.IndexByte(b, '\n'); i >= 0 {
			s.pos += i + 1
			s.line++
			return
		}
		s.pos += len(b)
	}
}

// readLine appends what is left of a line to b, its end included. It stops
// early at limit bytes.
func (s *source) readLine(b []byte, limit int) []byte {
	for r := s.rest(); len(r) > 0 && len(b) < limit; r = s.rest() {
		if i := bytes.IndexByte(r, '\n'); i >= 0 {
			s.pos += i + 1
			s.line++
			return append(b, r[:i+1]...)
		}
		b = append(b, r...)
		s.pos += len(r)
	}
	return b
}

// fault returns why the input ended: nil where it simply does.
func (s *source) fault() error {
	switch {
	case s.err == nil || errors.Is(s.err, io.EOF):
		return nil
	case errors.Is(s.err, errNotUTF8):
		p := s.errorf(s.line, "the text is not valid UTF-8")
		p.Hint = "save the file as UTF-8"
		return p
	}
	return fmt.Errorf("cannot read %s: %w", s.name, s.err)
}

// checkEncoding refuses UTF-16, which is no text to anything that follows, and
// returns r unread.
func checkEncoding(r io.Reader, name string) (io.Reader, error) {
	head := make([]byte, 2)
	n, err := io.ReadFull(r, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, fmt.Errorf("cannot read %s: %w", name, err)
	}
	head = head[:n]
	mark := bytes.Equal(head, []byte{0xff, 0xfe}) || bytes.Equal(head, []byte{0xfe, 0xff})
	if mark || (n == 2 && (head[0] == 0) != (head[1] == 0)) {
		return nil, problem.Problem{
			Place:   problem.Place{File: name, Line: 1},
			Message: "the file is UTF-16",
			Hint:    "save it as UTF-8",
		}
	}
	return io.MultiReader(bytes.NewReader(head), r), nil
}
