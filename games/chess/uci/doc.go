// Package uci seats chess engines that speak the Universal Chess Interface (UCI, as published by Stefan Meyer-Kahlen in 2006) in a referee's
// matches. [Open] starts an engine's program and gives an [Engine], which is a [referee.Player]: it may sit on any number of seats of any
// number of matches, and thinks with up to [Options].Processes processes at once.
//
// This is the one package of the rules and players that runs processes. It bounds what they can do to the caller, in time and in memory:
// each wait has a limit, lines, output and declared options are counted, and a process that breaks off, falls silent or floods is killed
// together with its process group, while the seat gets a fault and the next request a new process. It bounds nothing else: an engine is a
// program that runs with the caller's rights, and a child of it that leaves the process group outlives it.
//
// # What becomes of an engine's misbehaviour
//
//	the program cannot be started, or does not finish its handshake   Unreachable   start, handshake
//	the process ends, or the engine is closed, while it thinks        Disconnected  exited; closed
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
package uci
