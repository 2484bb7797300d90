package node_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	ws "github.com/coder/websocket"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/protocol/ludux"
)

// arenaScript is an arena that follows a script: it is called for each connection in turn.
type arenaScript struct {
	t      *testing.T
	script func(*end)
	url    string
	turn   sync.Mutex // held by the script

	mu     sync.Mutex
	refuse func(n int) int // the status of the answer to upgrade n, with two seconds to wait; 0: let through
	times  []time.Time     // of upgrades
	auth   []string
}

// end is the arena's end of a connection, the first being 1.
type end struct {
	t *testing.T
	n int
	*ws.Conn
}

func scripted(t *testing.T, script func(*end)) *arenaScript {
	t.Helper()
	a := &arenaScript{t: t, script: script, refuse: func(int) int { return 0 }}
	server := httptest.NewServer(a)
	a.url = "ws" + strings.TrimPrefix(server.URL, "http") + "/agents"
	t.Cleanup(server.Close)
	return a
}

func (a *arenaScript) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	a.times = append(a.times, time.Now())
	a.auth = append(a.auth, r.Header.Get("Authorization"))
	n := len(a.times)
	status := a.refuse(n)
	a.mu.Unlock()
	if status != 0 {
		w.Header().Set("Retry-After", "2")
		w.WriteHeader(status)
		return
	}
	conn, err := ws.Accept(w, r, nil)
	if err != nil {
		a.t.Error(err)
		return
	}
	defer conn.CloseNow()
	conn.SetReadLimit(ludux.MaxFrame)
	a.turn.Lock()
	defer a.turn.Unlock()
	a.script(&end{a.t, n, conn})
}

// refuses says which upgrades are refused.
func (a *arenaScript) refuses(refuse func(n int) int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.refuse = refuse
}

func (c *end) send(m ludux.Message) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := c.Write(ctx, ws.MessageText, m.Append(nil)); err != nil {
		c.t.Errorf("connection %d: %s: %v", c.n, m.Kind(), err)
	}
}

func (c *end) welcome() {
	c.send(&ludux.Welcome{Agent: ludux.Identity{Slug: "ann"}, MaxFrame: ludux.MaxFrame})
}

// ask sends a request with a thousand legal actions, so that no two choices are the same by chance.
func (c *end) ask(match string, seq int64, left time.Duration) {
	m := &ludux.ActionRequest{
		MatchID: match, Game: "numbers", GameVersion: "1.0.0", Ruleset: json.RawMessage(`{}`), Agent: ludux.Identity{Slug: "ann"}, Seq: seq,
		Deadline: left, DeadlineAt: time.Now().Add(left), IssuedAt: time.Now(), State: json.RawMessage(`{}`),
	}
	for i := range 1000 {
		m.LegalActions = append(m.LegalActions, game.Action(fmt.Sprint(i)))
	}
	c.send(m)
}

// response reads the next one, and wants it to be about a request.
func (c *end) response(match string, seq int64) *ludux.ActionResponse {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	_, frame, err := c.Read(ctx)
	if err != nil {
		c.t.Errorf("connection %d: %v", c.n, err)
		return &ludux.ActionResponse{}
	}
	m, err := ludux.DecodeFromAgent(frame)
	if err != nil {
		c.t.Errorf("connection %d: %v: %s", c.n, err, frame)
		return &ludux.ActionResponse{}
	}
	r, ok := m.(*ludux.ActionResponse)
	if !ok || r.MatchID != match || r.Seq != seq {
		c.t.Errorf("connection %d: %+v", c.n, m)
		return &ludux.ActionResponse{}
	}
	return r
}

// over ends the one match that the agent was started for.
func (c *end) over(match string) {
	c.send(&ludux.MatchEnd{MatchID: match, Reason: "connect", Outcome: ludux.Draw})
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if _, frame, err := c.Read(ctx); err == nil {
		c.t.Errorf("connection %d: after the end: %s", c.n, frame)
	}
}

