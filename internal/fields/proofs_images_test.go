package fields

const (
	loaderImage = pod + "/initContainers/drbd-module-loader/image"
	pauseImage  = pod + "/containers/pause/image"
	zeros       = "sha256:0000000000000000000000000000000000000000000000000000000000000000"
)

// pause is the spec of the image of pause, whose registry is not the others'.
func pause(fields string) string { return "{components: {pause: {" + fields + "}}}" }

// row is the spec of a row for the loader.
func row(fields string) string {
	return "{components: {drbd-module-loader: {match: [{" + fields + "}]}}}"
}

const mine = "quay.io/piraeusdatastore/mine:t"

var imageProofs = []proof{
	{path: "base", without: pause("tag: t"), with: "{base: r.example.com/x, components: {pause: {tag: t}}}", object: loader, pointer: pauseImage, want: "r.example.com/x/pause:t"},
	{path: "unknownOS", with: "{unknownOS: Skip}", object: "DaemonSet/drbd-module-loader-d"},
	{path: "unknownOS", with: "{unknownOS: Error}", told: "error: node d: no image row matches osImage \"Arch Linux\""},
	{path: "unknownOS", without: "{unknownOS: Skip}", with: "{unknownOS: Fallback}", told: "warning: node d: no image row matches osImage \"Arch Linux\""},
	{path: "components.*.image", without: pause("tag: t"), with: pause("tag: t, image: i"), object: loader, pointer: pauseImage, want: "registry.k8s.io/i:t"},
	{path: "components.*.tag", with: pause("tag: t"), object: loader, pointer: pauseImage, want: "registry.k8s.io/pause:t"},
	{path: "components.*.tag", without: "{components: {drbd-module-loader: {match: [{osImage: Ubuntu, image: mine}]}}}", with: "{components: {drbd-module-loader: {tag: t, match: [{osImage: Ubuntu, image: mine}]}}}", object: loader, pointer: loaderImage, want: mine},
	{path: "components.*.digest", without: pause("tag: t"), with: pause("tag: t, digest: '" + zeros + "'"), object: loader, pointer: pauseImage, want: "registry.k8s.io/pause@" + zeros},
	{path: "components.*.match[].osImage", without: row("osImage: ^22, image: mine, tag: t"), with: row("osImage: '22', image: mine, tag: t"), object: loader, pointer: loaderImage, want: mine},
	{path: "components.*.match[].kernelVersion", without: row("kernelVersion: ^6, image: mine, tag: t"), with: row("kernelVersion: generic, image: mine, tag: t"), object: loader, pointer: loaderImage, want: mine},
	{path: "components.*.match[].architecture", without: row("architecture: amd, image: mine, tag: t"), with: row("architecture: amd64, image: mine, tag: t"), object: loader, pointer: loaderImage, want: mine},
	{path: "components.*.match[].image", without: row("osImage: Ubuntu, tag: t"), with: row("osImage: Ubuntu, tag: t, image: mine"), object: loader, pointer: loaderImage, want: mine},
	{path: "components.*.match[].tag", without: row("osImage: Ubuntu, image: mine"), with: row("osImage: Ubuntu, image: mine, tag: t"), object: loader, pointer: loaderImage, want: mine},
	{path: "components.*.match[].digest", without: row("osImage: Ubuntu, image: mine"), with: row("osImage: Ubuntu, image: mine, digest: '" + zeros + "'"), object: loader, pointer: loaderImage, want: "quay.io/piraeusdatastore/mine@" + zeros},
	{path: "components.*.match[].precompiled", without: row("osImage: Ubuntu"), with: row("osImage: Ubuntu, precompiled: true"), object: loader, pointer: pod + "/volumes/usr-src"},
}

const (
	clusterConfig = "ConfigMap/linstor-controller-config"
	connection    = "/data/cluster.json#/nodeConnections/o"
)

var connectionProofs = []proof{
	{path: "selector[].matchLabels[].key", with: "{selector: [{matchLabels: [{key: k}]}]}", object: clusterConfig, pointer: connection + "/selector/0/matchLabels/0", want: map[string]any{"key": "k", "op": "Exists"}},
	{path: "selector[].matchLabels[].op", without: "{selector: [{matchLabels: [{key: k}]}]}", with: "{selector: [{matchLabels: [{key: k, op: Same}]}]}", object: clusterConfig, pointer: connection + "/selector/0/matchLabels/0/op", want: "Same"},
	{path: "selector[].matchLabels[].values", without: "{selector: [{matchLabels: [{key: k, op: In, values: [a]}]}]}", with: "{selector: [{matchLabels: [{key: k, op: In, values: [a, b]}]}]}", object: clusterConfig, pointer: connection + "/selector/0/matchLabels/0/values", want: []any{"a", "b"}},
	{path: "properties[].name", with: `{properties: [{name: p, value: "1"}]}`, object: clusterConfig, pointer: connection + "/properties/p/value", want: "1"},
	{path: "properties[].value", without: `{properties: [{name: p, value: "1"}]}`, with: `{properties: [{name: p, value: "2"}]}`, object: clusterConfig, pointer: connection + "/properties/p/value", want: "2"},
	{path: "paths[].name", with: "{paths: [{name: net, interface: i}]}", object: clusterConfig, pointer: connection + "/paths/net/name", want: "net"},
	{path: "paths[].interface", without: "{paths: [{name: net, interface: i}]}", with: "{paths: [{name: net, interface: j}]}", object: clusterConfig, pointer: connection + "/paths/net/interface", want: "j"},
}
