package house_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/grid"
	"github.com/matchreferee/arena/games/grid/house"
	"github.com/matchreferee/arena/referee"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var names = []string{"casual", "smart", "hard", "experimental", "normal_nightmare", "hell_v2", "hell_v3"}

// few are options with few nodes for those that take any.
func few(name string) house.Options {
	if slices.Index(names, name) < 3 {
		return house.Options{}
	}
	return house.Options{Nodes: 60}
}

func player(t testing.TB, name string, o house.Options) referee.Player {
	t.Helper()
	p, err := house.New(name, o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func setup(t testing.TB, g game.Game, seed uint64) referee.Setup {
	t.Helper()
	table, err := g.Table(nil)
	if err != nil {
		t.Fatal(err)
	}
	return referee.Setup{ID: "house", Table: table, Secret: game.SeedFrom(seed), Seats: make([]referee.SeatInfo, table.Info().MinSeats)}
}

// record plays a match into log, at a time that stands still.
func record(t testing.TB, s referee.Setup, log referee.Log, players ...referee.Player) *referee.Result {
	t.Helper()
	now := func() referee.Time { return 1_800_000_000_000 }
	result, err := (&referee.Local{Config: referee.Config{Log: log, Now: now}}).Play(t.Context(), s, players...)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// TestSameAgain plays matches of all opponents twice: they end by the rules, and the records are the same to the byte. Players are shared by
// all matches; other seeds make other matches.
func TestSameAgain(t *testing.T) {
	games := map[string]bool{}
	matches := 0
	for k, name := range names {
		a, b := player(t, name, few(name)), player(t, names[(k+1)%7], few(names[(k+1)%7]))
		for seed := range uint64(2) {
			var logs [2]referee.Memory
			for i := range logs {
				if r := record(t, setup(t, grid.New(), seed), &logs[i], a, b); r.Cause != referee.CausePlay {
					t.Fatalf("%s, seed %d: %v, %s: %+v", name, seed, r.Cause, r.Reason, r.Seats)
				}
			}
			if d := cmp.Diff(string(logs[0].Bytes()), string(logs[1].Bytes())); d != "" {
				t.Errorf("%s, seed %d:\n%s", name, seed, d)
			}
			moves := ""
			for e, err := range referee.Events(t.Context(), &logs[0]) {
				if err != nil {
					t.Fatal(err)
				}
				moves += string(e.Action)
			}
			games[moves] = true
			matches++
		}
	}
	if len(games) != matches {
		t.Errorf("%d different games in %d matches", len(games), matches)
	}
}

// TestNames has the order of strength.
func TestNames(t *testing.T) {
	if d := cmp.Diff(names, house.Names()); d != "" {
		t.Error(d)
	}
	for _, name := range house.Names() {
		if p, err := house.ByName(name); err != nil || p == nil {
			t.Errorf("%s: %v, %v", name, p, err)
		}
	}
	for _, name := range []string{"Casual", "hell", ""} {
		p, err := house.ByName(name)
		if err == nil || p != nil {
			t.Fatalf("%q: %v, %v", name, p, err)
		}
		for _, want := range []string{fmt.Sprintf("%q", name), "casual, smart, hard, experimental, normal_nightmare, hell_v2, hell_v3"} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%q does not tell %s", err, want)
			}
		}
	}
}

func TestOptions(t *testing.T) {
	tests := []struct {
		name  string
		nodes int
		want  string // in the error; "": it is fine
	}{
		{"casual", 0, ""},
		{"casual", 1, "Nodes: 1, but casual has no number"},
		{"hard", 81, "Nodes: 81, but hard has no number"},
		{"experimental", 1, ""},
		{"hell_v3", house.MaxNodes, ""},
		{"hell_v3", house.MaxNodes + 1, "Nodes: 100000001, not 0 to 100000000"},
		{"hell_v3", -1, "Nodes: -1"},
	}
	for _, tt := range tests {
		p, err := house.New(tt.name, house.Options{Nodes: tt.nodes})
		policy, err2 := house.PolicyOf(tt.name, house.Options{Nodes: tt.nodes})
		if (err == nil) != (tt.want == "") || (p == nil) == (err == nil) || fmt.Sprint(err) != fmt.Sprint(err2) {
			t.Errorf("%s, %d nodes: %v, %v", tt.name, tt.nodes, err, err2)
		} else if err != nil && (!strings.Contains(err.Error(), tt.want) || policy != house.Policy{}) {
			t.Errorf("%s, %d nodes: %v, want %q; %v", tt.name, tt.nodes, err, tt.want, policy)
		}
		if err == nil && tt.nodes > 0 && policy.Nodes != tt.nodes {
			t.Errorf("%s: %d nodes, want %d", tt.name, policy.Nodes, tt.nodes)
		}
	}
}

// TestPolicies: each opponent has a policy of its own, and those from hell take nine seconds at most.
func TestPolicies(t *testing.T) {
	seen := map[string]bool{}
	for _, name := range names {
		p, err := house.PolicyOf(name, house.Options{})
		if err != nil {
			t.Fatal(err)
		}
		want := int64(0)
		if strings.HasPrefix(name, "hell_") {
			want = 9000
		}
		if p.Opponent != name || p.Version < 1 || p.TimeMs != want || !strings.HasPrefix(p.String(), fmt.Sprintf("%s/%d (%s", name, p.Version, p.Algorithm)) {
			t.Errorf("%+v, %s", p, p)
		}
		seen[p.Algorithm+fmt.Sprint(p.Nodes)] = true
	}
	if len(seen) != len(names) {
		t.Errorf("%d different policies of %d", len(seen), len(names))
	}
}

// TestClock: with a clock, and more nodes than anybody has, a search ends at its time and its move counts. The clock moves on by a step each
// time it is read, so that nothing here hangs on how fast a machine is.
func TestClock(t *testing.T) {
	tests := []struct {
		name  string
		limit time.Duration
		most  time.Duration // for one move
	}{
		{"experimental", 4 * time.Second, 3 * time.Second},
		{"normal_nightmare", 400 * time.Millisecond, 300 * time.Millisecond},
		{"hell_v2", 0, 9 * time.Second},
		{"hell_v2", time.Hour, 9 * time.Second},
		{"hell_v2", 10 * time.Second, 7500 * time.Millisecond},
		{"hell_v3", 2 * time.Second, 1500 * time.Millisecond},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprint(tt.name, tt.limit), func(t *testing.T) {
			var now atomic.Int64
			step := tt.most / 2
			o := house.Options{Nodes: house.MaxNodes, Now: func() time.Duration { return time.Duration(now.Add(int64(step))) }}
			slow, quick := player(t, tt.name, o), player(t, "casual", house.Options{})
			s := setup(t, grid.New(), 1)
			for i := range s.Seats {
				s.Seats[i].Clock.Move = tt.limit
			}
			result := record(t, s, nil, slow, quick)
			if result.Cause != referee.CausePlay {
				t.Fatalf("%v, %s", result.Cause, result.Reason)
			}
			// Each move reads the clock once at the beginning and then until the time is over.
			if most := int64(result.Seats[0].Moves) * int64(tt.most+step); now.Load() > most || now.Load() < most/2 {
				t.Errorf("%v for %d moves of at most %v", time.Duration(now.Load()), result.Seats[0].Moves, tt.most)
			}
		})
	}
}

