//go:build tools

// Package tools pins the real kustomize that the end-to-end tests run, built
// with `go build sigs.k8s.io/kustomize/kustomize/v5`.
package tools

import _ "sigs.k8s.io/kustomize/kustomize/v5"
