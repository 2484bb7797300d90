package game

import (
	"bytes"
	"fmt"
)

// Table is a game under one ruleset, ready to start matches. [Game.Table] makes it; it is safe for concurrent use.
type Table struct {
	info       Info
	ruleset    []byte
	features   Features
	nearMisses func() []string
	rules      tableRules
}

// tableRules is core without its types.
type tableRules interface {
	start(*Info, Setup) (position, error)
	actions() []Action
	number(Action) (int, bool)
	label(Seat) string
}

// Info describes the game under this ruleset.
func (t *Table) Info() Info { return t.info }

// Ruleset gives the whole ruleset in canonical JSON, defaults filled in. It is public. The copy is the caller's.
func (t *Table) Ruleset() []byte { return bytes.Clone(t.ruleset) }

// Features tells which optional interfaces the rules have.
func (t *Table) Features() Features { return t.features }

// NearMisses describes, in a fixed order, methods that look like those of an optional interface but do not make the rules one:
// the right name with another signature or in another case, or with a pointer receiver that the rules value does not have, and the right
// signature under a name that is one or two letters off. Empty is good.
func (t *Table) NearMisses() []string { return t.nearMisses() }

// Actions gives the whole move space, if the rules are [Indexed]; else nil. The list is the caller's.
func (t *Table) Actions() []Action { return t.rules.actions() }

// Index numbers an action as Actions does; ok is false for what is not among them in its canonical text.
func (t *Table) Index(a Action) (i int, ok bool) { return t.rules.number(a) }

// Label gives what players of this game call a seat ("X", "white"); "" where the rules are no [Labeler], and for Spectator, Chance and Host.
func (t *Table) Label(seat Seat) string { return t.rules.label(seat) }

// Start gives the first state. Errors wrap [ErrSetup].
func (t *Table) Start(setup Setup) (*State, error) {
	p, err := t.rules.start(&t.info, setup)
	if err != nil {
		return nil, err
	}
	return &State{p: p, turn: p.turn()}, nil
}

// Replay starts and applies steps: how a match is saved and resumed. The error of a step names it, counted from 0.
func (t *Table) Replay(setup Setup, steps []Step) (*State, error) {
	s, err := t.Start(setup)
	if err != nil {
		return nil, err
	}
	for i, step := range steps {
		if err := s.Apply(step); err != nil {
			return nil, fmt.Errorf("game: step %d: %w", i, err)
		}
	}
	return s, nil
}

func (c *core[S, A]) actions() []Action { return append([]Action(nil), c.codec.texts...) }

func (c *core[S, A]) number(a Action) (int, bool) { return c.codec.index(a) }

func (c *core[S, A]) label(seat Seat) string {
	if c.labeler == nil || !seat.Valid() {
		return ""
	}
	return c.labeler.Label(seat)
}
