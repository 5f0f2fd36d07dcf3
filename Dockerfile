# Two images: `plugin`, the sidecar for Argo CD (the default, and so the last),
# and `function`, the KRM function for kustomize and kpt (--target function).
#
#   docker build --build-arg VERSION="$(git describe --tags --always --dirty)" .
#
# BuildKit sets the platforms, so the builder runs natively for every target.

FROM --platform=$BUILDPLATFORM golang:1.26.8 AS builder
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG TARGETOS
ARG TARGETARCH
ARG VERSION=unknown
ENV CGO_ENABLED=0 GOOS=$TARGETOS GOARCH=$TARGETARCH GOTOOLCHAIN=local
RUN go build -trimpath -buildvcs=false -ldflags "-s -w -X main.version=$VERSION" -o /out/linstor-cmp ./cmd/linstor-cmp
RUN go build -trimpath -buildvcs=false -ldflags "-s -w -X main.version=$VERSION" -o /out/linstor-cmp-fn ./cmd/linstor-cmp-fn

FROM gcr.io/distroless/static-debian12:nonroot AS function
COPY --from=builder /out/linstor-cmp-fn /usr/local/bin/linstor-cmp-fn
USER 65532:65532
ENTRYPOINT ["/usr/local/bin/linstor-cmp-fn"]

FROM gcr.io/distroless/static-debian12:nonroot AS plugin
COPY --from=builder /out/linstor-cmp /usr/local/bin/linstor-cmp
COPY plugin/plugin.yaml /home/argocd/cmp-server/config/plugin.yaml
USER 999:999
ENTRYPOINT ["/usr/local/bin/linstor-cmp"]
