package ludux

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/chess"
	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/games/grid"
	"github.com/matchreferee/arena/games/werewolf"
	"github.com/matchreferee/arena/referee"
)

const (
	goldenDir      = "../../testdata/ludux"
	updateVariable = "GAMETEST_UPDATE" // that of the authors' kit: 1 writes golden files anew
)

// conversation is a match as its agents see it. A line of answers is a seat, a blank, and what it sends: the members behind the envelope, a
// whole text behind "raw ", the members for the seat's request before this one behind "old ". "wait" lets time pass until the
// referee has something to do, "again" delivers the open requests once more, 3 s later.
type conversation struct {
	name, about       string
	game              game.Game
	ruleset, position string
	seats             int
	alone             bool // one agent on all of them
	answers           []string
}

func conversations() []conversation {
	return []conversation{
		{
			name: "connect-four", about: "Connect Four, won in a column; what is malformed or stale is refused on the way, and the clock runs on.",
			game: connectfour.New(), seats: 2,
			answers: []string{
				`0 "action":3,"commentary":"the centre\tof \"it\" all"`,
				`1 raw I think {"action":3}`,
				`1 raw {"protocol":"ludux/1","type":"action_response","match_id":"m-1a2b3c4d5e","seq":1}`,
				`1 raw {"protocol":"ludux/1","type":"action_response","match_id":"m-other","seq":1,"action":3}`,
				`again`, `wait`, `1 "action":1.5`, `1 "action":4`, `0 old "action":3`, `0 "action":3`, `1 "action":4,"confidence":0.7`, `0 "action":3`, `1 "action":2`, `0 "action":3.0`,
			},
		},
		{
			name: "connect-four-illegal", about: "Connect Four on another board, forfeited by a column that is not there.",
			game: connectfour.New(), ruleset: `{"columns":4,"rows":5,"connect":3}`, seats: 2,
			answers: []string{`0 "action":3`, `1 "action":4`},
		},
		{
			name: "chess", about: "Chess, mate in two; a double step shows its square.",
			game: chess.New(), seats: 2,
			answers: []string{`0 "action":"f2f3"`, `1 "action":"e7e5","commentary":"E5."`, `0 "action":"g2g4"`, `1 "action":"d8h4"`},
		},
		{
			name: "chess-promotion", about: "Chess from a position with promotions; then the deadline is missed, of which the agent was warned.",
			game: chess.New(), ruleset: `{"forfeit_draws":false}`, position: "7k/P7/8/8/8/8/8/K7 w - - 0 40", seats: 2,
			answers: []string{`0 "action":"a7a8q"`, `wait`, `wait`},
		},
		{
			name: "grid", about: "The grid game, in its own view; forfeited by a cell that is taken.",
			game: grid.New(), seats: 2,
			answers: []string{`0 "action":{"row":4,"col":4}`, `1 "action":{"col":3,"row":4}`, `0 "action":{"row":4,"col":4}`},
		},
		{
			name: "werewolf", about: "Werewolf for five, through night, discussion and vote. Bad and missing answers are defaults.",
			game: werewolf.New(), seats: 5,
			answers: werewolfAnswers(),
		},
		{
			name: "seats", about: "Both seats of one agent are asked at once, with the same seq; so it says for which it answers, and for one that is not asked it is stale.",
			game: game.New(pair{}), seats: 2, alone: true,
			answers: []string{`1 "seat":1,"action":1`, `0 "seat":1,"action":1`, `0 "seat":64,"action":0`, `0 "seat":0,"action":0,"commentary":"It took longer."`},
		},
	}
}

