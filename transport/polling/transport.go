package polling

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/replay"
	"github.com/matchreferee/arena/transport"
	"github.com/matchreferee/arena/transport/lease"
)

// ErrClosed says that the transport was closed.
var ErrClosed = errors.New("polling: closed")

// Transport carries the seats of agents that poll, and is the [http.Handler] of
// their requests. Safe for concurrent use.
type Transport struct {
	o         Options
	rules     replay.Resolver
	admission *Admission
	sources   *throttle
	accounts  *throttle
	handler   http.Handler
	house     house
	owned     bool // Options.Lease is the transport's own
	openAPI   []byte
	recent    results
	waiters   waiters

	drained chan struct{} // closed by Drain
	drain   sync.Once
	stop    context.CancelFunc // of what goes on in the background
	work    sync.WaitGroup

	mu     sync.Mutex // nothing blocks under it
	closed bool
	live   map[string]*match // at play here, or about to be
	past   shelf
}

var (
	_ transport.Transport = (*Transport)(nil)
	_ http.Handler        = (*Transport)(nil)
)

// New makes a transport. It returns one error for each bad option, joined.
//
// It looks through the store for matches whose beginning or end a crash kept from
// being noted, so it comes before the host recovers its matches: the records must
// stand still. The context is for that alone.
func New(ctx context.Context, o Options) (*Transport, error) {
	if err := o.validate(); err != nil {
		return nil, err
	}
	o.fill()
	t := &Transport{
		o: o, rules: replay.Rules(o.Games...), live: map[string]*match{}, drained: make(chan struct{}),
		sources: newThrottle(o.Limits.Source, o.Limits.Tracked), accounts: newThrottle(o.Limits.Account, o.Limits.Tracked),
		recent: results{max: o.Recent}, waiters: waiters{each: o.Waiters, held: map[string]int{}},
	}
	var err error
	if t.admission, err = newAdmission(ctx, o.Limits, o.Store, o.Now); err != nil {
		return nil, err
	}
	if err := t.admission.settle(ctx, t.settle); ctx.Err() != nil {
		return nil, err
	} else if err != nil {
		t.o.Failed(err) // such a match keeps its place for its hour, and nobody from the others
	}
	if t.owned = t.o.Lease == nil; t.owned {
		if t.o.Lease, err = lease.New(ctx, lease.Options{}); err != nil {
			return nil, err
		}
	}
	t.house = t.newHouse()
	t.remember(ctx)
	t.route()
	background, stop := context.WithCancel(context.Background())
	t.stop = stop
	t.work.Go(func() { t.sweep(background) })
	return t, nil
}

// Admission gives what the host pauses new matches by.
func (t *Transport) Admission() *Admission { return t.admission }

// Player makes the player of an agent. Every agent has one: whose key opens a
// seat is settled when a request comes. Its error is ErrClosed.
func (t *Transport) Player(_ context.Context, a referee.Agent) (referee.Player, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return nil, ErrClosed
	}
	return player{t}, nil
}

// House gives the carrier of the opponents that have a [Opponent.Player]: by it
// they are seated again when the host recovers its matches. Its terms are those
// of [Start].
func (t *Transport) House() transport.Transport { return t.house }

// Drain begins no more matches, and answers at once all requests that are held,
// now and from now on; give it to [http.Server.RegisterOnShutdown], whose Shutdown
// waits for requests. Matches go on.
func (t *Transport) Drain() { t.drain.Do(func() { close(t.drained) }) }

func (t *Transport) draining() bool { return isClosed(t.drained) }

// Close drains, refuses new players, and stops what runs in the background. The
// matches at play are to be ended or stopped before, as arena.Shutdown does.
func (t *Transport) Close() error {
	t.Drain()
	t.mu.Lock()
	t.closed = true
	t.mu.Unlock()
	t.stop()
	t.work.Wait()
	if !t.owned {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), storeTime)
	defer cancel()
	return t.o.Lease.Close(ctx)
}

// player stands for an agent in any number of matches.
type player struct{ t *Transport }

// Tell keeps the seats of matches at play, and notes their ends.
func (p player) Tell(s *referee.Seat, n referee.Notice) {
	switch n.Kind {
	case referee.Seated:
		p.t.seated(s)
	case referee.Ended:
		p.t.ended(s.Match())
	}
}

// settle says what has become of a match that was at play when the process ended.
func (t *Transport) settle(ctx context.Context, e Entry) (s State, ended time.Time, outcome string, err error) {
	m := t.newMatch(e.Match)
	err = m.story.read(ctx, func() error {
		if m.story.play.End() == nil {
			s = Begun
			t.live[e.Match] = m // until it is seated again, or lost
			return nil
		}
		r, err := m.story.outline(e)
		s, ended, outcome = Over, time.UnixMilli(int64(r.EndedAt)), string(r.End.Status)
		return err
	})
	if errors.Is(err, errNoRecord) {
		return Reserved, ended, "", nil
	}
	if err != nil {
		t.live[e.Match] = m // as its rules are not known here, or its record is damaged
	}
	return s, ended, outcome, err
}

// sweepEvery is how often old matches are looked for.
const sweepEvery = 10 * time.Minute

// sweep forgets what is old, and gives up what never ended.
func (t *Transport) sweep(ctx context.Context) {
	ticker := time.NewTicker(sweepEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return
		}
		t.giveUp(ctx)
		if _, err := t.admission.sweep(ctx, t.forget); err != nil && ctx.Err() == nil {
			t.o.Failed(err)
		}
	}
}

// forget removes the record of a match.
func (t *Transport) forget(ctx context.Context, e Entry) error {
	if t.o.Remove != nil {
		if err := t.o.Remove(ctx, e.Match); err != nil {
			return fmt.Errorf("its record: %w", err)
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.live, e.Match)
	t.past.drop(e.Match)
	t.recent.drop(e.Match)
	return nil
}

// lostAfter is how long after its time a match is given up that has not ended:
// nobody plays it any more.
const lostAfter = time.Minute

// giveUp ends the matches that should have ended and do not run, so that their places
// are free. One that runs will end: its clock may be another than that of the wall.
func (t *Transport) giveUp(ctx context.Context) {
	now := t.o.Now()
	t.mu.Lock()
	all := make([]*match, 0, len(t.live))
	for _, m := range t.live {
		all = append(all, m)
	}
	t.mu.Unlock()
	for _, m := range all {
		if e, known := t.admission.entry(m.id); known && now.After(e.Expires.Add(lostAfter)) && !m.runs() && m.end() {
			t.close(ctx, m)
		}
	}
}
