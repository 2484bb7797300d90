package polling

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/protocol/gridarena"
	"github.com/matchreferee/arena/referee"
)

// move has a move judged and recorded, or answers again to one that was.
func (t *Transport) move(c *call) (*reply, error) {
	m, seat, err := t.mine(c)
	if err != nil {
		return nil, err
	}
	body, err := t.body(c, false)
	if err != nil {
		return nil, err
	}
	mv, bad := gridarena.DecodeMove(body)
	if bad != nil {
		return nil, bad
	}
	s := m.comes(c.r.Context(), seat, comeTime)
	if s == nil || m.isOver() {
		return t.repeated(c.r.Context(), m, seat, mv)
	}
	a, ok := mv.Direct(s.Card().Info())
	if !ok {
		var open *referee.Request
		if r, ok := s.Open(); ok {
			open = &r
		}
		a = mv.Answer(open)
	}
	v, err := s.Submit(c.r.Context(), a)
	switch {
	case errors.Is(err, referee.ErrTooMany):
		return nil, limited("too many moves at once", time.Second)
	case errors.Is(err, referee.ErrStopped), err != nil && !s.Running(): // its store failed before this move came
		return nil, later(gridarena.CodeClosing, "the match does not run at the moment; send the same move again", 5*time.Second)
	case err != nil:
		return nil, err
	}
	switch v.Code {
	case referee.OK, referee.Duplicate, referee.Over:
		return t.repeated(c.r.Context(), m, seat, mv)
	case referee.KeyReused:
		return nil, reused()
	case referee.WasStale:
		return nil, t.stale(c.r.Context(), m, seat, mv)
	}
	switch v.Fault {
	case referee.Illegal:
		return nil, gridarena.NewProblem(gridarena.CodeIllegalMove, v.Detail)
	case referee.Late:
		return nil, gridarena.NewProblem(gridarena.CodeWrongStatus, "the move came too late")
	case referee.Internal:
		return nil, fmt.Errorf("polling: match %s: judging a move: %s", m.id, v.Detail)
	}
	return nil, gridarena.NewProblem(gridarena.CodeMalformed, v.Detail)
}

func reused() error {
	return gridarena.NewProblem(gridarena.CodeIDReused, "moveId came with another move before")
}

// repeated answers to a move that is recorded: as it did, or would have done, the first time.
func (t *Transport) repeated(ctx context.Context, m *match, seat game.Seat, mv *gridarena.Move) (*reply, error) {
	var o *gridarena.Observation
	err := m.story.read(ctx, func() error {
		k, ok := m.story.keys[keyed{seat, mv.ID}]
		switch {
		case !ok && m.story.play.End() == nil && !m.isOver():
			return later(gridarena.CodeClosing, "the match does not run at the moment; send the same move again", 5*time.Second)
		case !ok:
			return gridarena.NewProblem(gridarena.CodeWrongStatus, "the match is over")
		case !k.same(mv):
			return reused()
		}
		var err error
		o, err = m.story.answer(seat, k)
		return err
	})
	if err != nil {
		return nil, err
	}
	if o.Status.Over() {
		m.settled(ctx) // so that the next match can begin
	}
	return shown(http.StatusOK, o), nil
}

// settled waits until the end of a match is noted, but not for long: a store that
// fails keeps nobody from the result.
func (m *match) settled(ctx context.Context) {
	timer := time.NewTimer(5 * time.Second)
	defer timer.Stop()
	select {
	case <-m.over:
	case <-timer.C:
	case <-ctx.Done():
	}
}

// ends reports whether the end of the match is recorded.
func (m *match) ends(ctx context.Context) (over bool, err error) {
	err = m.story.read(ctx, func() error {
		over = m.story.play.End() != nil
		return nil
	})
	return over, err
}

// stale says why a move was for nothing that is open.
func (t *Transport) stale(ctx context.Context, m *match, seat game.Seat, mv *gridarena.Move) error {
	o, _, err := t.present(ctx, m, seat)
	if err != nil {
		return err
	}
	if o.Status != gridarena.StatusAgent {
		return gridarena.NewProblem(gridarena.CodeWrongStatus, fmt.Sprintf("it is not your turn: status is %s", o.Status))
	}
	return gridarena.NewProblem(gridarena.CodeStaleRevision, fmt.Sprintf("the revision is %d", o.Revision))
}

// abandon gives a match up. Of one that is over it changes nothing.
func (t *Transport) abandon(c *call) (*reply, error) {
	m, seat, err := t.mine(c)
	if err != nil {
		return nil, err
	}
	body, err := t.body(c, true)
	if err != nil {
		return nil, err
	}
	if bad := gridarena.DecodeAbandon(body); bad != nil {
		return nil, bad
	}
	ctx := c.r.Context()
	if s := m.comes(ctx, seat, comeTime); s != nil && !m.isOver() {
		switch err := s.Claim(referee.Abandon); {
		case err == nil, errors.Is(err, referee.ErrOver):
			if over, err := m.ends(ctx); err != nil {
				return nil, err
			} else if over {
				m.settled(ctx)
			} else if err := t.admission.left(ctx, m.id); err != nil { // others play on
				t.o.Failed(fmt.Errorf("polling: the end of match %s: %w", m.id, err))
			}
		case errors.Is(err, referee.ErrClaim): // it has left already, and others play on
		case errors.Is(err, referee.ErrStopped):
			return nil, later(gridarena.CodeClosing, "the match does not run at the moment", 5*time.Second)
		default:
			return nil, err
		}
	}
	o, _, err := t.present(ctx, m, seat)
	if err != nil {
		return nil, err
	}
	return shown(http.StatusOK, o), nil
}
