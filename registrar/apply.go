package registrar

import (
	"context"

	"github.com/linstor-cmp/linstor-cmp/registrar/linstor"
)

// Result is what came of one pass: a look, a plan and its steps.
type Result struct {
	Changes    []Step  // the steps that were done
	Faults     []Fault // of the plan, and of steps that failed
	Waiting    string  // what everything waits for; empty: nothing
	Known      bool    // LINSTOR has said how it is; Registered and Online are of now
	Registered bool
	Online     bool
	Failed     bool // a request failed; try again sooner than at the next interval
	InSync     bool // LINSTOR is as git says
	More       bool // there is more to do at once
}

// apply does the steps of a plan one by one. A step that fails costs the later
// ones on its object; a controller that is gone or denies costs all later ones.
func apply(ctx context.Context, client *linstor.Client, plan Plan, busy func(Step)) Result {
	r := Result{
		Faults: plan.Faults, Waiting: plan.Waiting, Known: true,
		Registered: plan.Registered, Online: plan.Online,
		InSync: plan.InSync(), More: plan.More,
	}
	failed := map[string]bool{}
	for _, s := range plan.Steps {
		if failed[s.Object] {
			continue
		}
		busy(s)
		err := client.Apply(ctx, s.Change)
		switch {
		case err == nil:
			r.Changes = append(r.Changes, s)
			continue
		case linstor.IsExists(err) && creates(s.Kind):
			// Somebody was faster. The next look says whether it is right.
			r.Failed = true
		default:
			r.Failed = true
			p := Plan{}
			p.fault(s.Kind, s.Object, "", "a step failed (it %s): %v", s.Says, err)
			r.Faults = append(r.Faults, p.Faults...)
		}
		failed[s.Object] = true
		if linstor.IsAway(err) || linstor.IsDenied(err) || ctx.Err() != nil {
			break
		}
	}
	return r
}

func creates(k Kind) bool { return k == KindRegister || k == KindInterface || k == KindPool }

// lookFailed is the result of a pass that could not learn how LINSTOR is.
func lookFailed(subject string, err error) Result {
	p := Plan{}
	hint := ""
	switch {
	case linstor.IsDenied(err):
		hint = "check the client certificate, or LS_USERNAME and LS_PASSWORD"
	case linstor.IsUntrusted(err):
		hint = "compare LS_ROOT_CA and the client certificate with those of the controller"
	case linstor.IsAway(err):
		hint = "it is tried again until a controller answers"
	}
	p.fault(KindLook, subject, hint, "LINSTOR cannot be asked: %v", err)
	return Result{Faults: p.Faults, Failed: true}
}
