package generator

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// badTemplate is an overlay whose pod template, from line 16 on, has one fault.
func badTemplate(lines string) string {
	return onlySatellites + strings.TrimSuffix(overlay("o", ""), " \n") + "\n  podTemplate:\n    spec:\n" + lines
}

// Each patch brings a fault that no API server takes; the error says where the
// patch does it, in which object, what is wrong and what to do.
func TestRulesOfTheAPIServer(t *testing.T) {
	const of = "DaemonSet/linstor-satellite of node a: podTemplate of overlay \"o\": spec.template.spec"
	for _, c := range []struct{ reason, text, want string }{
		{
			"a variable with a value and a source",
			badTemplate("      containers:\n      - name: linstor-satellite\n        env:\n        - name: LB_FORCE_NODE_NAME\n          value: x\n"),
			"error: in.yaml:17: " + of + ".containers[linstor-satellite].env[LB_FORCE_NODE_NAME]: the variable has a value and valueFrom\n" +
				"hint: say which one goes: valueFrom: null, or value: null, in the patch that sets the other\n",
		},
		{
			"a volume with two sources",
			badTemplate("      volumes:\n      - name: dev\n        emptyDir: {}\n"),
			"error: in.yaml:20: " + of + ".volumes[dev]: the volume has 2 sources: emptyDir, hostPath\n" +
				"hint: say which one goes: its field set to null, or $retainKeys in a customizeComponents patch\n",
		},
		{
			"a mount of a volume that is not there",
			badTemplate("      containers:\n      - name: linstor-satellite\n        volumeMounts:\n        - mountPath: /x\n          name: nowhere\n"),
			"error: in.yaml:17: " + of + ".containers[linstor-satellite].volumeMounts[/x]: there is no volume \"nowhere\"\n" +
				"hint: add the volume, or delete the mount: give its mountPath and $patch: delete\n",
		},
		{
			"a volume that is deleted while a container mounts it",
			badTemplate("      volumes:\n      - name: run-udev\n        $patch: delete\n"),
			"error: in.yaml:17: " + of + ".containers[linstor-satellite].volumeMounts[/run/udev]: there is no volume \"run-udev\"\n" +
				"hint: add the volume, or delete the mount: give its mountPath and $patch: delete\n",
		},
		{
			"a new container without an image",
			badTemplate("      containers:\n      - name: linstor-satelite\n        env: []\n"),
			"error: in.yaml:17: " + of + ".containers[linstor-satelite]: the container has no image\n" +
				"hint: a new container needs an image; an existing one is amended under its exact name\n",
		},
		{
			"a name that no container can have",
			badTemplate("      containers:\n      - image: x:1\n        name: a_b\n"),
			"error: in.yaml:20: " + of + ".containers[a_b]: no name of a container: \"a_b\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')\n",
		},
		{
			"no container is left",
			badTemplate("      containers: null\n"),
			"error: in.yaml:18: " + of + ".containers: the pod has no container\n",
		},
		{
			"a field of another object",
			badTemplate("      minReadySeconds: 3\n"),
			"error: in.yaml:18: " + of + ": unknown field \"minReadySeconds\"\n",
		},
		{
			"a misspelt field",
			badTemplate("      hostnetwork: true\n"),
			"error: in.yaml:18: " + of + ": unknown field \"hostnetwork\"\nhint: the field is called \"hostNetwork\"\n",
		},
		{
			"a value of the wrong type",
			badTemplate("      hostNetwork: \"yes\"\n"),
			"error: in.yaml:18: " + of + ".hostNetwork: want true or false, found the text \"yes\"\n",
		},
		{
			"a number that no field can hold",
			badTemplate("      terminationGracePeriodSeconds: 99999999999999999999\n"),
			"error: in.yaml:18: " + of + ".terminationGracePeriodSeconds: want a whole number, found the number 99999999999999999999\n",
		},
	} {
		_, err := tryRender(c.text, nodesNamed("a"))
		if diff := cmp.Diff(c.want, told(err)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.reason, diff)
		}
	}
}

