package werewolf_test

import (
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/werewolf"
)

// knowledge reads the table of the package doc: by fact, by who looks.
func knowledge(t *testing.T) map[string]map[string]string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "doc.go", nil, parser.ParseComments|parser.PackageClauseOnly)
	if err != nil {
		t.Fatal(err)
	}
	table := map[string]map[string]string{}
	var head []string
	for line := range strings.Lines(file.Doc.Text()) {
		if !strings.HasPrefix(line, "\t") || strings.Contains(line, "---") {
			continue
		}
		cells := strings.Split(line, "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		if head == nil {
			head = cells
			continue
		}
		if len(cells) != len(head) || table[cells[0]] != nil {
			t.Fatalf("row %q", line)
		}
		table[cells[0]] = map[string]string{}
		for i, cell := range cells[1:] {
			table[cells[0]][head[i+1]] = cell
		}
	}
	return table
}

// moment is a state of a match in progress.
type moment struct {
	rules werewolf.Rules
	state werewolf.State
	name  string
}

// moments gives states of each phase, with and without dead seats, peeks and votes behind them.
func moments(t *testing.T) []moment {
	t.Helper()
	var list []moment
	for _, reveal := range []bool{true, false} {
		ruleset := map[bool]string{true: "", false: `{"reveal_roles":false}`}[reveal]
		for _, roles := range []string{"wwsvvvvv", "vsvwvwvv"} {
			x := dealt(t, ruleset, roles)
			take := func(name string) {
				s, ok := game.As[werewolf.State](x.State)
				if !ok {
					t.Fatal("not its State")
				}
				if now := x.state(); name != now && !strings.HasPrefix(name, now+" ") {
					t.Fatalf("%s: it is %s", name, now)
				}
				list = append(list, moment{werewolf.Rules{RevealRoles: reveal}, s, name})
			}
			wolf, last := strings.IndexByte(roles, 'w'), strings.LastIndexByte(roles, 'w')
			seer := strings.IndexByte(roles, 's')
			prey := len(roles) - 1
			take("night_action first")
			x.act(seat(wolf)+":kill "+seat(prey), seat(last)+":kill "+seat(prey-1), seat(seer)+":peek "+seat(wolf))
			take("chance")
			x.lot(game.Seat(prey))
			take("day_discussion")
			x.act(x.Turn().Seats.First().String() + ":say hello")
			x.silence()
			take("day_vote")
			x.act(seat(wolf)+":vote "+seat(prey-1), seat(last)+":vote "+seat(prey-1))
			take("night_action second")
			x.act(seat(seer) + ":peek " + seat(prey-2))
			take("day_discussion second")
			x.silence()
			x.act(seat(wolf) + ":vote " + seat(seer))
			take("night_action without seer")
		}
	}
	return list
}

func seat(n int) string { return game.Seat(n).String() }

// shown is all that somebody is shown of it.
func (m *moment) shown(t *testing.T, who game.Seat) string {
	t.Helper()
	return asJSON(t, m.rules.View(&m.state, who)) + m.rules.Board(&m.state, who) + string(m.rules.SVG(nil, &m.state, who))
}

// TestWhoKnowsWhat holds the views of every phase against the table: a view tells a fact if it changes when the fact does.
func TestWhoKnowsWhat(t *testing.T) {
	table := knowledge(t)
	facts := werewolf.Facts()
	if len(table) != len(facts) {
		t.Errorf("the table has %d facts, the test knows %d", len(table), len(facts))
	}
	tried := map[string]int{}
	for _, m := range moments(t) {
		for who := game.Spectator; int(who) < len(m.rules.View(&m.state, 0).(werewolf.View).Players); who++ {
			role := "spectator"
			if r, ok := m.rules.View(&m.state, who).(werewolf.View).YourRole.Get(); ok {
				role = string(r)
			}
			shown := m.shown(t, who)
			for _, f := range facts {
				cell, ok := table[f.Name][role]
				if !ok {
					t.Fatalf("%q has no cell for %s", f.Name, role)
				}
				other := m
				if other.state, ok = f.Change(m.state, who); !ok {
					continue
				}
				var want bool
				switch cell {
				case "yes", "own":
					want = true
				case "no":
				case "reveal":
					want = m.rules.RevealRoles
				case "peeked":
					want = werewolf.IsPeeked(m.state, who)
				default:
					t.Fatalf("%s: %s: cell %q", f.Name, role, cell)
				}
				if told := other.shown(t, who) != shown; told != want {
					t.Errorf("%s, roles revealed %v: %s: what seat %s, %s, is shown tells %v, and the table %q", m.name, m.rules.RevealRoles, f.Name, who, role, told, cell)
				}
				tried[f.Name+" "+role]++
			}
		}
	}
	for name, row := range table {
		for role := range row {
			if role == "spectator" && name == "one's own role" { // it has none
				continue
			}
			if tried[name+" "+role] < 2 {
				t.Errorf("%s: %s: tried %d times", name, role, tried[name+" "+role])
			}
		}
	}
}

// TestEverybodyKnowsAtTheEnd: all roles are in all views, whatever the ruleset.
func TestEverybodyKnowsAtTheEnd(t *testing.T) {
	for _, ruleset := range []string{`{"max_days":1}`, `{"max_days":1,"reveal_roles":false}`} {
		x := dealt(t, ruleset, "wsvvv")
		x.act("0:kill 3")
		x.silence()
		for _, p := range x.look(4).Players {
			if shown := p.Role != ""; shown != (p.Seat == 3 && ruleset == `{"max_days":1}`) {
				t.Errorf("%s: before the end, seat %d: %q", ruleset, p.Seat, p.Role)
			}
		}
		x.act()
		for who := game.Spectator; who < 5; who++ {
			for i, p := range x.look(who).Players {
				if want := []werewolf.Role{"werewolf", "seer", "villager", "villager", "villager"}[i]; p.Role != want {
					t.Errorf("%s: seat %s sees %q at seat %d", ruleset, who, p.Role, i)
				}
			}
		}
	}
}

// TestOnlyTheNightIsPrivate: who is asked, phase by phase.
func TestOnlyTheNightIsPrivate(t *testing.T) {
	for _, m := range moments(t) {
		turn := m.rules.Turn(&m.state)
		view := m.rules.View(&m.state, game.Spectator).(werewolf.View)
		if turn.Phase != view.Phase {
			t.Errorf("%s: the turn says %s, the view %s", m.name, turn.Phase, view.Phase)
		}
		for i, p := range view.Players {
			role, _ := m.rules.View(&m.state, game.Seat(i)).(werewolf.View).YourRole.Get()
			want := p.Alive && (view.Phase == "day_vote" || view.Phase == "night_action" && !turn.Chance && role != werewolf.Villager)
			if view.Phase != "day_discussion" && turn.May(game.Seat(i)) != want {
				t.Errorf("%s: seat %d, %s, alive %v: asked %v", m.name, i, role, p.Alive, !want)
			}
		}
	}
}
