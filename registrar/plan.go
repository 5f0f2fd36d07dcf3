package registrar

import (
	"fmt"

	"github.com/linstor-cmp/linstor-cmp/internal/problem"
	"github.com/linstor-cmp/linstor-cmp/registrar/linstor"
)

// Kind sorts steps and faults for logs, metrics and events.
type Kind string

// The kinds of steps and faults.
const (
	KindConfig      Kind = "config"     // what git says cannot be used
	KindLook        Kind = "look"       // LINSTOR did not say what it knows
	KindSatellite   Kind = "satellite"  // controller and satellite do not get along
	KindRegister    Kind = "register"   // a node is made known
	KindInterface   Kind = "interface"  // addresses, port and encryption
	KindProperties  Kind = "properties" // of a node or of the controller
	KindDevices     Kind = "devices"    // a backing is made of empty devices
	KindPool        Kind = "pool"       // a storage pool is made known
	KindPoolProps   Kind = "pool-properties"
	KindPoolRemoval Kind = "pool-removal"
	KindConnection  Kind = "connection" // properties of a pair of nodes
	KindPassphrase  Kind = "passphrase"
	KindRestart     Kind = "restart-csi-node"
	KindRepeat      Kind = "repeat" // a change does not last
)

// Step is one change and what it is for.
type Step struct {
	Kind     Kind
	Object   string // what it changes; when a step fails, later ones on its object are left out
	Says     string // what it does, for people
	Change   linstor.Change
	Topology bool // it alters what the CSI driver has told Kubernetes
}

// Fault is something wrong, or with Severity Warning something to know.
type Fault struct {
	Kind Kind
	problem.Problem
}

// Plan is what is to be done, in order.
type Plan struct {
	Steps      []Step
	Faults     []Fault
	Waiting    string // what everything else waits for; empty: nothing
	Registered bool
	Online     bool
	More       bool // there were too many steps for one plan
}

// InSync tells whether LINSTOR is as git says.
func (p Plan) InSync() bool {
	return len(p.Steps) == 0 && p.Waiting == "" && !p.More && errorCount(p.Faults) == 0
}

func errorCount(faults []Fault) int {
	n := 0
	for _, f := range faults {
		if f.Severity == problem.Error {
			n++
		}
	}
	return n
}

func (p *Plan) step(kind Kind, object, says string, change linstor.Change) *Step {
	p.Steps = append(p.Steps, Step{Kind: kind, Object: object, Says: says, Change: change})
	return &p.Steps[len(p.Steps)-1]
}

func (p *Plan) fault(kind Kind, subject, hint, format string, args ...any) {
	p.Faults = append(p.Faults, Fault{kind, problem.Problem{
		Subject: subject, Message: fmt.Sprintf(format, args...), Hint: hint,
	}})
}

func (p *Plan) warn(kind Kind, subject, hint, format string, args ...any) {
	p.fault(kind, subject, hint, format, args...)
	p.Faults[len(p.Faults)-1].Severity = problem.Warning
}
