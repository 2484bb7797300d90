package game

import "errors"

// Action is the text of a single move: JSON in the canonical form of RFC 8785, such as 5, "g1f3" or {"x":2,"y":7}. So == compares moves.
// What comes from outside becomes canonical in [State.Check], or by [Canonical].
type Action string

// Move pairs an action with whoever makes it: one of the seats, [Chance] or [Host].
type Move[A any] struct {
	Seat   Seat `json:"seat"`
	Action A    `json:"action"`
}

// Step holds the moves that go into a single [State.Apply]; a []Step is all that ever happened in a match.
type Step []Move[Action]

// ErrIllegal is wrapped by every error about a move that may not be made. The text that goes with it
// is meant for the one who moved: a hint, which tells nothing that this seat may not know.
var ErrIllegal = errors.New("game: illegal move")
