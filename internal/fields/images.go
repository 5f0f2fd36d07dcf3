package fields

// Images, by what Piraeus calls them.
var imageRows = [][2]string{
	{"base", "Where all images come from, unless the cluster has a `repository`."},
	{"unknownOS", "What a node gets that no row of the loader matches: `Fallback`, the default, is the component's own image and a warning, `Skip` is no loader, `Error` an error."},
	{"components.*.image", "Name of the component's image; a row's own wins."},
	{"components.*.tag", "Its tag, also that of rows without one."},
	{"components.*.digest", "Its digest, in the place of the tag; it is of the component's own image, not of one that a row names."},
	{"components.*.match[].osImage", "Regular expression, not anchored, for the operating system of the nodes that a row is for."},
	{"components.*.match[].kernelVersion", "Regular expression, not anchored, for their kernel."},
	{"components.*.match[].architecture", "Their architecture, such as `arm64`."},
	{"components.*.match[].image", "Name of the image on these nodes."},
	{"components.*.match[].tag", "Its tag."},
	{"components.*.match[].digest", "Its digest, in the place of the tag."},
	{"components.*.match[].precompiled", "`true`: the loader's image brings its modules, and headers are not mounted."},
}

// Paths between nodes.
var connectionRows = [][2]string{
	{"selector[].matchLabels[].key", "Label that both nodes of a pair are compared by, in `cluster.json` as all of a connection."},
	{"selector[].matchLabels[].op", "How: `Exists`, the default, `DoesNotExist`, `In`, `NotIn`, `Same` or `NotSame`."},
	{"selector[].matchLabels[].values", "Values for `In` and `NotIn`."},
	{"properties[].name", "Name of a LINSTOR property of the connection."},
	{"properties[].value", "Value of that property, as it is written."},
	{"paths[].name", "Name of a network path between the nodes."},
	{"paths[].interface", "Network interface of the nodes that the path uses."},
}
