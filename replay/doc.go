// Package replay reads, proves, seals and plays back the record of a match.
//
// A record is JSON Lines, each line ended by a newline. Events are chained: a
// line carries the hash of its predecessor, taken as RFC 6962 does for a leaf
// (see [referee.AppendLine]). The start event comes first, the end event last. A [Seal] may follow, which is
// no event and no leaf: how many events there are, the hash of the last, and
// the Merkle root over all.
//
// [Verify] reads a record once, holding one line and one position, and makes
// every move anew, through the very code by which the referee judged it. Whatever
// the rules, the policies and the clocks decide is decided again; [Report] says
// what was, and what only the host can know and is taken as recorded.
//
// # What a record proves
//
// The first line commits to the secret of the match; the end event reveals it,
// and every chance move is drawn again. The chain protects each line by the next
// one. The last line of a record without a seal is protected by being derived
// again, the secret in it by the commitment: only the moment of an end by
// expiry is not. Who rewrites a whole record with moves that the rules allow,
// and chains it anew, makes a record of another match: against that helps an
// attestation in the seal, or a copy of the head kept elsewhere.
//
// A record that stops early is unfinished, never valid: a cut leaves no end
// event, or a line without its newline. Only a seal can be taken off whole,
// which leaves the complete record of the match, reported as not sealed.
package replay
