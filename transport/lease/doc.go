// Package lease shares the computing power of one host among those who need much
// of it: the searches of house players, for the most part. Who holds the [Lease]
// computes, and only so many do at a time: by default one.
//
// # Whose turn it is
//
// The host's own work goes first, then ordinary claims, then heavy ones.
// Within a class accounts take turns: next is the one that was served
// longest ago, with the oldest of its claims. Nobody who computes is
// interrupted, but a hold is bounded ([Options.Bound]), so that the first in line
// waits no longer than that. Nothing else bounds how long a heavy claim waits
// while ordinary ones keep coming, unless [Options.Patience] does.
//
// # What lasts
//
// All of that stands in a [Store], and with one in a file ([OpenFile]) it is
// shared by the processes of a host and outlives each of them. When a process
// dies, kill -9 among the ways, its holds end at once, as the operating system
// tells; those of one that hangs, or of a store that does not know its processes,
// when they have not been renewed for [Options.TTL]. The claims of a dead process
// keep their places for as long: a match that is taken over by another process
// within that time, and claims again under the same [Claim].ID, stands where it
// stood.
//
// A hold that ends before its holder is done ends the holder's context
// ([Held.Context]). Each hold has a token, higher than all before, for
// things that should refuse the work of who was replaced.
//
// # House players
//
// [Lease.Player] makes a player that searches only while it holds the lease, and
// no longer than its request is open: the end of the match ends its search, or
// its place in the line. Waiting costs it no time, if its clock sets no limit or
// starts when the request is sent ([referee.AtSent]).
package lease
