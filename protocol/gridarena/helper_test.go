package gridarena

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/referee"
)

// scene is a match at play, in a bubble of virtual time, as the agent of one seat has it.
type scene struct {
	t       *testing.T
	match   Match
	live    *referee.Live
	history []Played
	seats   []*referee.Seat
	record  *referee.Memory
	over    chan struct{}
	result  *referee.Result
}

// setup says what match a scene is of.
type setup struct {
	game              game.Game
	ruleset, position string
	seats             int // 0: 2
	seat              game.Seat
	control           Control // "": production
	policy            json.RawMessage
	config            referee.Config
	id                string
}

// pupil keeps the mailboxes of a match's seats.
type pupil struct{ s *scene }

func (p pupil) Tell(s *referee.Seat, n referee.Notice) {
	if n.Kind == referee.Seated {
		p.s.seats[s.Num()] = s
	}
}

// during plays a match in virtual time, which begins with the year 2000, as far as f does.
func during(t *testing.T, u setup, f func(s *scene)) {
	t.Helper()
	if u.seats == 0 {
		u.seats = 2
	}
	if u.control == "" {
		u.control = Production
	}
	if u.id == "" {
		u.id = "0b7e9c34-6c1e-4d8a-9f55-1a2b3c4d5e6f"
	}
	synctest.Test(t, func(t *testing.T) {
		table, err := u.game.Table([]byte(u.ruleset))
		if err != nil {
			t.Fatal(err)
		}
		set := referee.Setup{ID: u.id, Table: table, Start: game.Setup{Position: u.position}, Secret: game.SeedFrom(1), Salt: [32]byte{7}}
		s := &scene{t: t, seats: make([]*referee.Seat, u.seats), over: make(chan struct{}), record: new(referee.Memory)}
		var players []referee.Player
		for i := range game.Seat(u.seats) {
			info := referee.SeatInfo{Agent: referee.Agent{Slug: fmt.Sprintf("house-%d", i), House: true}}
			info.Policy, info.Clock = HousePolicy()
			if i == u.seat {
				info.Agent = referee.Agent{Slug: "solver", Name: "My solver"}
				info.Policy, info.Clock = Policy(u.control)
				s.match = Match{
					ID: u.id, Info: table.Info(), Seat: i, Symbol: table.Label(i), Control: u.control, Clock: info.Clock,
					Started: referee.Time(time.Now().UnixMilli()), AIPolicy: u.policy,
				}
			}
			set.Seats, players = append(set.Seats, info), append(players, pupil{s})
		}
		m, err := referee.New(set)
		if err != nil {
			t.Fatal(err)
		}
		u.config.Log, u.config.Observe = s.record, func(_ string, e *referee.Event) {
			if e.Kind == referee.KindMove && e.Seat.Valid() {
				s.history = append(s.history, Played{Seat: e.Seat, Action: e.Action, At: e.Time})
			}
		}
		if s.live, err = referee.NewLive(m, players, u.config); err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(t.Context())
		go func() {
			defer close(s.over)
			s.result, _ = s.live.Run(ctx)
		}()
		synctest.Wait()
		f(s)
		stop()
		<-s.over
	})
}

// position looks at the match.
func (s *scene) position() (p Position, now referee.Time) {
	seat := s.seats[s.match.Seat]
	seat.Look(func(v referee.View) { p = PositionOf(v) })
	return p, seat.Now()
}

func (s *scene) observe() *Observation {
	s.t.Helper()
	p, now := s.position()
	o, err := s.match.Observe(p, now, s.history)
	if err != nil {
		s.t.Fatal(err)
	}
	return o
}

// see gives what goes over the wire.
func (s *scene) see() string {
	s.t.Helper()
	text := string(s.observe().Append(nil))
	if !json.Valid([]byte(text)) {
		s.t.Fatalf("no JSON: %s", text)
	}
	return text
}

// post hands in what is read from a body of the agent's.
func (s *scene) post(body string) referee.Verdict {
	s.t.Helper()
	m, p := DecodeMove([]byte(body))
	if p != nil {
		s.t.Fatalf("%s: %v %v", body, p, p.Errors)
	}
	var open *referee.Request
	if r, ok := s.seats[s.match.Seat].Open(); ok {
		open = &r
	}
	v, err := s.seats[s.match.Seat].Submit(s.t.Context(), m.Answer(open))
	if err != nil {
		s.t.Fatal(err)
	}
	synctest.Wait()
	return v
}

// act makes a move of any seat that must be good.
func (s *scene) act(seat game.Seat, a game.Action) {
	s.t.Helper()
	v, err := s.seats[seat].Submit(s.t.Context(), referee.Answer{Action: a})
	if err != nil || v.Code != referee.OK {
		s.t.Fatalf("seat %v, %s: %+v, %v", seat, a, v, err)
	}
	synctest.Wait()
}

// first makes the first legal move of whoever is to move, until f says stop.
func (s *scene) first(f func() bool) {
	s.t.Helper()
	for !f() {
		moved := false
		for _, seat := range s.seats {
			if r, ok := seat.Open(); ok {
				a, legal := game.Action(""), r.Legal(nil)
				if len(legal) > 0 {
					a = legal[0]
				}
				s.act(r.Seat, a)
				moved = true
				break
			}
		}
		if !moved {
			s.t.Fatal("nobody is to move")
		}
	}
}

// wait lets virtual time pass, and what it brings happen.
func (s *scene) wait(d time.Duration) {
	<-time.After(d)
	synctest.Wait()
}

const (
	moveID  = "00000000-0000-4000-8000-000000000001"
	moveID2 = "00000000-0000-4000-8000-000000000002"
)
