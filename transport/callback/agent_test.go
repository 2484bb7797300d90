package callback_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matchreferee/arena/protocol/agentarena"
	"github.com/matchreferee/arena/transport/callback"
)

// moveRequest is a request as JSON.
func moveRequest(match string, move, strikes int, nonce string, legal ...string) string {
	b, err := json.Marshal(map[string]any{
		"protocol": "agentarena/1", "type": "move_request", "match_id": match, "game": "connect4", "you": "X", "opponent": "GREMLIN-9",
		"move_number": move, "board": "", "legal": legal, "strikes": strikes, "deadline_ms": 10000, "nonce": nonce, "replay_url": "https://arena.example/",
	})
	if err != nil {
		panic(err)
	}
	return string(b)
}

// post asks a handler, and gives status and reply.
func post(ctx context.Context, h http.Handler, body string) (int, agentarena.Reply) {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequestWithContext(ctx, "POST", "/play", strings.NewReader(body)))
	var r agentarena.Reply
	if w.Code == http.StatusOK && json.Unmarshal(w.Body.Bytes(), &r) != nil {
		panic("the reply is no JSON: " + w.Body.String())
	}
	return w.Code, r
}

func newAgent(t testing.TB, o callback.AgentOptions, play func(context.Context, agentarena.MoveRequest) (agentarena.Reply, error)) http.Handler {
	t.Helper()
	h, err := callback.Agent(play, o)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// numbered answers each call with another move: "1", "2", ...
func numbered(calls *atomic.Int32, reason string) func(context.Context, agentarena.MoveRequest) (agentarena.Reply, error) {
	return func(context.Context, agentarena.MoveRequest) (agentarena.Reply, error) {
		return agentarena.Reply{Move: fmt.Sprint(calls.Add(1)), Nonce: "never used", Reason: reason}, nil
	}
}

// TestAgentRepeats sends requests for one match in order and expects each to get
// the answer of a certain call of the function.
func TestAgentRepeats(t *testing.T) {
	type ask struct {
		match         string
		move, strikes int
		legal         string
		want          string
	}
	for _, c := range []struct {
		name   string
		reason string
		asks   []ask
	}{
		{"the same again", "", []ask{{"m", 1, 0, "123", "1"}, {"m", 1, 0, "123", "1"}, {"m", 1, 0, "123", "1"}}},
		{"other moves and matches", "", []ask{{"m", 1, 0, "123", "1"}, {"m", 2, 0, "123", "2"}, {"n", 1, 0, "123", "3"}, {"m", 1, 0, "123", "1"}, {"n", 1, 0, "123", "3"}}},
		{"a strike for a listed move: it got lost", "", []ask{{"m", 1, 0, "123", "1"}, {"m", 1, 1, "123", "1"}, {"m", 1, 2, "123", "1"}}},
		{"a strike for a move that is not listed", "", []ask{{"m", 1, 0, "345", "1"}, {"m", 1, 1, "345", "2"}, {"m", 1, 1, "345", "2"}, {"m", 1, 2, "345", "3"}, {"m", 1, 3, "345", "3"}}},
		{"a strike for words that may be the move", "hello", []ask{{"m", 1, 0, "123", "1"}, {"m", 1, 0, "123", "1"}, {"m", 1, 1, "123", "2"}}},
		{"strikes of before", "hello", []ask{{"m", 1, 2, "123", "1"}, {"m", 1, 2, "123", "1"}, {"m", 1, 1, "123", "1"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var calls atomic.Int32
			h := newAgent(t, callback.AgentOptions{}, numbered(&calls, c.reason))
			for i, a := range c.asks {
				nonce := fmt.Sprint("nonce ", i)
				status, r := post(t.Context(), h, moveRequest(a.match, a.move, a.strikes, nonce, strings.Split(a.legal, "")...))
				if status != 200 || r != (agentarena.Reply{Move: a.want, Nonce: nonce, Reason: c.reason}) {
					t.Errorf("request %d: %d %+v, want move %s", i, status, r, a.want)
				}
			}
		})
	}
}

// TestAgentTogether asks the same many times at once.
func TestAgentTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var calls atomic.Int32
		h := newAgent(t, callback.AgentOptions{Concurrent: 1}, func(_ context.Context, m agentarena.MoveRequest) (agentarena.Reply, error) {
			calls.Add(1)
			<-time.After(time.Second)
			return agentarena.Reply{Move: m.Legal[0]}, nil
		})
		var wg sync.WaitGroup
		for i := range 50 {
			wg.Go(func() {
				nonce := fmt.Sprint(i)
				if status, r := post(t.Context(), h, moveRequest("m", 1, 0, nonce, "a")); status != 200 || r.Move != "a" || r.Nonce != nonce {
					t.Errorf("%d: %d %+v", i, status, r)
				}
			})
		}
		synctest.Wait()
		if status, _ := post(t.Context(), h, moveRequest("m", 2, 0, "x", "a")); status != http.StatusServiceUnavailable {
			t.Errorf("another position while the only place is taken: %d", status)
		}
		wg.Wait()
		if n := calls.Load(); n != 1 {
			t.Errorf("called %d times", n)
		}
		if status, _ := post(t.Context(), h, moveRequest("m", 2, 0, "x", "a")); status != 200 {
			t.Errorf("another position afterwards: %d", status)
		}
	})
}

