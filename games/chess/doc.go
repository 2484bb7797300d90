// Package chess holds the rules of chess: [Position], with which programs that play or read chess can work, and the game made of it, [New].
//
// # Positions
//
// A [Position] is a small value. [ParseFEN] and [Initial] make one, [Position.Legal] lists the moves, [Position.Play] makes one of them, and
// a copy taken before is how it is taken back:
//
//	p := chess.Initial()
//	for _, m := range p.Legal(nil) {
//		next := p
//		next.Play(m)
//	}
//
// A [Move] is what UCI writes of it; [Position.SAN] and [Position.ParseSAN] know the notation of people.
//
// # The game
//
// Seat 0 is white and moves first, unless game.Setup.Position is a FEN that says otherwise. An action is the move in UCI as a JSON
// string, "e2e4", "e7e8q", castling as the king's move "e1g1"; the view is that of ludux/1. A refusal says how the move is written, where that
// can be told. Under the ruleset's switch lenient other notations are read as well ([Position.Read]), and what is recorded is UCI.
//
// A game ends by mate, which counts before everything else; by stalemate; where neither side has the material to mate
// ([Position.InsufficientMaterial]); when a position is there for the third time; and after 50 moves of both sides without a capture or a
// pawn move. All of these come about by themselves, nobody has to claim them. By ruleset the last two are the fifth time and 75 moves. Repetition
// compares the pieces, the side to move, castling rights, and the en passant square if a capture there is legal, FIDE's article 9.2.3; FEN
// shows that square after each double step. A game may start with a halfmove clock beyond the limit: then the first move that does not set it
// back draws. To resign and to offer a draw are the referee's business and no actions.
//
// A side that forfeits draws if the other could not mate ([Position.CanMate]), unless the ruleset says otherwise. FIDE's article 6.9 has that for
// running out of time; here it holds for whatever a side goes down by, be it time, an illegal move, a lost connection or resignation, since rules
// are not told which. Where a referee ends the match so, its result says that, and not [Rules.Forfeit]'s reason: "late" with returns of 0 is such a draw.
//
// The Table of a game.Game writes all 1968 actions down and takes about a millisecond: keep the table for the matches of one ruleset.
package chess
