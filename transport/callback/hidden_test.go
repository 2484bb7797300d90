package callback_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/werewolf"
	"github.com/matchreferee/arena/protocol/ludux"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport/callback"
)

// tapped notes what is written to a connection.
type tapped struct {
	net.Conn
	mu      sync.Mutex
	written bytes.Buffer
}

func (c *tapped) Write(b []byte) (int, error) {
	c.mu.Lock()
	c.written.Write(b)
	c.mu.Unlock()
	return c.Conn.Write(b)
}

// village is a match of nine agents with an endpoint each, and what was written to each of
// them.
type village struct {
	setup  referee.Setup
	result *referee.Result
	wire   [9]string
	posts  *posts
	most   int // requests at once
}

// playVillage plays one; agents answer as act says.
func playVillage(t *testing.T, seed uint64, policy func(int) (referee.Policy, referee.Clock), act func(m *ludux.ActionRequest, n int) game.Action) *village {
	t.Helper()
	v := new(village)
	table, err := werewolf.New().Table(nil)
	if err != nil {
		t.Fatal(err)
	}
	v.setup = referee.Setup{ID: "m-hidden", Table: table, Secret: game.SeedFrom(seed), Salt: [32]byte(bytes.Repeat([]byte("salt"), 8))}
	var mu sync.Mutex
	var taps []*tapped
	n, now := 0, 0
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body bytes.Buffer
		body.ReadFrom(r.Body)
		m, err := ludux.DecodeFromArena(body.Bytes())
		if err != nil {
			panic(err)
		}
		asked, ok := m.(*ludux.ActionRequest)
		if !ok {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		mu.Lock()
		n++
		now++
		i := n
		v.most = max(v.most, now)
		mu.Unlock()
		synctestPause()
		mu.Lock()
		now--
		mu.Unlock()
		w.Write(asked.Respond(act(asked, i), "canary of a seat").Append(nil))
	})
	var p *posts
	o := callback.Options{
		Signed: &callback.Signed{Secrets: func(_ context.Context, a referee.Agent) ([]callback.Secret, error) {
			return []callback.Secret{secret(t, secretOf(a.Slug))}, nil
		}},
		Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
			c, err := p.dial(ctx, network, address)
			if err != nil {
				return nil, err
			}
			tap := &tapped{Conn: c}
			mu.Lock()
			taps = append(taps, tap)
			mu.Unlock()
			return tap, nil
		},
	}
	tr, p := serveOver(t, handler, o)
	v.posts = p
	rules, clock := policy(9)
	players := make([]referee.Player, 9)
	for i := range players {
		a := referee.Agent{Slug: fmt.Sprint("agent-", i), Name: fmt.Sprint("Agent ", i)}
		v.setup.Seats = append(v.setup.Seats, referee.SeatInfo{Agent: a, Transport: "callback", Policy: rules, Clock: clock})
		players[i] = seat(t, tr, a.Slug, fmt.Sprintf("http://agent.example/%d", i))
	}
	if v.result, err = new(referee.Local).Play(t.Context(), v.setup, players...); err != nil {
		t.Fatal(err)
	}
	tr.Close()
	for _, tap := range taps {
		text := tap.written.String()
		var i int
		if _, err := fmt.Sscanf(text, "POST /%d ", &i); err != nil {
			t.Fatalf("%q: %v", text[:min(40, len(text))], err)
		}
		if strings.Count(text, "POST /") != strings.Count(text, fmt.Sprintf("POST /%d ", i)) {
			t.Fatal("a connection has requests of two agents")
		}
		v.wire[i] += text
	}
	return v
}

// secretOf is an agent's own secret, as text.
func secretOf(slug string) string { return encodeSecret("a canary of the agent " + slug) }

// forms are the ways in which bytes may be written.
func forms(b []byte) []string {
	return []string{
		string(b), hex.EncodeToString(b), strings.ToUpper(hex.EncodeToString(b)), strings.Trim(strings.ReplaceAll(fmt.Sprint(b), " ", ","), "[]"),
		strings.TrimRight(base64.StdEncoding.EncodeToString(b), "="), base64.RawURLEncoding.EncodeToString(b),
	}
}

// namesRole reports whether a text names a role.
func namesRole(text string) bool {
	return strings.Contains(text, "villager") || strings.Contains(text, "seer") || strings.Contains(text, "werewol")
}

// heads gives the heads of requests.
func heads(wire string) (list []string) {
	for {
		_, rest, ok := strings.Cut(wire, "POST /")
		if !ok {
			return list
		}
		var head string
		head, wire, _ = strings.Cut(rest, "\r\n\r\n")
		list = append(list, head)
	}
}

