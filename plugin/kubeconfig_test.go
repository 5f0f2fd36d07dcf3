package plugin_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/linstor-cmp/linstor-cmp/plugin"
)

// An Application may only name a kubeconfig in the sidecar's folder of them.
func TestKubeconfigGuard(t *testing.T) {
	dir, elsewhere := t.TempDir(), t.TempDir()
	keys := filepath.Join(dir, "keys")
	if err := os.Mkdir(keys, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{filepath.Join(keys, "west"), filepath.Join(elsewhere, "east"), filepath.Join(dir, "keys-of-others")} {
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	links := map[string]string{
		filepath.Join(keys, "out"):        filepath.Join(elsewhere, "east"),
		filepath.Join(keys, "in"):         "west", // as the kubelet lays out a Secret
		filepath.Join(elsewhere, "inner"): filepath.Join(keys, "west"),
		filepath.Join(dir, "alias"):       keys,
	}
	for link, target := range links {
		if err := os.Symlink(target, link); err != nil {
			t.Fatal(err)
		}
	}

	cases := map[string]struct {
		reason string
		folder string
		file   string
		ok     bool
	}{
		"in the folder":             {"what the guard is to let through", keys, filepath.Join(keys, "west"), true},
		"a link in the folder":      {"Secrets are mounted as links", keys, filepath.Join(keys, "in"), true},
		"the folder is a link":      {"it is the file that counts", filepath.Join(dir, "alias"), filepath.Join(keys, "west"), true},
		"a link out of the folder":  {"the file is elsewhere", keys, filepath.Join(keys, "out"), false},
		"a link into the folder":    {"the file is in it, whatever names it", keys, filepath.Join(elsewhere, "inner"), true},
		"elsewhere":                 {"a kubeconfig can run programs", keys, filepath.Join(elsewhere, "east"), false},
		"a name that only begins":   {"keys-of-others is not below keys", keys, filepath.Join(dir, "keys-of-others"), false},
		"back up":                   {"dots are resolved", keys, filepath.Join(keys, "..", "keys-of-others"), false},
		"the folder itself":         {"kubeconfigs are files, reading one that is a folder fails later", keys, keys, true},
		"no such file":              {"what is not there cannot be below it", keys, filepath.Join(keys, "north"), false},
		"no such folder":            {"the sidecar has no kubeconfigs", filepath.Join(dir, "none"), filepath.Join(keys, "west"), false},
		"relative to the work tree": {"the folder is the sidecar's, a relative path is the repository's", keys, "west", false},
	}
	for name, c := range cases {
		for from, env := range map[string][]string{
			"parameter": parameters(`[{"name":"kubeconfig","string":"` + c.file + `"}]`),
			"variable":  {"ARGOCD_ENV_LINSTOR_CMP_KUBECONFIG=" + c.file},
		} {
			t.Run(name+", by "+from, func(t *testing.T) {
				got, err := plugin.Resolve(nil, append(env, "LINSTOR_CMP_KUBECONFIG_DIR="+c.folder))
				if ok := err == nil; ok != c.ok {
					t.Fatalf("%s: error %v", c.reason, err)
				}
				if err != nil && !strings.Contains(err.Error(), "may only name a kubeconfig below "+c.folder) {
					t.Errorf("%s: the error does not name the folder: %v", c.reason, err)
				}
				if got.Kubeconfig != c.file {
					t.Errorf("kubeconfig %q, want %q", got.Kubeconfig, c.file)
				}
			})
		}
	}

	t.Run("the sidecar's own is free", func(t *testing.T) {
		file := filepath.Join(elsewhere, "east")
		if _, err := plugin.Resolve(nil, []string{"LINSTOR_CMP_KUBECONFIG=" + file, "LINSTOR_CMP_KUBECONFIG_DIR=" + keys}); err != nil {
			t.Error(err)
		}
	})

	t.Run("the folder that the pages name", func(t *testing.T) {
		const folder = "/etc/linstor-cmp/kubeconfig"
		_, err := plugin.Resolve(nil, parameters(`[{"name":"kubeconfig","string":"/none"}]`))
		if err == nil || !strings.Contains(err.Error(), "below "+folder+",") {
			t.Errorf("error %v, want one that names %s", err, folder)
		}
		for _, page := range []string{"install/README.md", "../docs/reference/parameters.md"} {
			if !strings.Contains(readFile(t, page), "`"+folder+"`") {
				t.Errorf("%s does not name %s", page, folder)
			}
		}
	})
}
