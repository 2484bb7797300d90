package transporttest

import (
	"context"
	"hash/fnv"
	"io"
	"sync"
)

// call is one delivery of a request to an agent.
type call struct {
	slug     string
	nth      int // of the requests to this seat, from 1
	delivery int // of this request, from 1
	turn     Turn
}

// script says what an agent answers.
type script func(ctx context.Context, c call) []Reply

// play makes of a script what an agent does.
func (x *trial) play(slug string, s script) Play {
	type seat struct{ match, you string }
	type request struct {
		seat
		seq int64
	}
	var mu sync.Mutex
	requests := map[seat]int{} // how many there were
	seen := map[request]*call{}
	return func(ctx context.Context, t Turn) []Reply {
		if len(t.Legal) == 0 || t.Left < 0 {
			x.problem("%s was asked something odd: %+v", slug, t)
			return nil
		}
		r := request{seat{t.Match, t.You}, t.Seq}
		mu.Lock()
		c := seen[r]
		if c == nil {
			requests[r.seat]++
			c = &call{slug: slug, nth: requests[r.seat]}
			seen[r] = c
		}
		c.delivery++
		this := *c
		mu.Unlock()
		this.turn = t
		return s(ctx, this)
	}
}

// index answers with the listed action of an index, counted from the end if it is negative.
func (c call) index(i int) Reply {
	if i < 0 {
		i += len(c.turn.Legal)
	}
	return Reply{Action: c.turn.Legal[i]}
}

// move answers with an action that depends on who is asked, and where: so that no
// answer fits another match or another turn but by chance.
func (c call) move() Reply {
	h := fnv.New64a()
	io.WriteString(h, c.turn.Match+"\n"+c.slug+"\n")
	h.Write([]byte{byte(c.nth)})
	return c.index(int(h.Sum64() >> 8 % uint64(len(c.turn.Legal))))
}

// plain plays such a move each time.
func plain(_ context.Context, c call) []Reply { return []Reply{c.move()} }

// column answers with one index each time.
func column(i int) script {
	return func(_ context.Context, c call) []Reply { return []Reply{c.index(i)} }
}

// hold keeps an agent thinking until the request is closed or the check is over.
func (x *trial) hold(ctx context.Context) {
	select {
	case <-ctx.Done():
	case <-x.over:
	}
}