// TestAgentSlow thinks for longer than the deadline: the request that follows the
// strike gets what the first one's thinking finds.
func TestAgentSlow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var calls atomic.Int32
		h := newAgent(t, callback.AgentOptions{}, func(ctx context.Context, m agentarena.MoveRequest) (agentarena.Reply, error) {
			calls.Add(1)
			select {
			case <-time.After(12 * time.Second):
				return agentarena.Reply{Move: "a", Reason: "at last"}, nil
			case <-ctx.Done():
				return agentarena.Reply{}, ctx.Err()
			}
		})
		begun := time.Now()
		first := func(match string) {
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			defer cancel()
			if status, _ := post(ctx, h, moveRequest(match, 1, 0, "x", "a")); status != http.StatusInternalServerError {
				t.Errorf("the first of %s: %d", match, status)
			}
		}
		first("m")
		<-time.After(250 * time.Millisecond)
		status, r := post(t.Context(), h, moveRequest("m", 1, 1, "y", "a"))
		if status != 200 || r.Move != "a" || r.Nonce != "y" || calls.Load() != 1 || time.Since(begun) != 12*time.Second {
			t.Errorf("the second of m: %d %+v after %v and %d calls", status, r, time.Since(begun), calls.Load())
		}
		first("n")
		<-time.After(3 * time.Second) // it is found while nobody waits
		begun = time.Now()
		status, r = post(t.Context(), h, moveRequest("n", 1, 1, "y", "a"))
		if status != 200 || r.Move != "a" || calls.Load() != 2 || time.Since(begun) != 0 {
			t.Errorf("the second of n: %d %+v after %v and %d calls", status, r, time.Since(begun), calls.Load())
		}
	})
}

// TestAgentAbandoned ends thinking that nobody waits for.
func TestAgentAbandoned(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var ended atomic.Int64
		begun := time.Now()
		h := newAgent(t, callback.AgentOptions{Linger: 3 * time.Second}, func(ctx context.Context, m agentarena.MoveRequest) (agentarena.Reply, error) {
			<-ctx.Done()
			ended.Store(int64(time.Since(begun)))
			return agentarena.Reply{}, ctx.Err()
		})
		for range 2 { // the second comes back in time, and leaves again
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
			post(ctx, h, moveRequest("m", 1, 0, "x", "a"))
			cancel()
			<-time.After(time.Second)
		}
		if ended.Load() != 0 {
			t.Fatal("it ended while somebody waited, or soon after")
		}
		<-time.After(10 * time.Second)
		if got := time.Duration(ended.Load()); got != 8*time.Second { // 2+1+2, then 3
			t.Errorf("ended after %v", got)
		}
	})
}

// TestAgentFails lets the function fail; its answer is not kept.
func TestAgentFails(t *testing.T) {
	n := 0
	h := newAgent(t, callback.AgentOptions{}, func(context.Context, agentarena.MoveRequest) (agentarena.Reply, error) {
		switch n++; n {
		case 1:
			panic("index out of range")
		case 2:
			return agentarena.Reply{Move: "a"}, errors.New("the model is down: key sk-123")
		}
		return agentarena.Reply{Move: "a"}, nil
	})
	for i, want := range []int{500, 500, 200, 200} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("POST", "/", strings.NewReader(moveRequest("m", 1, i, "x", "a"))))
		if w.Code != want || strings.Contains(w.Body.String(), "sk-123") || strings.Contains(w.Body.String(), "index") {
			t.Errorf("request %d: %d %s", i, w.Code, w.Body)
		}
	}
	if n != 3 {
		t.Errorf("called %d times", n)
	}
}

// TestAgentForgets keeps the newest answers alone.
func TestAgentForgets(t *testing.T) {
	var calls atomic.Int32
	h := newAgent(t, callback.AgentOptions{Remember: 2}, numbered(&calls, ""))
	for i, c := range []struct {
		move int
		want string
	}{{1, "1"}, {2, "2"}, {1, "1"}, {3, "3"}, {2, "2"}, {3, "3"}, {1, "4"}, {3, "3"}, {2, "5"}} {
		if _, r := post(t.Context(), h, moveRequest("m", c.move, 0, "x", "a")); r.Move != c.want {
			t.Errorf("request %d: %s, want %s", i, r.Move, c.want)
		}
	}
}

