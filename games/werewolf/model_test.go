package werewolf_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/werewolf"
)

// naive is Werewolf as one would explain it at the table.
type naive struct {
	roles   string
	dead    map[int]bool
	day     int
	days    int
	phase   string
	queue   []int // who is yet to speak today
	starter int
	tied    []int
	log     []string
	result  string
}

func newNaive(roles string, days int) *naive {
	if days == 0 {
		days = len(roles)
	}
	return &naive{roles: roles, dead: map[int]bool{}, day: 1, days: days, phase: "night"}
}

func (n *naive) wolf(seat int) bool { return n.roles[seat] == 'w' }

func (n *naive) living() (list []int) {
	for seat := range n.roles {
		if !n.dead[seat] {
			list = append(list, seat)
		}
	}
	return list
}

// actors are the seats that are asked now.
func (n *naive) actors() (list []int) {
	switch n.phase {
	case "night":
		for _, seat := range n.living() {
			if n.roles[seat] != 'v' {
				list = append(list, seat)
			}
		}
	case "talk":
		list = n.queue[:1]
	case "vote":
		list = n.living()
	}
	return list
}

// moves are the texts of what a seat may do, without words to say.
func (n *naive) moves(seat int) (list []string) {
	if n.phase == "talk" {
		return []string{"say"}
	}
	verb, nothing := "vote", "abstain"
	if n.phase == "night" {
		verb, nothing = "peek", "no peek"
		if n.wolf(seat) {
			verb, nothing = "kill", "no kill"
		}
	}
	for _, other := range n.living() {
		if other == seat || verb == "kill" && n.wolf(other) {
			continue
		}
		list = append(list, fmt.Sprint(verb, " ", other))
	}
	return append(list, nothing)
}

// winners of a vote are all that got the most.
func winners(votes []string) (list []int) {
	count := map[int]int{}
	top := 0
	for _, v := range votes {
		var seat int
		if _, err := fmt.Sscanf(v, "kill %d", &seat); err != nil {
			if _, err := fmt.Sscanf(v, "vote %d", &seat); err != nil {
				continue
			}
		}
		count[seat]++
		top = max(top, count[seat])
	}
	for seat := range 15 {
		if top > 0 && count[seat] == top {
			list = append(list, seat)
		}
	}
	return list
}

// step takes the moves of the acting seats in seat order.
func (n *naive) step(moves []string) {
	switch n.phase {
	case "night":
		switch n.tied = winners(moves); len(n.tied) {
		case 0:
			n.log = append(n.log, fmt.Sprintf("night %d: nobody was killed", n.day))
			if n.day == 1 {
				n.talk(0)
			} else {
				n.talk(n.starter + 1)
			}
		case 1:
			n.kill(n.tied[0])
		default:
			n.phase = "lot"
		}
	case "talk":
		text := fmt.Sprintf("day %d: seat %d was silent", n.day, n.queue[0])
		if words, ok := strings.CutPrefix(moves[0], "say "); ok {
			text = fmt.Sprintf("day %d: seat %d said %q", n.day, n.queue[0], words)
		}
		n.log = append(n.log, text)
		if n.queue = n.queue[1:]; len(n.queue) == 0 {
			n.phase = "vote"
		}
	case "vote":
		for i, seat := range n.living() {
			if target, ok := strings.CutPrefix(moves[i], "vote "); ok {
				n.log = append(n.log, fmt.Sprintf("day %d: seat %d voted for seat %s", n.day, seat, target))
			} else {
				n.log = append(n.log, fmt.Sprintf("day %d: seat %d abstained", n.day, seat))
			}
		}
		if out := winners(moves); len(out) == 1 {
			n.dead[out[0]] = true
			n.log = append(n.log, fmt.Sprintf("day %d: seat %d was voted out", n.day, out[0]))
			if n.won() {
				return
			}
		}
		if n.day == n.days {
			n.phase, n.result = "over", "day_limit"
			return
		}
		n.day++
		n.phase = "night"
	}
}

func (n *naive) kill(victim int) {
	n.dead[victim] = true
	n.log = append(n.log, fmt.Sprintf("night %d: seat %d was killed", n.day, victim))
	if !n.won() {
		n.talk(victim + 1)
	}
}

// talk lines up everybody alive, twice, from a seat on.
func (n *naive) talk(from int) {
	n.phase, n.queue = "talk", nil
	for range 2 {
		for i := range n.roles {
			if seat := (from + i) % len(n.roles); !n.dead[seat] {
				n.queue = append(n.queue, seat)
			}
		}
	}
	n.starter = n.queue[0]
}

