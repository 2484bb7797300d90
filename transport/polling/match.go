package polling

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/protocol/gridarena"
	"github.com/matchreferee/arena/referee"
)

// match is one that is at play here, or whose record somebody looked at.
type match struct {
	id    string
	story *story
	over  chan struct{} // closed once its end is noted

	mu     sync.Mutex // nothing blocks under it
	seats  map[game.Seat]*referee.Seat
	came   chan struct{} // closed when another seat is there
	ending bool          // its end is being noted, or was
	pace   map[game.Seat]*pace
}

func (t *Transport) newMatch(id string) *match {
	return &match{
		id: id, story: newStory(id, t.o.Records, t.rules), came: make(chan struct{}), over: make(chan struct{}),
		seats: map[game.Seat]*referee.Seat{}, pace: map[game.Seat]*pace{},
	}
}

// comeTime is how long a request waits for a match that is not at play yet, as
// just after a restart.
const comeTime = 2 * time.Second

// comes gives the mailbox of a seat, and waits for it while the match is about to be at
// play; nil where it is over, or does not come in that time.
func (m *match) comes(ctx context.Context, s game.Seat, within time.Duration) *referee.Seat {
	if m.isOver() {
		return nil
	}
	var timer *time.Timer
	for {
		m.mu.Lock()
		seat, came := m.seats[s], m.came
		m.mu.Unlock()
		if seat != nil {
			return seat
		}
		if timer == nil {
			timer = time.NewTimer(within)
			defer timer.Stop()
		}
		select {
		case <-came:
			continue
		case <-m.over:
		case <-timer.C:
		case <-ctx.Done():
		}
		return nil
	}
}

// isOver reports whether the end of the match is noted.
func (m *match) isOver() bool { return isClosed(m.over) }

// take keeps a seat.
func (m *match) take(s *referee.Seat) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.seats[s.Num()] = s
	close(m.came)
	m.came = make(chan struct{})
}

// runs reports whether the match is at play here.
func (m *match) runs() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, s := range m.seats {
		if s.Running() {
			return true
		}
	}
	return false
}

// end reports whether the caller is to note the end: the first one is.
func (m *match) end() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	first := !m.ending
	m.ending = true
	return first
}

// early says how long a look at the match while the opponent thinks is too early.
func (m *match) early(s game.Seat, now time.Time, every time.Duration, revision int32) time.Duration {
	m.mu.Lock()
	defer m.mu.Unlock()
	p := m.pace[s]
	if p == nil {
		p = new(pace)
		m.pace[s] = p
	}
	return p.look(now, every, revision)
}

// find gives the match of an id: one at play here, or one of the store's.
func (t *Transport) find(id string) (*match, Entry, bool) {
	e, known := t.admission.entry(id)
	t.mu.Lock()
	defer t.mu.Unlock()
	if m := t.live[id]; m != nil {
		return m, e, true
	}
	if m := t.past.get(id); m != nil {
		return m, e, true
	}
	if !known {
		return nil, e, false
	}
	m := t.newMatch(id)
	if e.State == Over {
		close(m.over)
	}
	t.past.put(m)
	return m, e, true
}

// seated keeps a seat of a match that begins, or goes on.
func (t *Transport) seated(s *referee.Seat) {
	t.mu.Lock()
	m := t.live[s.Match()]
	if m == nil {
		m = t.newMatch(s.Match())
		t.live[m.id] = m
		t.past.drop(m.id)
	}
	t.mu.Unlock()
	m.take(s)
}

// awaits gives the match that is about to begin.
func (t *Transport) awaits(id string) *match {
	t.mu.Lock()
	defer t.mu.Unlock()
	m := t.live[id]
	if m == nil {
		m = t.newMatch(id)
		t.live[id] = m
	}
	return m
}

// drop forgets a match that did not begin.
func (t *Transport) drop(m *match) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.live[m.id] == m {
		delete(t.live, m.id)
	}
}

// ended notes the end of a match, in the background, for the store may take its time.
func (t *Transport) ended(id string) {
	t.mu.Lock()
	m := t.live[id]
	t.mu.Unlock()
	if m == nil || !m.end() {
		return
	}
	t.work.Go(func() {
		ctx, cancel := context.WithTimeout(context.Background(), storeTime)
		defer cancel()
		t.close(ctx, m)
	})
}

// storeTime bounds what is done for the store while nobody waits.
const storeTime = 30 * time.Second

// close frees the place of a match that is over.
func (t *Transport) close(ctx context.Context, m *match) {
	e, known := t.admission.entry(m.id)
	var result gridarena.Result
	err := m.story.read(ctx, func() (err error) {
		result, err = m.story.outline(e)
		return err
	})
	if err != nil {
		t.o.Failed(fmt.Errorf("polling: the end of match %s: %w", m.id, err))
	}
	if known {
		outcome := string(result.End.Status)
		if err != nil {
			outcome = string(gridarena.StatusFailed)
		}
		if err := t.admission.ended(ctx, m.id, outcome); err != nil {
			t.o.Failed(fmt.Errorf("polling: the end of match %s: %w", m.id, err))
		} else if result.MatchID != "" {
			t.recent.add(result)
		}
	}
	t.mu.Lock()
	if t.live[m.id] == m {
		delete(t.live, m.id)
		t.past.put(m)
	}
	t.mu.Unlock()
	close(m.over)
}

// look gives what a seat of a match at play may know now, and a channel that
// closes when that may have changed; nil where the match does not run any more.
func (m *match) look(ctx context.Context, s *referee.Seat) (o *gridarena.Observation, changed <-chan struct{}, err error) {
	for {
		var p gridarena.Position
		changed = s.Look(func(v referee.View) { p = gridarena.PositionOf(v) })
		consistent := false
		err = m.story.read(ctx, func() (err error) {
			if p.Result == nil && m.story.turn(s.Num()) != p.Turn || p.Result != nil && m.story.play.End() == nil {
				return nil // more was recorded meanwhile, or what was decided could not be
			}
			consistent = true
			o, err = m.story.present(s.Num(), p, s.Now())
			return err
		})
		if err != nil {
			return nil, nil, err
		}
		if consistent {
			if p.Result != nil {
				m.settled(ctx) // whoever has seen the end finds the result, and can begin the next match
			}
			return o, changed, nil
		}
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		if !s.Running() { // the record is right, and another process may write it
			return nil, nil, later(gridarena.CodeClosing, "the match does not run at the moment", 5*time.Second)
		}
	}
}
