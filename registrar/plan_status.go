package registrar

import (
	"strings"

	"github.com/linstor-cmp/linstor-cmp/registrar/linstor"
)

// statuses says what a connection status means that does not pass by itself.
var statuses = map[string]struct{ says, hint string }{
	"VERSION_MISMATCH": {
		"controller and satellite are of different versions",
		"give linstor-controller and linstor-satellite the same image tag",
	},
	"HOSTNAME_MISMATCH": {
		"the satellite calls itself by another name",
		"set LB_FORCE_NODE_NAME of the satellite to the node's name",
	},
	"AUTHENTICATION_ERROR": {
		"the satellite does not trust the controller",
		"compare internalTLS of the LinstorCluster and of the node's overlays: both have it, with one authority, or none has",
	},
	"FULL_SYNC_FAILED": {
		"the satellite could not take over what the controller knows",
		"see the satellite's log and `linstor error-reports list`",
	},
	"OTHER_CONTROLLER": {
		"the satellite belongs to another controller",
		"stop the other controller, or restart the satellite",
	},
	"NO_STLT_CONN": {
		"the node has no interface for the connection to the satellite",
		"",
	},
	"MISSING_EXT_TOOLS": {
		"the satellite lacks tools that it needs",
		"see the satellite's log",
	},
}

// status says why a registered node is not online.
func (p *Plan) status(have linstor.Node, subject string) {
	status := strings.ToUpper(have.ConnectionStatus)
	if known, ok := statuses[status]; ok {
		p.fault(KindSatellite, subject, known.hint, "LINSTOR says %s: %s", status, known.says)
		return
	}
	if status == "" {
		status = "UNKNOWN"
	}
	p.Waiting = "LINSTOR says that " + subject + " is " + status
	for _, i := range have.Interfaces {
		if i.Active != nil && *i.Active {
			p.Waiting += ", connecting through " + describe(i)
		}
	}
}