func TestGolden(t *testing.T) {
	for _, c := range conversations() {
		t.Run(c.name, func(t *testing.T) {
			got := c.run(t)
			path := filepath.Join(goldenDir, c.name+".txt")
			if os.Getenv(updateVariable) == "1" {
				if err := os.MkdirAll(goldenDir, 0o755); err != nil {
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
		})
	}
}

// scene is a conversation as it goes on.
type scene struct {
	*testing.T
	strings.Builder
	m    *referee.Match
	now  referee.Time
	told map[game.Seat]int32 // the newest request that a seat was sent
}

// run plays a conversation and writes it down.
func (c conversation) run(t *testing.T) string {
	who := agents(c.seats)
	if c.alone {
		for i := range who {
			who[i] = who[0]
		}
	}
	x := &scene{T: t, m: newMatchOf(t, c.game, c.ruleset, c.position, who), now: began, told: map[game.Seat]int32{}}
	fmt.Fprintf(x, "# %s\n# N> to seat N, N< from it, =: what the referee records, with the milliseconds since the start.\n\n", c.about)
	for s := range c.seats {
		if r, ok := x.m.Open(game.Seat(s)); ok {
			fmt.Fprintf(x, "%d> %s\n", s, StartOf(r.Card(), moveFor).Append(nil))
			break
		}
	}
	for _, line := range c.answers {
		x.deliver()
		x.step(line)
	}
	x.deliver()
	res, over := x.m.Result()
	if !over {
		t.Fatalf("the match is not over after %d answers", len(c.answers))
	}
	for s := range c.seats {
		fmt.Fprintf(x, "%d> %s\n", s, EndOf(x.m.Setup().ID, game.Seat(s), res).Append(nil))
	}
	return x.String()
}

// deliver sends the requests that are new.
func (x *scene) deliver() {
	for _, r := range requests(x.m) {
		if x.told[r.Seat] == r.Ask {
			continue
		}
		x.told[r.Seat] = r.Ask
		x.send(r)
	}
}

func (x *scene) send(r *referee.Request) {
	b, err := AppendRequest(nil, r, at(x.now))
	if err != nil {
		x.Fatal(err)
	}
	fmt.Fprintf(x, "\n%d> %s\n", r.Seat, b)
}

func (x *scene) step(line string) {
	switch line {
	case "wait":
		x.now = max(x.now, x.m.Wake())
		x.tell(x.m.Tick(x.now))
		return
	case "again":
		x.now += 3000
		for _, r := range requests(x.m) {
			x.send(r)
		}
		return
	}
	x.now += 1200
	seat := game.Seat(line[0] - '0')
	rest := line[2:]
	r, ok := x.m.Open(seat)
	if !ok {
		x.Fatalf("%s: seat %v is not asked", line, seat)
	}
	if raw, ok := strings.CutPrefix(rest, "raw "); ok {
		rest = raw
	} else if old, ok := strings.CutPrefix(rest, "old "); ok {
		before := r
		before.Ask--
		rest = respond(&before, old)
	} else {
		rest = respond(&r, rest)
	}
	fmt.Fprintf(x, "%v< %s\n", seat, rest)
	x.judge(&r, []byte(rest))
}

// judge hands in a frame and tells the agent what was wrong with it.
func (x *scene) judge(r *referee.Request, frame []byte) {
	m, err := DecodeFromAgent(frame)
	var a referee.Answer
	var bad *FrameError
	if errors.As(err, &bad) {
		a = bad.Answer(r)
	} else {
		a = m.(*ActionResponse).Answer(r)
	}
	v, o := x.m.Answer(x.now, r.Seat, &a)
	x.tell(o)
	if bad != nil {
		fmt.Fprintf(x, "%v> %s\n", r.Seat, bad.Reply().Append(nil))
	} else if e, ok := ErrorOf(v, m.(*ActionResponse).MatchID, m.(*ActionResponse).Seq); ok {
		fmt.Fprintf(x, "%v> %s\n", r.Seat, e.Append(nil))
	}
}

// tell writes down what the referee says.
func (x *scene) tell(o referee.Output) {
	for i := range o.Events {
		if e := &o.Events[i]; e.Kind == referee.KindFault || e.Kind == referee.KindMove || e.Kind == referee.KindEnd {
			fmt.Fprintf(x, "= %d %s\n", x.now-began, x.describe(e))
		}
	}
	for _, e := range o.Effects {
		if e.Kind != referee.EffectWarned {
			continue
		}
		if r, ok := x.m.Open(e.Seat); ok {
			fmt.Fprintf(x, "%v> %s\n", e.Seat, WarningOf(&r, x.now).Append(nil))
		}
	}
}

func (x *scene) describe(e *referee.Event) string {
	note := ""
	if e.X != nil && e.X.Note != "" {
		note = fmt.Sprintf(", noting %q", e.X.Note)
	}
	switch e.Kind {
	case referee.KindMove:
		return fmt.Sprintf("seat %v moves %s%s", e.Seat, e.Action, note)
	case referee.KindFault:
		s := fmt.Sprintf("seat %v: %v, %v (%s)", e.Seat, e.X.Fault, e.X.Do, e.X.Detail)
		if e.Action != "" {
			s += ", plays " + string(e.Action)
		}
		return s
	}
	res, _ := x.m.Result()
	return fmt.Sprintf("end: %v, %s, %v", res.Cause, res.Reason, res.Returns)
}

// werewolfAnswers plays a match in which seat 1 is the seer and seat 4 the werewolf.
func werewolfAnswers() []string {
	say := func(seat int, text string) string {
		return fmt.Sprintf(`%d "action":{"type":"say","text":%q}`, seat, text)
	}
	return []string{
		`1 "action":{"type":"peek","target":4},"commentary":"Let me see."`, `4 "action":{"type":"kill","target":0}`,
		say(1, `seat 4 is a "werewolf" <&>`), say(2, ""), `3 "action":{"type":"vote","target":2}`, `wait`, `wait`,
		say(1, "believe me"), say(2, ""), say(3, ""), say(4, "a lie"),
		`1 "action":{"type":"vote","target":4}`, `2 "action":{"target":4,"type":"vote"}`, `3 "action":{"type":"vote","target":1}`, `4 "action":{"type":"vote","target":1}`,
		`1 "action":{"type":"peek","target":null}`, `4 "action":{"type":"kill","target":null}`,
		say(2, "who?"), say(3, ""), say(4, ""), say(1, "him"), say(2, ""), say(3, ""), say(4, ""), say(1, ""),
		`1 "action":{"type":"vote","target":4}`, `2 "action":{"type":"vote","target":4}`, `3 "action":{"type":"vote","target":null}`, `wait`, `wait`,
	}
}
