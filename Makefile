# What there is to do with this repository. `make` alone lists it.
#
# Needs Go, git and make; `make e2e` also apt and root, to install what the
# end-to-end tests run beside our own commands. Targets that check never change
# the tree; fmt, generate and golden do.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

# The version comes from git below, and asking git again from inside the build
# fails where the checkout belongs to somebody else.
GOFLAGS := $(strip $(shell go env GOFLAGS) -buildvcs=false)
export GOFLAGS

VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo unknown)
FUZZTIME ?= 30s
EXAMPLE ?= examples/node-groups/app

# Tools are run by version and not installed; go.mod knows nothing of them.
GOFUMPT := mvdan.cc/gofumpt@v0.12.0
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2
ERRCHECK := github.com/kisielk/errcheck@v1.30.0
DEADCODE := golang.org/x/tools/cmd/deadcode@v0.52.0

GENERATED := plugin/plugin.yaml docs/reference/parameters.md docs/reference/cli.md

.PHONY: help
help: ## list the targets
	@sed -nE 's/^([a-z0-9-]+):.*## (.*)/  \1\t\2/p' $(firstword $(MAKEFILE_LIST)) | expand -t 14

.PHONY: build
build: ## build the commands into bin/
	CGO_ENABLED=0 go build -trimpath -ldflags '-X main.version=$(VERSION)' -o bin/ ./cmd/...

.PHONY: demo
demo: build ## render an example from its own node file and show what came of it
	@printf '\nThe nodes of %s, and what is for each:\n\n' '$(EXAMPLE)'
	@bin/linstor-cmp nodes $(EXAMPLE) --nodes $(EXAMPLE)/nodes.yaml
	@bin/linstor-cmp generate $(EXAMPLE) --nodes $(EXAMPLE)/nodes.yaml --output yaml >bin/demo.yaml 2>bin/demo.log || { cat bin/demo.log >&2; exit 1; }
	@printf '\nWhat `bin/linstor-cmp generate %s` writes (here in bin/demo.yaml):\n\n' '$(EXAMPLE)'
	@sed -n 's/^kind: //p' bin/demo.yaml | sort | uniq -c | sort -k1,1nr -k2

.PHONY: test
test: ## run the tests; needs neither network nor cluster
	go test ./...

.PHONY: e2e
e2e: ## install kube-apiserver, Argo CD and kustomize, and test against them
	test/e2e/parts/install.sh
	$(MAKE) build
	cd test/e2e && go test -count=1 -timeout 40m ./...

.PHONY: bench
bench: ## run the benchmarks
	go test -run '^$$' -bench . -benchmem ./...

.PHONY: fuzz
fuzz: ## run every fuzz target for FUZZTIME (30s)
	@grep -rEo --include='*_test.go' --exclude-dir=e2e '^func Fuzz[A-Za-z0-9_]+' . | sort | \
	while IFS=: read -r file target; do \
	  go test -run xxx -fuzz "^$${target#func }$$" -fuzztime $(FUZZTIME) "$$(dirname "$$file")" </dev/null; \
	done

.PHONY: golden
golden: ## rewrite the expected outputs of the tests; git diff is the review
	@dirs=$$(grep -rlE --include='*_test.go' --exclude-dir=e2e 'flag\.Bool(Var)?\(.*"update"' . | xargs -r -n1 dirname | sort -u); \
	if [[ -z $$dirs ]]; then echo 'no test has a flag -update'; exit; fi; \
	set -x; go test $$dirs -update

.PHONY: generate
generate: build ## rewrite the generated files: plugin.yaml and the reference pages
	go run ./internal/generate -bin bin -out .

.PHONY: fmt
fmt: ## format the Go files
	go run $(GOFUMPT) -w .

.PHONY: lint
lint: build ## check format, code, dependencies and generated files
	@echo 'gofumpt: files that `make fmt` would change'
	@found=$$(go run $(GOFUMPT) -l . | tee /dev/stderr); test -z "$$found"
	go vet ./...
	go run $(STATICCHECK) -checks all ./...
	go run $(ERRCHECK) -exclude .ci/errcheck-exclude ./...
	@echo 'deadcode: functions that nothing reaches'
	@found=$$(go run $(DEADCODE) -test ./... | tee /dev/stderr); test -z "$$found"
	go mod tidy -diff
	@echo 'generated files: what `make generate` would change'
	@fresh=$$(mktemp -d); trap 'rm -rf "$$fresh"' EXIT; \
	go run ./internal/generate -bin bin -out "$$fresh"; \
	for file in $(GENERATED); do diff -u "$$file" "$$fresh/$$file"; done
	cd test/e2e && go vet ./...
