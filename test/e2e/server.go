package e2e

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// Server is a program that runs until its test ends.
type Server struct {
	name string
	log  string
	done chan struct{}
	err  error // how it ended; read after done is closed
}

// StartServer starts a program. Its output goes to <name>.log among the test's
// artifacts (`go test -artifacts` keeps them), whose end a failed test shows.
func StartServer(t testing.TB, name string, env []string, path string, args ...string) *Server {
	t.Helper()
	server := &Server{name: name, log: filepath.Join(t.ArtifactDir(), name+".log"), done: make(chan struct{})}
	output, err := os.Create(server.log)
	if err != nil {
		t.Fatal(err)
	}
	defer output.Close()

	cmd := exec.Command(path, args...)
	cmd.Dir, cmd.Env, cmd.SysProcAttr = t.TempDir(), env, ownGroup()
	cmd.Stdout, cmd.Stderr = output, output
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		server.err = cmd.Wait()
		close(server.done)
	}()
	t.Cleanup(func() {
		// Nothing here has state worth a graceful end, and argocd-cmp-server
		// does not end on SIGTERM.
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		<-server.done
		if t.Failed() {
			t.Logf("the end of %s:\n%s", filepath.Base(server.log), tail(server.Log(t)))
		}
	})
	return server
}

// Log returns what the program has written so far.
func (s *Server) Log(t testing.TB) []byte {
	t.Helper()
	text, err := os.ReadFile(s.log)
	if err != nil {
		t.Error(err)
	}
	return text
}

// Await asks until the server answers: ready is called until it returns no
// error, for half a minute or as long as the program lives.
func (s *Server) Await(t testing.TB, ready func(context.Context) error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	for {
		err := ready(ctx)
		if err == nil {
			return
		}
		select {
		case <-s.done:
			t.Fatalf("%s has ended: %v", s.name, s.err)
		case <-ctx.Done():
			t.Fatalf("%s does not answer: %v", s.name, err)
		case <-time.After(50 * time.Millisecond):
		}
	}
}
