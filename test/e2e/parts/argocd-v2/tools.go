//go:build tools

// Package tools pins the real Argo CD that the end-to-end tests run: its
// module with that module's own replacements, built with
// `go build github.com/argoproj/argo-cd/v2/cmd`.
package tools

import _ "github.com/argoproj/argo-cd/v2/cmd"
