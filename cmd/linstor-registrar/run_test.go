package main

import (
	"bytes"
	"maps"
	"strings"
	"testing"
)

func TestWrongCalls(t *testing.T) {
	env := map[string]string{"LS_CONTROLLERS": "http://c:3370", "POD_IPS": "10.0.0.1", "LB_FORCE_NODE_NAME": "a"}
	without := func(name, value string) map[string]string {
		out := maps.Clone(env)
		out[name] = value
		return out
	}
	tests := []struct {
		args []string
		env  map[string]string
		code int
		says string
	}{
		{args: []string{"--version"}, code: 0, says: "linstor-registrar unknown"},
		{args: []string{"--help"}, code: 0, says: "restart-csi-node"},
		{args: []string{"--no-such-flag"}, code: 2, says: "not defined"},
		{args: []string{"x"}, code: 2, says: `no arguments are taken, found "x"`},
		{args: []string{"--interval", "1ms"}, code: 2, says: "--interval and --timeout are at least 1s"},
		{env: without("LS_CONTROLLERS", ""), code: 2, says: "LS_CONTROLLERS is not set"},
		{env: without("LS_CONTROLLERS", "ftp://c"), code: 2, says: "LS_CONTROLLERS: no URL of a LINSTOR controller"},
		{env: without("POD_IPS", ""), code: 2, says: "POD_IPS: the pod has no IP address yet"},
		{env: without("POD_IPS", "node-a"), code: 2, says: `POD_IPS: no IP address: "node-a"`},
		{env: without("LB_FORCE_NODE_NAME", ""), code: 2, says: "LB_FORCE_NODE_NAME is not set"},
		{env: without("LS_ROOT_CA", "x"), code: 2, says: "LS_ROOT_CA holds no certificate"},
		{args: []string{"--listen", "256.0.0.1:1"}, env: env, code: 1, says: "choose another address with --listen"},
	}
	for _, tt := range tests {
		var out bytes.Buffer
		code := run(t.Context(), tt.args, func(name string) string { return tt.env[name] }, &out, &out)
		if code != tt.code || !strings.Contains(out.String(), tt.says) {
			t.Errorf("%v: code %d, want %d, and %q in:\n%s", tt.args, code, tt.code, tt.says, &out)
		}
	}
}