// TestLimit: without a clock, a request with a short limit gets fewer nodes, and is answered all the same.
func TestLimit(t *testing.T) {
	var logs [2]referee.Memory
	for i, o := range []house.Options{{Nodes: house.MaxNodes}, {Nodes: 250}} {
		s := setup(t, grid.New(), 1)
		for i := range s.Seats {
			s.Seats[i].Clock.Move = time.Millisecond
		}
		if r := record(t, s, &logs[i], player(t, "normal_nightmare", o), player(t, "smart", house.Options{})); r.Cause != referee.CausePlay {
			t.Fatalf("%v, %s", r.Cause, r.Reason)
		}
	}
	if d := cmp.Diff(string(logs[0].Bytes()), string(logs[1].Bytes())); d != "" {
		t.Errorf("a millisecond is not 250 nodes:\n%s", d)
	}
}

// TestLimitWithClock: with a clock it is that which ends a search, and a short limit takes no nodes away.
func TestLimitWithClock(t *testing.T) {
	var games [3]string
	for i, o := range []house.Options{{Nodes: 2000}, {Nodes: 2000, Now: func() time.Duration { return 0 }}, {Nodes: 2000}} {
		s, log := setup(t, grid.New(), 1), new(referee.Memory)
		if i > 0 {
			for k := range s.Seats {
				s.Seats[k].Clock.Move = time.Millisecond
			}
		}
		if r := record(t, s, log, player(t, "normal_nightmare", o), player(t, "smart", house.Options{})); r.Cause != referee.CausePlay {
			t.Fatalf("%v, %s", r.Cause, r.Reason)
		}
		for e, err := range referee.Events(t.Context(), log) {
			if err != nil {
				t.Fatal(err)
			}
			games[i] += string(e.Action)
		}
	}
	if games[0] != games[1] || games[0] == games[2] {
		t.Errorf("without a limit, with one and a clock, with one alone:\n%s\n%s\n%s", games[0], games[1], games[2])
	}
}

