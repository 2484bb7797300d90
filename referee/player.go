package referee

import (
	"context"

	"github.com/matchreferee/arena/game"
)

// Player stands for an agent in one match. What happens it hears by Tell; what
// the agent answers it hands in at its [Seat], at any time and in any goroutine,
// so that it makes no difference who of the two calls the other.
//
// The notices of a match come one after another and in order, each in the
// goroutine that plays on: that of Run, or of a Submit, of whichever seat. Tell
// must return at once, for the match waits for it, and no lock that it takes may
// be held over a Submit.
type Player interface{ Tell(*Seat, Notice) }

// NoticeKind says what a player is told.
type NoticeKind uint8

const (
	Seated  NoticeKind = iota // the match runs; also when another referee has taken it over
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
	Result  *Result  // Ended; the player's to keep
	From    game.Seat
	Text    string
}

// Func makes a Player of a function that may take its time: each request is one
// call of it, in a new goroutine, and cancels the context as it closes. An error
// means that the agent could not answer: the fault Disconnected.
type Func func(context.Context, *Request) (Answer, error)

// Tell starts the function on each request.
func (f Func) Tell(s *Seat, n Notice) {
	if n.Kind != Opened {
		return
	}
	s.Go(func(ctx context.Context) {
		if s.Info().Clock.Starts == AtSent {
			if _, open := s.Sent(n.Ask); !open {
				return
			}
		}
		a := f.answer(ctx, n.Request)
		if a.To == (Address{}) {
			a.To = Address{By: ByAsk, N: n.Ask}
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
			a = panicAnswer(p)
		}
	}()
	a, err := f(ctx, r)
	if err != nil {
		return Answer{Fault: Disconnected, Detail: err.Error()}
	}
	a.own()
	return a
}

// Inline makes a Player of a function that is quick: who plays on, [Live.Run] or
// a [Seat.Submit], calls it itself, one call at a time, and the match stands still
// until it returns. The request is not valid after that.
type Inline func(*Request) Answer

// Tell answers each request at once. [Live] calls the function without it.
func (f Inline) Tell(s *Seat, n Notice) {
	if n.Kind == Opened {
		s.Go(func(ctx context.Context) {
			a := f.answer(n.Request)
			a.To = Address{By: ByAsk, N: n.Ask}
			s.Submit(context.WithoutCancel(ctx), a)
		})
	}
}

func (f Inline) answer(r *Request) (a Answer) {
	defer func() {
		if p := recover(); p != nil {
			a = panicAnswer(p)
		}
	}()
	a = f(r)
	a.own()
	return a
}

// own takes from an answer of a player in this process what only transports
// may say: when it arrived, and the host's faults.
func (a *Answer) own() {
	a.Arrived = 0
	switch a.Fault {
	case Internal, Late, Stale:
		a.Detail = "a player may not say " + a.Fault.String() + ": " + a.Detail
		a.Fault = BadProtocol
	}
}

// Host brings rules what they cannot know by themselves, such as the output of a
// tool or a judge's verdict. Each question is a call in a new goroutine, with a
// context that ends with the match. An error voids the match.
type Host interface {
	Answer(context.Context, game.Ask) (game.Action, error)
}

// Referee plays matches to their end. [Local] does so right here; another may
// hand them to other machines, and callers need not know. Safe for concurrent use.
type Referee interface {
	// Play plays the match of s, or goes on with it where its log has begun,
	// with one player a seat. An error leaves the match resumable.
	Play(ctx context.Context, s Setup, players ...Player) (*Result, error)
}
