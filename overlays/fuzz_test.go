package overlays

import (
	"errors"
	"testing"

	"github.com/linstor-cmp/linstor-cmp/internal/manifest"
)

// FuzzRead feeds texts to the reading of documents: input or errors, never a
// panic.
func FuzzRead(f *testing.F) {
	for _, s := range []string{
		"apiVersion: piraeus.io/v1\nkind: LinstorCluster\nmetadata: {name: c}\nspec: {nodeAffinity: {nodeSelectorTerms: [{matchExpressions: [{key: a, operator: In, values: [b]}]}]}}",
		"apiVersion: piraeus.io/v1\nkind: LinstorSatelliteConfiguration\nmetadata: {name: c}\nspec:\n  storagePools: [{name: abc, filePool: {}}]\n  properties: [{name: p, valueFrom: {nodeFieldRef: \"metadata.labels['x']\"}}]\n  patches: [{patch: 'a: b', target: {kind: X}}]",
		"\ufeffapiVersion: v1\r\nkind: List\r\nitems:\r\n- {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}\r\n---\r\n...\r\n",
		"a: &a [*a]", "a: &a {x: 1}\nb: {<<: *a}", "? [a]\n: b", "!!binary aGk=", "--- |\n x\n--- !!map {}\n",
		"apiVersion: linstor-cmp.io/v1alpha1\nkind: LinstorImageConfiguration\nmetadata: {name: i}\nspec: {components: {x: {match: [{osImage: '('}]}}}",
	} {
		f.Add([]byte(s))
	}
	files := Files{Read: func(string) ([]byte, error) { return nil, errors.New("no files") }}
	f.Fuzz(func(t *testing.T, data []byte) {
		docs, err := manifest.ReadDocuments("f.yaml", data)
		if err != nil {
			return
		}
		if in, err := Read(docs, files); err == nil && in == nil {
			t.Error("neither input nor an error")
		}
	})
}
