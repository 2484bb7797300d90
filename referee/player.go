package referee

import (
	"context"

	"github.com/matchreferee/arena/game"
)

// Player stands for an agent in one match. It is told what happens and answers
// through its [Seat], whenever it likes and from any goroutine: agents that are
// called and agents that call in are alike.
//
// Tell is called in order, from one goroutine a match, and must not block.
type Player interface{ Tell(*Seat, Notice) }

// NoticeKind says what a player is told.
type NoticeKind uint8

const (
	Seated  NoticeKind = iota // the match runs: at its start, and again after a resume
	Opened                    // Request is open
	Closed                    // request Ask is no longer open, not by an answer of its own
	Warned                    // the deadline of request Ask comes near
	Judged                    // Verdict on a fault that no Submit waits for: lateness above all
	Stepped                   // the position changed
	Said                      // From said Text
	Ended                     // Result
)

var noticeNames = [...]string{"seated", "opened", "closed", "warned", "judged", "stepped", "said", "ended"}

// String gives a short name.
func (k NoticeKind) String() string { return nameOf(noticeNames[:], int(k), "NoticeKind") }

// Notice is what a player is told. Which members are set depends on Kind.
type Notice struct {
	Kind    NoticeKind
	Request *Request // Opened; the player's to keep
	Ask     int32    // Opened, Closed, Warned, Judged
	Verdict Verdict  // Judged
	Result  *Result  // Ended; read only
	From    game.Seat
	Text    string
}

// Func is a Player: a blocking function, called in a goroutine of its own for
// each request. Its context ends when the request closes. An error means that
// the agent could not answer: the fault Disconnected.
type Func func(context.Context, *Request) (Answer, error)

// Tell starts the function on each request.
func (f Func) Tell(s *Seat, n Notice) {
	if n.Kind != Opened {
		return
	}
	s.Go(func(ctx context.Context) {
		if s.Info().Clock.Starts == AtSent {
			if _, open := s.Sent(n.Request.Ask); !open {
				return
			}
		}
		a := f.answer(ctx, n.Request)
		if a.To == (Address{}) {
			a.To = Address{By: ByAsk, N: n.Request.Ask}
		}
		if ctx.Err() != nil && a.Fault != NoFault {
			return // the request is closed; what the function did about it is nobody's fault
		}
		s.Submit(context.WithoutCancel(ctx), a)
	})
}

func (f Func) answer(ctx context.Context, r *Request) (a Answer) {
	defer func() {
		if p := recover(); p != nil {
			a = panicAnswer(p, r.busy)
		}
	}()
	a, err := f(ctx, r)
	if err != nil {
		a = Answer{Fault: Disconnected, Detail: err.Error()}
	}
	return a
}

// Inline is a Player: a quick function, called in Run's goroutine while the
// match stands still. The request is valid until it returns.
type Inline func(*Request) Answer

// Tell answers each request at once. [Live] calls the function without it.
func (f Inline) Tell(s *Seat, n Notice) {
	if n.Kind == Opened {
		s.Go(func(ctx context.Context) {
			a := f.answer(n.Request)
			a.To = Address{By: ByAsk, N: n.Request.Ask}
			s.Submit(context.WithoutCancel(ctx), a)
		})
	}
}

func (f Inline) answer(r *Request) (a Answer) {
	defer func() {
		if p := recover(); p != nil {
			a = panicAnswer(p, r.busy)
		}
	}()
	return f(r)
}

// Host answers what rules ask of the world: tool results, files, verdicts. It
// is called in a goroutine of its own for each question, with a context that
// ends with the match. An error voids the match.
type Host interface {
	Answer(context.Context, game.Ask) (game.Action, error)
}

// Referee plays matches to their end: in this process ([Local]), or elsewhere.
// Tournaments, tests and hosts are written against it. Safe for concurrent use.
type Referee interface {
	// Play plays the match of s, or goes on with it where its log has begun,
	// with one player a seat. An error leaves the match resumable.
	Play(ctx context.Context, s Setup, players ...Player) (*Result, error)
}
