package callback

import (
	"context"
	"sync"
	"time"

	"github.com/matchreferee/arena/protocol/ludux"
	"github.com/matchreferee/arena/referee"
)

const (
	newsTime   = 5 * time.Second // for one message
	newsAtOnce = 64              // messages, to whichever agents
	newsQueue  = 64              // messages to one agent
)

// news brings agents what no answer is wanted to. Those of an agent go one after
// another, so that the end of a match never overtakes its start; neither requests
// nor matches wait for any.
type news struct {
	t     *Transport
	slots chan struct{} // held by those that are out
	ctx   context.Context
	stop  func()
	wg    sync.WaitGroup

	mu     sync.Mutex
	queues map[*agent][]item // no queue is empty; its first one is out, or about to be
	closed bool
}

// item is one message.
type item struct {
	p    *player
	s    *referee.Seat
	kind ludux.Kind
	body []byte
}

func (n *news) init(t *Transport) {
	n.t, n.slots, n.queues = t, make(chan struct{}, newsAtOnce), map[*agent][]item{}
	n.ctx, n.stop = context.WithCancel(context.Background())
}

func (p *player) tellStart(s *referee.Seat) {
	m := ludux.StartOf(s.Card(), s.Info().Clock.Move)
	p.t.news.push(item{p, s, m.Kind(), m.Append(make([]byte, 0, 512))})
}

func (p *player) tellEnd(s *referee.Seat, r *referee.Result) {
	m := ludux.EndOf(s.Match(), s.Num(), r)
	p.t.news.push(item{p, s, m.Kind(), m.Append(make([]byte, 0, 256))})
}

// push queues a message; one too many is dropped.
func (n *news) push(x item) {
	n.mu.Lock()
	q := n.queues[x.p.a]
	room := !n.closed && len(q) < newsQueue
	if room {
		n.queues[x.p.a] = append(q, x)
		if len(q) == 0 {
			n.wg.Go(func() { n.bring(x.p.a) })
		}
	}
	n.mu.Unlock()
	if !room {
		x.observe(&trip{began: time.Now()}, 0, errBacklog)
	}
}

// bring sends an agent all that there is for it.
func (n *news) bring(a *agent) {
	for {
		n.mu.Lock()
		x := n.queues[a][0]
		n.mu.Unlock()
		n.send(x)
		n.mu.Lock()
		rest := n.queues[a][1:]
		if len(rest) == 0 {
			delete(n.queues, a)
			n.mu.Unlock()
			return
		}
		n.queues[a] = rest
		n.mu.Unlock()
	}
}

// send sends one message, once.
func (n *news) send(x item) {
	begun := time.Now()
	select {
	case n.slots <- struct{}{}:
		defer func() { <-n.slots }()
	case <-n.ctx.Done():
	}
	tr := trip{began: time.Now()}
	ctx, cancel := context.WithTimeout(n.ctx, newsTime)
	defer cancel()
	err := ctx.Err()
	if err == nil {
		to := x.p.a.to.Load()
		id := messageID(x.kind, x.s.Match(), x.s.Num(), 0)
		write := func() ([]byte, error) {
			list, err := x.p.secrets(ctx)
			if err != nil {
				return nil, err
			}
			return x.p.signed(to, id, x.body, list), nil
		}
		var request []byte
		if request, err = write(); err == nil {
			_, _, err = n.t.roundTrip(ctx, &tr, x.p.a, to, request, write)
		}
	}
	x.observe(&tr, tr.began.Sub(begun), err)
}

func (x *item) observe(tr *trip, waited time.Duration, err error) {
	x.p.observe(tr, Event{Match: x.s.Match(), Seat: x.s.Num(), News: x.kind, Attempt: 1, Waited: waited, Err: err})
}

// close lets what is queued go out for as long as one message may take, and no
// more.
func (n *news) close() {
	n.mu.Lock()
	n.closed = true
	n.mu.Unlock()
	cut := time.AfterFunc(newsTime, n.stop)
	n.wg.Wait()
	cut.Stop()
	n.stop()
}
