// Package game defines games: rules as pure functions, over whatever types their author likes, and one untyped face that the rest of the module works with.
//
// An author writes [Rules]: a small struct, the ruleset, with seven methods over a state type and a move type of the author's choosing,
// and such of the optional interfaces ([Checker], [Texter], [Boarder], ...) as the game needs. [New] makes a [Game] of it.
// Everything else sees [Game], [Table] (a ruleset fixed) and [State] (one position), whose moves are [Action]: canonical JSON.
//
// The moves alone make up a match. Whether one is legal is settled when it arrives ([State.Check]) and never again; dice, cards and
// results from elsewhere are moves too, by the seats [Chance] and [Host]; so [Table.Replay] gives back any state from the recorded steps, and no state is ever serialised.
// The randomness of a match is a [Seed], which no state holds.
//
// What a seat may know is what [State.View] and its companions show it: rules deny by default. Package gametest checks rules against everything that is promised here.
//
// # Compatibility
//
// The text of an action, a ruleset's canonical form and [Seed.Stream] are part of records: they will not change.
package game
