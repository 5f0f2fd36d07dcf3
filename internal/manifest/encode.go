package manifest

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// json appends v as compact JSON with sorted keys.
func (e *encoder) json(v any) {
	switch x := v.(type) {
	case map[string]any:
		e.out = append(e.out, '{')
		for i, k := range SortedKeys(x) {
			if i > 0 {
				e.out = append(e.out, ',')
			}
			e.out = append(appendQuoted(e.out, k), ':')
			e.json(x[k])
		}
		e.out = append(e.out, '}')
	case []any:
		e.out = append(e.out, '[')
		for i, item := range x {
			if i > 0 {
				e.out = append(e.out, ',')
			}
			e.json(item)
		}
		e.out = append(e.out, ']')
	case string:
		if !e.open(x, 0) {
			e.out = appendQuoted(e.out, x)
		}
	default:
		e.out = appendAtom(e.out, v)
	}
}

// block appends v as a YAML block of its own lines, ending in a newline.
func (e *encoder) block(v any, indent int) {
	switch x := v.(type) {
	case map[string]any:
		for i, k := range SortedKeys(x) {
			if i > 0 {
				e.pad(indent)
			}
			e.key(k, indent)
			e.member(x[k], indent)
		}
	case []any:
		for i, item := range x {
			if i > 0 {
				e.pad(indent)
			}
			e.out = append(e.out, "- "...)
			e.item(item, indent+2)
		}
	default:
		e.item(v, indent)
	}
}

// item appends a value that follows "- " or stands alone.
func (e *encoder) item(v any, indent int) {
	switch x := v.(type) {
	case map[string]any:
		if len(x) > 0 {
			e.block(x, indent)
			return
		}
		e.out = append(e.out, "{}\n"...)
	case []any:
		if len(x) > 0 {
			e.block(x, indent)
			return
		}
		e.out = append(e.out, "[]\n"...)
	case string:
		if !e.open(x, indent) {
			e.out = append(appendScalar(e.out, x, indent), '\n')
		}
	default:
		e.out = append(appendAtom(e.out, v), '\n')
	}
}

// member appends the value after "key:".
func (e *encoder) member(v any, indent int) {
	switch x := v.(type) {
	case map[string]any:
		if len(x) > 0 {
			e.out = append(e.out, '\n')
			e.pad(indent + 2)
			e.block(x, indent+2)
			return
		}
	case []any: // a list stands at the indent of its key, as kubectl prints it
		if len(x) > 0 {
			e.out = append(e.out, '\n')
			e.pad(indent)
			e.block(x, indent)
			return
		}
	}
	e.out = append(e.out, ' ')
	e.item(v, indent+2)
}

// longestKey is the length from which YAML wants a key marked with "? ".
const longestKey = 1000

func (e *encoder) key(k string, indent int) {
	if len(k) < longestKey {
		e.out = append(appendSimple(e.out, k), ':')
		return
	}
	e.out = append(appendSimple(append(e.out, "? "...), k), '\n')
	e.pad(indent)
	e.out = append(e.out, ':')
}

func (e *encoder) pad(n int) {
	for range n {
		e.out = append(e.out, ' ')
	}
}

// appendScalar appends a string as a YAML scalar: plain where nothing could
// read it as something else, a literal block where it has lines, else quoted.
// The indent is that of the block's lines.
func appendScalar(dst []byte, s string, indent int) []byte {
	if indent == 0 || !fitsBlock(s) {
		return appendSimple(dst, s)
	}
	dst = append(dst, '|')
	body := strings.TrimSuffix(s, "\n")
	if body == s {
		dst = append(dst, '-')
	}
	for line := range strings.SplitSeq(body, "\n") {
		dst = append(dst, '\n')
		if line == "" {
			continue
		}
		for range indent {
			dst = append(dst, ' ')
		}
		dst = append(dst, line...)
	}
	return dst
}

// fitsBlock reports whether a literal block can hold s and is easy to read.
func fitsBlock(s string) bool {
	body := strings.TrimSuffix(s, "\n")
	if !strings.Contains(s, "\n") || body == "" || body[0] == ' ' || body[0] == '\n' || strings.HasSuffix(body, "\n") {
		return false
	}
	for _, r := range s {
		if r != '\n' && r != '\t' && (r < 0x20 || !printable(r)) {
			return false
		}
	}
	return body[0] != '\t'
}

func appendSimple(dst []byte, s string) []byte {
	if isPlain(s) {
		return append(dst, s...)
	}
	return appendQuoted(dst, s)
}

// isPlain reports whether every YAML reader takes the bare word s for the
// string s: it begins like a word or a path, has no character that means
// anything, and is none of the words that YAML 1.1 or 1.2 resolve.
func isPlain(s string) bool {
	if s == "" {
		return false
	}
	if c := s[0]; !letter(c) && c != '/' {
		return false
	}
	for i := range len(s) {
		c := s[i]
		if letter(c) || '0' <= c && c <= '9' || strings.IndexByte("/._-=+", c) >= 0 {
			continue
		}
		last := i == len(s)-1
		if c == ' ' && !last && s[i+1] != '#' && s[i+1] != ' ' || c == ':' && !last && s[i+1] != ' ' {
			continue
		}
		return false
	}
	switch strings.ToLower(s) {
	case "y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan", "inf":
		return false
	}
	return true
}

func letter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

// printable reports whether a rune may stand unescaped in YAML.
func printable(r rune) bool {
	return r != '\ufeff' && r != '\u2028' && r != '\u2029' && r != 0x7f && !(0x80 <= r && r < 0xa0) && !unicode.Is(unicode.Cs, r) && r != utf8.RuneError
}

// appendQuoted appends s as a JSON string, which is also a YAML double-quoted scalar.
func appendQuoted(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= 0x20 && c < 0x7f && c != '"' && c != '\\' {
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if c >= utf8.RuneSelf && printable(r) {
			i += size
			continue
		}
		dst = append(dst, s[start:i]...)
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\t':
			dst = append(dst, '\\', 't')
		case '\r':
			dst = append(dst, '\\', 'r')
		default:
			dst = append(dst, '\\', 'u', hex[r>>12&15], hex[r>>8&15], hex[r>>4&15], hex[r&15])
		}
		i += size
		start = i
	}
	return append(append(dst, s[start:]...), '"')
}

func appendAtom(dst []byte, v any) []byte {
	switch x := v.(type) {
	case nil:
		return append(dst, "null"...)
	case bool:
		return strconv.AppendBool(dst, x)
	case int64:
		return strconv.AppendInt(dst, x, 10)
	case json.Number:
		return append(dst, x...)
	}
	panic(fmt.Sprintf("manifest: %T is no plain value", v))
}
