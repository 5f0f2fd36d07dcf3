// Package e2e drives the built commands against the real things they meet: a
// Kubernetes API server, Argo CD's plugin and repository servers, kustomize.
// Everything runs on the loopback interface of this machine, without a
// container engine, and is gone when its test is.
//
// `make e2e` installs those parts (parts/install.sh) and runs the tests. A part
// that is missing fails a test, it never skips one. What can be tested without
// a real server is tested beside the code, not here.
package e2e

import (
	"bytes"
	"context"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"syscall"
	"testing"
	"time"
)

// Root returns the folder of the main module.
func Root(t testing.TB) string {
	t.Helper()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// Binary returns the path of one of our own commands.
func Binary(t testing.TB, name string) string {
	t.Helper()
	return executable(t, filepath.Join(Root(t), "bin", name))
}

// Part returns the path of a program that parts/install.sh built. Its version
// is the one of module in parts/<folder>/go.mod, as it is there.
func Part(t testing.TB, name, folder, module string) string {
	t.Helper()
	modFile := filepath.Join("parts", folder, "go.mod")
	text, err := os.ReadFile(modFile)
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`(?m)^(?:require)?\s*` + regexp.QuoteMeta(module) + ` (v\S+)`).FindSubmatch(text)
	if found == nil {
		t.Fatalf("%s requires no %s", modFile, module)
	}
	return executable(t, filepath.Join(cacheDir(t), "bin", name+"-"+string(found[1])))
}

// Command returns the path of a program that the system provides.
func Command(t testing.TB, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Fatalf("%v: run `make e2e`, which installs it", err)
	}
	return path
}

func executable(t testing.TB, path string) string {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatalf("%v: run `make e2e`, which builds it", err)
	}
	if info.IsDir() || info.Mode()&0o111 == 0 {
		t.Fatalf("%s is not a program", path)
	}
	return path
}

func cacheDir(t testing.TB) string {
	t.Helper()
	if dir := os.Getenv("LINSTOR_CMP_E2E_CACHE"); dir != "" {
		return dir
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "linstor-cmp-e2e")
}

// Env is an environment of its own for a program: the search path and private
// folders, and nothing of the person who runs the tests (no KUBECONFIG, no
// variable of a pod, no git configuration), then the given name=value pairs.
func Env(t testing.TB, pairs ...string) []string {
	t.Helper()
	home := t.TempDir()
	return append([]string{
		"PATH=" + filepath.Join(Root(t), "bin") + string(os.PathListSeparator) + os.Getenv("PATH"),
		"HOME=" + home,
		"TMPDIR=" + t.TempDir(),
		"GIT_CONFIG_NOSYSTEM=1",
	}, pairs...)
}

// Result is what a program that ended has left.
type Result struct {
	Stdout, Stderr []byte
	Exit           int
}

// Run runs a program to its end, at most a minute, in folder dir.
func Run(t testing.TB, dir string, env []string, path string, args ...string) Result {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Dir, cmd.Env, cmd.SysProcAttr = dir, env, ownGroup()
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || ctx.Err() != nil) {
		t.Fatalf("%s %q: %v\n%s", filepath.Base(path), args, err, tail(stderr.Bytes()))
	}
	return Result{stdout.Bytes(), stderr.Bytes(), cmd.ProcessState.ExitCode()}
}

// MustRun is Run for a program that has to succeed; it returns its stdout.
func MustRun(t testing.TB, dir string, env []string, path string, args ...string) []byte {
	t.Helper()
	result := Run(t, dir, env, path, args...)
	if result.Exit != 0 {
		t.Fatalf("%s %q: exit %d\n%s", filepath.Base(path), args, result.Exit, tail(result.Stderr))
	}
	return result.Stdout
}

// ownGroup keeps a program and its children together, so that all of them can
// be ended at once, and lets the kernel end it when the test binary dies without
// its cleanups (a panic, a timeout, a kill).
func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// FreePorts returns n different TCP ports of the loopback interface that nobody
// listened on a moment ago.
func FreePorts(t testing.TB, n int) []string {
	t.Helper()
	ports := make([]string, n)
	for i := range ports {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer listener.Close()
		ports[i] = strconv.Itoa(listener.Addr().(*net.TCPAddr).Port)
	}
	return ports
}

// tail returns the end of a program's output, short enough for a test's log.
func tail(output []byte) []byte {
	const most = 2048
	if len(output) <= most {
		return output
	}
	cut := output[len(output)-most:]
	if i := bytes.IndexByte(cut, '\n'); i >= 0 {
		cut = cut[i+1:]
	}
	return append([]byte("…\n"), cut...)
}
