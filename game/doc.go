// Package game says what a game is: pure rules over the author's own types, and the erased form that everything else uses.
//
// An author writes [Rules]: a small struct, the ruleset, with seven methods over a state type and a move type of the author's choosing,
// and such of the optional interfaces ([Checker], [Texter], [Boarder], ...) as the game needs. [New] makes a [Game] of it.
// Everything else sees [Game], [Table] (a ruleset fixed) and [State] (one position), whose moves are [Action]: canonical JSON.
//
// A match is its moves. Legality is decided once, when a move arrives ([State.Check]); chance and whatever comes from
// outside enter as moves of the seats [Chance] and [Host]; so [Table.Replay] gives back any state from the recorded steps, and no state is ever serialised.
// The randomness of a match is a [Seed], which no state holds.
//
// What a seat may know is what [State.View] and its companions show it: rules deny by default. Package gametest checks rules against everything that is promised here.
//
// # Compatibility
//
// The text of an action, a ruleset's canonical form and [Seed.Stream] are part of records: they will not change.
package game
