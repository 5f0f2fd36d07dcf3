package e2e

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	pluginclient "github.com/argoproj/argo-cd/v2/cmpserver/apiclient"
	repoclient "github.com/argoproj/argo-cd/v2/reposerver/apiclient"
	"github.com/argoproj/argo-cd/v2/util/cmp"
)

const argocdModule = "github.com/argoproj/argo-cd/v2"

// Plugin is a running plugin, asked as a repository server asks it.
type Plugin struct {
	// Sockets is the folder where repository servers look for plugins.
	Sockets string
	client  pluginclient.ConfigManagementPluginServiceClient
}

// StartPluginServer starts argocd-cmp-server, which runs the commands that the
// given plugin.yaml names. name is the plugin's name there. Only the environment
// given here, and what a request brings, reaches those commands.
func StartPluginServer(t testing.TB, name, pluginYAML string, env ...string) Plugin {
	t.Helper()
	config := t.TempDir()
	copyFile(t, pluginYAML, filepath.Join(config, "plugin.yaml"))
	sockets := socketDir(t)
	server := StartServer(t, "argocd-cmp-server",
		Env(t, append(env,
			"ARGOCD_BINARY_NAME=argocd-cmp-server",
			"ARGOCD_PLUGINSOCKFILEPATH="+sockets,
			"ARGOCD_CMP_WORKDIR="+t.TempDir(),
		)...),
		Part(t, "argocd", "argocd-v2", argocdModule), "--config-dir-path", config)
	return awaitPlugin(t, server, sockets, name)
}

func awaitPlugin(t testing.TB, server *Server, sockets, name string) Plugin {
	t.Helper()
	socket := filepath.Join(sockets, name+".sock")
	// The client's own dial waits for ever, so it comes after a first answer.
	server.Await(t, func(ctx context.Context) error { return accepts(ctx, "unix", socket) })
	connection, client, err := pluginclient.NewConfigManagementPluginClientSet(socket).NewConfigManagementPluginClient()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = connection.Close() })
	return Plugin{Sockets: sockets, client: client}
}

// Generate sends the repository at root and returns the manifests that the
// plugin makes of the application in its folder app.
func (p Plugin) Generate(t testing.TB, root, app string, env []string) ([]string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	stream, err := p.client.GenerateManifest(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if err := cmp.SendRepoStream(ctx, filepath.Join(root, app), root, stream, env, nil); err != nil {
		t.Fatal(err)
	}
	response, err := stream.CloseAndRecv()
	return response.GetManifests(), err
}

// Parameters returns the parameters that the plugin announces for the
// application in folder app of the repository at root.
func (p Plugin) Parameters(t testing.TB, root, app string, env []string) []*repoclient.ParameterAnnouncement {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	stream, err := p.client.GetParametersAnnouncement(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if err := cmp.SendRepoStream(ctx, filepath.Join(root, app), root, stream, env, nil); err != nil {
		t.Fatal(err)
	}
	response, err := stream.CloseAndRecv()
	if err != nil {
		t.Fatal(err)
	}
	return response.GetParameterAnnouncements()
}

// StartRepoServer starts argocd-repo-server, with a redis of its own, for the
// plugins whose sockets are in the given folder.
func StartRepoServer(t testing.TB, sockets string) repoclient.RepoServerServiceClient {
	t.Helper()
	ports := FreePorts(t, 3)
	redis := "127.0.0.1:" + ports[0]
	address := "127.0.0.1:" + ports[1]
	startRedis(t, ports[0])
	server := StartServer(t, "argocd-repo-server",
		Env(t,
			"ARGOCD_BINARY_NAME=argocd-repo-server",
			"ARGOCD_PLUGINSOCKFILEPATH="+sockets,
			"ARGOCD_GPG_ENABLED=false",
			"ARGOCD_ASK_PASS_SOCK="+filepath.Join(socketDir(t), "askpass.sock"),
			"ARGOCD_TLS_DATA_PATH="+t.TempDir(),
			"ARGOCD_SSH_DATA_PATH="+t.TempDir(),
		),
		Part(t, "argocd", "argocd-v2", argocdModule),
		"--disable-tls", "--redis", redis,
		"--address", "127.0.0.1", "--port", ports[1],
		"--metrics-address", "127.0.0.1", "--metrics-port", ports[2])
	server.Await(t, func(ctx context.Context) error { return accepts(ctx, "tcp", address) })
	clients := repoclient.NewRepoServerClientset(address, 60, repoclient.TLSConfiguration{DisableTLS: true})
	connection, client, err := clients.NewRepoServerClient()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = connection.Close() })
	return client
}

func startRedis(t testing.TB, port string) {
	t.Helper()
	server := StartServer(t, "redis", Env(t), Command(t, "redis-server"),
		"--port", port, "--bind", "127.0.0.1", "--save", "", "--dir", t.TempDir())
	server.Await(t, func(ctx context.Context) error { return accepts(ctx, "tcp", "127.0.0.1:"+port) })
}

// GitRepository makes the folder a git repository with everything in it
// committed, and returns its URL and revision.
func GitRepository(t testing.TB, folder string) (url, revision string) {
	t.Helper()
	git := Command(t, "git")
	env := Env(t)
	for _, args := range [][]string{
		{"init", "--quiet", "--initial-branch=main"},
		{"add", "--all", "--force"},
		{"-c", "user.name=e2e", "-c", "user.email=e2e@example.net", "commit", "--quiet", "--message=all"},
	} {
		MustRun(t, folder, env, git, args...)
	}
	head := MustRun(t, folder, env, git, "rev-parse", "HEAD")
	return "file://" + folder, string(head[:40])
}

func accepts(ctx context.Context, network, address string) error {
	var dialer net.Dialer
	connection, err := dialer.DialContext(ctx, network, address)
	if err != nil {
		return err
	}
	return connection.Close()
}

// socketDir makes a folder whose path leaves room for a file name within the
// 108 bytes of a socket's address, which a test's own folders may not.
func socketDir(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "e2e")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}
