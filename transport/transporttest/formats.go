package transporttest

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/protocol/agentarena"
	"github.com/matchreferee/arena/protocol/ludux"
	"github.com/matchreferee/arena/referee"
)

const noAction = "no such action"

// TurnOf gives the turn of an agent that is a Go value and sees the request itself.
func TurnOf(r *referee.Request) Turn {
	t := Turn{Match: r.Match(), You: fmt.Sprint(r.Seat), Seq: int64(r.Ask)}
	for _, a := range r.Legal(nil) {
		t.Legal = append(t.Legal, string(a))
	}
	return t
}

// Answer gives the reply of an agent that is a Go value. The action of an
// Oversized one is legal but for the blanks behind it.
func (r Reply) Answer() referee.Answer {
	switch r.Kind {
	case Illegal:
		return referee.Answer{Action: `"` + noAction + `"`}
	case Malformed:
		return referee.Answer{Fault: referee.Malformed}
	case Oversized:
		return referee.Answer{Action: game.Action(r.Action + strings.Repeat(" ", referee.MaxAction))}
	}
	return referee.Answer{Action: game.Action(r.Action)}
}

// Player makes the player of an agent in this process that submits its replies
// one after the other.
func Player(play Play) referee.Player { return inProcess(play) }

type inProcess Play

// Tell starts play on each request.
func (p inProcess) Tell(s *referee.Seat, n referee.Notice) {
	if n.Kind != referee.Opened {
		return
	}
	s.Go(func(ctx context.Context) {
		if s.Info().Clock.Starts == referee.AtSent {
			if _, open := s.Sent(n.Ask); !open {
				return
			}
		}
		for _, r := range p(ctx, TurnOf(n.Request)) {
			a := r.Answer()
			a.To = referee.Address{By: referee.ByAsk, N: n.Ask}
			s.Submit(context.WithoutCancel(ctx), a)
		}
	})
}

// LuduxTurn gives the turn of an agent that gets requests of ludux/1.
func LuduxTurn(m *ludux.ActionRequest) Turn {
	t := Turn{Match: m.MatchID, You: fmt.Sprint(m.Seat), Seq: m.Seq, Left: m.Deadline}
	for _, a := range m.LegalActions {
		t.Legal = append(t.Legal, string(a))
	}
	return t
}

// Ludux gives the bytes of the reply to a request of ludux/1. A Malformed one
// names match and seq, and has no action; an Oversized one has blanks behind it,
// to one byte more than any carrier of ludux/1 takes.
func (r Reply) Ludux(m *ludux.ActionRequest) []byte {
	action := game.Action(r.Action)
	switch r.Kind {
	case Illegal:
		action = `"` + noAction + `"`
	case Malformed:
		action = "null"
	}
	return r.pad(m.Respond(action, "").Append(nil), ludux.MaxFrame)
}

// AgentArenaTurn gives the turn of an agent that gets requests of agentarena/1,
// which tells them apart by move_number and strikes.
func AgentArenaTurn(m *agentarena.MoveRequest) Turn {
	return Turn{
		Match: m.MatchID, You: m.You, Seq: int64(m.MoveNumber)<<16 + int64(m.Strikes),
		Legal: slices.Clone(m.Legal), Left: m.Deadline,
	}
}

// AgentArena gives the body of the reply to a request of agentarena/1. A Malformed
// one has no move, an Oversized one blanks behind it.
func (r Reply) AgentArena(m *agentarena.MoveRequest) []byte {
	move := r.Action
	switch r.Kind {
	case Illegal:
		move = noAction
	case Malformed:
		return []byte(`{"nonce":"` + m.Nonce + `"}`)
	}
	return r.pad(agentarena.AppendReply(nil, agentarena.Reply{Move: move, Nonce: m.Nonce}), agentarena.MaxReply)
}

// pad makes an Oversized reply one byte longer than most.
func (r Reply) pad(b []byte, most int) []byte {
	if r.Kind != Oversized {
		return b
	}
	return append(b, strings.Repeat(" ", most+1-len(b))...)
}
