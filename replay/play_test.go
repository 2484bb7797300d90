package replay_test

import (
	"bytes"
	"context"
	"sync/atomic"
	"testing"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/replay"
)

// random is a player that draws its moves from its own stream of the match.
var random = referee.Inline(func(r *referee.Request) referee.Answer {
	legal := r.Legal(nil)
	return referee.Answer{Action: legal[r.Rand().IntN(len(legal))]}
})

// ticking is a clock that moves on by 37 ms whenever it is read.
func ticking() func() referee.Time {
	var n atomic.Int64
	return func() referee.Time { return start + referee.Time(37*n.Add(1)) }
}

// yes answers every question of the oracle.
type yes struct{}

func (yes) Answer(context.Context, game.Ask) (game.Action, error) { return `"yes"`, nil }

// played gives the record of a match of random players.
func played(t testing.TB, s referee.Setup, sealed bool) []byte {
	t.Helper()
	log := new(referee.Memory)
	c := referee.Config{Log: log, Now: ticking(), Host: yes{}}
	if sealed {
		c.Seal = replay.Sealer()
	}
	var ps []referee.Player
	for range s.Seats {
		ps = append(ps, random)
	}
	if _, err := (&referee.Local{Config: c}).Play(t.Context(), s, ps...); err != nil {
		t.Fatal(err)
	}
	return log.Bytes()
}

func verify(t testing.TB, record []byte) *replay.Report {
	t.Helper()
	return verifyBy(t, record, rules)
}

func verifyBy(t testing.TB, record []byte, r replay.Resolver) *replay.Report {
	t.Helper()
	rep, err := replay.Verify(bytes.NewReader(record), r)
	if err != nil {
		t.Fatalf("%v\n%s", err, record)
	}
	return rep
}

// script drives a Match by hand, so that a record can hold whatever happens.
type script struct {
	t      testing.TB
	m      *referee.Match
	now    referee.Time
	events []referee.Event
}

func begin(t testing.TB, s referee.Setup) *script {
	t.Helper()
	m, err := referee.New(s)
	if err != nil {
		t.Fatal(err)
	}
	x := &script{t: t, m: m, now: start}
	x.did(m.Start(x.now))
	return x
}

func (x *script) did(o referee.Output) { x.events = append(x.events, o.Events...) }

// answer waits some milliseconds, then answers for a seat and expects a code.
func (x *script) answer(after referee.Time, s game.Seat, a referee.Answer, want referee.Code) {
	x.t.Helper()
	x.now += after
	v, o := x.m.Answer(x.now, s, &a)
	if v.Code != want {
		x.t.Fatalf("event %d: %+v, want %v", x.m.Len(), v, want)
	}
	x.did(o)
}

func (x *script) move(after referee.Time, s game.Seat, a game.Action) {
	x.t.Helper()
	x.answer(after, s, referee.Answer{Action: a}, referee.OK)
}

func (x *script) tick(after referee.Time) {
	x.now += after
	x.did(x.m.Tick(x.now))
}

// must takes what a step gives that may be refused.
func (x *script) must(o referee.Output, err error) {
	x.t.Helper()
	if err != nil {
		x.t.Fatal(err)
	}
	x.did(o)
}

// record writes the events so far.
func (x *script) record(sealed bool) []byte {
	x.t.Helper()
	return write(x.t, x.events, sealed)
}

func write(t testing.TB, events []referee.Event, sealed bool) []byte {
	t.Helper()
	var b bytes.Buffer
	w := replay.NewWriter(&b)
	for i := range events {
		if err := w.Append(&events[i]); err != nil {
			t.Fatal(err)
		}
	}
	if sealed {
		if err := w.Seal(); err != nil {
			t.Fatal(err)
		}
	}
	return b.Bytes()
}

// eventful is a match of Connect Four in which much happens; seat 0 wins by play.
func eventful(t testing.TB, id string) *script {
	t.Helper()
	x := begin(t, setup(t, connectfour.New(), id))
	x.answer(1200, 0, referee.Answer{Action: "3", Note: "the middle, \"of course\" – ünïcode", Key: "m1", Meta: []byte(`{"tokens":312}`)}, referee.OK)
	x.answer(15, 0, referee.Answer{Action: "3", Key: "m1"}, referee.Duplicate)
	x.answer(900, 1, referee.Answer{Action: "9"}, referee.Refused)
	x.answer(10, 1, referee.Answer{Action: "2", To: referee.Address{By: referee.ByAsk, N: 1}}, referee.WasStale)
	x.tick(250)
	x.answer(300, 1, referee.Answer{Action: "2", Key: "b-1"}, referee.OK)
	x.answer(4000, 0, referee.Answer{Fault: referee.Malformed, Detail: "json"}, referee.Refused)
	x.tick(250)
	x.tick(10_100) // a late answer: the second strike
	x.tick(500)
	x.move(700, 0, "3")
	x.did(x.m.Gone(x.now+5, 1, "connection reset"))
	x.did(x.m.Back(x.now+900, 1))
	x.must(x.m.Say(x.now+950, 1, 0, "sorry\nback again"))
	x.now += 950
	x.move(1, 1, "2")
	x.must(x.m.Claim(x.now+1, 0, referee.OfferDraw))
	x.must(x.m.Claim(x.now+2, 1, referee.DeclineDraw))
	x.did(x.m.Resumed(x.now + 60_000))
	x.now += 60_000
	x.move(10_050, 0, "3") // within the grace
	x.move(5, 1, "6")
	x.move(5, 0, "3")
	r, over := x.m.Result()
	if !over || r.Cause != referee.CausePlay || r.Returns[0] != 1 {
		t.Fatalf("%+v", r)
	}
	return x
}
