package referee_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/referee"
)

// life is one run of a match whose notices and verdicts are checked.
type life struct {
	t       *testing.T
	r       *rand.Rand
	telling atomic.Int32 // notices at the moment

	mu    sync.Mutex
	ask   [8]int32 // told of last
	seen  [8]int   // notices
	ended [8]bool
	moves map[int64]game.Seat // by the event that a verdict named
}

// hear checks a notice.
func (f *life) hear(i game.Seat, n *referee.Notice) {
	f.mu.Lock()
	defer f.mu.Unlock()
	asks := n.Kind == referee.Closed || n.Kind == referee.Warned
	switch {
	case f.ended[i], (n.Kind == referee.Seated) != (f.seen[i] == 0), asks && n.Ask > f.ask[i], n.Kind == referee.Opened && n.Ask <= f.ask[i]:
		f.t.Errorf("seat %d: notice %d is %v of request %d, told of up to %d, of the end: %v", i, f.seen[i], n.Kind, n.Ask, f.ask[i], f.ended[i])
	}
	f.seen[i]++
	f.ended[i] = n.Kind == referee.Ended
	if n.Kind == referee.Opened {
		f.ask[i] = n.Ask
	}
}

// draw gives a number below n.
func (f *life) draw(n int) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.r.IntN(n)
}

// answer is good most of the time.
func (f *life) answer(ask int32) referee.Answer {
	switch f.draw(12) {
	case 0:
		return referee.Answer{Action: "99"}
	case 1:
		return referee.Answer{Fault: referee.Malformed}
	case 2:
		ask--
	case 3:
		return referee.Answer{Action: "1", Key: "the same"}
	}
	return referee.Answer{Action: game.Action(strconv.Itoa(f.draw(3))), To: referee.Address{By: referee.ByAsk, N: ask}}
}

// guest is a player of some kind: it answers where it is told, or somewhere else after a while.
type guest struct {
	*life
	inTell bool
	slow   time.Duration // to be told of a request
}

func (g *guest) tell(s *referee.Seat, n referee.Notice) {
	if g.telling.Add(1) != 1 {
		g.t.Errorf("%v is told beside another notice", n.Kind)
	}
	defer g.telling.Add(-1)
	g.hear(s.Num(), &n)
	if g.inTell {
		g.fuss(s)
	}
	if n.Kind != referee.Opened {
		return
	}
	time.Sleep(g.slow)
	if g.inTell {
		g.submit(s, n.Ask)
		return
	}
	s.Go(func(ctx context.Context) {
		for ctx.Err() == nil {
			time.Sleep(time.Duration(g.draw(2000)) * time.Millisecond)
			g.fuss(s)
			g.submit(s, n.Ask)
		}
	})
}

// fuss does something that is no answer, or nothing.
func (g *guest) fuss(s *referee.Seat) {
	switch g.draw(8) {
	case 0:
		s.Say(0, "hm")
	case 1:
		s.Claim(referee.OfferDraw)
	case 2:
		s.Gone("x")
		s.Back()
	case 3:
		s.Look(func(v referee.View) { v.State() })
	case 4:
		s.Open()
	}
}

func (g *guest) submit(s *referee.Seat, ask int32) {
	if s.Info().Clock.Starts == referee.AtSent {
		s.Sent(ask)
	}
	v, err := s.Submit(context.Background(), g.answer(ask))
	if err == nil && v.Code == referee.OK && v.Event >= 0 {
		g.mu.Lock()
		defer g.mu.Unlock()
		if _, twice := g.moves[v.Event]; twice {
			g.t.Errorf("two verdicts are of event %d", v.Event)
		}
		g.moves[v.Event] = s.Num()
	}
}

// player draws one of any kind; told: it hears notices.
func (f *life) player() (p referee.Player, told bool) {
	if f.draw(4) > 0 {
		g := &guest{life: f, inTell: f.draw(3) == 0, slow: []time.Duration{0, 0, 200 * time.Microsecond, 3 * time.Second}[f.draw(4)]}
		return tells(func(s *referee.Seat, n referee.Notice) { g.tell(s, n) }), true
	}
	return referee.Inline(func(r *referee.Request) referee.Answer {
		if f.telling.Load() > 0 {
			f.t.Error("a move in place while somebody is told")
		}
		if f.draw(10) == 0 {
			panic("bot")
		}
		return f.answer(r.Ask)
	}), false
}

// TestHandOver has players of all kinds, whoever plays on for them: notices come in order and one at a time, verdicts stand in the record, and the
// match ends, over stores that are slow or fail, and stops.
func TestHandOver(t *testing.T) {
	for seed := range uint64(150) {
		synctest.Test(t, func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 3))
			seats := 2 + r.IntN(3)
			s := parlourSetup(t, "safe", []string{"ojojoj", "jjllj", "fojif", "hjoih"}[r.IntN(4)], seats, referee.Policy{}, referee.Clock{})
			for i := range s.Seats {
				name := []string{"zero", "agentarena-3", "ludux-3", "gridarena", "shared-retries"}[r.IntN(5)]
				clock := referee.Clock{Move: 3 * time.Second, Expiry: 10 * time.Minute, Starts: referee.Starts(r.IntN(2)), Warn: 800 * time.Millisecond}
				s.Seats[i].Policy, s.Seats[i].Clock = policies[name], clock
			}
			log := &slowLog{takes: []time.Duration{0, 300 * time.Microsecond, 700 * time.Millisecond}[r.IntN(3)]}
			for over := false; !over; {
				f := &life{t: t, r: r, moves: map[int64]game.Seat{}}
				var ps []referee.Player
				var told [8]bool
				for i := range s.Seats {
					p, hears := f.player()
					ps, told[i] = append(ps, p), hears
				}
				log.failAt = []int64{0, int64(1 + r.IntN(40))}[r.IntN(2)]
				ctx, cancel := context.WithTimeout(t.Context(), time.Duration(1+r.IntN(30))*time.Second)
				o := <-running(ctx, newLive(t, s, referee.Config{Log: log, Host: hostOf(10)}, ps...))
				cancel()
				if over = o.err == nil; over && f.ended != told {
					t.Errorf("seed %d: told of the end: %v, of all: %v", seed, f.ended, told)
				} else if !over && !errors.Is(o.err, errDisk) && !errors.Is(o.err, context.DeadlineExceeded) {
					t.Errorf("seed %d: %v", seed, o.err)
				}
				f.check(s, log)
			}
			checkRecord(t, s, log)
		})
	}
}

// check holds the verdicts against the record.
func (f *life) check(s referee.Setup, log referee.Log) {
	at := int64(0)
	for e, err := range referee.Events(f.t.Context(), log) {
		if seat, ok := f.moves[at]; err != nil || ok && (e.Kind != referee.KindMove || e.Seat != seat) {
			f.t.Errorf("event %d, the move of seat %d by its verdict: %v of seat %d, %v", at, seat, e.Kind, e.Seat, err)
		}
		at++
	}
}
