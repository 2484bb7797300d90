package house

// table is a transposition table: bounds of scores by position. Each position has one place, where the newest of those that share it
// stays. An entry holds, from its high bits down, the key (49 bits), the search that it is of (7 bits), which side the bound is on (1 bit) and
// the score, moved to above 0 (7 bits); 0 is empty.
type table struct {
	entries []uint64
	shift   uint
	search  uint64 // 1 to lastSearch
}

// bound says on which side of a number a score is.
type bound uint8

const (
	atMost bound = iota
	atLeast
)

const (
	scoreBits  = 7
	lastSearch = 1<<7 - 1
)

func newTable(bits int) *table {
	return &table{entries: make([]uint64, 1<<bits), shift: uint(64 - bits)}
}

// renew forgets everything, so that what was looked for before changes nothing about the next search.
func (t *table) renew() {
	if t.search++; t.search > lastSearch {
		clear(t.entries)
		t.search = 1
	}
}

// place spreads keys over the table by their product with the golden ratio (Knuth, The Art of Computer Programming 3, 6.4).
func (t *table) place(key uint64) *uint64 { return &t.entries[key*0x9e3779b97f4a7c15>>t.shift] }

func (t *table) put(key uint64, score int, b bound) {
	*t.place(key) = (key<<7|t.search)<<(1+scoreBits) | uint64(b)<<scoreBits | uint64(score-minScore+1)
}

// get gives what is known about the score of a position: minScore to maxScore where that is nothing.
func (t *table) get(key uint64) (low, high int) {
	e := *t.place(key)
	if e>>(1+scoreBits) != key<<7|t.search {
		return minScore, maxScore
	}
	score := int(e&(1<<scoreBits-1)) + minScore - 1
	if bound(e>>scoreBits&1) == atLeast {
		return score, maxScore
	}
	return minScore, score
}
