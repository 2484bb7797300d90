package house_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/games/connectfour/house"
	"github.com/matchreferee/arena/referee"
)

// contextOf gives the context of a test, or none that ends for a rapid test.
func contextOf(t failer) context.Context {
	if t, ok := t.(interface{ Context() context.Context }); ok {
		return t.Context()
	}
	return context.Background()
}

// reply gives the column that player picks after moves, a line of column letters.
func reply(t testing.TB, player referee.Player, ruleset, moves string) string {
	t.Helper()
	return replyTo(t, ruleset, moves, func(r *referee.Request) referee.Answer {
		switch p := player.(type) {
		case referee.Inline:
			return p(r)
		case referee.Func:
			a, err := p(contextOf(t), r)
			if err != nil {
				t.Error(err)
			}
			return a
		}
		t.Errorf("a player of type %T", player)
		return referee.Answer{}
	})
}

// replyTo gives the column by which ask answers the request after moves: a scripted match gets there, and ends when it has answered.
func replyTo(t testing.TB, ruleset, moves string, ask referee.Inline) string {
	t.Helper()
	next, got := 0, ""
	scripted := referee.Inline(func(r *referee.Request) referee.Answer {
		switch {
		case next < len(moves):
			a, err := r.Parse(moves[next : next+1])
			if err != nil {
				return referee.Answer{Fault: referee.Internal, Detail: err.Error()}
			}
			next++
			return referee.Answer{Action: a}
		case got == "":
			a := ask(r)
			got = r.Text(a.Action)
			return a
		}
		return referee.Answer{Fault: referee.Internal, Detail: "seen enough"}
	})
	r := play(t, setup(t, connectfour.New(), ruleset, 1), scripted, scripted)
	if got == "" {
		t.Fatalf("after %s: %v, %s", moves, r.Cause, r.Reason)
	}
	return got
}

func TestHardSees(t *testing.T) {
	tests := []struct {
		name, ruleset, moves string
		want                 string // letters, any of them
	}{
		{"an empty board", "", "", "d"},
		{"a win upward", "", "ababab", "a"},
		{"a win sideways", "", "aabbcc", "d"},
		{"a win in a gap", "", "aabbdd", "c"},
		{"a win on a diagonal", "", "abbccdcddg", "d"},
		{"a win before a block", "", "abababg", "b"},
		{"a block upward", "", "dedad", "d"},
		{"a block sideways", "", "aabbc", "d"},
		{"a fork of the other's next move but one", "", "dgc", "be"},
		{"its own fork", "", "dgcg", "be"},
		{"three in a line", `{"columns":4,"rows":4,"connect":3}`, "adad", "a"},
		{"five in a line", `{"connect":5}`, "aabbccdd", "e"},
		{"a wide board", `{"columns":16,"rows":7}`, "apapap", "a"},
		{"the last open column", `{"columns":4,"rows":4}`, "abbbbaaacccc", "d"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := reply(t, hard(t, house.Options{}), tt.ruleset, tt.moves)
			t.Log(got)
			if !strings.Contains(tt.want, got) {
				t.Errorf("after %q: %s, not %s", tt.moves, got, tt.want)
			}
		})
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

// TestHardEnds: where its nodes last to the end of the game it keeps the exact score, draws of a full board included.
func TestHardEnds(t *testing.T) {
	player, drawn := hard(t, house.Options{}), 0
	for _, s := range readPositions(t) {
		if len(s.moves) < 34 {
			continue
		}
		if s.score == 0 {
			drawn++
		}
		if got := reply(t, player, "", s.moves); !strings.Contains(s.best, got) {
			t.Errorf("%s: %s, not one of %s", s.moves, got, s.best)
		}
	}
	if drawn < 10 {
		t.Errorf("only %d draws", drawn)
	}
}

// TestEasySees: it takes a win, else stops one.
func TestEasySees(t *testing.T) {
	for _, tt := range []struct{ ruleset, moves, want string }{
		{"", "ababab", "a"},
		{"", "abababg", "b"},
		{"", "aabbdd", "c"},
		{"", "dedad", "d"}, // stops one upward
		{"", "aabbc", "d"}, // and one sideways
		{`{"columns":4,"rows":4}`, "abbbbaaacccc", "d"},
	} {
		if got := reply(t, house.Easy(), tt.ruleset, tt.moves); got != tt.want {
			t.Errorf("after %q: %s, not %s", tt.moves, got, tt.want)
		}
	}
}

// TestMisplaced seats players at a game that is not theirs: they forfeit, and the record says why.
func TestMisplaced(t *testing.T) {
	for _, p := range []referee.Player{house.Random(), house.Easy(), hard(t, house.Options{}), perfect(t, house.PerfectOptions{TableBits: 10})} {
		var log referee.Memory
		record(t, setup(t, game.New(other{}), "", 1), &log, p)
		if b := log.Bytes(); !bytes.Contains(b, []byte(`"cause":"forfeit"`)) || !bytes.Contains(b, []byte(`"detail":"house: `)) {
			t.Errorf("%s", b)
		}
	}
}

func BenchmarkHard(b *testing.B) {
	players := []referee.Player{hard(b, house.Options{}), hard(b, house.Options{})}
	moves := 0
	for i := 0; b.Loop(); i++ {
		r := play(b, setup(b, connectfour.New(), "", uint64(i)), players...)
		moves += r.Seats[0].Moves + r.Seats[1].Moves
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(moves), "us/move")
}
