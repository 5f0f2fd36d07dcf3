package registrar_test

import (
	"fmt"
	"net/http"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/linstor-cmp/linstor-cmp/registrar/internal/linstortest"
)

// troubled tells one story for a trouble: it happens to a node that is not
// registered, then to one that is and differs. LINSTOR is left untouched while
// it lasts and right when it is over, and the log says what is wrong. A
// trouble during which a request is done although nobody hears of it leaves
// LINSTOR right.
func troubled(t linstortest.Trouble, says string, reaches bool) scenario {
	return scenario{run: func(w *world) {
		want := linstortest.View{
			Registered: true, Status: "ONLINE", Props: map[string]string{"Aux/x": "1", applied: `["Aux/x"]`},
			Interfaces: map[string]string{"default-ipv4": address + " PLAIN *"},
		}
		w.git(m{"properties": m{"Aux/x": "1"}})
		w.server.Trouble(t)
		w.begin()
		w.after(5 * time.Minute)
		w.logs(says)
		if !reaches {
			w.is(linstortest.View{})
		}
		w.server.Mend()
		w.after(2 * interval)
		w.is(want)
		w.ready(true, "the trouble is over")

		w.server.SetNode("a", "Aux/x", "by hand")
		before := w.server.Node("a")
		w.server.Trouble(t)
		w.after(8 * time.Minute)
		w.ready(true, "it was ready less than ten minutes ago")
		if !reaches {
			if diff := cmp.Diff(before, w.server.Node("a")); diff != "" {
				w.Errorf("LINSTOR was touched (-before +now):\n%s", diff)
			}
		}
		w.server.Mend()
		w.after(3 * interval)
		w.is(want)
		if n := w.log.lines("msg"); n > 40 {
			w.Errorf("%d lines were logged, want few:\n%s", n, w.log)
		}
	}}
}

// refusal is an answer of a controller that does not do what it should.
func refusal(status int, number int, message string) linstortest.Trouble {
	return linstortest.Trouble{Status: status, Body: fmt.Sprintf(`[{"ret_code":%d,"message":%q,"cause":"a cause"}]`, int64(-0x4000000000000000)|int64(number), message)}
}

func html(status int) linstortest.Trouble {
	return linstortest.Trouble{Status: status, Body: "<html>welcome</html>", Header: http.Header{"Content-Type": {"text/html"}}}
}

// only limits a trouble to requests.
func only(request string, t linstortest.Trouble) linstortest.Trouble {
	t.Request = request
	return t
}

// troubleScenarios: every way in which a request can fail.
var troubleScenarios = map[string]scenario{
	"nobody listens":                troubled(linstortest.Trouble{Refused: true}, "no answer: dial tcp: connection refused", false),
	"no answer comes":               troubled(linstortest.Trouble{Hangs: true}, "no answer: context deadline exceeded", false),
	"answers come too late":         troubled(linstortest.Trouble{Slow: 10 * time.Minute}, "no answer: context deadline exceeded", false),
	"half of the answers":           troubled(linstortest.Trouble{Cut: true}, "the answer is cut off", true),
	"half of the answers, changes":  troubled(only("P", linstortest.Trouble{Cut: true}), "the answer is cut off", true),
	"the answers are lost":          troubled(linstortest.Trouble{Lost: true}, "connection reset by peer", true),
	"the answers are lost, changes": troubled(only("P", linstortest.Trouble{Lost: true}), "connection reset by peer", true),
	"400":                           troubled(only("P", refusal(400, 200, "no sense")), "LINSTOR answers 400 Bad Request: no sense (cause: a cause)", false),
	"401":                           troubled(refusal(401, 1, "Login required"), "check the client certificate, or LS_USERNAME and LS_PASSWORD", false),
	"403":                           troubled(refusal(403, 400, "Access denied"), "LINSTOR answers 403 Forbidden: Access denied", false),
	"403 for changes":               troubled(only("P", refusal(403, 400, "Access denied")), "LINSTOR answers 403 Forbidden: Access denied", false),
	"404 that is not LINSTOR's":     troubled(html(404), "the answer is 404 Not Found", false),
	"404 of something else":         troubled(only("P", refusal(404, 300, "gone")), "LINSTOR answers 404 Not Found: gone", false),
	"409":                           troubled(only("P", refusal(409, 600, "in use")), "LINSTOR answers 409 Conflict: in use", false),
	"429":                           troubled(html(429), "the answer is 429 Too Many Requests", false),
	"500":                           troubled(refusal(500, 999, "out of memory"), "LINSTOR answers 500 Internal Server Error: out of memory", false),
	"500 without a body":            troubled(linstortest.Trouble{Status: 500}, "the answer is 500 Internal Server Error", false),
	"503":                           troubled(html(503), "the answer is 503 Service Unavailable", false),
	"200 with an error in it":       troubled(only("P", refusal(200, 999, "not really")), "LINSTOR answers 200 OK: not really", false),
	"200 of a login page":           troubled(html(200), "the answer is not LINSTOR's", false),
	"a redirect to https": troubled(linstortest.Trouble{
		Status: 302, Header: http.Header{"Location": {"https://linstor:3371/v1/nodes/a"}},
	}, "it points to https://linstor:3371/v1/nodes/a; give that address and its certificates", false),
	"an answer without end": troubled(only("GET", linstortest.Trouble{
		Status: 200, Body: `{"name":"` + string(make([]byte, 5<<20)) + `"}`,
	}), "the answer", false),

	"the controller is away for more than ten minutes": {run: func(w *world) {
		w.git(m{})
		w.begin()
		w.after(interval)
		w.server.Trouble(linstortest.Trouble{Refused: true})
		w.after(9 * time.Minute)
		w.ready(true, "away for less than ten minutes")
		w.after(3 * time.Minute)
		w.ready(false, "away for more than ten minutes")
		w.server.Mend()
		w.after(interval + 10*time.Second)
		w.ready(true, "back")
	}},
	"the controller comes back and looks for its satellites": {run: func(w *world) {
		w.git(m{})
		w.begin()
		w.after(interval)
		w.server.Trouble(linstortest.Trouble{Refused: true})
		w.after(3 * time.Minute)
		w.server.Start("a", linstortest.Satellite{Address: address, Port: 3366, Encryption: "PLAIN", Status: "CONNECTED"})
		w.server.Mend()
		w.after(time.Minute + 30*time.Second)
		w.ready(true, "it has only just come back")
		w.after(5 * time.Minute)
		w.ready(false, "it has had time enough")
	}},
	"the satellite is gone": {run: func(w *world) {
		w.git(m{})
		w.begin()
		w.after(interval)
		w.server.Stop("a")
		w.listens.Store(false)
		w.after(3 * interval)
		w.ready(false, "LINSTOR says that it is offline")
	}},
	"controller and satellite do not get along": {run: func(w *world) {
		w.git(m{"properties": m{"Aux/x": "1"}})
		for status, says := range map[string]string{
			"VERSION_MISMATCH":     "controller and satellite are of different versions",
			"HOSTNAME_MISMATCH":    "the satellite calls itself by another name",
			"AUTHENTICATION_ERROR": "the satellite does not trust the controller",
			"OTHER_CONTROLLER":     "the satellite belongs to another controller",
			"FULL_SYNC_FAILED":     "could not take over what the controller knows",
		} {
			w.server.Start("a", linstortest.Satellite{Address: address, Port: 3366, Encryption: "PLAIN", Status: status})
			if w.stop == nil {
				w.begin()
			}
			w.after(3 * interval)
			w.logs("LINSTOR says " + status + ": ")
			w.logs(says)
			w.ready(false, status)
		}
	}},
}
