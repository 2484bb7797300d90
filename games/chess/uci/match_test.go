package uci

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/chess"
	"github.com/matchreferee/arena/internal/need"
	"github.com/matchreferee/arena/referee"
)

// stockfish gives the path of the engine that the tests use, which CI has.
func stockfish(t testing.TB) string {
	t.Helper()
	return need.Program(t, "stockfish", "/usr/games/stockfish")
}

// setup is a match of chess from a position, "" for the usual one.
func setup(t testing.TB, id, position string, clock referee.Clock) referee.Setup {
	t.Helper()
	table, err := chess.New().Table(nil)
	if err != nil {
		t.Fatal(err)
	}
	return referee.Setup{
		ID: id, Table: table, Start: game.Setup{Position: position}, Secret: game.SeedFrom(1), Seats: []referee.SeatInfo{{Clock: clock}, {Clock: clock}},
	}
}

// play plays a match and gives its record beside the result.
func play(t testing.TB, s referee.Setup, players ...referee.Player) (*referee.Result, string) {
	t.Helper()
	var log referee.Memory
	l := referee.Local{Config: referee.Config{Log: &log, Now: func() referee.Time { return 1_800_000_000_000 }}}
	if s.Seats[0].Clock != (referee.Clock{}) {
		l.Config.Now = nil
	}
	r, err := l.Play(t.Context(), s, players...)
	if err != nil {
		t.Fatal(err)
	}
	return r, string(log.Bytes())
}

// random plays any legal move.
func random() referee.Player {
	return referee.Inline(func(r *referee.Request) referee.Answer {
		l := r.Listed()
		return referee.Answer{Action: l[r.Rand().IntN(len(l))]}
	})
}

// TestStockfish has a real engine play whole matches on both seats with one process.
func TestStockfish(t *testing.T) {
	o := Options{Path: stockfish(t), Handshake: time.Minute, Nodes: 200, Set: []Setting{{"Hash", "1"}, {"Threads", "1"}}, Fresh: true}
	e := open(t, o)
	if !strings.HasPrefix(e.Name(), "Stockfish") {
		t.Errorf("its name is %q", e.Name())
	}
	t.Run("itself", func(t *testing.T) {
		s := setup(t, "m", "", referee.Clock{})
		s.MaxSteps = 30
		r, record := play(t, s, e, e)
		if r.Reason != "max_steps" && r.Cause != referee.CausePlay {
			t.Errorf("%+v", r)
		}
		if n := strings.Count(record, `"depth":`); n != r.Seats[0].Moves+r.Seats[1].Moves || n == 0 {
			t.Errorf("%d moves with figures of %+v", n, r.Seats)
		}
		_, again := play(t, s, e, e)
		if diff := cmp.Diff(record, again); diff != "" {
			t.Error("not the same match again:", diff)
		}
	})
	t.Run("random", func(t *testing.T) {
		r, record := play(t, setup(t, "m", "", referee.Clock{}), random(), e)
		if r.Cause != referee.CausePlay || r.Reason != "checkmate" || r.Returns[1] != 1 {
			t.Errorf("%+v\n%s", r, record)
		}
	})
	t.Run("mate in one", func(t *testing.T) {
		r, record := play(t, setup(t, "m", "7k/R7/6K1/8/8/8/8/8 w - - 20 60", referee.Clock{}), e, random())
		if r.Reason != "checkmate" || !strings.Contains(record, `"a7a8"`) || !strings.Contains(record, `"mate":1`) {
			t.Errorf("%+v\n%s", r, record)
		}
	})
}

// TestJudged: what the referee makes of an engine's answers.
func TestJudged(t *testing.T) {
	tests := []struct {
		kind, move string
		reason     string
		record     string // part of it
	}{
		{"moves", "0000", "illegal", `"illegal"`},
		{"moves", "e2e5", "illegal", `"e2e5 is not a legal move`},
		{"moves", "e7e8q", "illegal", `"e7e8q is not a legal move`},
		{"moves", "(none)", "malformed", `"bestmove (none)"`},
		{"moves", "", "malformed", `"bestmove "`},
		{"moves", "resigns at last, I am afraid to say, with regret", "malformed", `"bestmove resigns"`},
		{"dies in thought", "", "disconnected", `"exited: exit status 11"`},
		{"floods", "", "bad_protocol", `"flood"`},
	}
	for _, tt := range tests {
		t.Run(tt.kind+" "+tt.move, func(t *testing.T) {
			t.Parallel()
			o := options(t, tt.kind)
			o.Env = append(o.Env, moveVariable+"="+tt.move)
			r, record := play(t, setup(t, "m", "", referee.Clock{}), open(t, o), random())
			if r.Cause != referee.CauseForfeit || r.Reason != tt.reason || r.Returns[0] != -1 || !strings.Contains(record, tt.record) {
				t.Errorf("%+v\n%s", r, record)
			}
		})
	}
}