// TestResume breaks the connection before and after the answer: the same request gets the same answer.
func TestResume(t *testing.T) {
	dir := install(t)
	var first *ludux.ActionResponse
	a := scripted(t, func(c *end) {
		c.welcome()
		c.ask("m-1", 5, time.Minute)
		r := c.response("m-1", 5)
		switch {
		case first == nil:
			first = r
		case *r != *first:
			t.Errorf("connection %d: %+v, at first %+v", c.n, r, first)
		}
		if c.n < 5 {
			if c.n%2 == 0 {
				c.Close(ws.StatusGoingAway, "restart")
			}
			return
		}
		c.ask("m-1", 5, time.Minute) // and on one connection
		if r := c.response("m-1", 5); *r != *first {
			t.Errorf("%+v, at first %+v", r, first)
		}
		c.ask("m-1", 6, time.Minute)
		if r := c.response("m-1", 6); r.Action == first.Action {
			t.Errorf("%+v again", r)
		}
		c.over("m-1")
	})
	start(t, dir, "secret-key", "--url", a.url, "--matches", "1").ends(0, "connection lost", `1001 "restart"`)
	for _, auth := range a.auth {
		if auth != "Bearer secret-key" {
			t.Errorf("authorization %q", auth)
		}
	}
}

// TestSlowThought breaks the connection while choose thinks: it is called once, and what it found goes to the connection that asked last.
func TestSlowThought(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes seconds")
	}
	dir := withChoose(t, `
let calls = 0;
const gate = () => {
  let open;
  const opened = new Promise((resolve) => (open = resolve));
  return { open, opened };
};
const first = gate(), second = gate();
export async function choose({ match_id: match, seq }) {
  const call = ++calls;
  if (match === "m-0") first.open();
  if (seq === 7) second.open();
  await (match === "m-1" && seq === 5 ? first : match === "m-2" || seq === 6 ? second : {}).opened;
  return { action: call, commentary: "é".repeat(300) };
}`)
	a := scripted(t, func(c *end) {
		c.welcome()
		if c.n < 4 {
			c.ask("m-1", 5, time.Minute)
			c.Close(ws.StatusGoingAway, "restart") // when that has been read
			return
		}
		c.ask("m-0", 1, time.Minute) // with which the other is found, too; it must not be told before it is asked for
		if r := c.response("m-0", 1); r.Action != "2" {
			t.Errorf("%+v", r)
		}
		c.ask("m-1", 5, time.Minute)
		if r := c.response("m-1", 5); r.Action != "1" || r.Commentary != strings.Repeat("é", 280) {
			t.Errorf("%+v", r)
		}
		c.ask("m-2", 1, time.Minute)
		c.send(&ludux.MatchEnd{MatchID: "m-2", Reason: "expiry", Outcome: ludux.None}) // whose answer nobody wants
		c.ask("m-1", 6, time.Minute)
		c.ask("m-1", 7, time.Minute) // nor that of 6
		if r := c.response("m-1", 7); r.Action != "5" {
			t.Errorf("%+v", r)
		}
		c.over("m-1")
	})
	start(t, dir, "secret-key", "--url", a.url, "--matches", "2").ends(0)
}

// TestForgets has more matches open than the agent keeps in mind: the one that was asked about longest ago goes first.
func TestForgets(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes seconds")
	}
	dir := withChoose(t, "let calls = 0;\nexport const choose = () => ({ action: ++calls });")
	a := scripted(t, func(c *end) {
		c.welcome()
		played := func(match string) game.Action {
			c.ask(match, 1, time.Minute)
			return c.response(match, 1).Action
		}
		played("m-0")
		played("kept")
		for i := range 1200 {
			played(fmt.Sprint("m-", i+1))
			if i%600 == 599 {
				if again := played("kept"); again != "2" {
					t.Errorf("after %d others it is played again: %s", i, again)
				}
			}
		}
		if again := played("m-0"); again != "1203" {
			t.Errorf("%s: it is still known", again)
		}
		c.over("m-0")
	})
	start(t, dir, "secret-key", "--url", a.url, "--matches", "1").ends(0)
}

// TestBadChoose has a choose that is of no use: the first legal action is better than none.
func TestBadChoose(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes seconds")
	}
	dir := withChoose(t, `
export function choose(request, { signal }) {
  switch (request.match_id.replace(/ .*/, "")) {
    case "throws": throw new Error("\u001b[31mno idea");
    case "rejects": return Promise.reject("nothing");
    case "nothing": return;
    case "null": return { action: null };
    case "large": return { action: "x".repeat(40000) };
    case "never": return new Promise(() => signal.addEventListener("abort", () => console.error("it was aborted")));
  }
}`)
	a := scripted(t, func(c *end) {
		c.welcome()
		first := func(match string, left time.Duration) time.Duration {
			began := time.Now()
			c.ask(match, 1, left)
			if r := c.response(match, 1); r.Action != "0" {
				t.Errorf("%s: %+v", match, r)
			}
			return time.Since(began)
		}
		for _, match := range []string{"throws", "rejects", "nothing", "null", "large"} {
			first(match, time.Minute)
		}
		// It keeps a fifth of the time for the way, up to a second. A busy machine may need more, but not each time.
		const left = 2 * time.Second
		took := first("never 1", left)
		for n := 2; took >= left && n < 6; n++ {
			took = first(fmt.Sprint("never ", n), left)
		}
		if took < 1500*time.Millisecond || took >= left {
			t.Errorf("it took %v of %v", took, left)
		}
		c.over("never 1")
	})
	start(t, dir, "secret-key", "--url", a.url, "--matches", "1").ends(0, `"\u001b[31mno idea"`, "it was aborted", "out of time")
}

