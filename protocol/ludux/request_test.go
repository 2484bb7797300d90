package ludux

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/chess"
	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/referee"
)

// TestRequest: the members of the document, in its order and with its values.
func TestRequest(t *testing.T) {
	got := write(t, first(t, connectFour(t)))
	want := `{"protocol":"ludux/1","type":"action_request","match_id":"m-1a2b3c4d5e","game":"connect-four","game_version":"1.0.0",` +
		`"ruleset":{"columns":7,"connect":4,"rows":6,"move_time_ms":15000},"agent":{"slug":"ann","version":3},"seat":0,"seq":1,"phase":null,` +
		`"deadline_ms":15000,"deadline_at":"2026-08-28T20:00:00+00:00","issued_at":"2026-08-28T19:59:45+00:00",` +
		`"state":{"board":[` + strings.TrimSuffix(strings.Repeat("[null,null,null,null,null,null,null],", 6), ",") +
		`],"you_are":0,"to_move":0,"ply":0,"last_move":null,"move_history":[]},"legal_actions":[0,1,2,3,4,5,6],` +
		`"opponents":[{"slug":"gremlin-9","name":"GREMLIN \"9\" <&>","seat":1,"rating":1612.5,"house":true}]}`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestRequestRead: what an agent reads of it.
func TestRequestRead(t *testing.T) {
	m := read(t, write(t, advance(t, village(t), 20)))
	rating := 1500.0
	if m.MatchID != "m-1a2b3c4d5e" || m.Game != "werewolf" || m.GameVersion != "1.0.0" || m.Phase != "day_vote" && m.Phase != "day_discussion" || m.Deadline != 15*time.Second {
		t.Errorf("%+v", m)
	}
	if want := time.Date(2026, 8, 28, 20, 0, 0, 0, time.UTC); !m.DeadlineAt.Equal(want) || !m.IssuedAt.Equal(want.Add(-15*time.Second)) {
		t.Errorf("deadline %v, issued %v", m.DeadlineAt, m.IssuedAt)
	}
	if len(m.Opponents) != 8 || m.Seat == 0 && m.Opponents[0].Seat != 1 {
		t.Fatalf("%+v", m.Opponents)
	}
	for _, o := range m.Opponents {
		if o.Seat == 0 && cmp.Diff(Opponent{Slug: "ann", Name: "Ann", Rating: &rating}, o) != "" || o.Seat == 2 && o.Rating != nil {
			t.Errorf("%+v", o)
		}
	}
	if m.ActionSchema != nil && !json.Valid(m.ActionSchema) {
		t.Errorf("%s", m.ActionSchema)
	}
}

// TestTimes: what is left counts down in a re-delivery, moments are rounded down, and nothing is negative.
func TestTimes(t *testing.T) {
	r := first(t, connectFour(t))
	for _, tt := range []struct {
		name             string
		limit            time.Duration
		deadline, now    referee.Time
		ms               string
		deadlineAt, sent string
	}{
		{"open", 15 * time.Second, began + 15_000, began, "15000", "2026-08-28T20:00:00+00:00", "2026-08-28T19:59:45+00:00"},
		{"again", 15 * time.Second, began + 15_000, began + 14_001, "999", "2026-08-28T20:00:00+00:00", "2026-08-28T19:59:59+00:00"},
		{"a second on the dot", 15 * time.Second, began + 14_750, began - 250, "15000", "2026-08-28T20:00:00+00:00", "2026-08-28T19:59:45+00:00"},
		{"a millisecond before", 15 * time.Second, began + 14_749, began - 251, "15000", "2026-08-28T19:59:59+00:00", "2026-08-28T19:59:44+00:00"},
		{"at the deadline", 15 * time.Second, began + 15_000, began + 15_000, "0", "2026-08-28T20:00:00+00:00", "2026-08-28T20:00:00+00:00"},
		{"after it", 15 * time.Second, began + 15_000, began + 99_000, "0", "2026-08-28T20:00:00+00:00", "2026-08-28T20:01:24+00:00"},
		{"not running yet", 10 * time.Second, 0, began, "10000", "2026-08-28T19:59:55+00:00", "2026-08-28T19:59:45+00:00"},
		{"no limit", 0, 0, began, "3600000", "2026-08-28T20:59:45+00:00", "2026-08-28T19:59:45+00:00"},
		{"before 1970", time.Second, -1, -1001, "1000", "1969-12-31T23:59:59+00:00", "1969-12-31T23:59:58+00:00"},
		{"the end of time", time.Second, 1 << 61, -1 << 61, "9223372036854", "9999-12-31T23:59:59+00:00", "0000-01-01T00:00:00+00:00"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r.Limit, r.Deadline = tt.limit, tt.deadline
			b, err := AppendRequest(nil, r, at(tt.now))
			if err != nil {
				t.Fatal(err)
			}
			want := fmt.Sprintf(`"deadline_ms":%s,"deadline_at":%q,"issued_at":%q,`, tt.ms, tt.deadlineAt, tt.sent)
			if !strings.Contains(string(b), want) {
				t.Errorf("no %s in\n%s", want, b)
			}
			read(t, string(b))
		})
	}
}

