package referee

import "math"

// maxTime bounds the moments in a record, and the spans between them, so that
// they add up: 36 million years in milliseconds.
const maxTime = Time(1) << 60

const (
	maxAsk  = 1<<31 - 2
	maxUsed = Time(1) << 53
)

// signed reads an integer.
func (p *cursor) signed() int64 {
	negative := p.lit("-")
	from, n := p.i, uint64(0)
	for ; p.i < len(p.b) && p.b[p.i] >= '0' && p.b[p.i] <= '9'; p.i++ {
		if n > math.MaxInt64/10 { // ten times as much may not fit into n
			p.fail("an integer is too large")
			return 0
		}
		n = n*10 + uint64(p.b[p.i]-'0')
	}
	if n > math.MaxInt64 && (n > 1<<63 || !negative) {
		p.fail("an integer is too large")
		return 0
	}
	if p.i == from || p.b[from] == '0' && (p.i > from+1 || negative) {
		p.fail("not a canonical integer")
		return 0
	}
	if negative {
		return -int64(n)
	}
	return int64(n)
}

// integer reads an integer member, 0 where it is not there.
func (p *cursor) integer(name string) int64 {
	if !p.member(name) {
		return 0
	}
	return p.signed()
}

// positive reads an integer member that is left out where it is 0 and never below.
func (p *cursor) positive(name string) int64 {
	if !p.member(name) {
		return 0
	}
	n := p.signed()
	if n <= 0 || Time(n) > maxTime {
		p.fail(memberName(name) + ": out of range")
		return 0
	}
	return n
}

func (p *cursor) ask() int32 {
	n := p.positive(`,"ask":`)
	if n > maxAsk {
		p.fail("ask: out of range")
	}
	return int32(n)
}

func (p *cursor) used() Time {
	n := Time(p.positive(`,"used":`))
	if n > maxUsed {
		p.fail("used: out of range")
	}
	return n
}
