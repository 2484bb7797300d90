package house

import "github.com/matchreferee/arena/games/chess"

// table is a transposition table. Each position has one place; the newest result of those that share it stays.
type table struct {
	entries []entry
	mask    uint64
	search  uint8 // above 0
}

// entry is what a search found out about a position.
type entry struct {
	key    uint64
	move   chess.Move // the best, or the one that was enough
	score  int16      // mates counted from this position
	depth  int8
	bound  bound
	search uint8 // 0: empty
}

// bound says where the score of an entry is from the true one.
type bound uint8

const (
	exact bound = iota
	atLeast
	atMost
)

func newTable(bits int) table {
	return table{entries: make([]entry, 1<<bits), mask: 1<<bits - 1}
}

// renew forgets everything, so that what was looked for before changes nothing about the next search.
func (t *table) renew() {
	if t.search++; t.search == 0 {
		clear(t.entries)
		t.search = 1
	}
}

// get gives what is known about a position; ok is false where that is nothing.
func (t *table) get(key uint64) (e entry, ok bool) {
	if e = t.entries[key&t.mask]; e.key != key || e.search != t.search {
		return entry{}, false
	}
	return e, true
}

func (t *table) put(key uint64, move chess.Move, score, depth, ply int, b bound) {
	t.entries[key&t.mask] = entry{key, move, int16(fromHere(score, ply)), int8(depth), b, t.search}
}

// fromHere turns the score of a mate counted from the root into one counted from ply on, and fromRoot back.
func fromHere(score, ply int) int {
	switch {
	case score >= mated-maxPly:
		return score + ply
	case score <= maxPly-mated:
		return score - ply
	}
	return score
}

func fromRoot(score, ply int) int {
	switch {
	case score >= mated-maxPly:
		return score - ply
	case score <= maxPly-mated:
		return score + ply
	}
	return score
}
