package replay_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/chess"
	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/games/grid"
	"github.com/matchreferee/arena/games/werewolf"
	"github.com/matchreferee/arena/referee"
)

// good are whole matches.
func (l *vectorList) good() {
	t := l.t
	l.valid("eventful", "times, notes, an idempotency key, four faults, a lost connection, a draw offer, a resume; seat 0 wins by play", eventful(t, "golden:1").record(true))
	l.valid("unsealed", "the same without a seal, which is complete", eventful(t, "golden:1").record(false))
	l.valid("forfeit", "seat 1 never answers and loses by its third strike", forfeit(t).record(true))
	l.valid("void", "the host failed in the middle", void(t).record(true))
	l.valid("ruled", "names of its own, a limit of steps, a referee that took over, a ruling of the host", ruled(t).record(true))
	l.valid("agreed", "a draw is offered and accepted", agreed(t).record(true))
	l.valid("resigned", "seat 0 resigns at once", claimed(t, "golden:6", referee.Resign).record(true))
	l.valid("abandoned", "seat 0 walks away", claimed(t, "golden:7", referee.Abandon).record(true))
	l.valid("eliminated", "seat 1 is out after two strikes, one of them a default that was played; the referee moves for it to the end", eliminated(t).record(true))
	l.valid("expired", "the time of the match runs out", expired(t).record(true))
	l.valid("sent", "clocks that start when a request is sent, with a budget", sent(t).record(true))
	l.valid("timed", "a budget beside the time for a move, retries that share it, pauses that double, an agent that stays away", timed(t, "golden:13", referee.AtOpen).record(true))
	l.valid("timed-sent", "the same with clocks that start when a request is sent", timed(t, "golden:14", referee.AtSent).record(true))
	full := setup(t, connectfour.New(), "golden:11")
	l.valid("random", "a match of random players", played(t, full, true))
	small, err := connectfour.New().Table([]byte(`{"columns":4,"rows":4,"connect":3}`))
	if err != nil {
		t.Fatal(err)
	}
	full.ID, full.Table = "golden:12", small
	l.valid("small", "another ruleset", played(t, full, true))
	for _, line := range []struct{ file, about, columns string }{
		{"across", "four in a row", "0011223"}, {"rising", "four on a rising diagonal", "01122323303"}, {"falling", "four on a falling diagonal", "65544343363"},
	} {
		l.valid(line.file, line.about, dropped(t, "golden:"+line.file, line.columns).record(true))
	}
	l.valid("full", "a full board, which is a draw", fullBoard(t))
	for _, g := range []game.Game{chess.New(), grid.New(), werewolf.New()} {
		s := setup(t, g, "golden:"+g.Info().Name)
		s.MaxSteps = 60
		v := vector{File: g.Info().Name, Game: g.Info().Name + "@" + g.Info().Version, About: "a match of random players", Status: "valid", record: played(t, s, true)}
		l.add(v)
	}
}

// dropped is a match of these columns.
func dropped(t testing.TB, id, columns string) *script {
	x := begin(t, setup(t, connectfour.New(), id))
	for i, c := range columns {
		x.move(10, game.Seat(i%2), game.Action(string(c)))
	}
	return x
}

// fullBoard is the first of some matches on a small board that nobody wins.
func fullBoard(t testing.TB) []byte {
	small, err := connectfour.New().Table([]byte(`{"columns":4,"rows":4,"connect":4}`))
	if err != nil {
		t.Fatal(err)
	}
	for i := range 100 {
		s := setup(t, connectfour.New(), fmt.Sprint("golden:full-", i))
		s.Table = small
		if record := played(t, s, true); verify(t, record).End.Reason == "full" {
			return record
		}
	}
	t.Fatal("no draw in 100 matches")
	return nil
}

// agreed is a match that ends in a draw by agreement.
func agreed(t testing.TB) *script {
	x := begin(t, setup(t, connectfour.New(), "golden:5"))
	x.move(150, 0, "0")
	x.must(x.m.Claim(x.now+1, 0, referee.OfferDraw))
	x.must(x.m.Claim(x.now+2, 1, referee.AcceptDraw))
	return x
}

func claimed(t testing.TB, id string, c referee.Claim) *script {
	x := begin(t, setup(t, connectfour.New(), id))
	x.must(x.m.Claim(x.now+1, 0, c))
	return x
}

