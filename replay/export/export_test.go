package export_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/chess"
	"github.com/matchreferee/arena/games/chess/eco"
	"github.com/matchreferee/arena/games/chess/pgn"
	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/replay"
	"github.com/matchreferee/arena/replay/export"
)

const began = referee.Time(1_796_000_000_000)

var rules = replay.Rules(chess.New(), connectfour.New())

// scripted plays moves in their order, then nothing that is legal; it says something about the first.
func scripted(moves ...string) referee.Player {
	return referee.Inline(func(r *referee.Request) referee.Answer {
		if int(r.Turn) >= len(moves) {
			return referee.Answer{Action: `"none"`}
		}
		a := referee.Answer{Action: game.Action(fmt.Sprintf("%q", moves[r.Turn]))}
		if r.Turn == 0 {
			a.Note = "the {usual} move"
		}
		return a
	})
}

// faulty has a fault for an answer.
func faulty(f referee.Fault) referee.Player {
	return referee.Inline(func(*referee.Request) referee.Answer { return referee.Answer{Fault: f} })
}

var random = referee.Inline(func(r *referee.Request) referee.Answer {
	legal := r.Listed()
	return referee.Answer{Action: legal[r.Rand().IntN(len(legal))]}
})

// played gives a match of chess, its clock going on by 700 ms whenever it is read.
func played(t testing.TB, id, position string, clock referee.Clock, p referee.Player) []byte {
	t.Helper()
	table, err := chess.New().Table(nil)
	if err != nil {
		t.Fatal(err)
	}
	seat := func(name string) referee.SeatInfo {
		return referee.SeatInfo{Agent: referee.Agent{Name: name, Rating: 1499.6}, Clock: clock}
	}
	s := referee.Setup{ID: id, Table: table, Start: game.Setup{Position: position}, Seats: []referee.SeatInfo{seat("Ann \"the\" first"), seat("Bob")}}
	s.Secret, s.Salt = referee.Secrets([]byte("key"), id)
	log, now := new(referee.Memory), began
	local := referee.Local{Config: referee.Config{Log: log, Now: func() referee.Time { now += 700; return now }}}
	if _, err := local.Play(t.Context(), s, p, p); err != nil {
		t.Fatal(err)
	}
	return log.Bytes()
}

