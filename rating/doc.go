// Package rating turns results into numbers, and says how far they hold.
//
// A [Game] is a finished game as ratings see it: [FromResult] makes one of a
// referee's result, [Duel] one of a score. A [Policy] says which games count and
// a [Report] counts the rest; what was void is never rated. Players are strings
// from [PlayerID]: two versions of an agent are two players.
//
// Ratings that follow the games one after the other, or period by period:
//
//   - [Elo]: one number a player, on the logistic curve or by FIDE's tables,
//     with a [KPolicy].
//   - [Glicko1], [Glicko2]: a deviation beside it, which grows while a player
//     rests, and in Glicko-2 a volatility. Two players a game.
//   - [WengLin]: teams, and any number of them; roles have offsets of their own.
//
// Strengths from all games at once ([BradleyTerry] and its kin), sequential tests
// ([SPRT]) and intervals are for claims; docs/statistics.md says which method
// answers which question.
// [PerformanceOf] gives a tournament performance, [NewLeaderboard] a table with
// ranks, and [Leaderboard.Statement] its bytes for a host to sign.
//
// # Numbers
//
// Nothing here gives NaN or an infinity, and nothing takes one: each is refused
// by an error that names the field. What a batch gives does not depend on the
// order of the games in it. No product is fused with a sum, and exponentials and
// logarithms are this package's own, so every number is the same to the last bit
// on every architecture.
//
// The package does no I/O, holds no state, and starts nothing. Its values may be
// used concurrently; tables that a method changes are the caller's to guard.
package rating
