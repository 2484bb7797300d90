package werewolf_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/werewolf"
)

func TestRuleset(t *testing.T) {
	for _, tt := range []struct{ ruleset, want string }{
		{`{}`, `{"max_days":0,"reveal_roles":true}`},
		{`{"max_days":30,"reveal_roles":false}`, `{"max_days":30,"reveal_roles":false}`},
		{`{"max_days":-1}`, "max_days: -1, not 0 to 30"},
		{`{"max_days":31}`, "max_days: 31, not 0 to 30"},
		{`{"reveal":true}`, "reveal"},
	} {
		table, err := werewolf.New().Table([]byte(tt.ruleset))
		if err != nil {
			if !errors.Is(err, game.ErrRuleset) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%s: %v", tt.ruleset, err)
			}
		} else if got := string(table.Ruleset()); got != tt.want {
			t.Errorf("%s: %s, not %s", tt.ruleset, got, tt.want)
		}
	}
	if _, err := (werewolf.Rules{}).Start(game.Setup{Seats: 5}); err == nil {
		t.Error("a typed caller may leave the names out")
	}
}

// TestWerewolves is the table of the ruling: one in four seats, rounded down, at least one.
func TestWerewolves(t *testing.T) {
	want := []int{5: 1, 6: 1, 7: 1, 8: 2, 9: 2, 10: 2, 11: 2, 12: 3, 13: 3, 14: 3, 15: 3}
	for n := werewolf.MinSeats; n <= werewolf.MaxSeats; n++ {
		if got := werewolf.Werewolves(n); got != want[n] {
			t.Errorf("%d seats: %d werewolves, not %d", n, got, want[n])
		}
	}
}

func TestNight(t *testing.T) {
	for _, tt := range []struct {
		name, roles string
		moves       []string
		state       string // then
		dead        game.Seat
		peeks       []werewolf.PeekResult
	}{
		{"a lone wolf kills", "wsvvv", []string{"0:kill 3", "1:peek 4"}, "day_discussion", 3, []werewolf.PeekResult{{Day: 1, Target: 4}}},
		{"it need not", "wsvvv", []string{"0:no kill", "1:peek 0"}, "day_discussion", -1, []werewolf.PeekResult{{Day: 1, Target: 0, IsWerewolf: true}}},
		{"nor need the seer look", "wsvvv", []string{"0:kill 2", "1:no peek"}, "day_discussion", 2, []werewolf.PeekResult{}},
		{"a seer whom that night kills has seen nothing", "wsvvv", []string{"0:kill 1", "1:peek 0"}, "day_discussion", 1, []werewolf.PeekResult{}},
		{"its target may die", "wsvvv", []string{"0:kill 2", "1:peek 2"}, "day_discussion", 2, []werewolf.PeekResult{{Day: 1, Target: 2}}},
		{"a pack of one mind", "wwsvvvvv", []string{"0:kill 5", "1:kill 5", "2:no peek"}, "day_discussion", 5, []werewolf.PeekResult{}},
		{"one of two abstains", "wwsvvvvv", []string{"0:no kill", "1:kill 4"}, "day_discussion", 4, []werewolf.PeekResult{}},
		{"nobody votes", "wwsvvvvv", nil, "day_discussion", -1, []werewolf.PeekResult{}},
		{"two of three are more than one", "wwwsvvvvvvvv", []string{"0:kill 4", "1:kill 5", "2:kill 5"}, "day_discussion", 5, []werewolf.PeekResult{}},
		{"a tie", "wwsvvvvv", []string{"0:kill 3", "1:kill 4", "2:peek 1"}, "chance", -1, []werewolf.PeekResult{}},
		{"a tie of three", "wwwsvvvvvvvv", []string{"0:kill 4", "1:kill 5", "2:kill 6"}, "chance", -1, []werewolf.PeekResult{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			x := dealt(t, "", tt.roles)
			x.act(tt.moves...)
			if got := x.state(); got != tt.state {
				t.Errorf("then it is %s, not %s", got, tt.state)
			}
			for _, p := range x.look(game.Spectator).Players {
				if p.Alive == (p.Seat == tt.dead) {
					t.Errorf("seat %d: alive %v", p.Seat, p.Alive)
				}
			}
			seer := game.Seat(strings.IndexByte(tt.roles, 's'))
			if d := cmp.Diff(tt.peeks, x.look(seer).Private.Peeks); d != "" {
				t.Errorf("the seer saw:\n%s", d)
			}
		})
	}
}

