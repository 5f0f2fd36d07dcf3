package nodes

import (
	"errors"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
)

// ErrName is what CheckName returns for a text that cannot name a node.
var ErrName = errors.New("not a node name: lower-case letters, digits, '-' and '.' only, at most 253 characters")

// CheckName reports whether a text can be the name of a node: lower-cased, a
// DNS-1123 subdomain. The error is ErrName.
func CheckName(name string) error {
	for i := range len(name) {
		// Beyond ASCII some letters (the Kelvin sign) are lower-cased into it.
		if name[i] >= 0x80 {
			return ErrName
		}
	}
	if len(validation.IsDNS1123Subdomain(strings.ToLower(name))) > 0 {
		return ErrName
	}
	return nil
}

// maxQuoted is how many bytes of a text of the input an error shows.
const maxQuoted = 80

// quote returns a text of the input for an error message.
func quote(s string) string {
	if len(s) > maxQuoted {
		return fmt.Sprintf("%q…", s[:maxQuoted])
	}
	return fmt.Sprintf("%q", s)
}