// TestMoveTime: it stands behind the ruleset, once, and comes from the clock alone.
func TestMoveTime(t *testing.T) {
	for _, tt := range []struct {
		game    game.Game
		ruleset string
		d       time.Duration
		want    string
	}{
		{connectfour.New(), "", 1500 * time.Millisecond, `{"columns":7,"connect":4,"rows":6,"move_time_ms":1500}`},
		{connectfour.New(), "", 0, `{"columns":7,"connect":4,"rows":6}`},
		{game.New(chronicle{}), `{"move_time_ms":7}`, time.Second, `{"broken":false,"entries":0,"list":"","rest":0,"width":0,"move_time_ms":1000}`},
		{game.New(chronicle{}), `{"move_time_ms":7}`, 0, `{"broken":false,"entries":0,"list":"","rest":0,"width":0}`},
		{game.New(chronicle{}), `{"list":"move_time_ms"}`, time.Second, `{"broken":false,"entries":0,"list":"move_time_ms","rest":0,"width":0,"move_time_ms":1000}`},
	} {
		r := first(t, newMatch(t, tt.game, tt.ruleset, "", 2))
		b, err := AppendRequest(nil, r, Delivery{Now: began, MoveTime: tt.d})
		if err != nil {
			t.Fatal(err)
		}
		if got := string(read(t, string(b)).Ruleset); got != tt.want {
			t.Errorf("%s and %v: %s, want %s", tt.ruleset, tt.d, got, tt.want)
		}
		if got := string(StartOf(r.Card(), tt.d).Ruleset); got != tt.want {
			t.Errorf("at the start: %s, want %s", got, tt.want)
		}
	}
	for ruleset, want := range map[string]string{`{}`: `{"move_time_ms":1000}`, `{"move_time_ms":1}`: `{"move_time_ms":1000}`} {
		if got := string(withMoveTime([]byte(ruleset), time.Second)); got != want {
			t.Errorf("%s: %s", ruleset, got)
		}
	}
}

// TestOpenMoves: a sample that is accepted as it stands, and a schema of the rest.
func TestOpenMoves(t *testing.T) {
	for ruleset, want := range map[string][]game.Action{
		`{"list":"all"}`:  {`{"text":"","type":"say"}`, `{"type":"weigh","weight":0.5}`},
		`{"list":"none"}`: {`{"text":"","type":"say"}`},
	} {
		m := newMatch(t, game.New(chronicle{}), ruleset, "", 3)
		frame := write(t, first(t, m))
		asked := read(t, frame)
		if diff := cmp.Diff(want, asked.LegalActions); diff != "" {
			t.Errorf("%s: %s", ruleset, diff)
		}
		if !strings.Contains(frame, `,"action_schema":{"type":"object","required":["type"]},"opponents":`) || asked.Phase != `write "it"` {
			t.Errorf("%s", frame)
		}
		for _, a := range asked.LegalActions {
			m := newMatch(t, game.New(chronicle{}), ruleset, "", 3)
			play(t, m, began, first(t, m), a)
		}
	}
}

