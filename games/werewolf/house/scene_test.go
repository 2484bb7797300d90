package house_test

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/werewolf"
	"github.com/matchreferee/arena/games/werewolf/house"
)

// stage is a match that a test moves on.
type stage struct {
	*game.State
	t failer
}

func marshal(t failer, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// scene starts a match with these roles, a letter a seat.
func scene(t failer, ruleset, roles string) stage {
	t.Helper()
	s, err := setup(t, ruleset, len(roles), 1).Table.Start(game.Setup{Seats: len(roles)})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Play(game.Chance, game.Action(`{"roles":"`+roles+`","type":"deal"}`)); err != nil {
		t.Fatal(err)
	}
	return stage{s, t}
}

// act makes one step: of each move a seat, a colon and a text; who is not named plays the default.
func (s stage) act(moves ...string) {
	s.t.Helper()
	var step game.Step
	for seat := range s.Turn().Seats.All() {
		a, _ := s.Default(seat)
		for _, m := range moves {
			text, ok := strings.CutPrefix(m, seat.String()+":")
			if !ok {
				continue
			}
			var err error
			if a, err = s.Parse(seat, text); err != nil {
				s.t.Fatal(m, err)
			}
		}
		step = append(step, game.Move[game.Action]{Seat: seat, Action: a})
	}
	if err := s.Apply(step); err != nil {
		s.t.Fatal(err)
	}
}

// talk passes the discussion, in which some say something each time they speak.
func (s stage) talk(moves ...string) {
	s.t.Helper()
	for s.Turn().Phase == "day_discussion" {
		s.act(moves...)
	}
}

// random makes a step in which everybody does anything, and claims anything.
func (s stage) random(t *rapid.T) {
	t.Helper()
	if s.Turn().Chance {
		a, _ := s.Chance(game.SeedFrom(rapid.Uint64().Draw(t, "lot")))
		if _, err := s.Play(game.Chance, a); err != nil {
			t.Fatal(err)
		}
		return
	}
	var moves []string
	for seat := range s.Turn().Seats.All() {
		text := s.Text(rapid.SampledFrom(s.Legal(nil, seat)).Draw(t, "move"))
		if text == "say" && rapid.IntRange(0, 9).Draw(t, "claims") == 0 {
			is := rapid.SampledFrom([]string{"a", "no", "the"}).Draw(t, "is")
			text = fmt.Sprintf("say I am the seer: %d is %s werewolf.", rapid.IntRange(0, 9).Draw(t, "of"), is)
		}
		moves = append(moves, seat.String()+":"+text)
	}
	s.act(moves...)
}

// does gives the text of what the reasoner does at a seat.
func (s stage) does(seat game.Seat) string {
	s.t.Helper()
	a := house.Choose(s.View(seat).(werewolf.View))
	text, err := s.Check(seat, game.Action(marshal(s.t, a)))
	if err != nil {
		s.t.Fatal(err)
	}
	return s.Text(text)
}

// expect holds what the reasoner does at each of some seats against what it should.
func (s stage) expect(t *testing.T, want map[game.Seat]string) {
	t.Helper()
	got := map[game.Seat]string{}
	for seat := range want {
		got[seat] = s.does(seat)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("day %d, %s:\n%s", s.View(0).(werewolf.View).Day, s.Turn().Phase, d)
	}
}

// TestReasons tries what is chosen where chance has no say.
func TestReasons(t *testing.T) {
	t.Run("the first night", func(t *testing.T) {
		s := scene(t, "", "vwwsvvvvv")
		s.expect(t, map[game.Seat]string{1: "kill 0", 2: "kill 0", 3: "peek 0"})
	})
	t.Run("nobody votes without cause", func(t *testing.T) {
		s := scene(t, "", "vwwsvvvvv")
		s.act()
		s.talk()
		s.expect(t, map[game.Seat]string{0: "abstain", 1: "abstain", 3: "abstain"})
	})
	t.Run("a seer finds one", func(t *testing.T) {
		s := scene(t, "", "vwwsvvvvv")
		s.act("3:peek 1", "1:kill 8", "2:kill 8")
		for s.Turn().Seats.First() != 3 {
			s.act()
		}
		s.expect(t, map[game.Seat]string{3: "say I am the seer: 1 is a werewolf."})
		s.talk("3:" + s.does(3))
		s.expect(t, map[game.Seat]string{0: "vote 1", 3: "vote 1", 7: "vote 1"})
		s.act("0:vote 1", "3:vote 1")
		// The claim was true: the villagers believe its maker, and so does the pack.
		s.expect(t, map[game.Seat]string{2: "kill 3", 3: "peek 2"}) // 0 and 3 voted against a werewolf, which werewolves seldom do
	})
	t.Run("a seer that found none keeps quiet", func(t *testing.T) {
		s := scene(t, "", "vwwsvvvvv")
		s.act("3:peek 0")
		for s.Turn().Seats.First() != 3 {
			s.act()
		}
		s.expect(t, map[game.Seat]string{3: "say"})
	})
	t.Run("a seer that has spoken speaks on", func(t *testing.T) {
		s := scene(t, "", "vwwsvvvvv")
		s.act("3:peek 1", "1:kill 8", "2:kill 8")
		s.talk("3:say I am the seer: 1 is a werewolf.")
		s.act("0:vote 1", "3:vote 1")
		s.expect(t, map[game.Seat]string{3: "peek 2"})
		s.act("3:peek 4")
		for s.Turn().Seats.First() != 3 {
			s.act()
		}
		s.expect(t, map[game.Seat]string{3: "say I am the seer: 1 is a werewolf; 4 is no werewolf."})
	})
	t.Run("a seer tells near the end whom it found to be none", func(t *testing.T) {
		s := scene(t, "", "vwsvvv")
		s.act("2:peek 0", "1:kill 5")
		for s.Turn().Seats.First() != 2 {
			s.act()
		}
		s.expect(t, map[game.Seat]string{2: "say I am the seer: 0 is no werewolf."})
	})
	t.Run("a seer looks at nobody twice", func(t *testing.T) {
		s := scene(t, "", "vvwsvvvvw")
		for _, next := range []string{"peek 0", "peek 1", "peek 2", "peek 4"} {
			s.expect(t, map[game.Seat]string{3: next})
			s.act("3:" + next)
			s.talk()
			s.act()
		}
	})
	t.Run("where the seer is dead, the pack kills whom nobody suspects", func(t *testing.T) {
		s := scene(t, "", "vwwsvvvvv")
		s.act()
		s.talk()
		s.act("0:vote 3") // who alone voted, and for an innocent
		s.expect(t, map[game.Seat]string{1: "kill 4", 2: "kill 4"})
	})
	t.Run("an accused werewolf accuses back", func(t *testing.T) {
		s := scene(t, "", "swwvvvvvv")
		s.act("0:peek 1", "1:kill 8", "2:kill 8")
		s.act("0:" + s.does(0))
		s.expect(t, map[game.Seat]string{1: "say I am the seer: 0 is a werewolf."})
	})
	t.Run("a false seer is found out by its own claim", func(t *testing.T) {
		s := scene(t, "", "vwwsvvvvv")
		s.act("1:kill 8", "2:kill 8")
		s.talk("1:say I am the seer: 7 is a werewolf.")
		s.act("0:vote 7", "1:vote 7", "2:vote 7") // who turns out to be a villager
		s.act()
		s.talk()
		s.expect(t, map[game.Seat]string{0: "vote 1", 3: "vote 1", 4: "vote 1"})
	})
	t.Run("where everybody votes, the pack votes as one", func(t *testing.T) {
		s := scene(t, "", "vwwsvvvvv")
		s.act()
		s.talk()
		s.act("0:vote 3", "3:vote 0", "4:vote 5", "5:vote 4", "6:vote 7", "7:vote 6", "8:vote 1")
		s.act()
		s.talk()
		first, second := s.does(1), s.does(2)
		target, err := strconv.Atoi(strings.TrimPrefix(first, "vote "))
		if first != second || err != nil || target == 1 || target == 2 {
			t.Errorf("%q and %q", first, second)
		}
	})
	t.Run("where everybody votes, the pack joins in the suspicion", func(t *testing.T) {
		s := scene(t, "", "vwwsvvvvv")
		s.act()
		s.talk()
		s.act("0:vote 3", "3:vote 0", "4:vote 5", "5:vote 4", "6:vote 7", "7:vote 6", "8:vote 1")
		s.act()
		s.talk("5:say I am the seer: 6 is a werewolf.")
		s.expect(t, map[game.Seat]string{1: "vote 6", 2: "vote 6"})
	})
	t.Run("the last chance is taken", func(t *testing.T) {
		s := scene(t, "", "vwsvvv")
		s.act("1:kill 5")
		s.talk()
		s.act("0:vote 2")
		s.act()
		s.talk()
		s.expect(t, map[game.Seat]string{0: "vote 1", 3: "vote 1"}) // four are left: guess or lose; seat 1 spoke first
	})
}
