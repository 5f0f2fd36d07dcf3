#!/usr/bin/env bash
# Installs what the end-to-end tests run beside our own binaries and what is not
# there yet: etcd, redis and git from Debian; kube-apiserver, kubectl, Argo CD
# and kustomize built from the modules in this folder. Nothing else is fetched.
#
# A module's go.mod says which version; the file's name carries it, so that a
# new version is another file. Builds run one after the other: a cold one takes
# minutes and every core there is.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
bin=${LINSTOR_CMP_E2E_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/linstor-cmp-e2e}/bin
mkdir -p "$bin"

# Two installations at once would build the same thing twice.
exec 9>"$bin/.lock"
flock 9

fail() {
  printf 'install.sh: %s\n' "$*" >&2
  exit 1
}

# Debian starts a service as soon as it is installed; the tests start their own.
# A policy that is already there was made by somebody who knows this machine.
without_services() (
  policy=/usr/sbin/policy-rc.d
  if [[ ! -e $policy ]]; then
    trap 'rm -f "$policy"' EXIT
    printf '#!/bin/sh\nexit 101\n' >"$policy"
    chmod +x "$policy"
  fi
  "$@"
)

from_debian() { # COMMAND=PACKAGE...
  local pair missing=()
  for pair in "$@"; do
    command -v "${pair%%=*}" >/dev/null || missing+=("${pair#*=}")
  done
  if ((${#missing[@]})); then
    command -v apt-get >/dev/null || fail "install ${missing[*]} (no apt-get here)"
    ((EUID == 0)) || fail "run as root: apt-get install --no-install-recommends ${missing[*]}"
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq >&2
    without_services apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2
  fi
  for pair in "$@"; do
    command -v "${pair%%=*}" >/dev/null || fail "${pair#*=} is installed but ${pair%%=*} is not on PATH"
    printf '%s: %s\n' "${pair%%=*}" "$(command -v "${pair%%=*}")"
  done
}

version() { # FOLDER MODULE: the version that FOLDER/go.mod requires
  local found
  found=$(sed -nE "s|^(require)?[[:space:]]*$2 (v[^ ]+).*|\2|p" "$here/$1/go.mod" | head -n 1)
  [[ -n $found ]] || fail "$1/go.mod requires no $2"
  printf '%s' "$found"
}

build() { # NAME VERSION FOLDER PACKAGE [LDFLAGS]
  local file=$bin/$1-$2
  if [[ -x $file ]]; then
    printf '%s: %s\n' "$1" "$file"
    return
  fi
  printf 'building %s %s\n' "$1" "$2" >&2
  (cd "$here/$3" && CGO_ENABLED=0 go build -mod=readonly -buildvcs=false -trimpath -ldflags "${5:-}" -o "$file.new" "$4")
  mv "$file.new" "$file"
  printf '%s: %s (built)\n' "$1" "$file"
}

from_debian etcd=etcd-server redis-server=redis-server git=git
command -v go >/dev/null || fail "go is not on PATH"

kubernetes=$(version kube-apiserver k8s.io/kubernetes)
IFS=. read -r major minor _ <<<"${kubernetes#v}"
# Clients parse the server's version: without these it says v0.0.0.
stamp=k8s.io/component-base/version
stamps="-X $stamp.gitVersion=$kubernetes -X $stamp.gitMajor=$major -X $stamp.gitMinor=$minor"
build kube-apiserver "$kubernetes" kube-apiserver . "$stamps"
build kubectl "$kubernetes" kube-apiserver k8s.io/kubernetes/cmd/kubectl "$stamps"

argocd=$(version argocd-v2 github.com/argoproj/argo-cd/v2)
build argocd "$argocd" argocd-v2 github.com/argoproj/argo-cd/v2/cmd

kustomize=$(version kustomize sigs.k8s.io/kustomize/kustomize/v5)
build kustomize "$kustomize" kustomize sigs.k8s.io/kustomize/kustomize/v5 \
  "-X sigs.k8s.io/kustomize/api/provenance.version=$kustomize"
