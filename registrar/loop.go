package registrar

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"regexp"
	"slices"
	"time"

	"github.com/linstor-cmp/linstor-cmp/internal/problem"
)

// Keeper is what a Loop runs: a NodeKeeper or a ClusterKeeper.
type Keeper interface {
	// Load takes over what git says; an error leaves what it said before.
	Load(data []byte) error
	// Pass looks, plans and applies once. It calls busy before every step.
	Pass(ctx context.Context, busy func(Step)) Result
	// Subject names what is kept.
	Subject() string
}

// Loop keeps something until its context ends.
type Loop struct {
	Keeper   Keeper
	Config   string        // path of the file that says what git wants
	Interval time.Duration // between two looks while all is well
	Poll     time.Duration // between two looks at the file
	State    *State
	Log      *slog.Logger
	// Tell says a fault to Kubernetes. Nil: nobody is told.
	Tell func(ctx context.Context, f Fault) error

	file     file
	readErr  error // why the file could not be read, the last time
	parseErr error // what is wrong with what it says
	loaded   bool  // it has been right before
	polls    int
	backoff  backoff
	told     map[string]time.Time // fault → when Kubernetes was last told
	logged   []string             // faults and what is waited for, as last logged
	wrong    bool                 // something has been logged that is not over yet
	failed   bool                 // the last pass
}

// Run runs passes until ctx ends: after a change of the file at once, after a
// failure with back-off, otherwise once in an interval, give or take a tenth.
func (l *Loop) Run(ctx context.Context) {
	l.file.path = l.Config
	l.backoff = backoff{least: time.Second, most: l.Interval}
	l.told = map[string]time.Time{}
	l.load(true)
	// A thousand registrars that start together need not ask together.
	l.wait(ctx, time.Duration(rand.Int64N(int64(min(l.Interval/20, 3*time.Second))+1)))
	for ctx.Err() == nil {
		l.State.beat()
		r := l.pass(ctx)
		if ctx.Err() != nil {
			return
		}
		l.State.record(r)
		l.talk(ctx, r)
		l.wait(ctx, l.pause(r))
	}
}

// load reads the file, if need be only where its size or time has changed, and
// takes over what it says. It tells whether the text is another one.
func (l *Loop) load(again bool) bool {
	data, changed, err := l.file.read(again)
	l.readErr = err
	if err != nil || !changed {
		return false
	}
	l.parseErr = l.Keeper.Load(data)
	l.loaded = l.loaded || l.parseErr == nil
	return true
}

// pass passes with what the file last said that was right.
func (l *Loop) pass(ctx context.Context) Result {
	l.load(true)
	r := Result{Failed: true}
	if l.loaded {
		r = l.Keeper.Pass(ctx, func(s Step) { l.State.busy(s.Change.Patience()) })
	}
	for _, err := range []error{l.readErr, l.parseErr} {
		if err != nil {
			r.Faults, r.InSync = append(configFaults(l.Config, l.loaded, err), r.Faults...), false
		}
	}
	return r
}

func configFaults(path string, loaded bool, err error) []Fault {
	var list problem.List
	list.Merge(err)
	hint := "nothing is asked of LINSTOR until it is right"
	if loaded {
		hint = "what it said before is kept until it is right"
	}
	var out []Fault
	for _, p := range list.Errors() {
		if p.Subject == "" {
			p.Subject = path
		}
		p.Hint = hint
		out = append(out, Fault{KindConfig, p})
	}
	return out
}

// pause returns how long to wait after a pass.
func (l *Loop) pause(r Result) time.Duration {
	if l.failed && !r.Failed && len(r.Changes) > 0 {
		l.backoff.reset() // at last; what comes next need not wait as long
	}
	l.failed = r.Failed
	switch {
	case r.More && !r.Failed:
		return 0
	case r.Failed || r.Waiting != "" || len(r.Changes) > 0:
		return l.backoff.next()
	case r.InSync:
		l.backoff.reset()
	}
	return jitter(l.Interval, 0.9, 1.1)
}

// wait returns after d, or as soon as the file changes or ctx ends.
func (l *Loop) wait(ctx context.Context, d time.Duration) {
	end := time.NewTimer(d)
	defer end.Stop()
	poll := time.NewTicker(l.Poll)
	defer poll.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-end.C:
			return
		case <-poll.C:
			l.State.beat()
			// File systems may have coarse times: now and then the text counts.
			l.polls++
			if l.load(l.polls%5 == 0) {
				l.Log.Info("the configuration has changed", "file", l.Config)
				l.backoff.reset()
				return
			}
		}
	}
}

// talk logs what was done, and faults when they are new; with nothing done and
// nothing new it logs nothing.
func (l *Loop) talk(ctx context.Context, r Result) {
	for _, s := range r.Changes {
		l.Log.Info(s.Says, "step", s.Kind)
	}
	for _, f := range r.Faults {
		if slices.Contains(l.logged, f.key()) {
			continue
		}
		level := slog.LevelError
		if f.Severity == problem.Warning {
			level = slog.LevelWarn
		}
		attrs := []any{"step", f.Kind}
		if f.Hint != "" {
			attrs = append(attrs, "hint", f.Hint)
		}
		l.Log.Log(ctx, level, f.Error(), attrs...)
	}
	if r.Waiting != "" && !slices.Contains(l.logged, r.Waiting) {
		l.Log.Info("waiting: " + r.Waiting)
	}
	l.wrong = l.wrong || errorCount(r.Faults) > 0 || r.Waiting != ""
	if r.InSync && l.wrong {
		l.wrong = false
		l.Log.Info("LINSTOR is as git says", "object", l.Keeper.Subject())
	}
	l.logged = keys(r)
	l.tell(ctx, r)
}

// tell says faults to Kubernetes, the same one once an hour.
func (l *Loop) tell(ctx context.Context, r Result) {
	if l.Tell == nil {
		return
	}
	const again = time.Hour
	for key, at := range l.told {
		if time.Since(at) > again {
			delete(l.told, key)
		}
	}
	for _, f := range r.Faults {
		key := f.key()
		if _, ok := l.told[key]; ok || f.Severity != problem.Error || len(l.told) > 100 {
			continue
		}
		l.told[key] = time.Now()
		ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
		if err := l.Tell(ctx, f); err != nil {
			l.Log.Warn(fmt.Sprintf("Kubernetes was not told of a fault: %v", err))
		}
		cancel()
	}
}

// volatile is what differs in the text of one and the same fault: numbers of
// error reports, ports and times.
var volatile = regexp.MustCompile(`\b[0-9A-F]+(-[0-9A-F]+)+\b|[0-9]+`)

// key is the same for a fault as long as it lasts.
func (f Fault) key() string {
	return string(f.Kind) + " " + f.Subject + " " + volatile.ReplaceAllString(f.Message, "#")
}

func keys(r Result) []string {
	var out []string
	for _, f := range r.Faults {
		out = append(out, f.key())
	}
	if r.Waiting != "" {
		out = append(out, r.Waiting)
	}
	return slices.Compact(slices.Sorted(slices.Values(out)))
}
