// Package uci seats chess engines that speak the Universal Chess Interface (UCI, as published by Stefan Meyer-Kahlen in 2006) in a referee's
// matches. [Open] starts an engine's program and gives an [Engine], which is a [referee.Player]: it may sit on any number of seats of any
// number of matches, and thinks with up to [Options].Processes processes at once.
//
// This is the one package of the rules and players that runs processes. It bounds what they can do to the caller, in time and in memory:
// each wait has a limit, lines, output and declared options are counted, and a process that breaks off, falls silent or floods is killed
// together with its process group, while the seat gets a fault and the next request a new process. It bounds nothing else: an engine is a
// program that runs with the caller's rights, a child of it that leaves the process group outlives it, and on systems without process groups
// (Windows, Plan 9) any child does that does not end with its pipes.
//
// # What the engine is asked
//
// The position is told as the moves from the usual start, so that the engine knows of repetitions, or as a FEN where the match began elsewhere.
// The search is bounded by the options, and told to stop in time for the seat's deadline. When a request closes before it is answered, the
// player is done with it at once; the engine is stopped behind its back, and what it still says of that search is dropped before the next.
//
// # What is recorded
//
// The move, and beside it in [referee.Answer].Meta what the engine last told of its search: depth, seldepth and its score, cp (centipawns) or mate (moves)
// from its own view, with bound ("lower" or "upper") where it is one; nodes; and pv, up to sixteen moves. The engine's times are not: with a
// bound in nodes, one search thread and [Options].Fresh, the same match makes the same record.
//
// # What becomes of an engine's misbehaviour
//
//	the program cannot be started, or does not finish its handshake   Unreachable   start, handshake
//	the process ends while it thinks, or the engine is closed         Disconnected  exited, closed
//	no bestmove in time, not even after stop                          BadProtocol   mute
//	no readyok in time                                                BadProtocol   unready
//	it reads none of its input                                        BadProtocol   deaf
//	more output than MaxOutput for one command                        BadProtocol   flood
//	bestmove without anything like a move                             Malformed     bestmove
//
// A bestmove that is one but not legal, 0000 among them, goes to the referee, who judges it like any other illegal move.
//
// # Processes and matches
//
// A process thinks about one position at a time. It stays with a seat of a match as long as there are processes enough, and hears ucinewgame
// whenever it changes to another, so that nothing it has learnt in one match helps it in the next. A request for which no process is free
// waits, on the seat's own clock: Processes should be the number of seats that think at the same time.
//
// A match whose seat holds the engine itself cannot be taken over after a restart by [github.com/matchreferee/arena.Arena.Recover], which
// finds players by their agents' slugs alone: a host that wants that adds the engine to a Transport of transport/local and makes it a carrier.
package uci
