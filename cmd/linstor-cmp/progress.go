package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"
)

// progress tells a person at a terminal what a long run is waiting for. Where
// stderr is no terminal it says nothing.
type progress struct {
	mu    sync.Mutex
	what  string
	timer *time.Timer
}

// patience is how long a run may be silent.
const patience = time.Second

func newProgress(stderr io.Writer) *progress {
	p := &progress{}
	f, ok := stderr.(*os.File)
	if !ok {
		return p
	}
	if info, err := f.Stat(); err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return p
	}
	p.timer = time.AfterFunc(patience, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.what != "" {
			_, _ = fmt.Fprintf(f, "waiting for %s …\n", p.what)
		}
	})
	return p
}

// waitingFor says what the run is about to wait for.
func (p *progress) waitingFor(what string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.what = what; p.timer != nil {
		p.timer.Reset(patience)
	}
}

func (p *progress) stop() {
	if p.timer != nil {
		p.timer.Stop()
	}
}
