package fields

// The patches that KubeVirt's users know.
var customizeRows = [][2]string{
	{"customizeComponents.patches[].resourceType", "Kind of the objects to patch, without regard to case, or `*`."},
	{"customizeComponents.patches[].resourceName", "Base name or final name of the objects to patch, without regard to case, or `*`."},
	{"customizeComponents.patches[].type", "`strategic`, the default, `json` for RFC 6902, or `merge` for RFC 7386."},
	{"customizeComponents.patches[].patch", "The patch, as JSON or YAML text."},
	{"customizeComponents.patches[].nodeSelectorTerms", "Terms of which a node must match one: only the objects of such nodes are patched."},
	{"customizeComponents.patches[].options", "`allowNoMatch: true`: a patch that finds no object is no error."},
	{"customizeComponents.flags", "Command line flags by component, appended to the arguments of its container; an overlay has those of the `satellite`."},
}

// The patches that kustomize's users know, and so those of Piraeus.
var patchRows = [][2]string{
	{"patches[].patch", "A strategic merge patch or a list of RFC 6902 operations, as JSON or YAML text."},
	{"patches[].path", "File that holds the patch, relative to the file that names it."},
	{"patches[].target.group", "Regular expression for the API group of the objects to patch; it must match as a whole, as in all parts of a target."},
	{"patches[].target.version", "Regular expression for the API version."},
	{"patches[].target.kind", "Regular expression for the kind."},
	{"patches[].target.name", "Regular expression for the base name."},
	{"patches[].target.namespace", "Regular expression for the namespace."},
	{"patches[].target.labelSelector", "Selector of labels, those that the object has before the patch."},
	{"patches[].target.annotationSelector", "Selector of annotations, written like one of labels."},
	{"patches[].options", "`allowNoMatch: true`: a patch that finds no object is no error; kustomize's other options are an error where they are `true`."},
}
