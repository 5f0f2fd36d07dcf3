package main

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/linstor-cmp/linstor-cmp/plugin"
)

const notice = "<!-- Made by `make generate`: change %s, not this page. -->\n"

const parametersIntro = `
# Settings

Each setting can be given in four ways. Where it is given in several, the first of these wins:

1. a flag of the command line: ` + "`--NAME`" + `
2. a plugin parameter of the Application: ` + "`source.plugin.parameters`" + `, an entry with ` + "`name: NAME`" + ` and ` + "`string: VALUE`" + `
3. a variable of the Application: ` + "`source.plugin.env`" + ` (Argo CD hands it over with ` + "`ARGOCD_ENV_`" + ` before its name)
4. a variable of the sidecar, or of the shell

An empty value counts as none. A value that is not allowed is an error, and so is a parameter, or a variable of the Application that begins with ` + "`LINSTOR_CMP_`" + `, that names no setting.

| Setting | Variable | Values | Default | What it does |
|---|---|---|---|---|
`

const parametersOutro = `
What an Application may not choose freely, because whoever writes to its repository could:

- ` + "`nodes`" + `: a file below the Application's path. No link leads out of it, and ` + "`-`" + ` is not standard input.
- ` + "`kubeconfig`" + `: a file below the folder that the sidecar's variable ` + "`LINSTOR_CMP_KUBECONFIG_DIR`" + ` names, ` + "`/etc/linstor-cmp/kubeconfig`" + ` by default. A kubeconfig can run programs.
`

// parametersPage is the reference page of the settings.
func parametersPage() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, notice, "the table in plugin/parameters.go")
	b.WriteString(parametersIntro)
	for _, p := range plugin.Parameters {
		fmt.Fprintf(&b, "| `%s` | `%s` | %s | %s | %s |\n", p.Name, p.EnvName(), values(p), cell(p.Default), cell(p.Help))
	}
	b.WriteString(parametersOutro)
	return b.Bytes()
}

// values says which values a setting allows.
func values(p plugin.Parameter) string {
	allowed := p.Values
	if p.Bool {
		allowed = []string{"true", "false"}
	}
	if allowed == nil {
		return "text"
	}
	return "`" + strings.Join(allowed, "`, `") + "`"
}

// cell keeps a text inside its cell of a table.
func cell(text string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ").Replace(text)
}
