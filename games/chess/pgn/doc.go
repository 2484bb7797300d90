// Package pgn writes and reads chess games in Portable Game Notation (PGN, the specification of 1994-03-12 by Steven J. Edwards), and lists of
// openings in PGN or in Extended Position Description (EPD, section 16.2 of the same).
//
// [Record] makes a [Game] of what a match left, [Game.Append] writes it in PGN's export format, and [Reader] reads games one after another. The
// reader is strict and made for files from anywhere: each move has to be legal, every size has a bound, and what is wrong is named by
// line and column. What it has read, Append writes, and what Append has written is read back as an equal Game.
package pgn