// TestTooLarge: the oldest entries of the longest history go; where that does not help, nothing is written.
func TestTooLarge(t *testing.T) {
	ask := func(ruleset string, seats int) ([]byte, error) {
		return AppendRequest([]byte("before "), first(t, newMatch(t, game.New(chronicle{}), ruleset, "", seats)), at(began))
	}
	for _, tt := range []struct {
		name, ruleset, member string
		seats                 int
	}{
		{"fits", `{"entries":100,"width":4}`, "", 2},
		{"a log", `{"entries":900,"width":24}`, "said_log", 2},
		{"wide entries", `{"entries":40,"width":900}`, "said_log", 2},
		{"a history", `{"entries":9000}`, "History", 2},
		{"many seats", `{"entries":500,"width":18}`, "said_log", 63},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b, err := ask(tt.ruleset, tt.seats)
			if err != nil {
				t.Fatal(err)
			}
			frame, ok := strings.CutPrefix(string(b), "before ")
			if !ok || len(frame) > MaxFrame {
				t.Fatalf("%d bytes", len(frame))
			}
			m := read(t, frame)
			var v, whole chronicleView
			if err := json.Unmarshal(m.State, &v); err != nil {
				t.Fatal(err)
			}
			r := first(t, newMatch(t, game.New(chronicle{}), tt.ruleset, "", tt.seats))
			whole = r.View().(chronicleView)
			if tt.member == "" {
				if m.Truncated != nil || cmp.Diff(whole, v) != "" {
					t.Errorf("cut: %+v", m.Truncated)
				}
				return
			}
			if m.Truncated == nil || m.Truncated.Member != tt.member {
				t.Fatalf("cut: %+v", m.Truncated)
			}
			n := m.Truncated.Omitted
			if tt.member == "History" {
				whole.History = whole.History[n:]
			} else {
				whole.Said = whole.Said[n:]
			}
			if diff := cmp.Diff(whole, v); diff != "" {
				t.Error(diff)
			}
			if one := len(frame) + 2*24 + 8*900; len(v.Said)+len(v.History) == 0 || one < MaxFrame {
				t.Errorf("more was cut than had to be: %d bytes are left", len(frame))
			}
		})
	}
	for name, ruleset := range map[string]string{"what is no history": `{"rest":33000}`, "a little history": `{"rest":33000,"entries":9}`, "both": `{"entries":9000,"width":2}`} {
		b, err := ask(ruleset, 2)
		if !errors.Is(err, ErrTooLarge) || string(b) != "before " {
			t.Errorf("%s: %v, %.20q", name, err, b)
		}
	}
	if b, err := ask(`{"broken":true}`, 2); err == nil || errors.Is(err, ErrTooLarge) || string(b) != "before " {
		t.Errorf("a view that does not marshal: %v, %.20q", err, b)
	}
}

// TestLongChess plays a game of more moves than a frame holds.
func TestLongChess(t *testing.T) {
	if testing.Short() {
		t.Skip("some 4,500 plies")
	}
	m := newMatch(t, chess.New(), `{"move_limit":75,"repetition":5}`, "", 2)
	draw := rand.New(rand.NewPCG(7, 7))
	for ply := range 5000 {
		r := first(t, m)
		whole := r.View().(chess.View)
		if n := len(whole.MoveHistoryUCI); n != ply {
			t.Fatalf("%d moves at ply %d", n, ply)
		}
		if ply%700 == 0 || ply > 4400 {
			frame := write(t, r)
			asked := read(t, frame)
			var v chess.View
			if err := json.Unmarshal(asked.State, &v); err != nil {
				t.Fatal(err)
			}
			want := whole
			cut := asked.Truncated
			if cut != nil {
				if cut.Member != "move_history_uci" || cut.Omitted != ply-len(v.MoveHistoryUCI) || len(frame) < MaxFrame-100 {
					t.Fatalf("%+v with %d of %d moves in %d bytes", cut, len(v.MoveHistoryUCI), ply, len(frame))
				}
				want.MoveHistoryUCI = want.MoveHistoryUCI[cut.Omitted:]
			}
			if diff := cmp.Diff(want, v, cmp.AllowUnexported(game.Opt[chess.Color]{})); diff != "" {
				t.Fatal(diff)
			}
			if cut != nil && cut.Omitted > 9 {
				return
			}
		}
		move, ok := patient(draw, &whole, r.Legal(nil))
		if !ok {
			t.Fatalf("stuck at ply %d: %s", ply, whole.FEN)
		}
		play(t, m, began, r, move)
		if _, over := m.Result(); over {
			t.Fatalf("over at ply %d", ply)
		}
	}
	t.Error("5000 plies fit a frame")
}

// patient gives a move that keeps a game going: a piece goes somewhere, a pawn does only when the clock asks for it, nothing is captured, and
// the other side can move on.
func patient(draw *rand.Rand, v *chess.View, legal []game.Action) (game.Action, bool) {
	p, err := chess.ParseFEN(v.FEN)
	if err != nil {
		return "", false
	}
	draw.Shuffle(len(legal), func(i, j int) { legal[i], legal[j] = legal[j], legal[i] })
	rank := func(a game.Action) int {
		var move chess.Move
		if move.UnmarshalText([]byte(strings.Trim(string(a), `"`))) != nil {
			return 9
		}
		next := p
		next.Play(move)
		pawn := p.PieceAt(move.From()).Kind() == chess.Pawn
		switch {
		case !next.HasLegal() || next.InsufficientMaterial():
			return 9
		case p.Captured(move) != 0:
			return 3
		case pawn == (v.HalfmoveClock > 120):
			return 0
		case pawn:
			return 2
		}
		return 1
	}
	best, least := game.Action(""), 9
	for _, a := range legal {
		if n := rank(a); n < least {
			best, least = a, n
		}
	}
	return best, least < 9
}
