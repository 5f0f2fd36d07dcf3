package convert

import (
	"strings"
	"testing"
)

// helm is values with something below operator.
func helm(below string) string {
	return "operator:\n  controller:\n    controllerImage: quay.io/piraeusdatastore/piraeus-server:v1.23.0\n    luksSecret: passphrase\n" + below
}

// set is a resource with a spec.
func set(spec string) string {
	return "apiVersion: piraeus.linbit.com/v1\nkind: LinstorSatelliteSet\nmetadata: {name: ns}\nspec: " + spec
}

// terms is an affinity that asks for a label.
func terms(label string) string {
	return "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: " + label + ", operator: Exists}]}]}}}"
}

// other is a second set of satellites.
func other(spec string) string {
	return "\n---\n" + strings.Replace(set(spec), "name: ns", "name: other", 1)
}

const cs = "\n---\napiVersion: piraeus.linbit.com/v1\nkind: LinstorController\nmetadata: {name: cs, namespace: ns}\nspec: "

// compare looks for texts in the output, its lines joined by single spaces.
func compare(t *testing.T, r *Result, has, hasNot, missing []string) {
	t.Helper()
	out := strings.Join(strings.Fields(string(r.Stream())), " ")
	for _, s := range has {
		if !strings.Contains(out, s) {
			t.Errorf("the output lacks %q:\n%s", s, r.Stream())
		}
	}
	for _, s := range hasNot {
		if strings.Contains(out, s) {
			t.Errorf("the output has %q:\n%s", s, r.Stream())
		}
	}
	var told []string
	for _, m := range r.Missing {
		told = append(told, strings.Join(m.Problem().Lines(), "\n"))
	}
	for _, n := range r.Notes {
		told = append(told, strings.Join(n.Lines(), "\n"))
	}
	for _, s := range missing {
		if !strings.Contains(strings.Join(told, "\n"), s) {
			t.Errorf("the warnings lack %q:\n%s", s, strings.Join(told, "\n"))
		}
	}
}
