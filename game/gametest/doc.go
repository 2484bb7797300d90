// Package gametest checks the rules of a game against everything that package game asks of them.
//
// An author's test is one call:
//
//	func TestRules(t *testing.T) { gametest.Run(t, mygame.New(), gametest.Options{}) }
//
// [Run] plays random games, drawn by rapid, and puts one question after another to them, each a subtest: do rulesets come back as they
// were given, do games end, is each listed move accepted, does a move survive its trip through JSON, does reading change a state,
// does one copy disturb another, can a seat tell what it may not know, may a seat make a move of Chance, does the order of
// independent moves matter, is a match that is resumed the same match. What a game declares ([game.Info]) and which
// optional interfaces its rules have decide which questions are put.
//
// A failure says what is wrong, the seed, the moves that led there (made few by rapid), the board before and after the last of them,
// and the command line that runs it again; rapid keeps the case under testdata/rapid and tries it first from then on. A check that builds on
// another that failed is skipped: mend the first.
//
// # Transcripts
//
// Run also compares one game of each ruleset and setup with testdata/transcripts/NAME.txt, so that a change of rules that changes
// played games does not go unseen. GAMETEST_UPDATE=1 go test writes the file; commit it.
//
// # What it cannot find
//
// Rules that are consistent and wrong: a kit does not know where a queen moves. A Resample that leaves a secret as it is: only
// what it changes is looked for in views. Moves that are legal only after moves that no random game makes.
package gametest
