package convert

import (
	"encoding/json"
	"slices"
	"strings"
)

// setting returns a configuration file in TOML with one text set: in its
// section, after the section's header, or in a new section at the end. What the
// file has of that key is replaced.
func setting(file, header, key, value string) string {
	line := key + " = " + quoted(value)
	var lines []string
	if file != "" {
		lines = strings.Split(strings.TrimSuffix(file, "\n"), "\n")
	}
	at := slices.IndexFunc(lines, func(l string) bool { return strings.TrimSpace(l) == header })
	if at < 0 {
		if len(lines) > 0 {
			lines = append(lines, "")
		}
		return strings.Join(append(lines, header, line), "\n") + "\n"
	}
	for i := at + 1; i < len(lines) && !strings.HasPrefix(strings.TrimSpace(lines[i]), "["); i++ {
		if name, _, found := strings.Cut(lines[i], "="); found && strings.TrimSpace(name) == key {
			lines[i] = line
			return strings.Join(lines, "\n") + "\n"
		}
	}
	return strings.Join(slices.Insert(lines, at+1, line), "\n") + "\n"
}

// quoted is a basic string of TOML, which JSON's escapes are too.
func quoted(s string) string {
	data, err := json.Marshal(s)
	if err != nil {
		panic(err) // a text always encodes
	}
	return string(data)
}

func upper(level string) string { return strings.ToUpper(level) }

// config replaces a file of a ConfigMap.
func (k component) config(configMap, file, content string, from ...field) {
	k.to.patch("ConfigMap", configMap, "", map[string]any{"data": map[string]any{file: content}}, from...)
}
