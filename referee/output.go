package referee

import (
	"github.com/matchreferee/arena/game"
)

// Output is what a step asks for. The next step uses its memory again.
type Output struct {
	Events  []Event      // to be recorded, as one batch
	Open    game.SeatSet // the seats whose requests open now; after a strike, that is the end of the pause
	Effects []Effect     // rare
}

// EffectKind says what an Effect is about.
type EffectKind uint8

const (
	EffectClosed EffectKind = iota // request Ask of Seat is no longer open, not by an answer of its own
	EffectWarned                   // the deadline of request Ask comes near
	EffectJudged                   // Verdict on a fault that no answer brought
	EffectAsked                    // the host owes an answer to HostAsk
	EffectSaid                     // Seat said Text to the seats of To
	EffectLimit                    // Setup.MaxSteps is reached: the host rules, or it is a draw
	EffectEnded                    // see Result
)

// Effect is something rare that others must hear of.
type Effect struct {
	Kind    EffectKind
	Seat    game.Seat
	Ask     int32
	Verdict Verdict
	HostAsk game.Ask
	To      game.SeatSet
	Text    string
}

// output ends a step.
func (m *Match) output() Output {
	open := m.finish()
	return Output{Events: m.events, Open: open, Effects: m.effects}
}

// finish ends a step and gives the seats whose requests open now.
func (m *Match) finish() (open game.SeatSet) {
	for fresh := m.open &^ m.shown; fresh != 0; {
		s := fresh.First()
		fresh = fresh.Without(s)
		if m.seats[s].openAt <= m.last {
			open = open.With(s)
		}
	}
	m.shown |= open
	m.inStep = false
	return open
}