func (n *naive) won() bool {
	wolves, others := 0, 0
	for _, seat := range n.living() {
		if n.wolf(seat) {
			wolves++
		} else {
			others++
		}
	}
	switch {
	case wolves == 0:
		n.phase, n.result = "over", "villagers_win"
	case wolves >= others:
		n.phase, n.result = "over", "werewolves_win"
	}
	return n.phase == "over"
}

func TestAgainstNaiveModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		days := rapid.IntRange(0, 6).Draw(t, "days")
		s := undealt(t, game.Setup{Seats: rapid.IntRange(5, 15).Draw(t, "seats")})
		deal, _ := s.Chance(game.SeedFrom(rapid.Uint64().Draw(t, "seed")))
		var roles struct{ Roles string }
		if err := json.Unmarshal([]byte(deal), &roles); err != nil {
			t.Fatal(err)
		}
		x := dealt(t, fmt.Sprintf(`{"max_days":%d}`, days), roles.Roles)
		n := newNaive(roles.Roles, days)
		bloody := rapid.IntRange(0, 3).Draw(t, "bloodless")
		for steps := 1; ; steps++ {
			x.compare(n)
			if n.phase == "over" {
				break
			}
			if n.phase == "lot" {
				victim := rapid.SampledFrom(n.tied).Draw(t, "lot")
				x.lot(game.Seat(victim))
				n.kill(victim)
				continue
			}
			var texts, moves []string
			for _, seat := range n.actors() {
				legal := n.moves(seat)
				text := rapid.SampledFrom(legal).Draw(t, "move")
				if n.phase == "talk" && rapid.Bool().Draw(t, "speaks") {
					text = "say something"
				} else if bloody == 0 && rapid.IntRange(0, 2).Draw(t, "idle") > 0 {
					text = legal[len(legal)-1]
				}
				texts = append(texts, text)
				moves = append(moves, fmt.Sprint(seat, ":", text))
			}
			x.act(moves...)
			n.step(texts)
			if most := (werewolf.Rules{MaxDays: days}).Info().MaxSteps; steps > most {
				t.Fatalf("more than %d steps", most)
			}
		}
	})
}

// compare holds a state against the model.
func (x round) compare(n *naive) {
	x.Helper()
	turn := x.Turn()
	want := map[string]string{"night": "night_action", "lot": "night_action", "talk": "day_discussion", "vote": "day_vote", "over": ""}[n.phase]
	if turn.Phase != want || turn.Chance != (n.phase == "lot") || turn.Over() != (n.phase == "over") {
		x.Fatalf("%+v in %s", turn, n.phase)
	}
	var actors []int
	for seat := range turn.Seats.All() {
		actors = append(actors, int(seat))
		var texts []string
		for _, a := range x.Legal(nil, seat) {
			texts = append(texts, x.Text(a))
		}
		if d := cmp.Diff(n.moves(int(seat)), texts); d != "" {
			x.Fatalf("moves of seat %d:\n%s", seat, d)
		}
	}
	if !slices.Equal(actors, n.actors()) {
		x.Fatalf("%v act, not %v", actors, n.actors())
	}
	var living []int
	for _, seat := range x.alive() {
		living = append(living, int(seat))
	}
	if !slices.Equal(living, n.living()) {
		x.Fatalf("%v live, not %v", living, n.living())
	}
	if d := x.look(0).Day; d != n.day {
		x.Fatalf("day %d, not %d", d, n.day)
	}
	board, _ := x.Board(game.Spectator)
	_, log, _ := strings.Cut(board, "oldest first:\n")
	if got, all := log, strings.Join(n.log, "\n"); strings.TrimSuffix(got, "\n") != all && len(n.log) <= 200 {
		x.Fatalf("log:\n%s", cmp.Diff(all, got))
	}
	if n.phase == "over" {
		o := x.Outcome()
		for seat, r := range o.Returns {
			want := map[string]float64{"villagers_win": 1, "werewolves_win": -1, "day_limit": 0}[n.result]
			if n.wolf(seat) {
				want = -want
			}
			if r != want {
				x.Fatalf("%s: seat %d gets %v", n.result, seat, r)
			}
		}
		if o.Reason != n.result {
			x.Fatalf("%s, not %s", o.Reason, n.result)
		}
	}
}
