package house_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/chess"
	"github.com/matchreferee/arena/games/chess/house"
	"github.com/matchreferee/arena/referee"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// failer is what testing.TB and *rapid.T share.
type failer interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
}

// contextOf gives the context of a test, or none that ends for a rapid test.
func contextOf(t failer) context.Context {
	if t, ok := t.(interface{ Context() context.Context }); ok {
		return t.Context()
	}
	return context.Background()
}

func hard(t failer, o house.Options) referee.Player {
	t.Helper()
	p, err := house.Hard(o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func setup(t failer, g game.Game, seed uint64) referee.Setup {
	t.Helper()
	table, err := g.Table(nil)
	if err != nil {
		t.Fatal(err)
	}
	return referee.Setup{ID: "house", Table: table, Secret: game.SeedFrom(seed), Seats: make([]referee.SeatInfo, table.Info().MinSeats)}
}

func play(t failer, s referee.Setup, players ...referee.Player) *referee.Result {
	t.Helper()
	return record(t, s, nil, players...)
}

// record plays a match into log, at a time that stands still.
func record(t failer, s referee.Setup, log referee.Log, players ...referee.Player) *referee.Result {
	t.Helper()
	now := func() referee.Time { return 1_800_000_000_000 }
	result, err := (&referee.Local{Config: referee.Config{Log: log, Now: now}}).Play(contextOf(t), s, players...)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// beats plays pairs of matches of one seed with the seats changed, and gives how many of the matches a won, and how they ended.
func beats(t failer, a, b referee.Player, pairs uint64) (won int, reasons map[string]int) {
	t.Helper()
	reasons = make(map[string]int)
	for seed := range pairs {
		for seat := range 2 {
			players := []referee.Player{a, b}
			if seat == 1 {
				players[0], players[1] = b, a
			}
			r := play(t, setup(t, chess.New(), seed), players...)
			if r.Cause != referee.CausePlay {
				t.Fatalf("seed %d: %v, %s: %+v", seed, r.Cause, r.Reason, r.Seats)
			}
			if r.Returns[seat] == 1 {
				won++
			}
			reasons[r.Reason]++
		}
	}
	return won, reasons
}

// TestHardBeatsRandom is the requirement: 100 of 100, half of them with either color.
func TestHardBeatsRandom(t *testing.T) {
	pairs, options := uint64(50), house.Options{}
	if testing.Short() {
		pairs, options.Nodes = 2, 5000
	}
	won, reasons := beats(t, hard(t, options), house.Random(), pairs)
	if won != int(2*pairs) {
		t.Errorf("won %d of %d: %v", won, 2*pairs, reasons)
	}
}

func TestEasyBeatsRandom(t *testing.T) {
	won, reasons := beats(t, house.Easy(), house.Random(), 5)
	if won < 9 {
		t.Errorf("won %d of 10: %v", won, reasons)
	}
}

func TestHardBeatsEasy(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds, many with the race detector")
	}
	won, reasons := beats(t, hard(t, house.Options{Nodes: 5000}), house.Easy(), 5)
	if won < 9 {
		t.Errorf("won %d of 10: %v", won, reasons)
	}
}

// TestSameAgain plays each seed twice: the records are the same to the byte. Players are shared by all the matches.
func TestSameAgain(t *testing.T) {
	players := []referee.Player{hard(t, house.Options{Nodes: 800, TableBits: 10}), house.Easy()}
	records := make(map[string]bool)
	for seed := range uint64(3) {
		var logs [2]referee.Memory
		for i := range logs {
			record(t, setup(t, chess.New(), seed), &logs[i], players...)
		}
		if !bytes.Equal(logs[0].Bytes(), logs[1].Bytes()) {
			t.Errorf("seed %d:\n%s\n%s", seed, logs[0].Bytes(), logs[1].Bytes())
		}
		records[string(logs[0].Bytes())] = true
	}
	if len(records) != 3 {
		t.Errorf("%d different records of 3 seeds", len(records))
	}
}

func TestByName(t *testing.T) {
	for _, name := range house.Names() {
		if p, err := house.ByName(name); err != nil || p == nil {
			t.Errorf("%s: %v, %v", name, p, err)
		}
	}
	p, err := house.ByName("Hard")
	if err == nil || p != nil {
		t.Fatalf("a name in another case: %v, %v", p, err)
	}
	for _, want := range []string{`"Hard"`, "random, easy, hard"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q does not tell %s", err, want)
		}
	}
}

func TestOptions(t *testing.T) {
	for _, tt := range []struct {
		o    house.Options
		want []string // in the error; none: it is fine
	}{
		{house.Options{}, nil},
		{house.Options{Nodes: house.MinNodes, TableBits: house.MinTableBits}, nil},
		{house.Options{Nodes: house.MaxNodes, TableBits: house.MaxTableBits}, nil},
		{house.Options{Nodes: -1}, []string{"Nodes: -1"}},
		{house.Options{Nodes: house.MaxNodes + 1, TableBits: 7}, []string{"Nodes: 1073741825", "TableBits: 7,"}},
		{house.Options{TableBits: 24}, []string{"TableBits: 24,"}},
	} {
		p, err := house.Hard(tt.o)
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

// TestBudget: a request with little time gets fewer nodes.
func TestBudget(t *testing.T) {
	for _, tt := range []struct {
		nodes, want int
		limit       time.Duration
	}{
		{house.DefaultNodes, house.DefaultNodes, 0},
		{house.MaxNodes, 2_000_000, 2 * time.Second},
		{house.DefaultNodes, house.DefaultNodes, time.Second},
		{house.DefaultNodes, 1000, time.Nanosecond},
		{house.MaxNodes, house.MaxNodes, 1<<63 - 1},
	} {
		if got := (house.Options{Nodes: tt.nodes}).Budget(tt.limit); got != tt.want {
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
	player := hard(t, house.Options{Nodes: house.MaxNodes}).(referee.Func)
	looks := func(position string, limit time.Duration) (n int) {
		first := referee.Inline(func(r *referee.Request) referee.Answer {
			q := *r
			q.Limit = limit
			if a, err := player(counted{t.Context(), &n}, &q); err != nil || !slices.Contains(r.Listed(), a.Action) {
				t.Errorf("answer %+v, %v", a, err)
			}
			return referee.Answer{Fault: referee.BadProtocol, Detail: "seen enough"}
		})
		s := setup(t, chess.New(), 1)
		s.Start.Position = position
		play(t, s, first, house.Random())
		return n
	}
	const mate = "r1b3kr/ppp1Bp1p/1b6/n2P4/2p3q1/2Q2N2/P4PPP/RN2R1K1 w - - 1 1" // in three moves, which ends the search
	first := looks(mate, 0)
	if first < 10 {
		t.Fatalf("%d looks: the position is too easy for this test", first)
	}
	if again := looks(mate, 0); again != first {
		t.Errorf("%d looks, then %d", first, again)
	}
	if n := looks("", 5*time.Millisecond); n > 5000/house.PollNodes+2 {
		t.Errorf("%d looks with 5 ms", n)
	}
}

// TestLots: where moves look equally good, the lot of the match decides.
func TestLots(t *testing.T) {
	player := hard(t, house.Options{Nodes: house.MinNodes}).(referee.Func)
	moves := map[game.Action]bool{}
	for seed := range uint64(20) {
		first := referee.Inline(func(r *referee.Request) referee.Answer {
			a, err := player(t.Context(), r)
			if err != nil {
				t.Error(err)
			}
			moves[a.Action] = true
			return referee.Answer{Fault: referee.BadProtocol, Detail: "seen enough"}
		})
		play(t, setup(t, chess.New(), seed), first, house.Random())
	}
	if len(moves) < 8 {
		t.Errorf("%d first moves of 20 seeds", len(moves))
	}
}

// TestMisplaced seats players at a game that is not theirs: they forfeit, and the record says why.
func TestMisplaced(t *testing.T) {
	for _, p := range []referee.Player{hard(t, house.Options{}), house.Easy(), house.Random()} {
		var log referee.Memory
		record(t, setup(t, game.New(other{}), 1), &log, p)
		if b := log.Bytes(); !bytes.Contains(b, []byte(`"cause":"forfeit"`)) || !bytes.Contains(b, []byte(`"detail":"house: `)) {
			t.Errorf("%s", b)
		}
	}
}

// TestHardStops ends the context of a request: the player gives the context's error.
func TestHardStops(t *testing.T) {
	player := hard(t, house.Options{Nodes: house.MaxNodes}).(referee.Func)
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
	play(t, setup(t, chess.New(), 1), first, house.Random())
	if asked == 0 {
		t.Error("never asked")
	}
}

// TestShared seats one player on all seats of matches that run at the same time: they go as they do alone.
func TestShared(t *testing.T) {
	player := hard(t, house.Options{Nodes: 400, TableBits: 8})
	const matches = 6
	var together, alone [matches]referee.Memory
	t.Run("together", func(t *testing.T) {
		for i := range matches {
			t.Run(fmt.Sprint(i), func(t *testing.T) {
				t.Parallel()
				s := setup(t, chess.New(), uint64(i))
				s.MaxSteps = 40
				record(t, s, &together[i], player, player)
			})
		}
	})
	for i := range matches {
		s := setup(t, chess.New(), uint64(i))
		s.MaxSteps = 40
		record(t, s, &alone[i], hard(t, house.Options{Nodes: 400, TableBits: 8}), player)
		if !bytes.Equal(together[i].Bytes(), alone[i].Bytes()) {
			t.Errorf("match %d:\n%s\n%s", i, together[i].Bytes(), alone[i].Bytes())
		}
	}
}

// BenchmarkHard has the default player play against itself.
func BenchmarkHard(b *testing.B) {
	player := hard(b, house.Options{})
	moves := 0
	for i := 0; b.Loop(); i++ {
		r := play(b, setup(b, chess.New(), uint64(i)), player, player)
		moves += r.Seats[0].Moves + r.Seats[1].Moves
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/1000/float64(moves), "ms/move")
	if moves == 0 {
		b.Fatal(fmt.Sprint("no moves in ", b.N, " games"))
	}
}