// eliminated is a match that the referee plays on for seat 1.
func eliminated(t testing.TB) *script {
	s := setup(t, connectfour.New(), "golden:8")
	p := &s.Seats[1].Policy
	p.Illegal, p.Strikes, p.Out = referee.DoDefault, 2, referee.DoEliminate
	x := begin(t, s)
	x.move(10, 0, "6")
	x.answer(10, 1, referee.Answer{Action: "x"}, referee.Refused)
	x.move(10, 0, "6")
	x.answer(10, 1, referee.Answer{Action: `"left"`, Note: "wrong again"}, referee.Refused)
	x.move(10, 0, "6")
	x.move(10, 0, "0")
	x.move(10, 0, "6")
	if r, over := x.m.Result(); !over || r.Returns[0] != 1 {
		t.Fatalf("%+v", r)
	}
	return x
}

func expired(t testing.TB) *script {
	s := setup(t, connectfour.New(), "golden:9")
	s.Seats[0].Clock.Expiry = 15 * time.Second
	x := begin(t, s)
	x.move(9_000, 0, "6")
	x.tick(6_000)
	return x
}

// sent has requests whose clocks start with an event of their own.
func sent(t testing.TB) *script {
	s := setup(t, connectfour.New(), "golden:10")
	for i := range s.Seats {
		c := &s.Seats[i].Clock
		c.Starts, c.Base, c.Increment, c.Move = referee.AtSent, time.Minute, time.Second, 0
	}
	x := begin(t, s)
	for i := range 7 {
		x.now += 20
		seat := game.Seat(i % 2)
		req, _ := x.m.Open(seat)
		_, open, o := x.m.Sent(x.now, seat, req.Ask)
		if !open {
			t.Fatal("not open")
		}
		x.did(o)
		x.move(700, seat, game.Action("01"[seat:seat+1]))
	}
	return x
}

// timed is a match in which the clocks have much to do.
func timed(t testing.TB, id string, starts referee.Starts) *script {
	s := setup(t, connectfour.New(), id)
	for i := range s.Seats {
		s.Seats[i].Clock = referee.Clock{Move: 10 * time.Second, Base: 20 * time.Second, Increment: time.Second, Grace: 100 * time.Millisecond, Expiry: time.Hour, Back: 3 * time.Second, Starts: starts}
		p := &s.Seats[i].Policy
		p.Reask, p.Strikes, p.Disconnected, p.Unreachable = false, 20, referee.DoStrike, referee.DoReject
		p.PauseMax = 700 * time.Millisecond
	}
	x := begin(t, s)
	sent := func(seat game.Seat) {
		if req, ok := x.m.Open(seat); ok && starts == referee.AtSent {
			_, _, o := x.m.Sent(x.now, seat, req.Ask)
			x.did(o)
		}
	}
	sent(0)
	x.answer(1_000, 0, referee.Answer{Fault: referee.Unreachable, Detail: "dial"}, referee.Refused)
	for range 3 {
		x.answer(1_500, 0, referee.Answer{Action: "9"}, referee.Refused)
		x.tick(800)
		sent(0)
	}
	x.move(500, 0, "3")
	sent(1)
	x.did(x.m.Gone(x.now+200, 1, "reset"))
	x.now += 200
	x.tick(3_000) // away for too long: a strike, and another later
	x.tick(700)
	sent(1)
	x.tick(3_000)
	x.did(x.m.Back(x.now+600, 1))
	x.now += 900
	x.tick(0)
	sent(1)
	x.move(100, 1, "2")
	x.did(x.m.Resumed(x.now + 5_000))
	x.now += 5_000
	sent(0)
	x.move(9_000, 0, "3")
	sent(1)
	x.move(2_000, 1, "2")
	sent(0)
	x.did(x.m.Gone(x.now+100, 0, ""))
	x.did(x.m.Back(x.now+1_100, 0))
	x.now += 1_100
	for i := 0; i < 60; i++ { // the budget runs out, again and again
		if _, over := x.m.Result(); over {
			return x
		}
		sent(0)
		x.tick(1_000)
	}
	t.Fatal("the match goes on")
	return nil
}

// ruled is a match of ten steps that a referee took over, and that the host ruled on.
func ruled(t testing.TB) *script {
	s := setup(t, connectfour.New(), "golden:4")
	s.Start.Names = []string{"Ann (first)", "Bob (second)"}
	s.MaxSteps = 10
	s.Seats[1].Agent = referee.Agent{Slug: "bob.2", Name: "Bób 😀", Version: "0.1", Owner: "o", Framework: "f", Model: "m", House: true, Rating: 1512.5,
		Labels: map[string]string{"team": "blue", "größe": "\"7\""}}
	x := begin(t, s)
	for i := range 10 {
		if i == 4 {
			x.did(x.m.Resumed(x.now + 5))
			x.now += 5
		}
		seat := game.Seat(i % 2)
		x.move(10, seat, game.Action(fmt.Sprint(i/2%3+3*int(seat))))
	}
	x.must(x.m.Rule(x.now+1, referee.Ruling{What: referee.RuleWin, By: "the jury", Reason: "style", Win: game.Seats(1)}))
	return x
}
