package transporttest_test

import (
	"context"
	"errors"
	"maps"
	"sync"
	"time"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport/transporttest"
)

// sessions is a transport in memory whose agents have a connection each, which
// can break. Its flaws are those of a broken one; without any it is whole.
type sessions struct {
	flaws
	mu     sync.Mutex
	closed bool
	agents map[string]*session
	wg     sync.WaitGroup
}

type flaws struct {
	loses      bool // what was open when the connection broke is never delivered again
	renumbers  bool // it is another request when it is
	restarts   bool // it has the whole time again
	drops      bool // what opens while there is no connection is forgotten
	deafens    bool // after one answer to a request no other one to it is read
	oldSeat    bool // a match that is taken over is still answered at its old seat
	oneMatch   bool // an agent plays one match after the other
	crosses    bool // an answer goes to the match that was seated last
	forgetsEnd bool // an agent is not told that a match has ended
	timeless   bool // nor that a deadline has passed
}

// session is an agent and its connection.
type session struct {
	t    *sessions
	play transporttest.Play

	mu      sync.Mutex
	ctx     context.Context // of the connection
	cancel  func()
	away    bool
	seats   map[place]*referee.Seat
	last    *referee.Seat
	thought map[place]func() // ends the thinking about a seat's request
	seqs    int64
	told    map[asked]bool
	now     string // the match that oneMatch plays
}

type place struct {
	match string
	seat  game.Seat
}

func placeOf(s *referee.Seat) place { return place{s.Match(), s.Num()} }

type asked struct {
	place
	ask int32
}

func (t *sessions) Agent(a referee.Agent, play transporttest.Play) {
	s := &session{t: t, play: play, seats: map[place]*referee.Seat{}, thought: map[place]func(){}, told: map[asked]bool{}}
	s.connect()
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.agents == nil {
		t.agents = map[string]*session{}
	}
	t.agents[a.Slug] = s
}

func (t *sessions) Player(_ context.Context, a referee.Agent) (referee.Player, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return nil, errors.New("closed")
	}
	if s := t.agents[a.Slug]; s != nil {
		return s, nil
	}
	return nil, errors.New("unknown")
}

func (t *sessions) Close() error {
	t.mu.Lock()
	t.closed = true
	for _, s := range t.agents {
		s.mu.Lock()
		s.cancel()
		s.away = true
		s.mu.Unlock()
	}
	t.mu.Unlock()
	t.wg.Wait()
	return nil
}

// Cut breaks the connection; the agent comes back a little later.
func (t *sessions) Cut(slug string) {
	t.mu.Lock()
	s := t.agents[slug]
	closed := t.closed
	t.mu.Unlock()
	if closed || !s.leave() {
		return
	}
	t.wg.Go(func() {
		time.Sleep(time.Millisecond)
		s.connect()
		s.mu.Lock()
		seats := maps.Clone(s.seats)
		s.mu.Unlock()
		for _, seat := range seats {
			if r, open := seat.Open(); open && !t.drops {
				s.deliver(seat, &r)
			}
		}
	})
}

func (s *session) connect() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.away = false
	s.ctx, s.cancel = context.WithCancel(context.Background())
}

func (s *session) leave() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.away {
		return false
	}
	s.away = true
	s.cancel()
	return true
}

func (s *session) Tell(seat *referee.Seat, n referee.Notice) {
	at := placeOf(seat)
	switch n.Kind {
	case referee.Seated:
		s.mu.Lock()
		if s.seats[at] == nil || !s.t.oldSeat {
			s.seats[at] = seat
			s.last = seat
		}
		if s.now == "" {
			s.now = at.match
		}
		clear(s.told)
		s.mu.Unlock()
	case referee.Opened:
		s.deliver(seat, n.Request)
	case referee.Ended:
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.seats, at)
		if end := s.thought[at]; end != nil && !s.t.forgetsEnd {
			end()
		}
	}
}

// deliver hands a request to the agent if it is there.
func (s *session) deliver(seat *referee.Seat, r *referee.Request) {
	at := placeOf(seat)
	s.mu.Lock()
	defer s.mu.Unlock()
	turn := transporttest.TurnOf(r)
	turn.Left = r.Limit
	if !s.t.restarts {
		turn.Left = seat.Left(*r)
	}
	id := asked{at, r.Ask}
	if s.t.renumbers {
		s.seqs++
		turn.Seq = s.seqs
	}
	if s.away || s.told[id] && s.t.loses || s.t.oneMatch && s.now != at.match {
		return
	}
	s.told[id] = true
	if end := s.thought[at]; end != nil {
		end()
	}
	conn := s.ctx
	think := turn.Left
	if s.t.timeless {
		think = 1000 * turn.Left
	}
	ctx, end := context.WithTimeout(conn, think)
	s.thought[at] = end
	to := s.seats[at]
	if s.t.crosses {
		to = s.last
	}
	s.t.wg.Go(func() {
		defer end()
		for i, reply := range s.play(ctx, turn) {
			if conn.Err() != nil || s.t.deafens && i > 0 {
				return
			}
			a := reply.Answer()
			a.To = referee.Address{By: referee.ByAsk, N: r.Ask}
			to.Submit(context.Background(), a)
		}
	})
}
