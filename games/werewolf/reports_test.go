package werewolf_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/werewolf"
	"github.com/matchreferee/arena/referee"
)

func TestReports(t *testing.T) {
	t.Run("B31", func(t *testing.T) { // who is to act lives through saving and resuming, at odd steps too
		var steps []game.Step
		table, err := werewolf.New().Table(nil)
		if err != nil {
			t.Fatal(err)
		}
		start, err := table.Start(game.Setup{Seats: 8})
		if err != nil {
			t.Fatal(err)
		}
		x := round{t, start}
		seed := game.SeedFrom(31)
		for odd := 0; !x.Turn().Over(); odd++ {
			data, err := json.Marshal(steps)
			if err != nil {
				t.Fatal(err)
			}
			var saved []game.Step
			if err := json.Unmarshal(data, &saved); err != nil {
				t.Fatal(err)
			}
			again, err := table.Replay(game.Setup{Seats: 8}, saved)
			if err != nil {
				t.Fatal(err)
			}
			if again.Turn() != x.Turn() || game.Dump(again) != game.Dump(x.State) {
				t.Fatalf("after %d steps: %+v, not %+v", odd, again.Turn(), x.Turn())
			}
			var step game.Step
			if x.Turn().Chance {
				a, _ := x.Chance(seed)
				step = game.Step{{Seat: game.Chance, Action: a}}
			}
			for seat := range x.Turn().Seats.All() {
				legal := x.Legal(nil, seat)
				step = append(step, game.Move[game.Action]{Seat: seat, Action: legal[(odd+int(seat))%len(legal)]})
			}
			if err := x.Apply(step); err != nil {
				t.Fatal(err)
			}
			steps = append(steps, step)
		}
		if len(steps) < 20 {
			t.Errorf("only %d steps", len(steps))
		}
	})
	t.Run("B33", func(t *testing.T) { // no night comes after the last werewolf is voted out
		x := dealt(t, "", "vvwsv")
		x.act()
		x.silence()
		x.act("0:vote 2", "1:vote 2")
		if turn := x.Turn(); turn != (game.Turn{}) {
			t.Errorf("still to act: %+v", turn)
		}
		if o := x.Outcome(); o.Reason != "villagers_win" || !slices.Equal(o.Returns, []float64{1, 1, -1, 1, 1}) {
			t.Errorf("%+v", o)
		}
	})
	t.Run("B35", func(t *testing.T) { // a tie goes to a lot among those tied: neither the first vote nor a minority decides
		const ann, bob, carol = 5, 6, 7
		if got := werewolf.Most(carol, bob, bob, ann, ann); got != game.Seats(ann, bob) {
			t.Errorf("of Carol, Bob, Bob, Ann and Ann: %v", slices.Collect(got.All()))
		}
		x := dealt(t, "", "wwwsvvvvvvvv")
		x.act("0:kill 7", "1:kill 6", "2:kill 6")
		if x.look(0).Players[6].Alive || !x.look(0).Players[7].Alive {
			t.Error("the first of three votes, alone, decided")
		}
		drawn := map[string]bool{}
		for n := range uint64(64) {
			y := dealt(t, "", "wwsvvvvv")
			y.act("0:kill 6", "1:kill 5")
			a, ok := y.Chance(game.SeedFrom(n))
			if _, err := y.Play(game.Chance, a); !ok || err != nil {
				t.Fatal(err)
			}
			drawn[string(a)] = true
			if dead := len(y.alive()); dead != 7 || y.look(0).Players[5].Alive == y.look(0).Players[6].Alive {
				t.Errorf("%s: alive %v", a, y.alive())
			}
		}
		if len(drawn) != 2 {
			t.Errorf("64 lots fell on %v", drawn)
		}
	})
	t.Run("B37", func(t *testing.T) { // nobody dies while a vote is open; a vote for the dead is refused with a hint, and the day ends
		x := dealt(t, "", "wsvvv")
		x.act("0:kill 3")
		x.silence()
		for seat := range x.Turn().Seats.All() {
			_, err := x.Check(seat, `{"target":3,"type":"vote"}`)
			if !errors.Is(err, game.ErrIllegal) || !strings.Contains(err.Error(), "seat 3 is dead") {
				t.Errorf("seat %d votes for the dead: %v", seat, err)
			}
			if slices.Contains(x.Legal(nil, seat), `{"target":3,"type":"vote"}`) {
				t.Errorf("seat %d may vote for the dead", seat)
			}
		}
		x.act("0:vote 2")
		if v := x.look(game.Spectator); v.Day != 2 || v.Players[2].Alive {
			t.Errorf("the day does not end: %+v", v)
		}
	})
	t.Run("B39", func(t *testing.T) { // each vote counts once, and a day has so many turns
		x := dealt(t, "", "wsvvvvv")
		x.act()
		turns := len(x.silence()) + 1
		x.act("0:vote 1", "1:vote 2", "2:vote 1", "3:vote 2", "4:vote 1", "5:vote 2", "6:vote 1")
		var votes []string
		for _, e := range x.look(game.Spectator).PublicLog {
			if e.Type == "vote" {
				seat, _ := e.Seat.Get()
				target, _ := e.Target.Get()
				votes = append(votes, fmt.Sprint(seat, ">", target))
			}
		}
		if d := cmp.Diff([]string{"0>1", "1>2", "2>1", "3>2", "4>1", "5>2", "6>1"}, votes); d != "" {
			t.Errorf("votes:\n%s", d)
		}
		if v := x.look(game.Spectator); v.Players[1].Alive || !v.Players[2].Alive || v.Day != 2 || turns != 15 {
			t.Errorf("four votes against three, in %d turns: %+v", turns, v)
		}
	})
	t.Run("B61", func(t *testing.T) { // whose player crashes loses; the others get the same, whatever their side
		for _, do := range []referee.Do{referee.DoForfeit, referee.DoEliminate} {
			result := crash(t, do)
			returns := result.Returns
			switch do {
			case referee.DoForfeit:
				if want := []float64{0, 0, -1, 0, 0}; result.Cause != referee.CauseForfeit || !slices.Equal(returns, want) {
					t.Errorf("forfeit: %v %v", result.Cause, returns)
				}
			default: // its defaults are played to the end, and the rules decide
				if result.Cause != referee.CausePlay || result.Reason != "day_limit" || !slices.Equal(returns, []float64{0, 0, 0, 0, 0}) {
					t.Errorf("eliminated: %v %s %v", result.Cause, result.Reason, returns)
				}
			}
			for i, s := range result.Seats {
				if s.Out != (i == 2) {
					t.Errorf("seat %d: %+v", i, s)
				}
			}
		}
	})
}

// crash plays a match of five seats in which seat 2 panics and the others do nothing.
func crash(t *testing.T, do referee.Do) *referee.Result {
	t.Helper()
	table, err := werewolf.New().Table(nil)
	if err != nil {
		t.Fatal(err)
	}
	setup := referee.Setup{ID: "crash", Table: table, Secret: game.SeedFrom(1), Seats: make([]referee.SeatInfo, 5)}
	players := make([]referee.Player, 5)
	for i := range players {
		setup.Seats[i].Policy = referee.Policy{BadProtocol: do}
		players[i] = referee.Inline(func(r *referee.Request) referee.Answer {
			if i == 2 {
				panic("crashed")
			}
			a, _ := r.Default()
			return referee.Answer{Action: a}
		})
	}
	result, err := new(referee.Local).Play(t.Context(), setup, players...)
	if err != nil {
		t.Fatal(err)
	}
	return result
}