func open(t testing.TB, record []byte) *replay.Playback {
	t.Helper()
	p, err := replay.Open(bytes.NewReader(record), rules, replay.PlaybackOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func text(t testing.TB, g *pgn.Game) string {
	t.Helper()
	b, err := g.Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestPGN: random matches come back from their PGN with the same moves and the same last position.
func TestPGN(t *testing.T) {
	n := 60
	if testing.Short() {
		n = 6
	}
	for i := range n {
		p := open(t, played(t, fmt.Sprint("r", i), "", referee.Clock{}, random))
		g, err := export.PGN(p, nil)
		if err != nil {
			t.Fatal(err)
		}
		again, err := pgn.NewReader(strings.NewReader(text(t, g))).Next()
		if err != nil {
			t.Fatal(err)
		}
		last, err := again.Final()
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Seek(p.Len()); err != nil {
			t.Fatal(err)
		}
		s, err := p.State()
		if err != nil {
			t.Fatal(err)
		}
		if fen, _ := s.Position(); last.FEN() != fen || len(again.Moves) != p.Len() {
			t.Fatalf("%s, not %s, after %d moves", last.FEN(), fen, p.Len())
		}
		ret := p.End().Ret
		if want := map[float64]pgn.Result{1: "1-0", 0: "1/2-1/2", -1: "0-1"}[ret[0]]; again.Result != want || again.Tag("Termination") != "normal" {
			t.Fatalf("%v is %s, %s", ret, again.Result, again.Tag("Termination"))
		}
	}
}

// TestPGNTags looks at what is said about a match, and about its end.
func TestPGNTags(t *testing.T) {
	book, err := eco.Load()
	if err != nil {
		t.Fatal(err)
	}
	fool := []string{"f2f3", "e7e5", "g2g4", "d8h4"}
	base := referee.Clock{Base: 5 * time.Minute, Increment: 2 * time.Second}
	g, err := export.PGN(open(t, played(t, "fool", "", base, scripted(fool...))), book)
	if err != nil {
		t.Fatal(err)
	}
	got := text(t, g)
	for _, want := range []string{
		`[Event "fool"]`, `[Date "2026.11.30"]`, `[White "Ann \"the\" first"]`, `[Black "Bob"]`, `[Result "0-1"]`, `[BlackElo "1500"]`, `[TimeControl "300+2"]`, `[UTCTime "`,
		`[Termination "normal"]`, `[ECO "A00"]`, `[Opening "Barnes Opening`,
		// 700 ms for each move, and 2 s more after it.
		"\n\n1. f3 {[%clk 0:05:01.3] [%emt 0:00:00.7] the {usual) move} 1... e5 {[%clk\n0:05:01.3] [%emt 0:00:00.7]} 2. g4 {[%clk 0:05:02.6] [%emt 0:00:00.7]} 2...\n" +
			"Qh4# {[%clk 0:05:02.6] [%emt 0:00:00.7]} 0-1\n\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
	// The usual start told as a position is the usual start.
	g, err = export.PGN(open(t, played(t, "fool", chess.StartFEN, base, scripted(fool...))), book)
	if err != nil || g.Tag("ECO") != "A00" || g.Start != "" {
		t.Errorf("%+v %v", g, err)
	}
	for name, c := range map[string]struct {
		record      []byte
		result      pgn.Result
		termination pgn.Termination
	}{
		"rules infraction": {played(t, "illegal", "", referee.Clock{}, scripted("e2e4")), "1-0", pgn.RulesInfraction},
		"unreachable":      {played(t, "away", "", referee.Clock{}, faulty(referee.Unreachable)), "0-1", pgn.Abandoned},
		"disconnected":     {played(t, "gone", "", referee.Clock{}, faulty(referee.Disconnected)), "0-1", pgn.Abandoned},
		"late":             {played(t, "late", "", referee.Clock{Move: time.Millisecond}, scripted(fool...)), "0-1", pgn.TimeForfeit},
	} {
		p := open(t, c.record)
		g, err := export.PGN(p, nil)
		if err != nil || g.Result != c.result || g.Tag("Termination") != string(c.termination) {
			t.Errorf("%s: %+v %v %v", name, g, err, p.End())
		}
	}
	whole := played(t, "cut", "", referee.Clock{}, scripted(fool...))
	cut := whole[:bytes.LastIndex(whole, []byte(`{"k":"end"`))]
	if g, err := export.PGN(open(t, cut), nil); err != nil || g.Result != pgn.Unknown || g.Tag("Termination") != "unterminated" {
		t.Errorf("while it runs: %+v %v", g, err)
	}
	if _, err := export.PGN(open(t, connectFour(t)), nil); !errors.Is(err, export.ErrGame) {
		t.Errorf("Connect Four: %v", err)
	}
}

func connectFour(t testing.TB) []byte {
	t.Helper()
	table, err := connectfour.New().Table(nil)
	if err != nil {
		t.Fatal(err)
	}
	log := new(referee.Memory)
	local := referee.Local{Config: referee.Config{Log: log}}
	if _, err := local.Play(t.Context(), referee.Setup{ID: "c4", Table: table, Seats: make([]referee.SeatInfo, 2)}, random, random); err != nil {
		t.Fatal(err)
	}
	return log.Bytes()
}

func TestReports(t *testing.T) {
	// Castling by e8g8, and a queen that goes to e8 later: the record keeps both as they were played.
	t.Run("B107", func(t *testing.T) {
		moves := []string{"e8g8", "d2d8", "g8g7", "d8e8", "f8f7"}
		record := played(t, "B107", "4k2r/8/8/8/8/8/3Q4/4K3 b k - 0 1", referee.Clock{}, scripted(moves...))
		r, err := replay.Verify(bytes.NewReader(record), rules)
		if err != nil || r.Err() != nil {
			t.Fatal(r, err)
		}
		p := open(t, record)
		for k, s := range p.All() {
			if k > len(moves) {
				break
			}
			if s.Text[0] != moves[k-1] || s.Moves[0].Action != game.Action(`"`+moves[k-1]+`"`) {
				t.Errorf("move %d: %q", k, s.Text)
			}
		}
		if err := p.Seek(len(moves)); err != nil {
			t.Fatal(err)
		}
		s, err := p.State()
		if err != nil {
			t.Fatal(err)
		}
		const want = "4Q3/5rk1/8/8/8/8/8/4K3 w - - 5 4"
		if fen, _ := s.Position(); fen != want {
			t.Errorf("%s, not %s", fen, want)
		}
		g, err := export.PGN(p, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := text(t, g); !strings.Contains(got, "O-O") || !strings.Contains(got, "Qe8") || strings.Contains(got, "Q@") {
			t.Error(got)
		}
		last, err := g.Final()
		if err != nil || last.FEN() != want {
			t.Errorf("by the PGN %s, %v", last.FEN(), err)
		}
		x, err := p.Export()
		if err != nil {
			t.Fatal(err)
		}
		if b, err := json.Marshal(x); err != nil || !strings.Contains(string(b), `"action":"e8g8","text":"e8g8"`) {
			t.Errorf("%s %v", b, err)
		}
	})
}

func ExamplePGN() {
	table, err := chess.New().Table(nil)
	if err != nil {
		panic(err)
	}
	fool := scripted("f2f3", "e7e5", "g2g4", "d8h4")
	log := new(referee.Memory)
	local := referee.Local{Config: referee.Config{Log: log, Now: func() referee.Time { return began }}}
	s := referee.Setup{ID: "fool", Table: table, Seats: []referee.SeatInfo{{Agent: referee.Agent{Name: "Ann"}}, {Agent: referee.Agent{Name: "Bob"}}}}
	if _, err := local.Play(context.Background(), s, fool, fool); err != nil {
		panic(err)
	}
	p, err := replay.Open(bytes.NewReader(log.Bytes()), replay.Rules(chess.New()), replay.PlaybackOptions{})
	if err != nil {
		panic(err)
	}
	g, err := export.PGN(p, nil)
	if err != nil {
		panic(err)
	}
	if err := pgn.Write(os.Stdout, g); err != nil {
		panic(err)
	}
	// Output:
	// [Event "fool"]
	// [Site "?"]
	// [Date "2026.11.30"]
	// [Round "?"]
	// [White "Ann"]
	// [Black "Bob"]
	// [Result "0-1"]
	// [Termination "normal"]
	// [UTCDate "2026.11.30"]
	// [UTCTime "00:53:20"]
	//
	// 1. f3 {[%emt 0:00:00] the {usual) move} 1... e5 {[%emt 0:00:00]} 2. g4 {[%emt
	// 0:00:00]} 2... Qh4# {[%emt 0:00:00]} 0-1
}
