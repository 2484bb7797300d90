package referee

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/matchreferee/arena/game"
)

// ErrRuling is wrapped by the errors about a ruling whose fields are bad.
var ErrRuling = errors.New("referee: bad ruling")

// Rule ends the match by the host's word. The error wraps [ErrRuling], one for
// each bad field, or is [ErrOver].
func (m *Match) Rule(now Time, r Ruling) (Output, error) {
	m.begin(now)
	if m.result != nil {
		return m.output(), ErrOver
	}
	if err := m.ruleable(r); err != nil {
		return m.output(), err
	}
	m.record(m.ruleEvent(r))
	m.settle()
	return m.output(), nil
}

func (m *Match) ruleable(r Ruling) error {
	var errs []error
	for _, f := range []struct{ name, text string }{{"by", r.By}, {"reason", r.Reason}} {
		if f.text == "" || clean(f.text, 64) != f.text {
			errs = append(errs, fmt.Errorf("ruling.%s: %q is not one line of 1 to 64 code points", f.name, f.text))
		}
	}
	switch r.What {
	case RuleVoid, RuleDraw:
	case RuleWin:
		if r.Win == 0 || r.Win&^game.FirstSeats(len(m.seats)) != 0 {
			errs = append(errs, errors.New("ruling.win: not seats of this match"))
		}
	case RuleReturns:
		if len(r.Returns) != len(m.seats) {
			errs = append(errs, fmt.Errorf("ruling.returns: %d for %d seats", len(r.Returns), len(m.seats)))
		}
		for i, f := range r.Returns {
			if math.IsNaN(f) || f < m.info.MinReturn || f > m.info.MaxReturn {
				errs = append(errs, fmt.Errorf("ruling.returns[%d]: %v is not in %v to %v", i, f, m.info.MinReturn, m.info.MaxReturn))
			}
		}
	default:
		errs = append(errs, fmt.Errorf("ruling.what: %d is unknown", r.What))
	}
	if r.What != RuleWin && r.Win != 0 {
		errs = append(errs, errors.New("ruling.win: only with win"))
	}
	if r.What != RuleReturns && r.Returns != nil {
		errs = append(errs, errors.New("ruling.returns: only with returns"))
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("%w: %w", ErrRuling, err)
	}
	return nil
}

func (m *Match) ruleEvent(r Ruling) Event {
	return Event{Kind: KindRule, X: &Extra{Rule: r.What, By: r.By, Reason: r.Reason, Win: r.Win, Ret: slices.Clone(r.Returns)}}
}

func (x *Extra) ruling() Ruling {
	return Ruling{What: x.Rule, By: x.By, Reason: x.Reason, Win: x.Win, Returns: x.Ret}
}

func (m *Match) applyRule(x *Extra) {
	end := &ending{cause: CauseAdjudication, reason: x.Reason, by: x.By}
	var o game.Outcome
	switch x.Rule {
	case RuleVoid:
		end.cause = CauseVoid
		m.ending = end
		return
	case RuleDraw:
		o = drawOutcome(m.info, len(m.seats), x.Reason)
	case RuleWin:
		o = lossOutcome(m.info, len(m.seats), game.FirstSeats(len(m.seats))&^x.Win, x.Reason)
	case RuleReturns:
		o = game.Outcome{Returns: x.Ret, Reason: x.Reason}
	}
	end.outcome = &o
	m.ending = end
}

// HostAnswer makes the host's move in answer to an [EffectAsked]. An answer to
// what is not asked any more does nothing; one that the rules refuse voids.
func (m *Match) HostAnswer(now Time, ask int64, a game.Action) Output {
	m.begin(now)
	if m.result != nil || m.ending != nil || !m.turn.Host || !slices.ContainsFunc(m.state.Asks(), func(x game.Ask) bool { return x.ID == ask }) {
		return m.output()
	}
	canon, err := m.state.Play(game.Host, a)
	if err != nil {
		m.record(Event{Kind: KindFault, Seat: game.Host, X: &Extra{Fault: Internal, Do: DoVoid, Detail: clean("host: "+hint(err), MaxDetail)}})
	} else {
		m.played = true
		m.record(Event{Kind: KindMove, Seat: game.Host, Action: canon})
	}
	m.settle()
	return m.output()
}
