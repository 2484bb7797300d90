// Package translog keeps a transparency log of finished matches, and follows one.
//
// Each finished match is a leaf of one growing Merkle tree (RFC 6962). A host
// that signs its newest root can no longer take a match out, or put another
// in its place, without somebody seeing it who saw the root before: [Auditor] is
// that somebody. A record proves that it was not changed; a log proves that it was
// not left out.
//
// What a log is made of are files that never change once they are complete, so
// that any web server can serve them: the tiles and entry bundles of C2SP
// tlog-tiles, and a checkpoint in the signed note format of
// golang.org/x/mod/sumdb/note (C2SP tlog-checkpoint), which is the one file that
// does change.
//
//	checkpoint                    the newest root, signed
//	tile/<level>/<n>[.p/<width>]  hashes, 256 a tile
//	tile/entries/<n>[.p/<width>]  entries, 256 a bundle, each behind its length in two bytes
//
// A host adds a match once its record is sealed, and when it starts those of its
// finished records that a crash may have kept it from adding: what is logged
// already keeps its number.
//
// [Handler] answers questions about matches over HTTP, and serves those files.
package translog
