package nodes

// kind is what a value of a document is.
type kind int

const (
	null kind = iota
	boolean
	number
	text
	list
	mapping
	other // a YAML scalar that Kubernetes has no type for
)

func (k kind) String() string {
	return [...]string{"null", "a boolean", "a number", "a text", "a list", "a mapping", "a value of no known type"}[k]
}

// value is one value of a document. There are two of it, so that the fields of
// a node are written down once: a place in a stream of JSON, where the value is
// consumed as it is read, and a node of a YAML tree.
//
// Errors are those that end the reading of a document. A value that its reader
// leaves alone is skipped.
type value interface {
	line() int
	kind() kind
	// scalar returns a text, or the spelling of any other scalar.
	scalar() (string, error)
	// members calls f for each member of a mapping, in written order.
	members(f func(key string, line int, v value) error) error
	// elements calls f for each element of a list.
	elements(f func(v value) error) error
}
