package house_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/games/connectfour/house"
	"github.com/matchreferee/arena/referee"
)

func perfect(t failer, o house.PerfectOptions) referee.Player {
	t.Helper()
	p, err := house.Perfect(o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestPerfectEarly: with too few nodes for the exact score it plays what it has proved, or as Hard does.
func TestPerfectEarly(t *testing.T) {
	for _, tt := range []struct {
		name, ruleset, moves, want string
		nodes                      int
	}{
		{"nothing proved", "", "", "d", 1000},
		{"a win at once", "", "ababab", "a", 1},
		{"a win of the other's at once", "", "ababa", "a", 1},
		{"two wins of the other's", "", "cadae", "bf", 1},
		{"another board", `{"columns":8}`, "ababab", "a", 1000},
		{"another line", `{"connect":5}`, "aabbccdd", "e", 1000},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := reply(t, perfect(t, house.PerfectOptions{Nodes: tt.nodes, TableBits: 12}), tt.ruleset, tt.moves)
			if !strings.Contains(tt.want, got) {
				t.Errorf("%s, not %s", got, tt.want)
			}
		})
	}
}

// TestPerfectStops ends the context of a request: the player gives the context's error.
func TestPerfectStops(t *testing.T) {
	player := perfect(t, house.PerfectOptions{Nodes: house.MaxPerfectNodes, TableBits: 12}).(referee.Func)
	ctx, cancel := context.WithCancel(t.Context())
	asked := 0
	first := referee.Inline(func(r *referee.Request) referee.Answer {
		asked++
		time.AfterFunc(time.Millisecond, cancel)
		if a, err := player(ctx, r); !errors.Is(err, context.Canceled) {
			t.Errorf("answer %+v, %v", a, err)
		}
		return referee.Answer{Fault: referee.BadProtocol, Detail: "seen enough"}
	})
	play(t, setup(t, connectfour.New(), "", 1), first, house.Random())
	if asked == 0 {
		t.Error("never asked")
	}
}

func TestPerfectOptions(t *testing.T) {
	for _, tt := range []struct {
		o    house.PerfectOptions
		want []string // in the error; none: it is fine
	}{
		{house.PerfectOptions{}, nil},
		{house.PerfectOptions{Nodes: house.MinPerfectNodes, TableBits: house.MinTableBits}, nil},
		{house.PerfectOptions{Nodes: house.MaxPerfectNodes, TableBits: house.MaxTableBits}, nil},
		{house.PerfectOptions{Nodes: -1}, []string{"Nodes: -1"}},
		{house.PerfectOptions{Nodes: house.MaxPerfectNodes + 1, TableBits: 9}, []string{"Nodes: 1073741825", "TableBits: 9,"}},
		{house.PerfectOptions{TableBits: 25}, []string{"TableBits: 25,"}},
	} {
		p, err := house.Perfect(tt.o)
		if (err == nil) != (tt.want == nil) || (p == nil) != (err != nil) {
			t.Errorf("%+v: %v, %v", tt.o, p, err)
		}
		for _, want := range tt.want {
			if err != nil && !strings.Contains(err.Error(), want) {
				t.Errorf("%+v: %q does not tell %s", tt.o, err, want)
			}
		}
	}
}

// TestBudget: a request with little time gets fewer nodes.
func TestBudget(t *testing.T) {
	for _, tt := range []struct {
		nodes, want int
		limit       time.Duration
	}{
		{10_000_000, 10_000_000, 0},
		{10_000_000, 2_000_000, 2 * time.Second},
		{10_000_000, 10_000_000, time.Minute},
		{300, 300, time.Second},
		{10_000_000, 1000, time.Nanosecond},
		{house.MaxPerfectNodes, house.MaxPerfectNodes, 1<<63 - 1},
	} {
		if got := (house.PerfectOptions{Nodes: tt.nodes}).Budget(tt.limit); got != tt.want {
			t.Errorf("%d nodes, limit %v: %d, not %d", tt.nodes, tt.limit, got, tt.want)
		}
	}
}

// counted is a context that counts how often it is asked.
type counted struct {
	context.Context
	n *int
}

func (c counted) Err() error {
	*c.n++
	return c.Context.Err()
}

// TestSearches counts a player's looks at the context, one each so many nodes: the same request takes the same search again, whatever was looked for
// before, and one with little time takes no more nodes than that allows for.
func TestSearches(t *testing.T) {
	player := perfect(t, house.PerfectOptions{Nodes: 200_000, TableBits: 16}).(referee.Func)
	looks := func(moves string, limit time.Duration) (n int) {
		replyTo(t, "", moves, func(r *referee.Request) referee.Answer {
			q := *r
			q.Limit = limit
			a, err := player(counted{t.Context(), &n}, &q)
			if err != nil {
				t.Error(err)
			}
			return a
		})
		return n
	}
	hardest := 0
	for _, s := range readPositions(t)[:28*4] {
		if len(s.moves) > 15 {
			continue
		}
		first := looks(s.moves, 0)
		hardest = max(hardest, first)
		if again := looks(s.moves, 0); again != first {
			t.Errorf("%s: %d looks, then %d", s.moves, first, again)
		}
		if n := looks(s.moves, 10*time.Millisecond); n > 10_000/house.PollNodes+2 {
			t.Errorf("%s: %d looks with 10 ms", s.moves, n)
		}
	}
	if hardest < 100 {
		t.Errorf("at most %d looks: the positions are too easy for this test", hardest)
	}
}

// TestLadder plays each player against the one below it, in pairs of matches of one seed with the seats changed. A pair counts as what the
// upper one got of its two points. The lower end of the interval of 95% must be above one half.
func TestLadder(t *testing.T) {
	hardest := hard(t, house.Options{})
	for _, tt := range []struct {
		name         string
		upper, lower referee.Player
		pairs        uint64
		heavy        bool
	}{
		{"easy over random", house.Easy(), house.Random(), 30, false},
		{"hard over easy", hard(t, house.Options{Nodes: 2000}), house.Easy(), 15, false},
		{"perfect over hard", perfect(t, house.PerfectOptions{Nodes: 300_000, TableBits: 18}), hardest, 30, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.heavy && testing.Short() {
				t.Skip("takes tens of seconds")
			}
			var pairs []float64
			for seed := range tt.pairs {
				a := play(t, setup(t, connectfour.New(), "", seed), tt.upper, tt.lower)
				b := play(t, setup(t, connectfour.New(), "", seed), tt.lower, tt.upper)
				if a.Cause != referee.CausePlay || b.Cause != referee.CausePlay {
					t.Fatalf("seed %d: %v, %v", seed, a.Cause, b.Cause)
				}
				pairs = append(pairs, (a.Returns[0]+b.Returns[1]+2)/4)
			}
			mean, low := lowerEnd(pairs)
			t.Logf("%.3f, at least %.3f", mean, low)
			if low <= 0.5 {
				t.Errorf("%.3f of the points, at least %.3f, in %d pairs", mean, low, len(pairs))
			}
		})
	}
}

// lowerEnd gives the mean of samples and the lower end of its interval of 95%, by Student's t with a factor that is right for 15 samples
// and wide for more.
func lowerEnd(samples []float64) (mean, low float64) {
	n := float64(len(samples))
	for _, x := range samples {
		mean += x / n
	}
	variance := 0.0
	for _, x := range samples {
		variance += (x - mean) * (x - mean) / (n - 1)
	}
	return mean, mean - 2.145*math.Sqrt(variance/n)
}
