package referee_test

import (
	"time"

	"github.com/matchreferee/arena/referee"
)

// The policies and clocks of the four protocols, written out as their documents and rulings have them.

// strikes is a policy that strikes for whatever an agent can do wrong, as agentarena/1 does.
func strikes(out referee.Do) referee.Policy {
	const s = referee.DoStrike
	return referee.Policy{
		Name: "agentarena/1", Late: s, Malformed: s, BadNonce: s, Illegal: s, Oversized: s, Unreachable: s, Disconnected: s, BadProtocol: s,
		Strikes: 3, Out: out, Pause: 250 * time.Millisecond, PauseMax: 2 * time.Second, Reask: true,
	}
}

// rejects is a policy that refuses what is no answer and lets the clock run on; late and illegal answers bring do.
func rejects(name string, late, illegal referee.Do) referee.Policy {
	const r = referee.DoReject
	return referee.Policy{
		Name: name, Late: late, Malformed: r, BadNonce: r, Illegal: illegal, Oversized: r, Unreachable: r, Disconnected: r, BadProtocol: r,
	}
}

func passes() referee.Policy {
	p := rejects("arena/1.1", referee.DoDefault, referee.DoReject)
	p.Disconnected, p.Strikes, p.Out = referee.DoForfeit, 3, referee.DoForfeit
	return p
}

var policies = map[string]referee.Policy{
	"zero":           {},
	"agentarena":     strikes(referee.DoForfeit),
	"agentarena-3":   strikes(referee.DoEliminate),
	"ludux-2":        rejects("ludux/1", referee.DoForfeit, referee.DoForfeit),
	"ludux-3":        rejects("ludux/1", referee.DoDefault, referee.DoDefault),
	"gridarena":      rejects("gridarena", referee.DoForfeit, referee.DoReject),
	"arenarpc":       passes(),
	"eliminate":      {Late: referee.DoEliminate, Illegal: referee.DoEliminate, Disconnected: referee.DoEliminate},
	"shared-retries": {Late: referee.DoForfeit, Illegal: referee.DoStrike, Malformed: referee.DoStrike, Strikes: 4, Pause: time.Second},
}

var clocks = map[string]referee.Clock{
	"untimed":    {},
	"agentarena": {Move: 10 * time.Second, Expiry: time.Hour, Starts: referee.AtSent},
	"ludux":      {Move: 15 * time.Second, Expiry: time.Hour, Warn: 5 * time.Second, WarnFrom: 10 * time.Second},
	"gridarena":  {Move: 30 * time.Second, Expiry: time.Hour},
	"grid-free":  {Expiry: time.Hour},
	"arenarpc":   {Move: 60 * time.Second, Expiry: 30 * time.Minute, Back: 30 * time.Second},
	"per-move":   {Move: 5 * time.Second, Grace: 500 * time.Millisecond},
	"fischer":    {Base: 10 * time.Second, Increment: 2 * time.Second},
	"budget":     {Base: 20 * time.Second},
	"expiry":     {Expiry: time.Minute},
	"mixed":      {Move: 8 * time.Second, Base: 20 * time.Second, Increment: time.Second, Grace: 200 * time.Millisecond, Warn: 2 * time.Second, Back: 6 * time.Second},
}