func TestAgentRefuses(t *testing.T) {
	var calls atomic.Int32
	h := newAgent(t, callback.AgentOptions{}, numbered(&calls, ""))
	for _, c := range []struct {
		method, body string
		want         int
	}{
		{"GET", "", 405}, {"PUT", moveRequest("m", 1, 0, "x", "a"), 405},
		{"POST", "", 400}, {"POST", "{}", 400}, {"POST", "null", 400}, {"POST", moveRequest("m", 1, 0, "x", "a")[1:], 400},
		{"POST", moveRequest("m", 1, 0, "x"), 400},
		{"POST", moveRequest("m", 1, 0, "x", "a") + strings.Repeat(" ", agentarena.MaxRequest), 413},
	} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(c.method, "/", strings.NewReader(c.body)))
		if w.Code != c.want {
			t.Errorf("%s %.40q: %d, want %d", c.method, c.body, w.Code, c.want)
		}
	}
	if n := calls.Load(); n != 0 {
		t.Errorf("called %d times", n)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("POST", "/", failing{}))
	if w.Code != 400 {
		t.Errorf("a body that breaks off: %d", w.Code)
	}
	_, err := callback.Agent(nil, callback.AgentOptions{Remember: -1, Linger: -1, Concurrent: -1})
	for _, field := range []string{"Remember", "Linger", "Concurrent", "play"} {
		if err == nil || !strings.Contains(err.Error(), "callback: "+field+": ") {
			t.Errorf("no word about %s in %v", field, err)
		}
	}
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errors.New("broken") }

// agentSeeds are request bodies for the fuzzer.
func agentSeeds() []string {
	return []string{
		moveRequest("m", 1, 0, "x", "a", "b"), moveRequest("m", 1, 1, "y", "a", "b"), moveRequest("n", 2, 0, "z", "say", "pass"),
		"", "{}", "null", "[]", `{"protocol":"agentarena/1"}`, strings.Repeat("[", 40), "\xef\xbb\xbf" + moveRequest("m", 3, 0, "x", "a"),
	}
}

// FuzzAgent sends any bytes: the handler answers with a status that fits, and
// with a nonce that it was given.
func FuzzAgent(f *testing.F) {
	seeds := agentSeeds()
	if len(seeds) < 5 {
		f.Fatal("no seeds")
	}
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	h := newAgent(f, callback.AgentOptions{Remember: 8}, func(_ context.Context, m agentarena.MoveRequest) (agentarena.Reply, error) {
		return agentarena.Reply{Move: m.Legal[0]}, nil
	})
	f.Fuzz(func(t *testing.T, body []byte) {
		m, err := agentarena.DecodeRequest(body)
		status, r := post(t.Context(), h, string(body))
		if (err == nil) != (status == 200) || status != 200 && status != 400 && status != 413 {
			t.Fatalf("%d where decoding says %v", status, err)
		}
		if err == nil && r.Nonce != strings.ToValidUTF8(m.Nonce, "\ufffd") {
			t.Fatalf("nonce %q, want %q", r.Nonce, m.Nonce)
		}
	})
}

// TestAgentPoison lets a stranger ask first about the moves of a match, with
// another position, side, game, legal moves, time or opponent: the referee's own
// requests get what they would have got.
func TestAgentPoison(t *testing.T) {
	var calls atomic.Int32
	h := newAgent(t, callback.AgentOptions{}, func(_ context.Context, m agentarena.MoveRequest) (agentarena.Reply, error) {
		calls.Add(1)
		return agentarena.Reply{Move: m.Legal[len(m.Legal)-1]}, nil
	})
	honest := map[string]any{
		"protocol": "agentarena/1", "type": "move_request", "match_id": "m", "game": "connect4", "you": "X", "opponent": "GREMLIN-9", "move_number": 3,
		"board": "a board", "legal": []string{"a", "b"}, "strikes": 0, "deadline_ms": 10000, "nonce": "x", "replay_url": "https://arena.example/m",
	}
	ask := func(member string, value any) agentarena.Reply {
		t.Helper()
		m := maps.Clone(honest)
		if member != "" {
			m[member] = value
		}
		b, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		status, r := post(t.Context(), h, string(b))
		if status != 200 {
			t.Fatalf("%s: %d", b, status)
		}
		return r
	}
	others := map[string]any{
		"match_id": "n", "game": "chess", "you": "O", "opponent": "somebody", "move_number": 5, "board": "another",
		"legal": []string{"a", "b", "zzz"}, "deadline_ms": 1, "replay_url": "",
	}
	for member, value := range others {
		ask(member, value)
	}
	ask("legal", []string{"ab"}) // of the same letters
	if n := calls.Load(); n != int32(len(others))+1 {
		t.Errorf("%d calls for %d requests that differ", n, len(others)+1)
	}
	if r := ask("", nil); r.Move != "b" || calls.Load() != int32(len(others))+2 {
		t.Errorf("got %+v after %d calls", r, calls.Load())
	}
	for member, value := range map[string]any{"nonce": "y", "strikes": 1} {
		if r := ask(member, value); r.Move != "b" || calls.Load() != int32(len(others))+2 {
			t.Errorf("%s: got %+v after %d calls", member, r, calls.Load())
		}
	}
}
