//go:build tools

package main

// kubectl is pinned beside the API server it talks to and built with
// `go build k8s.io/kubernetes/cmd/kubectl`.
import _ "k8s.io/kubernetes/cmd/kubectl"
