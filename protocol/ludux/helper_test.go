package ludux

import (
	"fmt"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/chess"
	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/games/werewolf"
	"github.com/matchreferee/arena/internal/jsontext"
	"github.com/matchreferee/arena/referee"
)

const (
	began   = referee.Time(1_787_947_185_250) // 2026-08-28T19:59:45.250Z
	moveFor = moveTime
)

// tester is what testing.TB and *rapid.T share.
type tester interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
	Errorf(string, ...any)
}

// agents gives so many of them, of all sorts.
func agents(n int) []referee.Agent {
	list := []referee.Agent{
		{Slug: "ann", Name: "Ann", Version: "3", Rating: 1500},
		{Slug: "gremlin-9", Name: "GREMLIN \"9\" <&>", Version: "1.4.0-beta", House: true, Rating: 1612.5},
		{Slug: "bare"},
		{Slug: "eve", Name: "Évè", Version: "007"},
	}
	for i := len(list); i < n; i++ {
		list = append(list, referee.Agent{Slug: fmt.Sprintf("agent-%d", i), Name: fmt.Sprintf("Agent %d", i), Version: fmt.Sprint(i)})
	}
	return list[:n]
}

// newMatch starts a match under this format's policy.
func newMatch(t tester, g game.Game, ruleset, position string, seats int) *referee.Match {
	t.Helper()
	return newMatchOf(t, g, ruleset, position, agents(seats))
}

// newMatchOf is newMatch of these agents.
func newMatchOf(t tester, g game.Game, ruleset, position string, agents []referee.Agent) *referee.Match {
	t.Helper()
	table, err := g.Table([]byte(ruleset))
	if err != nil {
		t.Fatal(err)
	}
	policy, clock := Policy(len(agents))
	s := referee.Setup{ID: "m-1a2b3c4d5e", Table: table, Secret: game.SeedFrom(1), Start: game.Setup{Position: position}}
	for _, a := range agents {
		s.Seats = append(s.Seats, referee.SeatInfo{Agent: a, Transport: "websocket", Policy: policy, Clock: clock})
	}
	m, err := referee.New(s)
	if err != nil {
		t.Fatal(err)
	}
	m.Start(began)
	return m
}

func connectFour(t tester) *referee.Match { return newMatch(t, connectfour.New(), "", "", 2) }
func chessMatch(t tester) *referee.Match  { return newMatch(t, chess.New(), "", "", 2) }
func village(t tester) *referee.Match     { return newMatch(t, werewolf.New(), "", "", 9) }

// requests gives all open ones, by seat.
func requests(m *referee.Match) (list []*referee.Request) {
	for s := range game.Seat(len(m.Setup().Seats)) {
		if r, ok := m.Open(s); ok {
			list = append(list, &r)
		}
	}
	return list
}

// first gives the open request of the first seat that has one.
func first(t tester, m *referee.Match) *referee.Request {
	t.Helper()
	list := requests(m)
	if len(list) == 0 {
		t.Fatal("no request is open")
	}
	return list[0]
}

func at(now referee.Time) Delivery { return Delivery{Now: now, MoveTime: moveFor} }

// write gives the message of a request at the start of the match.
func write(t tester, r *referee.Request) string {
	t.Helper()
	b, err := AppendRequest(nil, r, at(began))
	if err != nil {
		t.Fatal(err)
	}
	if len(b) > MaxFrame {
		t.Fatalf("a frame of %d bytes", len(b))
	}
	return string(b)
}

// read gives a request as an agent has it.
func read(t tester, frame string) *ActionRequest {
	t.Helper()
	m, err := DecodeFromArena([]byte(frame))
	if err != nil {
		t.Fatalf("%v\n%s", err, frame)
	}
	r, ok := m.(*ActionRequest)
	if !ok {
		t.Fatalf("a %T", m)
	}
	return r
}

// respond writes a response with these members behind the envelope.
func respond(r *referee.Request, rest string) string {
	return fmt.Sprintf(`{"protocol":"ludux/1","type":"action_response","match_id":%q,"seq":%d,%s}`, r.Match(), r.Ask, rest)
}

// hand hands in what is read from an answer to a request.
func hand(m *referee.Match, now referee.Time, r *referee.Request, body string) referee.Verdict {
	a := DecodeReply([]byte(body), r)
	v, _ := m.Answer(now, r.Seat, &a)
	return v
}

// play makes a move that must be good.
func play(t tester, m *referee.Match, now referee.Time, r *referee.Request, a game.Action) {
	t.Helper()
	reply := (&ActionResponse{MatchID: r.Match(), Seq: int64(r.Ask), Action: a}).Append(nil)
	if v := hand(m, now, r, string(reply)); v.Code != referee.OK {
		t.Fatalf("seat %v, %s: %+v", r.Seat, a, v)
	}
}

// show prints an answer for comparing.
func show(a referee.Answer) string {
	s := fmt.Sprintf("%d ", a.To.N)
	if a.Fault != referee.NoFault {
		return s + fmt.Sprintf("%v: %s", a.Fault, a.Detail)
	}
	return s + fmt.Sprintf("%s %q", a.Action, a.Note)
}

func parsed(t tester, text string) *jsontext.Value {
	t.Helper()
	v, err := jsontext.Parse([]byte(text), jsontext.Refuse)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func parsedAll(t tester, texts []string) (list []*jsontext.Value) {
	t.Helper()
	for _, text := range texts {
		list = append(list, parsed(t, text))
	}
	return list
}
