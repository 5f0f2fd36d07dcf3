package patch

import (
	"fmt"
	"regexp"
	"strings"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/linstor-cmp/linstor-cmp/internal/api"
	"github.com/linstor-cmp/linstor-cmp/internal/manifest"
)

// selector says which objects a patch is for.
type selector interface {
	selects(Subject) (selected, perNode bool)
}

// custom is KubeVirt's way: a kind and a name, without regard to case, or *.
type custom struct{ kind, name string }

func (c custom) kindMatches(kind string) bool {
	return c.kind == "*" || strings.EqualFold(c.kind, kind)
}

func (c custom) nameMatches(name string) bool {
	return c.name == "*" || strings.EqualFold(c.name, name)
}

func (c custom) selects(s Subject) (bool, bool) {
	return c.kindMatches(s.Kind) && (c.nameMatches(s.Base) || c.nameMatches(s.Final)), false
}

// target is kustomize's way: anchored regular expressions and label selectors.
type target struct {
	group, version, kind, name, namespace *regexp.Regexp
	labels, annotations                   labels.Selector
}

func parseTarget(t *api.Selector) (*target, error) {
	var out target
	for _, f := range []struct {
		field, expr string
		into        **regexp.Regexp
	}{
		{"group", t.Group, &out.group},
		{"version", t.Version, &out.version},
		{"kind", t.Kind, &out.kind},
		{"name", t.Name, &out.name},
		{"namespace", t.Namespace, &out.namespace},
	} {
		if f.expr == "" {
			continue
		}
		re, err := regexp.Compile("^(?:" + f.expr + ")$")
		if err != nil {
			return nil, fmt.Errorf("target.%s is no regular expression: %w", f.field, err)
		}
		*f.into = re
	}
	var err error
	if out.labels, err = labels.Parse(t.LabelSelector); err != nil {
		return nil, fmt.Errorf("target.labelSelector: %w", err)
	}
	if out.annotations, err = labels.Parse(t.AnnotationSelector); err != nil {
		return nil, fmt.Errorf("target.annotationSelector: %w", err)
	}
	return &out, nil
}

func (t *target) selects(s Subject) (bool, bool) {
	group, version := splitVersion(s.APIVersion)
	for _, m := range []struct {
		re   *regexp.Regexp
		text string
	}{{t.group, group}, {t.version, version}, {t.kind, s.Kind}, {t.name, s.Base}, {t.namespace, s.Namespace}} {
		if m.re != nil && !m.re.MatchString(m.text) {
			return false, false
		}
	}
	meta, _ := s.Object["metadata"].(map[string]any)
	l, lDep := matchLabels(t.labels, meta["labels"])
	a, aDep := matchLabels(t.annotations, meta["annotations"])
	return l && a, lDep || aDep
}

// matchLabels reports whether a selector matches, and whether it looked at a
// value that a placeholder is in.
func matchLabels(sel labels.Selector, values any) (matches, perNode bool) {
	set := labels.Set{}
	m, _ := values.(map[string]any)
	for k, v := range m {
		set[k], _ = v.(string)
	}
	reqs, _ := sel.Requirements()
	for _, r := range reqs {
		perNode = perNode || manifest.HasPlaceholder(set[r.Key()])
	}
	return sel.Matches(set), perNode
}

// exact is the object that a merge patch without a target names in its body.
type exact struct{ apiVersion, kind, name string }

func (e exact) selects(s Subject) (bool, bool) {
	return e == exact{s.APIVersion, s.Kind, s.Base}, false
}

func splitVersion(apiVersion string) (group, version string) {
	if g, v, ok := strings.Cut(apiVersion, "/"); ok {
		return g, v
	}
	return "", apiVersion
}