// operations is an overlay with an RFC 6902 patch, from line 19 on.
func operations(target string, lines ...string) string {
	text := onlySatellites + strings.TrimSuffix(overlay("o", ""), " \n") + "\n  patches:\n  - target: " + target + "\n    patch: |\n"
	for _, l := range lines {
		text += "      - " + l + "\n"
	}
	return text
}

// onThePatch matches an error on a line of the patch of operations.
var onThePatch = regexp.MustCompile(`^error: in\.yaml:1[789]: [A-Za-z]+/[a-z-]+ of node a: patches\[0\] of overlay "o": `)

func TestRulesHoldForOperationsToo(t *testing.T) {
	satellite := "{kind: DaemonSet, name: linstor-satellite}"
	add := func(path, value string) string { return "{op: add, path: " + path + ", value: " + value + "}" }
	for _, c := range []struct{ reason, text, want string }{
		{
			"two containers of one name",
			operations(satellite, add("/spec/template/spec/containers/-", `{name: drbd-reactor, image: "x:1"}`)),
			"spec.template.spec.containers[drbd-reactor]: two have the name drbd-reactor",
		},
		{
			"an init container with the name of a container",
			operations(satellite, add("/spec/template/spec/initContainers/-", `{name: drbd-reactor, image: "x:1"}`)),
			"spec.template.spec.containers[drbd-reactor]: two have the name drbd-reactor",
		},
		{
			"two volumes of one name",
			operations(satellite, add("/spec/template/spec/volumes/-", `{name: dev, emptyDir: {}}`)),
			"spec.template.spec.volumes[dev]: two have the name dev",
		},
		{
			"two mounts of one path",
			operations(satellite, add("/spec/template/spec/containers/0/volumeMounts/-", `{name: tmp, mountPath: /dev}`)),
			`spec.template.spec.containers[linstor-satellite].volumeMounts: every mount needs a mountPath of its own, and "/dev" is there twice or empty`,
		},
		{
			"a mount without a path",
			operations(satellite, add("/spec/template/spec/containers/0/volumeMounts/-", `{name: tmp}`)),
			`spec.template.spec.containers[linstor-satellite].volumeMounts: every mount needs a mountPath of its own, and "" is there twice or empty`,
		},
		{
			"a variable without a name",
			operations(satellite, add("/spec/template/spec/containers/0/env/-", `{value: x}`)),
			"spec.template.spec.containers[linstor-satellite].env: a variable has no name",
		},
		{
			"a key that no label can have",
			operations(satellite, add("/metadata/labels/a b", "x")),
			`metadata.labels: no label key "a b": name part must consist of`,
		},
		{
			"a value that no label can have",
			operations(satellite, add("/spec/template/metadata/labels/a", "'x y'")),
			"spec.template.metadata.labels: no value of label a: a valid label must be",
		},
		{
			"a key that no annotation can have",
			operations(satellite, add("/metadata/annotations/a b", "x")),
			`metadata.annotations: no annotation key "a b": name part must consist of`,
		},
		{
			"Argo CD's label",
			operations("{kind: ConfigMap, name: satellite-config}", add("/metadata/labels/app.kubernetes.io~1instance", "x")),
			"metadata.labels: the label app.kubernetes.io/instance belongs to Argo CD, which tracks objects by it",
		},
		{
			"a key that no ConfigMap can have",
			operations("{kind: ConfigMap, name: satellite-config}", add("/data/a b", "x")),
			`data: no key of a ConfigMap: "a b": a valid config key must consist of`,
		},
	} {
		_, err := tryRender(c.text, nodesNamed("a"))
		got := told(err)
		if !strings.Contains(got, c.want) || !onThePatch.MatchString(got) {
			t.Errorf("%s: got %s\nwant %q in it", c.reason, got, c.want)
		}
	}
}