// TestClosed: a request that closes while the search goes on, because its time is over, ends the search; the player gives no answer.
func TestClosed(t *testing.T) {
	for _, name := range names[3:] {
		ctx, cancel := context.WithCancel(t.Context())
		reads := 0
		o := house.Options{Nodes: house.MaxNodes, Now: func() time.Duration {
			if reads++; reads == 3 {
				cancel()
			}
			return 0
		}}
		p := player(t, name, o)
		var err error
		scripted := referee.Inline(func(r *referee.Request) referee.Answer {
			r.Limit = time.Hour // so that the player reads the clock
			_, err = p.(referee.Func)(ctx, r)
			return referee.Answer{Fault: referee.Internal, Detail: "seen enough"}
		})
		record(t, setup(t, grid.New(), 1), nil, scripted, scripted)
		if err != context.Canceled || reads > 3 {
			t.Errorf("%s: %v after the clock was read %d times", name, err, reads)
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

// TestMisplaced seats players at a game that is not theirs: they forfeit, and the record says why.
func TestMisplaced(t *testing.T) {
	for _, name := range names {
		var log referee.Memory
		record(t, setup(t, game.New(other{}), 1), &log, player(t, name, house.Options{}))
		if b := log.Bytes(); !bytes.Contains(b, []byte(`"cause":"forfeit"`)) || !bytes.Contains(b, []byte(`"detail":"house: this is not the grid"`)) {
			t.Errorf("%s: %s", name, b)
		}
	}
}

// TestSilent plays in virtual time with a seat that never answers: the house's moves cost no time, and it wins when the other's is over.
func TestSilent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := setup(t, grid.New(), 1)
		for i := range s.Seats {
			s.Seats[i].Clock.Move = 30 * time.Second
		}
		silent := referee.Func(func(ctx context.Context, _ *referee.Request) (referee.Answer, error) {
			<-ctx.Done()
			return referee.Answer{}, ctx.Err()
		})
		began := time.Now()
		result, err := new(referee.Local).Play(t.Context(), s, player(t, "hell_v2", house.Options{Nodes: 500}), silent)
		if err != nil {
			t.Fatal(err)
		}
		if result.Cause != referee.CauseForfeit || !cmp.Equal(result.Returns, []float64{1, -1}) || time.Since(began) != 30*time.Second {
			t.Errorf("%v %s %v after %v", result.Cause, result.Reason, result.Returns, time.Since(began))
		}
	})
}

// BenchmarkMove asks each opponent, with its own nodes, for a move in the middle of a game; one op is a move.
func BenchmarkMove(b *testing.B) {
	for _, name := range names {
		b.Run(name, func(b *testing.B) {
			p := player(b, name, house.Options{}).(referee.Func)
			fill := player(b, "smart", house.Options{}).(referee.Func)
			scripted := referee.Inline(func(r *referee.Request) referee.Answer {
				if r.View().(grid.View).Revision < 30 {
					a, err := fill(b.Context(), r)
					if err != nil {
						b.Fatal(err)
					}
					return a
				}
				for b.Loop() {
					if _, err := p(b.Context(), r); err != nil {
						b.Fatal(err)
					}
				}
				return referee.Answer{Fault: referee.Internal, Detail: "seen enough"}
			})
			record(b, setup(b, grid.New(), 1), nil, scripted, scripted)
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N), "us/move")
			policy, err := house.PolicyOf(name, house.Options{})
			if err != nil {
				b.Fatal(err)
			}
			if policy.Nodes > 0 {
				b.ReportMetric(float64(policy.Nodes)*float64(b.N)/b.Elapsed().Seconds(), "nodes/s")
			}
		})
	}
}
