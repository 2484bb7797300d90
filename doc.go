// Package arena is the front door of a library for matches between programs:
// it knows the games, the records and the ways to reach agents, and plays
// matches to their end.
//
// Three people come in here. A researcher gives players as Go functions and a
// seed, and calls [Arena.Play] thousands of times in a test. A host configures
// a store, a key and transports, starts matches with [Arena.Start], takes
// unfinished ones over after a restart with [Arena.Recover], and ends with
// [Arena.Shutdown]. An author of a game needs package game and its kit alone,
// and plays the game here like any other.
//
// What is refereed, and how, is in package referee; what a game is, in package
// game; what a record proves, in package replay.
package arena
