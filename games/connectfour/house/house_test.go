package house_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/games/connectfour/house"
	"github.com/matchreferee/arena/referee"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// failer is what testing.TB and *rapid.T share.
type failer interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
}

func hard(t failer, o house.Options) referee.Player {
	t.Helper()
	p, err := house.Hard(o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func setup(t failer, g game.Game, ruleset string, seed uint64) referee.Setup {
	t.Helper()
	table, err := g.Table([]byte(ruleset))
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

func TestHardBeatsRandom(t *testing.T) {
	games, least := uint64(100), 95
	if testing.Short() {
		games, least = 20, 19
	}
	for seat := range 2 {
		t.Run(fmt.Sprint("seat ", seat), func(t *testing.T) {
			players := []referee.Player{house.Random(), house.Random()}
			players[seat] = hard(t, house.Options{})
			won := 0
			for seed := range games {
				r := play(t, setup(t, connectfour.New(), "", seed), players...)
				if r.Cause != referee.CausePlay {
					t.Fatalf("seed %d: %v, %s", seed, r.Cause, r.Reason)
				}
				if r.Returns[seat] == 1 {
					won++
				}
			}
			t.Logf("won %d of %d", won, games)
			if won < least {
				t.Errorf("won %d of %d, not %d", won, games, least)
			}
		})
	}
}

// TestLegalOnEveryBoard plays every ruleset to an end that the rules make.
func TestLegalOnEveryBoard(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rules := connectfour.Rules{Columns: rapid.IntRange(4, 16).Draw(t, "columns")}
		rules.Rows = rapid.IntRange(4, min(16, 128/rules.Columns-1)).Draw(t, "rows")
		longer := max(rules.Columns, rules.Rows)
		rules.Connect = rapid.IntRange(3, longer).Draw(t, "connect")
		players := []referee.Player{rapid.SampledFrom([]referee.Player{house.Random(), house.Easy()}).Draw(t, "weak"), rapid.SampledFrom([]referee.Player{
			hard(t, house.Options{Nodes: house.MinNodes}), perfect(t, house.PerfectOptions{Nodes: 1, TableBits: house.MinTableBits}),
		}).Draw(t, "strong")}
		if rapid.Bool().Draw(t, "first") {
			players[0], players[1] = players[1], players[0]
		}
		ruleset := fmt.Sprintf(`{"columns":%d,"rows":%d,"connect":%d}`, rules.Columns, rules.Rows, rules.Connect)
		r := play(t, setup(t, game.New(rules), ruleset, rapid.Uint64().Draw(t, "seed")), players...)
		if r.Cause != referee.CausePlay {
			t.Fatalf("%v, %s: %+v", r.Cause, r.Reason, r.Seats)
		}
	})
}

// TestSameAgain plays each seed twice: the records are the same to the byte. Players are shared by all the matches.
func TestSameAgain(t *testing.T) {
	players := []referee.Player{hard(t, house.Options{Nodes: house.MinNodes}), perfect(t, house.PerfectOptions{Nodes: 20_000, TableBits: 14})}
	records := make(map[string]bool)
	for seed := range uint64(8) {
		var logs [2]referee.Memory
		for i := range logs {
			record(t, setup(t, connectfour.New(), "", seed), &logs[i], players...)
		}
		if !bytes.Equal(logs[0].Bytes(), logs[1].Bytes()) {
			t.Errorf("seed %d:\n%s\n%s", seed, logs[0].Bytes(), logs[1].Bytes())
		}
		records[string(logs[0].Bytes())] = true
	}
	if len(records) != 8 {
		t.Errorf("%d different records of 8 seeds", len(records))
	}
}

// TestShared seats one player on all seats of matches that run at the same time: they go as they do alone.
func TestShared(t *testing.T) {
	options := house.PerfectOptions{Nodes: 10_000, TableBits: 12}
	player := perfect(t, options)
	const matches = 6
	var together, alone [matches]referee.Memory
	t.Run("together", func(t *testing.T) {
		for i := range matches {
			t.Run(fmt.Sprint(i), func(t *testing.T) {
				t.Parallel()
				record(t, setup(t, connectfour.New(), "", uint64(i)), &together[i], player, player)
			})
		}
	})
	for i := range matches {
		record(t, setup(t, connectfour.New(), "", uint64(i)), &alone[i], perfect(t, options), player)
		if !bytes.Equal(together[i].Bytes(), alone[i].Bytes()) {
			t.Errorf("match %d:\n%s\n%s", i, together[i].Bytes(), alone[i].Bytes())
		}
	}
}

// TestRandomIsUniform counts the first columns of many matches.
func TestRandomIsUniform(t *testing.T) {
	const matches = 1400
	var first [7]int
	for seed := range uint64(matches) {
		var log referee.Memory
		record(t, setup(t, connectfour.New(), "", seed), &log, house.Random(), house.Random())
		for e, err := range referee.Events(t.Context(), &log) {
			if err != nil {
				t.Fatal(err)
			}
			if e.Kind == referee.KindMove {
				first[e.Action[0]-'0']++
				break
			}
		}
	}
	chi := 0.0
	for _, n := range first {
		d := float64(n) - matches/7
		chi += d * d / (matches / 7)
	}
	if chi > 22.46 { // 0.1% of uniform samples, 6 degrees of freedom; the seeds are fixed
		t.Errorf("columns %v: chi squared %.1f", first, chi)
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
	for _, want := range []string{`"Hard"`, "random, easy, hard, perfect"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q does not tell %s", err, want)
		}
	}
}

func TestOptions(t *testing.T) {
	tests := []struct {
		o    house.Options
		want []string // in the error; none: it is fine
	}{
		{house.Options{}, nil},
		{house.Options{Nodes: house.MinNodes}, nil},
		{house.Options{Nodes: house.MaxNodes}, nil},
		{house.Options{Nodes: -1}, []string{"Nodes: -1"}},
		{house.Options{Nodes: house.MinNodes - 1}, []string{"Nodes: 299"}},
		{house.Options{Nodes: house.MaxNodes + 1}, []string{"Nodes: 100001"}},
	}
	for _, tt := range tests {
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
