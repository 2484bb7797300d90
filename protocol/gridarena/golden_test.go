package gridarena

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/chess"
	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/games/grid"
	"github.com/matchreferee/arena/games/grid/house"
	"github.com/matchreferee/arena/games/werewolf"
	"github.com/matchreferee/arena/referee"
)

const (
	goldenDir      = "../../testdata/gridarena"
	updateVariable = "GAMETEST_UPDATE" // that of the authors' kit: 1 writes golden files anew
)

// golden compares with a file, or writes it.
func golden(t *testing.T, path, got string) {
	t.Helper()
	if os.Getenv(updateVariable) == "1" {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; %s=1 writes it", err, updateVariable)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s=1 writes it anew, if that is meant:\n%s", updateVariable, diff)
	}
}

func policyOf(t *testing.T, opponent string) json.RawMessage {
	t.Helper()
	p, err := house.PolicyOf(opponent, house.Options{Now: func() time.Duration { return 0 }})
	if err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestGolden shows matches as their agents see them. A line is what was done, or an answer.
func TestGolden(t *testing.T) {
	hell, casual := policyOf(t, "hell_v2"), policyOf(t, "casual")
	wait := func(d time.Duration) func(*scene) string {
		return func(s *scene) string {
			s.wait(d)
			return "wait " + d.String()
		}
	}
	post := func(rest string) func(*scene) string {
		return func(s *scene) string {
			body := strings.Replace(rest, "{", `{"moveId":"`+moveID+`",`, 1)
			if strings.Contains(rest, "moveId") {
				body = rest
			}
			v := s.post(body)
			return "POST " + body + "\n= " + v.Code.String() + " " + v.Detail
		}
	}
	act := func(seat game.Seat, a game.Action) func(*scene) string {
		return func(s *scene) string { s.act(seat, a); return "seat " + seat.String() + " moves " + string(a) }
	}
	abandon := func(s *scene) string {
		if err := s.seats[s.match.Seat].Claim(referee.Abandon); err != nil {
			s.t.Fatal(err)
		}
		<-s.over
		return "abandon"
	}
	rule := func(r referee.Ruling) func(*scene) string {
		return func(s *scene) string {
			if err := s.live.Rule(r); err != nil {
				s.t.Fatal(err)
			}
			<-s.over
			return "the host rules: " + r.What.String()
		}
	}
	fill := func(left int) func(*scene) string {
		return func(s *scene) string {
			s.first(func() bool { return len(s.history) == grid.Cells-left })
			if left == 0 {
				<-s.over
			}
			return "both take the first free cell"
		}
	}
	for _, c := range []struct {
		name, about string
		setup       setup
		do          []func(*scene) string
	}{
		{"grid-first", "The grid, agent first: an illegal cell, a stale revision, a move, its repetition, a reused id, the answer of the house; then the end of the board.",
			setup{game: grid.New(), policy: hell}, []func(*scene) string{
				wait(1500 * time.Millisecond), post(`{"revision":0,"row":9,"col":4}`), post(`{"revision":1,"row":4,"col":4}`), post(`{"revision":0,"row":4,"col":4}`),
				post(`{"revision":0,"row":4,"col":4}`), post(`{"revision":0,"row":4,"col":5}`), wait(250 * time.Millisecond), act(1, `{"col":3,"row":4}`), fill(1), fill(0),
			}},
		{"grid-second", "The grid, agent second: created while the house is to move, and the clock starts with its move. Then the turn times out.",
			setup{game: grid.New(), seat: 1, policy: casual}, []func(*scene) string{
				wait(40 * time.Second), act(0, `{"col":0,"row":0}`), wait(29_999 * time.Millisecond), wait(time.Millisecond), post(`{"revision":1,"row":4,"col":4}`),
			}},
		{"grid-untimed", "The grid, untimed, until the hour is over.",
			setup{game: grid.New(), control: Untimed, policy: casual}, []func(*scene) string{
				wait(50 * time.Minute), post(`{"revision":0,"row":0,"col":0}`), wait(time.Minute), act(1, `{"col":3,"row":4}`), wait(9 * time.Minute),
			}},
		{"grid-abandoned", "The grid, abandoned.", setup{game: grid.New(), policy: casual}, []func(*scene) string{post(`{"revision":0,"row":0,"col":0}`), abandon}},
		{"grid-failed", "The grid, void: the host's fault.", setup{game: grid.New()}, []func(*scene) string{rule(referee.Ruling{What: referee.RuleVoid, By: "host", Reason: "outage"})}},
		{"grid-adjudicated", "The grid, ended by the host.", setup{game: grid.New()}, []func(*scene) string{rule(referee.Ruling{What: referee.RuleWin, By: "host", Reason: "closing", Win: game.Seats(0)})}},
		{"connect-four", "Connect Four: view and action in place of what the grid has. Won in a column.",
			setup{game: connectfour.New(), ruleset: `{"columns":4,"rows":5,"connect":3}`}, []func(*scene) string{
				post(`{"revision":0,"action":1}`), act(1, `2`), post(`{"moveId":"` + moveID2 + `","revision":2,"action":1.0}`), act(1, `2`),
				post(`{"moveId":"00000000-0000-4000-8000-00000000000A","revision":4,"action":1}`),
			}},
		{"chess", "Chess, agent black, mated in two.", setup{game: chess.New(), seat: 1}, []func(*scene) string{
			act(0, `"f2f3"`), post(`{"revision":1,"action":"e7e5"}`), act(0, `"g2g4"`), post(`{"moveId":"` + moveID2 + `","revision":3,"action":"d8h4"}`),
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			during(t, c.setup, func(s *scene) {
				out := []string{"# " + c.about, "", s.see()}
				for _, do := range c.do {
					out = append(out, "", "> "+do(s), s.see())
				}
				golden(t, filepath.Join(goldenDir, c.name+".txt"), strings.Join(out, "\n")+"\n")
			})
		})
	}
	t.Run("werewolf", func(t *testing.T) {
		var out []string
		for _, seat := range []game.Seat{0, 3} {
			during(t, setup{game: werewolf.New(), seats: 5, seat: seat}, func(s *scene) {
				out = append(out, "# Werewolf for five, seen from seat "+seat.String()+": own moves alone until the end.", "", s.see())
				s.first(func() bool { return len(s.history) == 12 })
				out = append(out, "", "> everybody makes the first move that is listed", s.see())
				s.first(s.ended)
				out = append(out, "", "> and so on to the end", s.see(), "")
			})
		}
		golden(t, filepath.Join(goldenDir, "werewolf.txt"), strings.Join(out, "\n"))
	})
}

// ended waits for the end of a match that has its result.
func (s *scene) ended() bool {
	if p, _ := s.position(); p.Result == nil {
		return false
	}
	<-s.over
	return true
}

// TestPublic: what everybody is shown of a match that is over, and the answer to one that was created.
func TestPublic(t *testing.T) {
	out := []string{"# What begins a match, and what is shown of it when it is over."}
	for _, u := range []setup{
		{game: grid.New(), seat: 1, policy: policyOf(t, "smart")}, {game: connectfour.New(), control: Untimed}, {game: werewolf.New(), seats: 5, seat: 2},
	} {
		during(t, u, func(s *scene) {
			created := s.observe()
			created.Notices = Notices()
			if u.seats == 5 {
				s.first(s.ended)
			} else {
				s.first(func() bool { return len(s.history) == 3 })
				s.wait(time.Hour)
				<-s.over
			}
			o, now := s.observe(), referee.Time(time.Now().UnixMilli())
			end := EndOf(u.seat, s.result)
			var names []Player
			for i := range s.seats {
				names = append(names, Player{Symbol: s.seats[i].Card().Label(game.Seat(i)), Name: "smart", House: true})
			}
			names[u.seat].Name, names[u.seat].House = "My \"solver\" <&>", false
			replay := Replay{
				MatchID: s.match.ID, Info: s.match.Info, Ruleset: json.RawMessage(s.seats[0].Card().Ruleset()), AgentSeat: u.seat, Players: names,
				StartedAt: s.match.Started, EndedAt: now, History: o.History, Scores: o.Scores, End: end, AIPolicy: u.policy, TimeControl: o.TimeControl,
			}
			result := Result{
				MatchID: s.match.ID, Game: s.match.Info.Name, Name: "My solver", Opponent: "smart", AgentSeat: u.seat, Control: s.match.Control,
				StartedAt: s.match.Started, EndedAt: now, Revision: o.Revision, Scores: o.Scores, End: end,
			}
			recent := Recent{Results: []Result{result, result}}
			out = append(out, "", "> "+s.match.Info.Name, string(created.Append(nil)), string(replay.Append(nil)), string(recent.Append(nil)))
		})
	}
	out = append(out, "", "> nothing yet", string((&Recent{}).Append(nil)), string((&Replay{}).Append(nil)))
	for i, line := range out {
		if strings.HasPrefix(line, "{") && !json.Valid([]byte(line)) {
			t.Errorf("line %d is no JSON: %s", i, line)
		}
	}
	golden(t, filepath.Join(goldenDir, "public.txt"), strings.Join(out, "\n")+"\n")
}

// TestExample: the example is what the encoder makes of a real position, in which something was scored in each way.
func TestExample(t *testing.T) {
	during(t, setup{game: grid.New(), policy: policyOf(t, "hell_v2"), id: "example"}, func(s *scene) {
		for i, cell := range []game.Action{
			`{"col":7,"row":0}`, `{"col":4,"row":5}`, `{"col":7,"row":1}`, `{"col":5,"row":5}`, `{"col":7,"row":2}`, `{"col":6,"row":5}`, `{"col":3,"row":5}`, `{"col":4,"row":4}`,
		} {
			s.wait(time.Duration(900+137*i) * time.Millisecond)
			s.act(game.Seat(i%2), cell)
		}
		s.wait(1250 * time.Millisecond)
		golden(t, "example.json", s.see())
		if got := string(Example()); got != s.see() {
			t.Errorf("Example gives %s", got)
		}
	})
}
