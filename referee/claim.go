package referee

import (
	"errors"
	"fmt"

	"github.com/matchreferee/arena/game"
)

// ErrClaim is wrapped by the errors of claims and says that are not to be made
// now.
var ErrClaim = errors.New("referee: not possible now")

func claimError(why string) error { return fmt.Errorf("%w: %s", ErrClaim, why) }

// offer is a draw offer that stands.
type offer struct {
	by       game.Seat // Spectator: none
	accepted game.SeatSet
}

// moved declines by moving: a move of any seat but the one that offered, and
// those that accepted, takes the offer away.
func (o *offer) moved(s game.Seat) {
	if s != o.by && !o.accepted.Has(s) {
		*o = offer{by: game.Spectator}
	}
}

// Claim is what a seat asks beside its moves. A draw is agreed when every seat
// that is still in play accepts; a move by another seat declines it, and a seat
// offers again only after a move of its own. With more than two seats and safe
// defaults, to resign or abandon is to be out.
func (m *Match) Claim(now Time, i game.Seat, c Claim) (Output, error) {
	m.begin(now)
	if m.result != nil {
		return m.output(), ErrOver
	}
	if err := m.claimable(i, c); err != nil {
		return m.output(), err
	}
	m.record(Event{Kind: KindClaim, Seat: i, X: &Extra{Claim: c}})
	m.settle()
	return m.output(), nil
}

func (m *Match) claimable(i game.Seat, c Claim) error {
	switch {
	case !m.seated(i):
		return claimError("there is no such seat")
	case m.out.Has(i):
		return claimError("the seat is out")
	case c == OfferDraw && m.offer.by != game.Spectator:
		return claimError("a draw is on offer already")
	case c == OfferDraw && game.FirstSeats(len(m.seats))&^m.out == game.Seats(i):
		return claimError("nobody is there to accept a draw")
	case c == OfferDraw && m.seats[i].offered == m.seats[i].nth+1:
		return claimError("a draw was offered since the last move")
	case (c == AcceptDraw || c == DeclineDraw) && (m.offer.by == game.Spectator || m.offer.by == i):
		return claimError("no draw is on offer")
	case c == AcceptDraw && m.offer.accepted.Has(i):
		return claimError("accepted already")
	case c >= claimCount:
		return claimError("unknown claim")
	}
	return nil
}

func (m *Match) applyClaim(e *Event) {
	switch e.x().Claim {
	case Resign:
		m.leave(CauseAdjudication, "resignation", e.Seat)
	case Abandon:
		m.leave(CauseAbandonment, "abandoned", e.Seat)
	case OfferDraw:
		m.offer = offer{by: e.Seat}
		m.seats[e.Seat].offered = m.seats[e.Seat].nth + 1
	case AcceptDraw:
		m.offer.accepted = m.offer.accepted.With(e.Seat)
		m.agree()
	case DeclineDraw:
		m.offer = offer{by: game.Spectator}
	}
}

// agree ends the match when others have accepted and nobody in play is left to.
func (m *Match) agree() {
	inPlay := game.FirstSeats(len(m.seats)) &^ m.out
	if inPlay&m.offer.accepted != 0 && inPlay&^m.offer.accepted&^game.Seats(m.offer.by) == 0 {
		o := drawOutcome(m.info, len(m.seats), "agreement")
		m.ending = &ending{cause: CauseAdjudication, reason: o.Reason, outcome: &o}
	}
}