// TestLot: after a tie of the pack, one of those tied dies, and the seer learns what it looked at, unless it is the one.
func TestLot(t *testing.T) {
	for _, victim := range seats(2, 4) {
		x := dealt(t, "", "wwsvvvvv")
		x.act("0:kill 2", "1:kill 4", "2:peek 1")
		for _, no := range []game.Action{`{"target":3,"type":"lot"}`, `{"target":null,"type":"lot"}`, `{"target":2,"type":"kill"}`, `{"roles":"wwsvvvvv","type":"deal"}`} {
			if _, err := x.Check(game.Chance, no); err == nil {
				t.Errorf("%s is accepted", no)
			}
		}
		x.lot(victim)
		v := x.look(2)
		if v.Players[victim].Alive || !v.Players[6-victim].Alive || v.Phase != "day_discussion" {
			t.Errorf("the lot fell on %d: %+v", victim, v)
		}
		if got, want := len(v.Private.Peeks), map[game.Seat]int{2: 0, 4: 1}[victim]; got != want {
			t.Errorf("the lot fell on %d: the seer has %d peeks, not %d", victim, got, want)
		}
	}
}

// TestLotIsFair draws it from many seeds.
func TestLotIsFair(t *testing.T) {
	x := dealt(t, "", "wwwsvvvvvvvv")
	x.act("0:kill 4", "1:kill 9", "2:kill 6")
	counts := map[game.Action]int{}
	for n := range uint64(3000) {
		a, _ := x.Chance(game.SeedFrom(n))
		counts[a]++
	}
	if len(counts) != 3 {
		t.Errorf("the lot falls on %v", counts)
	}
	for a, n := range counts {
		if n < 870 || n > 1130 { // five standard deviations from 1000
			t.Errorf("%s: %d of 3000", a, n)
		}
	}
}

func TestDiscussion(t *testing.T) {
	x := dealt(t, "", "wsvvvv")
	steps := []struct {
		night []string
		want  []game.Seat // who speaks
		vote  []string
	}{
		{nil, seats(0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5), nil},                                         // day 1, no victim: seat 0
		{nil, seats(1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 0), nil},                                         // no victim: the seat after the first speaker of the day before
		{[]string{"0:kill 5"}, seats(0, 1, 2, 3, 4, 0, 1, 2, 3, 4), []string{"0:vote 1", "2:vote 1"}}, // the seat after the victim, round the table
		{nil, seats(2, 3, 4, 0, 2, 3, 4, 0), nil},                                                     // seat 1 is dead: the next one
		{[]string{"0:kill 2"}, seats(3, 4, 0, 3, 4, 0), nil},
	}
	for i, st := range steps {
		x.act(st.night...)
		if d := cmp.Diff(st.want, x.silence()); d != "" {
			t.Errorf("day %d:\n%s", i+1, d)
		}
		x.act(st.vote...)
	}
	y := dealt(t, "", "wsvvvv")
	y.act("0:kill 2")
	if d := cmp.Diff(seats(3, 4, 5, 0, 1, 3, 4, 5, 0, 1), y.silence()); d != "" {
		t.Errorf("day 1 with a victim:\n%s", d)
	}
}

