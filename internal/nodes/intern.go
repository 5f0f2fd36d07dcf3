package nodes

// maxTexts bounds the memory of an Interner: what is new beyond it is kept by
// nobody but its node.
const maxTexts = 1 << 17

// Interner keeps one copy of each text. The label keys of ten thousand nodes,
// and most of the values, are the same few hundred texts. The zero Interner is
// ready to use; it is not safe for concurrent use.
type Interner struct{ texts map[string]string }

// Text returns the kept copy of s.
func (in *Interner) Text(s string) string {
	if kept, ok := in.texts[s]; ok {
		return kept
	}
	return in.keep(s)
}

// Bytes returns the kept copy of b as a string.
func (in *Interner) Bytes(b []byte) string {
	if kept, ok := in.texts[string(b)]; ok {
		return kept
	}
	return in.keep(string(b))
}

func (in *Interner) keep(s string) string {
	if in.texts == nil {
		in.texts = map[string]string{}
	}
	if len(in.texts) < maxTexts {
		in.texts[s] = s
	}
	return s
}
