package polling

import "time"

// pace is when a match was looked at while the opponent thought. The zero value
// is ready; the caller sees to it that one goroutine at a time uses it.
type pace struct {
	revision int32
	looked   time.Time
}

// look says how long a look at a match is too early, 0 where it is not: its
// opponent thinks about its answer to a revision. The first look at each revision
// is never too early, and a look that was refused does not count.
func (p *pace) look(now time.Time, every time.Duration, revision int32) time.Duration {
	since := now.Sub(p.looked)
	if p.revision == revision && !p.looked.IsZero() && since >= 0 && since < every {
		return every - since
	}
	p.revision, p.looked = revision, now
	return 0
}