func TestVote(t *testing.T) {
	for _, tt := range []struct {
		name  string
		votes []string
		out   game.Seat // -1: nobody
	}{
		{"one vote is enough", []string{"2:vote 3"}, 3},
		{"the most votes", []string{"0:vote 1", "1:vote 4", "2:vote 4", "3:vote 5"}, 4},
		{"a tie", []string{"0:vote 1", "1:vote 0"}, -1},
		{"a tie of two above a third", []string{"0:vote 1", "2:vote 1", "1:vote 0", "3:vote 0", "4:vote 5"}, -1},
		{"no votes", nil, -1},
		{"abstentions never win", []string{"0:abstain", "1:abstain", "2:abstain", "3:vote 1", "4:abstain"}, 1},
		{"everybody against one", []string{"0:vote 5", "1:vote 5", "2:vote 5", "3:vote 5", "4:vote 5", "5:vote 0"}, 5},
	} {
		t.Run(tt.name, func(t *testing.T) {
			x := dealt(t, "", "wsvvvv")
			x.act()
			x.silence()
			x.act(tt.votes...)
			v := x.look(game.Spectator)
			for _, p := range v.Players {
				if p.Alive == (p.Seat == tt.out) {
					t.Errorf("seat %d: alive %v", p.Seat, p.Alive)
				}
				if want := map[bool]werewolf.Role{true: "", false: []werewolf.Role{"werewolf", "seer", "villager", "villager", "villager", "villager"}[p.Seat]}[p.Alive]; p.Role != want {
					t.Errorf("seat %d: role %q is shown, not %q", p.Seat, p.Role, want)
				}
			}
			if v.Day != 2 || v.Phase != "night_action" {
				t.Errorf("then it is %s of day %d", v.Phase, v.Day)
			}
		})
	}
}

func TestEnds(t *testing.T) {
	for _, tt := range []struct {
		name, ruleset, roles string
		days                 [][2][]string // moves of the night, votes
		reason               string
		returns              []float64
	}{
		{"the last werewolf is voted out", "", "wsvvv", [][2][]string{{nil, {"1:vote 0"}}}, "villagers_win", []float64{-1, 1, 1, 1, 1}},
		{"the dead win with their side", "", "wsvvv", [][2][]string{{{"0:kill 2"}, {"1:vote 0"}}}, "villagers_win", []float64{-1, 1, 1, 1, 1}},
		{"as many werewolves as others, by night", "", "wsvvv",
			[][2][]string{{{"0:kill 2"}, nil}, {{"0:kill 3"}, nil}, {{"0:kill 4"}, nil}}, "werewolves_win", []float64{1, -1, -1, -1, -1}},
		{"as many, by vote", "", "wsvvv", [][2][]string{{{"0:kill 2"}, {"0:vote 1"}}, {nil, {"0:vote 3"}}}, "werewolves_win", []float64{1, -1, -1, -1, -1}},
		{"one of two werewolves is not all", "", "wwsvvvvv",
			[][2][]string{{{"0:kill 3", "1:kill 3"}, {"2:vote 0"}}, {{"1:kill 4"}, {"2:vote 1"}}}, "villagers_win", []float64{-1, -1, 1, 1, 1, 1, 1, 1}},
		{"the last day", `{"max_days":2}`, "wsvvv", [][2][]string{{nil, nil}, {nil, nil}}, "day_limit", []float64{0, 0, 0, 0, 0}},
		{"as many days as seats", "", "wsvvv", [][2][]string{{}, {}, {}, {}, {}}, "day_limit", []float64{0, 0, 0, 0, 0}},
		{"a win on the last day", `{"max_days":1}`, "wsvvv", [][2][]string{{nil, {"1:vote 0"}}}, "villagers_win", []float64{-1, 1, 1, 1, 1}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			x := dealt(t, tt.ruleset, tt.roles)
			for i, day := range tt.days {
				if x.Turn().Over() {
					t.Fatalf("over before day %d", i+1)
				}
				x.act(day[0]...)
				x.silence()
				if !x.Turn().Over() {
					x.act(day[1]...)
				}
			}
			want := game.Outcome{Returns: tt.returns, Reason: tt.reason}
			if d := cmp.Diff(want, x.Outcome()); d != "" || !x.Turn().Over() {
				t.Errorf("over %v, outcome:\n%s", x.Turn().Over(), d)
			}
			v := x.look(game.Spectator)
			if v.Phase != "over" {
				t.Errorf("the phase is %q", v.Phase)
			}
			for i, p := range v.Players {
				if want := map[byte]werewolf.Role{'w': "werewolf", 's': "seer", 'v': "villager"}[tt.roles[i]]; p.Role != want {
					t.Errorf("seat %d: role %q, not %q", i, p.Role, want)
				}
			}
		})
	}
}