// TestNoAction lists nothing that can be answered: null is no action, and what is written with more digits does not fit. That ends nobody.
func TestNoAction(t *testing.T) {
	dir := install(t)
	a := scripted(t, func(c *end) {
		c.welcome()
		ask := func(match string, action game.Action) {
			c.send(&ludux.ActionRequest{
				MatchID: match, Game: "odd", GameVersion: "1.0.0", Ruleset: json.RawMessage(`{}`), Agent: ludux.Identity{Slug: "ann"}, Seq: 1,
				Deadline: time.Minute, DeadlineAt: time.Now().Add(time.Minute), IssuedAt: time.Now(), State: json.RawMessage(`{}`), LegalActions: []game.Action{action},
			})
		}
		ask("large", game.Action("["+strings.Repeat("1e20,", 6000)+"1]"))
		ask("null", "null")
		ask("m-1", "7")
		if r := c.response("m-1", 1); r.Action != "7" {
			t.Errorf("%+v", r)
		}
		c.over("m-1")
	})
	start(t, dir, "secret-key", "--url", a.url, "--matches", "1").ends(0, "more than 32768 bytes", "no action was chosen", "nor can the first legal action be taken")
}

// TestPauses: what the arena asks for is heeded, on a connection and between two.
func TestPauses(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes seconds")
	}
	dir := install(t)
	a := scripted(t, func(c *end) {
		c.welcome()
		if c.n == 1 {
			return
		}
		c.ask("m-1", 1, time.Minute)
		first := c.response("m-1", 1)
		began := time.Now()
		c.send(&ludux.Error{Code: ludux.CodeRateLimited, MatchID: "m-1", Seq: 1, RetryAfter: 700 * time.Millisecond})
		if r := c.response("m-1", 1); *r != *first {
			t.Errorf("%+v, at first %+v", r, first)
		}
		if took := time.Since(began); took < 650*time.Millisecond {
			t.Errorf("again after %v", took)
		}
		c.over("m-1")
	})
	a.refuses(func(n int) int { return map[int]int{2: http.StatusServiceUnavailable}[n] })
	start(t, dir, "secret-key", "--url", a.url, "--matches", "1").ends(0, "status 503")
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.times) != 3 || a.times[2].Sub(a.times[1]) < 1900*time.Millisecond {
		t.Errorf("upgrades at %v", a.times)
	}
}

// TestNoise: what is no message is passed over, and an arena that has vanished is found out.
func TestNoise(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes seconds")
	}
	dir := install(t)
	a := scripted(t, func(c *end) {
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		if c.n == 1 {
			c.send(&ludux.Welcome{Agent: ludux.Identity{Slug: "ann"}, Ping: 100 * time.Millisecond})
			c.Read(ctx) // without a ping
			return
		}
		c.welcome()
		for _, text := range []string{"hello", "null", "[]", "{}", `{"protocol":"ludux/2","type":"welcome"}`, `{"protocol":"ludux/1","type":"weather"}`,
			`{"protocol":"ludux/1","type":"action_request"}`, `{"protocol":"ludux/1","type":"action_request","legal_actions":[],"seq":1}`} {
			c.Write(ctx, ws.MessageText, []byte(text))
		}
		c.Write(ctx, ws.MessageBinary, []byte("hello"))
		c.ask("m-1", 1, time.Minute)
		c.response("m-1", 1)
		c.over("m-1")
	})
	p := start(t, dir, "secret-key", "--url", a.url, "--matches", "1")
	p.ends(0, "no sign of life")
	if n := strings.Count(p.err.String(), "a frame that is no message of the protocol"); n != 8 {
		t.Errorf("%d complaints about frames:\n%s", n, p.err.String())
	}
}
