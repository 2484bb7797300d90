package game

import "errors"

// Action is one move in canonical JSON (RFC 8785): 3, "e2e4", {"col":4,"row":4}. Equal moves are ==.
// What comes from outside becomes canonical in [State.Check], or by [Canonical].
type Action string

// Move is what a seat, Chance or Host does.
type Move[A any] struct {
	Seat   Seat `json:"seat"`
	Action A    `json:"action"`
}

// Step is what one [State.Apply] takes. The whole history of a match is its []Step.
type Step []Move[Action]

// ErrIllegal is wrapped by every error about a move that may not be made. The text that goes with it
// is a hint fit for the mover's eyes: it says nothing that the mover may not know.
var ErrIllegal = errors.New("game: illegal move")