// told gives what a message says about roles that its reader may not know.
func told(message []byte, own string) (found []string) {
	var v any
	if err := json.Unmarshal(message, &v); err != nil {
		return []string{err.Error()}
	}
	holder := map[string]string{"packmates": "werewolf", "kills": "werewolf", "peeks": "seer"}
	var walk func(name string, v any)
	walk = func(name string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for k, in := range v {
				_, dead := v["alive"].(bool)
				dead = dead && v["alive"] == false
				switch {
				case k == "role" && (dead || v["type"] == "death" || v["type"] == "eliminated"):
				case k == "your_role" && in == own:
				case k == "game" && in == "werewolf":
				case holder[k] != "" && holder[k] != own:
					found = append(found, k)
				case namesRole(k):
					if k != "is_werewolf" || own != "seer" {
						found = append(found, k)
					}
				default:
					walk(k, in)
				}
			}
		case []any:
			for _, in := range v {
				walk(name, in)
			}
		case string:
			if namesRole(v) {
				found = append(found, name+": "+v)
			}
		}
	}
	walk("", v)
	return found
}

// TestHidden searches every byte that goes to any of the nine agents of a match
// of Werewolf in signed POSTs.
func TestHidden(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := playVillage(t, 7, ludux.Policy, func(m *ludux.ActionRequest, n int) game.Action {
			switch {
			case n%7 == 0:
				return `{"type":"kill","target":99}` // illegal: a miss
			case m.ActionSchema != nil:
				return `{"type":"say","text":"I am who I am"}`
			}
			return m.LegalActions[n%len(m.LegalActions)]
		})
		if v.result.Cause != referee.CausePlay {
			t.Fatalf("got %v, %s", v.result.Cause, v.result.Reason)
		}
		roles, phases := [9]string{}, map[string]int{}
		for _, x := range v.posts.all(ludux.KindActionRequest) {
			var view struct {
				Role string `json:"your_role"`
			}
			if err := json.Unmarshal(x.asked.State, &view); err != nil {
				t.Fatal(err)
			}
			roles[x.asked.Seat] = view.Role
			phases[x.asked.Phase]++
		}
		if phases["night_action"] == 0 || phases["day_discussion"] == 0 || phases["day_vote"] == 0 || v.most < 2 {
			t.Fatalf("only %v, %d requests at once", phases, v.most)
		}
		// Ids and signatures are digests of what may be known; the rest is read.
		for _, x := range v.posts.all("") {
			if x.kind == ludux.KindMatchEnd {
				continue // nothing is hidden any more
			}
			var i int
			fmt.Sscanf(x.path, "/%d", &i)
			if found := told(x.body, roles[i]); found != nil {
				t.Errorf("to seat %d, %s: %q\n%s", i, roles[i], found, x.body)
			}
			if x.asked != nil && int(x.asked.Seat) != i {
				t.Errorf("seat %v is asked at %s", x.asked.Seat, x.path)
			}
		}
		for i, wire := range v.wire {
			canaries := append(forms(v.setup.Secret[:]), forms(v.setup.Salt[:])...)
			for j := range 9 {
				canaries = append(canaries, forms([]byte(fmt.Sprint("a canary of the agent agent-", j)))...)
			}
			for _, c := range append(canaries, "canary of a seat", "whsec_", "canary of") {
				if strings.Contains(wire, c) {
					t.Errorf("%q went to seat %d", c, i)
				}
			}
			if list := heads(wire); len(list) < 2 || namesRole(strings.Join(list, "")) {
				t.Errorf("%d heads to seat %d, or a role is in one", len(list), i)
			}
			if n := strings.Count(wire, `"type":"match_start"`); n != 1 {
				t.Errorf("seat %d has heard of the start %d times", i, n)
			}
		}
	})
}

// TestToldIsFound: the search above finds what it looks for.
func TestToldIsFound(t *testing.T) {
	for message, ok := range map[string]bool{
		`{"game":"werewolf","your_role":"seer","private":{"peeks":[{"is_werewolf":true}]},"players":[{"seat":1,"alive":false,"role":"werewolf"}]}`: true,
		`{"your_role":"werewolf"}`: false,
		`{"players":[{"seat":1,"alive":true,"role":"x"},{"role":"seer","alive":true}]}`: false,
		`{"private":{"packmates":[1]}}`:           false,
		`{"opponents":[{"name":"the werewolf"}]}`: false,
		`{"werewolves":[1]}`:                      false,
		`{"public_log":[{"text":"a villager"}]}`:  false,
	} {
		if found := told([]byte(message), "seer"); (found == nil) != ok {
			t.Errorf("%s: %q", message, found)
		}
	}
}
