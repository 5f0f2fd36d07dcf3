package generator

import (
	"testing"
)

// References to the ConfigMaps of a node get the node's suffix wherever a pod
// can refer to one; what is no such reference keeps its name.
func TestReferencesFollowTheNamesOfConfigMaps(t *testing.T) {
	text := onlySatellites + overlay("o", `{podTemplate: {metadata: {annotations: {config: satellite-config}}, spec: {
    containers: [
      {name: side, image: "x:1", args: [satellite-config],
        env: [
          {name: KEY, valueFrom: {configMapKeyRef: {name: satellite-config, key: node.json}}},
          {name: SECRET, valueFrom: {secretKeyRef: {name: satellite-config, key: k}}},
          {name: FOREIGN, valueFrom: {configMapKeyRef: {name: foreign, key: k}}},
          {name: TEXT, value: reactor-config}],
        envFrom: [{configMapRef: {name: reactor-config}}, {secretRef: {name: reactor-config}}]}],
    initContainers: [{name: drbd-module-loader, env: [{name: KEY, valueFrom: {configMapKeyRef: {name: satellite-config, key: node.json}}}], volumeMounts: [{name: both, mountPath: /both}]}],
    volumes: [
      {name: both, projected: {sources: [{configMap: {name: satellite-config}}, {configMap: {name: foreign}}, {secret: {name: satellite-config}}]}},
      {name: secret, secret: {secretName: satellite-config}}]}}}`)
	r := render(t, text, nodesNamed("a"))
	side := pods + ",side"
	for _, c := range []struct{ reason, object, path, want string }{
		{"a volume", satelliteA, volumes + ",satellite-config,configMap,name", "satellite-config-a"},
		{"an environment variable", satelliteA, side + ",env,KEY,valueFrom,configMapKeyRef,name", "satellite-config-a"},
		{"one of an init container that moved", loaderA, inits + ",drbd-module-loader,env,KEY,valueFrom,configMapKeyRef,name", "satellite-config-a"},
		{"a Secret of that name", satelliteA, side + ",env,SECRET,valueFrom,secretKeyRef,name", "satellite-config"},
		{"a ConfigMap of another name", satelliteA, side + ",env,FOREIGN,valueFrom,configMapKeyRef,name", "foreign"},
		{"a text that is no reference", satelliteA, side + ",env,TEXT,value", "reactor-config"},
		{"a volume of a Secret", satelliteA, volumes + ",secret,secret,secretName", "satellite-config"},
		{"an annotation", satelliteA, "spec,template,metadata,annotations,config", "satellite-config"},
	} {
		if got := r.at(c.object, c.path); got != c.want {
			t.Errorf("%s: got %v, want %s", c.reason, got, c.want)
		}
	}
	if got := r.names(satelliteA, side+",args"); len(got) != 1 || got[0] != "satellite-config" {
		t.Errorf("an argument: got %v", got)
	}
	envFrom := r.at(satelliteA, side+",envFrom").([]any)
	if got := peek(envFrom[0].(map[string]any), "configMapRef")["name"]; got != "reactor-config-a" {
		t.Errorf("variables from a ConfigMap: got %v", got)
	}
	if got := peek(envFrom[1].(map[string]any), "secretRef")["name"]; got != "reactor-config" {
		t.Errorf("variables from a Secret: got %v", got)
	}
	sources := r.at(loaderA, volumes+",both,projected,sources").([]any)
	for i, want := range []struct{ kind, name string }{{"configMap", "satellite-config-a"}, {"configMap", "foreign"}, {"secret", "satellite-config"}} {
		if got := peek(sources[i].(map[string]any), want.kind)["name"]; got != want.name {
			t.Errorf("source %d of a projected volume: got %v, want %s", i, got, want.name)
		}
	}
}

// A reference to a ConfigMap that a patch deleted is not known to be wrong:
// something else may bring the object.
func TestAReferenceToADeletedConfigMap(t *testing.T) {
	r := render(t, onlySatellites+overlay("o", `{patches: [{patch: "{apiVersion: v1, kind: ConfigMap, metadata: {name: reactor-config}, $patch: delete}"}]}`), nodesNamed("a"))
	if r.objects["ConfigMap/reactor-config-a"] != nil {
		t.Error("the ConfigMap is there")
	}
	if got := r.at(satelliteA, volumes+",reactor-config,configMap,name"); got != "reactor-config-a" {
		t.Errorf("the reference is %v", got)
	}
}
