package api

import (
	"errors"
	"regexp"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"

	"github.com/linstor-cmp/linstor-cmp/internal/manifest"
)

func (c *checker) labels(path []any, selector map[string]string) {
	for _, key := range manifest.SortedKeys(selector) {
		for _, m := range validation.IsQualifiedName(key) {
			c.errorf(at(path, key), "no label key: %s", m)
		}
		for _, m := range validation.IsValidLabelValue(selector[key]) {
			c.errorf(at(path, key), "no label value: %s", m)
		}
	}
}

func (c *checker) affinity(path []any, s *corev1.NodeSelector) {
	if s != nil {
		c.terms(at(path, "nodeSelectorTerms"), s.NodeSelectorTerms, true)
	}
}

// terms holds selector terms against the strict rules of Kubernetes, and
// refuses what Kubernetes takes for "matches no node, ever": no terms, an empty
// term, a field other than the name.
func (c *checker) terms(path []any, terms []corev1.NodeSelectorTerm, wanted bool) {
	if len(terms) == 0 {
		if wanted || terms != nil {
			c.errorf(path, "without a term no node ever matches; leave the field out for all nodes")
		}
		return
	}
	for i, term := range terms {
		if len(term.MatchExpressions) == 0 && len(term.MatchFields) == 0 {
			c.errorf(at(path, i), "an empty term matches no node, ever; give it matchExpressions or matchFields")
		}
		for j, f := range term.MatchFields {
			if f.Key != "metadata.name" {
				c.errorf(at(path, i, "matchFields", j, "key"), "the only field to match is metadata.name, not %q", f.Key)
			}
		}
	}
	_, err := nodeaffinity.NewNodeSelector(&corev1.NodeSelector{NodeSelectorTerms: terms})
	for _, e := range flatten(err) {
		var fe *field.Error
		if errors.As(e, &fe) {
			steps := parsePath(fe.Field)[1:] // without nodeSelectorTerms
			c.errorf(at(path, steps...), "%s", fe.ErrorBody())
			continue
		}
		c.errorf(path, "%v", e)
	}
}

func flatten(err error) []error {
	var agg utilerrors.Aggregate
	switch {
	case err == nil:
		return nil
	case errors.As(err, &agg):
		return utilerrors.Flatten(agg).Errors()
	}
	return []error{err}
}

var pathStep = regexp.MustCompile(`[^.\[\]]+|\[\d+\]`)

func parsePath(p string) []any {
	var steps []any
	for _, s := range pathStep.FindAllString(p, -1) {
		if n, err := strconv.Atoi(strings.Trim(s, "[]")); err == nil && s[0] == '[' {
			steps = append(steps, n)
		} else {
			steps = append(steps, s)
		}
	}
	if len(steps) == 0 {
		steps = []any{""}
	}
	return steps
}

func (c *checker) tolerations(path []any, list []corev1.Toleration) {
	for i, t := range list {
		p := at(path, i)
		switch t.Operator {
		case "", corev1.TolerationOpEqual:
			if t.Key == "" {
				c.errorf(p, "a toleration without a key needs operator Exists")
			}
			for _, m := range validation.IsValidLabelValue(t.Value) {
				c.errorf(at(p, "value"), "%s", m)
			}
		case corev1.TolerationOpExists:
			if t.Value != "" {
				c.errorf(at(p, "value"), "operator Exists takes no value")
			}
		default:
			c.errorf(at(p, "operator"), "want Exists or Equal, found %q", t.Operator)
		}
		if t.Key != "" {
			for _, m := range validation.IsQualifiedName(t.Key) {
				c.errorf(at(p, "key"), "%s", m)
			}
		}
		c.oneOf(at(p, "effect"), string(t.Effect), "", "NoSchedule", "PreferNoSchedule", "NoExecute")
		if t.TolerationSeconds != nil && t.Effect != corev1.TaintEffectNoExecute {
			c.errorf(at(p, "tolerationSeconds"), "only with effect NoExecute")
		}
	}
}
