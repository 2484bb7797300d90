package agentarena

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/referee"
)

const (
	goldenDir      = "../../testdata/agentarena"
	updateVariable = "GAMETEST_UPDATE" // that of the authors' kit: 1 writes golden files anew
)

// conversation is a whole match as its two ends see it. What is said in answer to each request, in order, is a status and a body in
// which NONCE stands for the nonce of the request; "silence" is no answer at all.
type conversation struct {
	name    string
	about   string
	game    game.Game
	agents  []string
	answers []string
}

func conversations() []conversation {
	letters := func(moves string) (out []string) {
		for _, c := range moves {
			out = append(out, fmt.Sprintf(`200 {"move":"%c","nonce":"NONCE"}`, c))
		}
		return out
	}
	return []conversation{
		{
			name: "connect4", about: "Connect Four, won in a column; most ways to a strike on the way, none of them fatal.",
			game: connectfour.New(), agents: two,
			answers: slices.Concat(letters("dc"), []string{
				`200 {"move":"h","nonce":"NONCE"}`,
				`200 {"nonce":"NONCE","move":"d","reason":"the \"centre\" again — 4 × d"}`,
				`200 Let me think: {"move":"c","nonce":"NONCE"}`,
				`200 {"move":"c","nonce":"7f3a"}`,
				`200 {"move":"c","nonce":"NONCE","confidence":0.7}`,
				`503`,
			}, letters("dcd")),
		},
		{
			name: "connect4_forfeit", about: "Connect Four, forfeited: silence, a redirect, silence.",
			game: connectfour.New(), agents: two,
			answers: append(letters("dde"), "silence", "302", "silence"),
		},
		{
			name: "connect4_draw", about: "Connect Four, the board full without a line.",
			game: connectfour.New(), agents: two,
			answers: letters("abffaeebegagbdffgafbedceedddaafdcgccbcgcbg"),
		},
		{
			name: "parley", about: "A game whose moves cannot be listed, for three: words travel in the reason. Cy is out after three strikes.",
			game: game.New(parley{}), agents: []string{"Ann", "Bob", "Cy"},
			answers: []string{
				`200 {"move":"say","nonce":"NONCE","reason":"I trust \"Cy\" — <b>fully</b>"}`,
				`200 {"move":"pass","nonce":"NONCE","reason":"nothing to add"}`,
				`200 {"move":"shout","nonce":"NONCE"}`,
				`200 {}`,
				`200 {"move":"say","nonce":"NONCE","reason":"damn"}`,
				`200 {"move":"say","nonce":"NONCE"}`,
				`200 {"move":"vote 0","nonce":"NONCE"}`,
			},
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

// run plays a conversation and writes it down.
func (c conversation) run(t *testing.T) string {
	m := newMatch(t, c.game, c.agents...)
	var out strings.Builder
	fmt.Fprintf(&out, "# %s\n# >: a request, <: status and body that answer it, =: what the referee records, with the milliseconds since the start.\n", c.about)
	now := began
	for i, ans := range c.answers {
		if now = waitOpen(m, now); now == 0 {
			t.Fatalf("the match is over before answer %d", i)
		}
		r := openRequest(t, m)
		nonce := fmt.Sprintf("7f3a%028x", i+1)
		if _, ok, _ := m.Sent(now, r.Seat, r.Ask); !ok {
			t.Fatalf("request %d is closed", i)
		}
		fmt.Fprintf(&out, "\n> %s\n", AppendRequest(nil, r, nonce, replayURL))
		var o referee.Output
		if ans == "silence" {
			now += 10_000
			o = m.Tick(now)
		} else {
			now += 1200
			ans = strings.ReplaceAll(ans, "NONCE", nonce)
			code, body, _ := strings.Cut(ans, " ")
			status, err := strconv.Atoi(code)
			if err != nil {
				t.Fatal(err)
			}
			a := Decode(status, []byte(body), nonce, r)
			_, o = m.Answer(now, r.Seat, &a)
		}
		fmt.Fprintf(&out, "< %s\n", ans)
		for _, e := range o.Events {
			fmt.Fprintf(&out, "= %d %s\n", now-began, describe(m, &e))
		}
	}
	if _, over := m.Result(); !over {
		t.Fatalf("the match is not over after %d answers", len(c.answers))
	}
	return out.String()
}

// waitOpen gives the time when a request is open, 0 if there will be none.
func waitOpen(m *referee.Match, now referee.Time) referee.Time {
	for {
		if _, over := m.Result(); over {
			return 0
		}
		for s := range game.Seat(len(m.Setup().Seats)) {
			if _, ok := m.Open(s); ok {
				return now
			}
		}
		now = m.Wake()
		m.Tick(now)
	}
}

func describe(m *referee.Match, e *referee.Event) string {
	switch e.Kind {
	case referee.KindMove:
		s := fmt.Sprintf("seat %v moves %s", e.Seat, e.Action)
		if e.X != nil && e.X.Note != "" {
			s += fmt.Sprintf(", noting %q", e.X.Note)
		}
		return s
	case referee.KindFault:
		return fmt.Sprintf("seat %v: %v, %v (%s)", e.Seat, e.X.Fault, e.X.Do, e.X.Detail)
	case referee.KindEnd:
		res, _ := m.Result()
		return fmt.Sprintf("end: %v, %s, %v", res.Cause, res.Reason, res.Returns)
	}
	return e.Kind.String()
}