// TestLongestMatch: in which nobody does anything, at the largest table, ends by the day limit and not by that of steps.
func TestLongestMatch(t *testing.T) {
	for _, tt := range []struct {
		ruleset string
		days    int
	}{{"", 15}, {`{"max_days":30}`, 30}, {`{"max_days":1}`, 1}} {
		x := dealt(t, tt.ruleset, "wwwsvvvvvvvvvvv")
		for !x.Turn().Over() {
			x.act()
		}
		table, err := werewolf.New().Table([]byte(tt.ruleset))
		if err != nil {
			t.Fatal(err)
		}
		// The deal; each day a night, thirty speeches and a vote; and there is room for a lot every night.
		if want := 1 + tt.days*32; x.Steps() != want || table.Info().MaxSteps != want+tt.days {
			t.Errorf("%s: %d steps, not %d, of at most %d", tt.ruleset, x.Steps(), want, table.Info().MaxSteps)
		}
	}
}

func TestForfeit(t *testing.T) {
	x := dealt(t, "", "wsvvv")
	got, ok := x.Forfeit(game.Seats(0, 3))
	if d := cmp.Diff([]float64{-1, 0, 0, -1, 0}, got.Returns); d != "" || !ok {
		t.Errorf("%v\n%s", ok, d)
	}
}

// TestLog plays a short match and reads its whole public log.
func TestLog(t *testing.T) {
	x := dealt(t, `{"max_days":2}`, "wsvvv")
	x.act()
	x.act("0:say hello")
	x.silence()
	x.act("0:vote 1", "1:abstain", "2:vote 1")
	x.act("0:kill 4")
	said := x.silence()
	x.act("0:abstain")
	type entry = werewolf.Entry
	silent, some := game.Some(""), game.Some[game.Seat]
	want := []entry{{Day: 1, Phase: "night_action", Type: "no_kill"}, {Day: 1, Phase: "day_discussion", Type: "say", Seat: some(0), Text: game.Some("hello")}}
	for _, s := range seats(1, 2, 3, 4, 0, 1, 2, 3, 4) {
		want = append(want, entry{Day: 1, Phase: "day_discussion", Type: "say", Seat: some(s), Text: silent})
	}
	for s, target := range []game.Opt[game.Seat]{some(1), game.Null[game.Seat](), some(1), game.Null[game.Seat](), game.Null[game.Seat]()} {
		want = append(want, entry{Day: 1, Phase: "day_vote", Type: "vote", Seat: some(game.Seat(s)), Target: target})
	}
	want = append(want, entry{Day: 1, Phase: "day_vote", Type: "eliminated", Seat: some(1)}, entry{Day: 2, Phase: "night_action", Type: "death", Seat: some(4)})
	for _, s := range said {
		want = append(want, entry{Day: 2, Phase: "day_discussion", Type: "say", Seat: some(s), Text: silent})
	}
	for _, s := range seats(0, 2, 3) {
		want = append(want, entry{Day: 2, Phase: "day_vote", Type: "vote", Seat: some(s), Target: game.Null[game.Seat]()})
	}
	opts := cmp.Options{cmp.Comparer(func(a, b game.Opt[game.Seat]) bool { return a == b }), cmp.Comparer(func(a, b game.Opt[string]) bool { return a == b }), cmpopts.EquateEmpty()}
	for _, seat := range seats(game.Spectator, 0, 1, 2, 3, 4) {
		if d := cmp.Diff(want, x.look(seat).PublicLog, opts); d != "" {
			t.Errorf("seat %s:\n%s", seat, d)
		}
	}
}
