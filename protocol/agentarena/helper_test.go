package agentarena

import (
	"fmt"
	"strings"
	"testing"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/referee"
)

const (
	began     = referee.Time(1_790_000_000_000)
	nonce     = "7f3a0000000000000000000000000001"
	replayURL = "https://arena.example/m/m1"
)

// newMatch starts a match under this format's policy, with one agent a name.
func newMatch(t testing.TB, g game.Game, names ...string) *referee.Match {
	t.Helper()
	table, err := g.Table(nil)
	if err != nil {
		t.Fatal(err)
	}
	policy, clock := Policy(len(names))
	s := referee.Setup{ID: "m1", Table: table, Secret: game.SeedFrom(1)}
	for _, n := range names {
		s.Seats = append(s.Seats, referee.SeatInfo{Agent: referee.Agent{Name: n}, Transport: "callback", Policy: policy, Clock: clock})
	}
	m, err := referee.New(s)
	if err != nil {
		t.Fatal(err)
	}
	m.Start(began)
	return m
}

// openRequest gives the one request that is open.
func openRequest(t testing.TB, m *referee.Match) *referee.Request {
	t.Helper()
	for s := range game.Seat(len(m.Setup().Seats)) {
		if r, ok := m.Open(s); ok {
			return &r
		}
	}
	t.Fatal("no request is open")
	return nil
}

// answer hands in what Decode made of a reply to the open request.
func answer(t testing.TB, m *referee.Match, body string) referee.Verdict {
	t.Helper()
	r := openRequest(t, m)
	a := Decode(200, []byte(body), nonce, r)
	v, _ := m.Answer(began, r.Seat, &a)
	return v
}

// requestAfter gives the request that is open after the moves of these texts.
func requestAfter(t testing.TB, g game.Game, names []string, moves ...string) *referee.Request {
	t.Helper()
	m := newMatch(t, g, names...)
	for _, move := range moves {
		if v := answer(t, m, reply(move)); v.Code != referee.OK {
			t.Fatalf("%s: %+v", move, v)
		}
	}
	return openRequest(t, m)
}

var two = []string{"Ann", "GREMLIN-9"}

func connectFour(t testing.TB, moves ...string) *referee.Request {
	t.Helper()
	return requestAfter(t, connectfour.New(), two, moves...)
}

// reply is a good reply with this move.
func reply(move string) string { return string(AppendReply(nil, Reply{Move: move, Nonce: nonce})) }

// withNonce puts the nonce where a body says NONCE.
func withNonce(body string) string { return strings.ReplaceAll(body, "NONCE", nonce) }

// show prints an answer for comparing.
func show(a referee.Answer) string {
	if a.Fault != referee.NoFault {
		return fmt.Sprintf("%v: %s", a.Fault, a.Detail)
	}
	return fmt.Sprintf("%s %q", a.Action, a.Note)
}