// TestClocks: the engine hears of its clock, and is late only by its own doing.
func TestClocks(t *testing.T) {
	t.Run("in time", func(t *testing.T) {
		t.Parallel()
		o := options(t, "thinks on")
		o.MoveTime, o.Nodes, o.Margin = 0, 1, time.Hour // so that it is stopped after half of its time
		patiently(t, func(move time.Duration) bool {
			r, record := play(t, setup(t, "m", "", referee.Clock{Move: move}), random(), open(t, o))
			if r.Reason == "late" {
				return false
			}
			if r.Reason != "illegal" || r.Returns[1] != -1 || !strings.Contains(record, `"a2a3 is not a legal move`) {
				t.Errorf("%+v\n%s", r, record)
			}
			return true
		})
	})
	for _, starts := range []referee.Starts{referee.AtOpen, referee.AtSent} {
		t.Run("late", func(t *testing.T) {
			t.Parallel()
			o := options(t, "mute")
			o.StopGrace = 100 * time.Millisecond
			o.MoveTime, o.Margin = 0, time.Millisecond
			r, record := play(t, setup(t, "m", "", referee.Clock{Move: 50 * time.Millisecond, Starts: starts, Expiry: time.Hour}), open(t, o), random())
			if r.Cause != referee.CauseForfeit || r.Reason != "late" || r.Returns[0] != -1 {
				t.Errorf("%+v\n%s", r, record)
			}
		})
	}
}

// TestOther: seated at another game, an engine forfeits.
func TestOther(t *testing.T) {
	e := open(t, options(t, "good"))
	s := setup(t, "m", "", referee.Clock{})
	table, err := game.New(other{}).Table(nil)
	if err != nil {
		t.Fatal(err)
	}
	s.Table, s.Seats = table, s.Seats[:1]
	if r, record := play(t, s, e); r.Reason != "bad_protocol" || !strings.Contains(record, `"this is not chess"`) {
		t.Errorf("%+v\n%s", r, record)
	}
}

// TestClosed: who closes an engine before its matches are over has it forfeit.
func TestClosed(t *testing.T) {
	e := open(t, options(t, "good"))
	e.Close()
	if r, record := play(t, setup(t, "m", "", referee.Clock{}), e, random()); r.Reason != "disconnected" || !strings.Contains(record, `"closed"`) {
		t.Errorf("%+v\n%s", r, record)
	}
}

// other is a game of one seat that is over after one move, and lists none.
type other struct{}

func (other) Info() game.Info {
	return game.Info{Name: "other", Version: "1.0.0", MinSeats: 1, MaxSeats: 1, MaxSteps: 1, MaxReturn: 1}
}
func (other) Start(game.Setup) (bool, error)                       { return false, nil }
func (other) Legal(dst []string, _ *bool, _ game.Seat) []string    { return dst }
func (other) Check(_ *bool, _ game.Seat, a string) (string, error) { return a, nil }
func (other) Apply(over *bool, _ []game.Move[string])              { *over = true }
func (other) Outcome(*bool) game.Outcome                           { return game.Outcome{Returns: []float64{1}, Reason: "done"} }
func (other) View(*bool, game.Seat) any                            { return "nothing to see" }
func (other) Turn(over *bool) game.Turn {
	if *over {
		return game.Turn{}
	}
	return game.Turn{Seats: 1}
}

// TestPosition: the engine is told the game so far, where it can be known.
func TestPosition(t *testing.T) {
	table, err := chess.New().Table(nil)
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct{ name, start, moves, want string }{
		{"start", "", "", "position startpos"},
		{"moves", "", "e2e4 c7c5 g1f3", "position startpos moves e2e4 c7c5 g1f3"},
		{"the start as a position", chess.StartFEN, "e2e4", "position startpos moves e2e4"},
		{"elsewhere", "7k/R7/6K1/8/8/8/8/8 w - - 20 60", "", "position fen 7k/R7/6K1/8/8/8/8/8 w - - 20 60"},
		{"on from there", "7k/R7/6K1/8/8/8/8/8 w - - 20 60", "a7b7 h8g8", "position fen 6k1/1R6/6K1/8/8/8/8/8 w - - 22 61"},
		{
			"moves that would do from the usual start too", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1NBQKBNR w Kkq - 0 1", "e2e4",
			"position fen rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/1NBQKBNR b Kkq e3 0 1",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, err := table.Start(game.Setup{Seats: 2, Position: tt.start})
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range strings.Fields(tt.moves) {
				if _, err := s.Play(s.Turn().Seats.First(), game.Action(`"`+m+`"`)); err != nil {
					t.Fatal(err)
				}
			}
			got, err := position(s.View(s.Turn().Seats.First()))
			if err != nil || got != tt.want {
				t.Errorf("%q, %v; want %q", got, err, tt.want)
			}
		})
	}
}
