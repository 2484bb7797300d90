package transporttest

import (
	"context"
	"sync"
	"time"

	"github.com/matchreferee/arena/referee"
)

// reconnect breaks ann's connection while she thinks, bob's at the same time, and
// hers again while he does. That alone costs nothing.
func reconnect(x *trial) {
	type delivered struct {
		left time.Duration
		cut  time.Duration // from its coming to the cut, at least
	}
	var mu sync.Mutex
	first := map[int]delivered{}
	x.agent("ann", func(ctx context.Context, c call) []Reply {
		if c.delivery == 1 {
			began := time.Now()
			x.lapse()
			mu.Lock()
			first[c.nth] = delivered{c.turn.Left, time.Since(began)}
			mu.Unlock()
			x.h.Cut("bob")
			x.h.Cut("ann")
			return nil
		}
		mu.Lock()
		f := first[c.nth]
		mu.Unlock()
		if most := f.left - f.cut + time.Millisecond; f.left > 0 && c.turn.Left > most { // the format counts whole milliseconds
			x.problem("request %d came again with %v left, %v at the most", c.nth, c.turn.Left, most)
		}
		return []Reply{c.move()}
	})
	x.agent("bob", func(_ context.Context, c call) []Reply {
		x.h.Cut("ann")
		return []Reply{c.move()}
	})
	s := x.connectFour("reconnect", "ann", "bob")
	for i := range s.Seats {
		s.Seats[i].Policy.Disconnected, s.Seats[i].Policy.Unreachable = referee.DoReject, referee.DoReject
	}
	b := x.start(s, new(referee.Memory))
	b.same(plain)
}
