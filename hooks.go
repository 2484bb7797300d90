package arena

import (
	"context"
	"log/slog"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/referee"
)

// Hooks are told what happens in the matches of an arena, for metrics and
// traces. They are called while the match stands still: they must be quick and
// call nothing of it. Embed [NoHooks] to be told of some things only.
type Hooks interface {
	// Started: the match began; resumed: it was taken over.
	Started(match string, resumed bool)
	// Sent: a request went out, or was opened where nothing is sent.
	Sent(match string, seat game.Seat, ask int32)
	// Answered: a move of a seat was accepted; used is the time charged, in milliseconds.
	Answered(match string, seat game.Seat, used referee.Time)
	// Fault: an answer, or its absence, was a fault of the seat; game.Host for
	// the host's own. detail says more, in a few words; part of it may come from the agent.
	Fault(match string, seat game.Seat, fault referee.Fault, do referee.Do, detail string)
	// Ended: the match is over; told of once. The result is read only.
	Ended(match string, result *referee.Result)
}

// NoHooks does nothing.
type NoHooks struct{}

// Started does nothing.
func (NoHooks) Started(string, bool) {}

// Sent does nothing.
func (NoHooks) Sent(string, game.Seat, int32) {}

// Answered does nothing.
func (NoHooks) Answered(string, game.Seat, referee.Time) {}

// Fault does nothing.
func (NoHooks) Fault(string, game.Seat, referee.Fault, referee.Do, string) {}

// Ended does nothing.
func (NoHooks) Ended(string, *referee.Result) {}

var _ Hooks = NoHooks{}

// observer turns events into calls of hooks and lines of a log.
type observer struct {
	hooks Hooks
	log   *slog.Logger
}

func (o *observer) event(match string, e *referee.Event) {
	if h := o.hooks; h != nil {
		switch e.Kind {
		case referee.KindStart, referee.KindResume:
			h.Started(match, e.Kind == referee.KindResume)
		case referee.KindMove:
			if e.Seat.Valid() {
				h.Answered(match, e.Seat, e.Used)
			}
		case referee.KindFault:
			h.Fault(match, e.Seat, e.X.Fault, e.X.Do, e.X.Detail)
		}
	}
	if l := o.log; l != nil {
		switch e.Kind {
		case referee.KindStart:
			l.LogAttrs(context.Background(), slog.LevelInfo, "match started", slog.String("match", match), slog.String("game", e.X.Start.Game))
		case referee.KindResume:
			l.LogAttrs(context.Background(), slog.LevelInfo, "match resumed", slog.String("match", match))
		case referee.KindFault:
			level := slog.LevelDebug
			if e.X.Fault == referee.Internal {
				level = slog.LevelError
			}
			l.LogAttrs(context.Background(), level, "fault", slog.String("match", match), slog.String("seat", e.Seat.String()),
				slog.String("fault", e.X.Fault.String()), slog.String("do", e.X.Do.String()), slog.String("detail", e.X.Detail))
		}
	}
}

func (o *observer) opened(match string, s game.Seat, ask int32) {
	if o.hooks != nil {
		o.hooks.Sent(match, s, ask)
	}
}

func (o *observer) ended(match string, r *referee.Result) {
	if o.hooks != nil {
		o.hooks.Ended(match, r)
	}
	if o.log != nil {
		o.log.LogAttrs(context.Background(), slog.LevelInfo, "match ended", slog.String("match", match),
			slog.String("cause", r.Cause.String()), slog.String("reason", r.Reason), slog.Any("returns", r.Returns))
	}
}

// warn writes of a match that stopped, or could not be taken over.
func (a *Arena) warn(what, match string, err error) {
	if a.c.Logger != nil && err != nil {
		a.c.Logger.LogAttrs(context.Background(), slog.LevelWarn, what, slog.String("match", match), slog.String("error", err.Error()))
	}
}
