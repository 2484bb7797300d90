package callback_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/protocol/ludux"
	"github.com/matchreferee/arena/transport/callback"
)

type playFunc = func(context.Context, *ludux.ActionRequest) (*ludux.ActionResponse, error)

func newSignedAgent(t testing.TB, play playFunc, o callback.SignedAgentOptions) http.Handler {
	t.Helper()
	v, err := callback.NewVerifier(callback.VerifierOptions{Secrets: []callback.Secret{theSecret}})
	if err != nil {
		t.Fatal(err)
	}
	o.Verifier = v
	h, err := callback.SignedAgent(play, o)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// action is a request; its DeadlineAt and IssuedAt are those of now.
func action(match string, seq int64, left time.Duration, legal ...game.Action) *ludux.ActionRequest {
	now := time.Now()
	return &ludux.ActionRequest{
		MatchID: match, Game: "nim", GameVersion: "1", Ruleset: json.RawMessage(`{}`), Seq: seq, Deadline: left, DeadlineAt: now.Add(left), IssuedAt: now,
		State: json.RawMessage(`{}`), LegalActions: legal,
	}
}

// deliver sends a message, signed now.
func deliver(ctx context.Context, h http.Handler, m ludux.Message) (int, string) {
	return deliverRaw(ctx, h, "POST", string(m.Append(nil)), theSecret)
}

func deliverRaw(ctx context.Context, h http.Handler, method, body string, s callback.Secret) (int, string) {
	r := httptest.NewRequestWithContext(ctx, method, "/play", strings.NewReader(body))
	now := time.Now()
	r.Header = signedHeader("msg_1", now, callback.Sign("msg_1", now, []byte(body), s))
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Code, w.Body.String()
}

// counting answers each call with another commentary.
func counting(calls *atomic.Int32) playFunc {
	return func(_ context.Context, m *ludux.ActionRequest) (*ludux.ActionResponse, error) {
		return &ludux.ActionResponse{MatchID: "ignored", Seq: 99, Action: "3", Commentary: fmt.Sprint("call ", calls.Add(1))}, nil
	}
}

func answered(match string, seq int64, call int) string {
	return fmt.Sprintf(`{"protocol":"ludux/1","type":"action_response","match_id":%q,"seq":%d,"action":3,"commentary":"call %d"}`, match, seq, call)
}

func TestSignedAgentRepeats(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var calls atomic.Int32
		h := newSignedAgent(t, counting(&calls), callback.SignedAgentOptions{})
		full := action("m", 1, 15*time.Second, "3")
		other := *full
		other.State = json.RawMessage(`{"ply":1}`)
		schema := *full
		schema.ActionSchema = json.RawMessage(`{}`)
		version := *full
		version.GameVersion = "2"
		for i, c := range []struct {
			m    *ludux.ActionRequest
			call int
		}{
			{full, 1},
			{action("m", 1, 14*time.Second, "3"), 1},
			{action("m", 1, time.Millisecond, "3"), 1},
			{action("m", 2, 15*time.Second, "3"), 2},
			{action("n", 1, 15*time.Second, "3"), 3},
			{action("m", 1, 15*time.Second, "3", "4"), 4},
			{&other, 5}, {&schema, 6}, {&version, 7},
			{action("m", 1, 13*time.Second, "3"), 1},
			{action("m", 2, 13*time.Second, "3"), 2},
		} {
			<-time.After(time.Second)
			if status, body := deliver(t.Context(), h, c.m); status != 200 || body != answered(c.m.MatchID, c.m.Seq, c.call) {
				t.Errorf("request %d: %d %s", i, status, body)
			}
		}
	})
}

// TestSignedAgentForgets keeps so many answers.
func TestSignedAgentForgets(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var calls atomic.Int32
		h := newSignedAgent(t, counting(&calls), callback.SignedAgentOptions{AgentOptions: callback.AgentOptions{Remember: 2}})
		for i, c := range []struct {
			seq  int64
			call int
		}{{1, 1}, {2, 2}, {1, 1}, {3, 3}, {2, 2}, {1, 4}} {
			<-time.After(time.Second)
			if status, body := deliver(t.Context(), h, action("m", c.seq, time.Second, "3")); body != answered("m", c.seq, c.call) {
				t.Errorf("request %d: %d %s", i, status, body)
			}
		}
	})
}

// TestSignedAgentTogether asks the same many times at once, and something else.
func TestSignedAgentTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var calls atomic.Int32
		count := counting(&calls)
		h := newSignedAgent(t, func(ctx context.Context, m *ludux.ActionRequest) (*ludux.ActionResponse, error) {
			<-time.After(time.Minute)
			return count(ctx, m)
		}, callback.SignedAgentOptions{AgentOptions: callback.AgentOptions{Concurrent: 1}})
		var wg sync.WaitGroup
		for i := range 20 {
			wg.Go(func() {
				if status, body := deliver(t.Context(), h, action("m", 1, time.Hour-time.Duration(i)*time.Second, "3")); status != 200 || body != answered("m", 1, 1) {
					t.Errorf("%d: %d %s", i, status, body)
				}
			})
		}
		synctest.Wait()
		if status, _ := deliver(t.Context(), h, action("m", 2, time.Hour, "3")); status != http.StatusServiceUnavailable {
			t.Errorf("another request while the only place is taken: %d", status)
		}
		wg.Wait()
		if calls.Load() != 1 {
			t.Errorf("called %d times", calls.Load())
		}
	})
}

// TestSignedAgentFails lets the function fail in all ways that there are; then
// it is called again.
func TestSignedAgentFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		good := &ludux.ActionResponse{Action: "3", Commentary: "call 1"}
		for name, fail := range map[string]playFunc{
			"error": func(context.Context, *ludux.ActionRequest) (*ludux.ActionResponse, error) {
				return good, errors.New("the model is down: key sk-123")
			},
			"panic": func(context.Context, *ludux.ActionRequest) (*ludux.ActionResponse, error) {
				panic("index out of range")
			},
			"nil": func(context.Context, *ludux.ActionRequest) (*ludux.ActionResponse, error) { return nil, nil },
			"no action": func(_ context.Context, m *ludux.ActionRequest) (*ludux.ActionResponse, error) {
				return m.Respond("", ""), nil
			},
			"null": func(_ context.Context, m *ludux.ActionRequest) (*ludux.ActionResponse, error) {
				return m.Respond("null", ""), nil
			},
			"no JSON": func(_ context.Context, m *ludux.ActionRequest) (*ludux.ActionResponse, error) {
				return m.Respond("{3", ""), nil
			},
			"two values": func(_ context.Context, m *ludux.ActionRequest) (*ludux.ActionResponse, error) {
				return m.Respond(`3,"seq":4`, ""), nil
			},
			"too long": func(_ context.Context, m *ludux.ActionRequest) (*ludux.ActionResponse, error) {
				return m.Respond(game.Action(`"`+strings.Repeat("x", ludux.MaxReply)+`"`), ""), nil
			},
		} {
			n := 0
			h := newSignedAgent(t, func(ctx context.Context, m *ludux.ActionRequest) (*ludux.ActionResponse, error) {
				if n++; n == 1 {
					return fail(ctx, m)
				}
				return good, nil
			}, callback.SignedAgentOptions{})
			if status, body := deliver(t.Context(), h, action("m", 1, time.Second, "3")); status != 500 || body != "no action was found\n" {
				t.Errorf("%s: %d %s", name, status, body)
			}
			<-time.After(time.Second)
			if status, body := deliver(t.Context(), h, action("m", 1, time.Second, "3")); status != 200 || body != answered("m", 1, 1) {
				t.Errorf("%s, again: %d %s", name, status, body)
			}
		}
	})
}

// TestSignedAgentMessages sends it all sorts of things.
func TestSignedAgentMessages(t *testing.T) {
	var calls atomic.Int32
	var told []string
	h := newSignedAgent(t, counting(&calls), callback.SignedAgentOptions{
		Started: func(m *ludux.MatchStart) { told = append(told, "start "+m.MatchID) },
		Ended:   func(m *ludux.MatchEnd) { told = append(told, "end "+m.MatchID) },
	})
	start, end := &ludux.MatchStart{MatchID: "m"}, &ludux.MatchEnd{MatchID: "m", Outcome: ludux.Win}
	request := string(action("m", 1, time.Second, "3").Append(nil))
	for _, c := range []struct {
		name, method, body string
		secret             callback.Secret
		status             int
	}{
		{"a start", "POST", string(start.Append(nil)), theSecret, 204},
		{"an end", "POST", string(end.Append(nil)), theSecret, 204},
		{"an error", "POST", string((&ludux.Error{Code: ludux.CodeMatchOver}).Append(nil)), theSecret, 204},
		{"something new", "POST", `{"protocol":"ludux/1","type":"weather"}`, theSecret, 204},
		{"another protocol", "POST", `{"protocol":"ludux/2","type":"action_request"}`, theSecret, 400},
		{"no JSON", "POST", `{`, theSecret, 400},
		{"nothing", "POST", ``, theSecret, 400},
		{"not signed by us", "POST", request, callback.NewSecret(), 401},
		{"GET", "GET", request + " ", theSecret, 405},
		{"too long", "POST", request + strings.Repeat(" ", ludux.MaxFrame), theSecret, 413},
	} {
		if status, body := deliverRaw(t.Context(), h, c.method, c.body, c.secret); status != c.status {
			t.Errorf("%s: %d %s, want %d", c.name, status, body, c.status)
		}
	}
	if calls.Load() != 0 || fmt.Sprint(told) != "[start m end m]" {
		t.Errorf("called %d times, told %q", calls.Load(), told)
	}
	if status, body := deliverRaw(t.Context(), h, "POST", request, theSecret); status != 200 || calls.Load() != 1 {
		t.Errorf("the request itself: %d %s", status, body)
	}
	if status, _ := deliverRaw(t.Context(), h, "POST", request+" ", callback.NewSecret()); status != 401 || calls.Load() != 1 {
		t.Errorf("not signed: %d", status)
	}
}

func TestSignedAgentOptions(t *testing.T) {
	_, err := callback.SignedAgent(nil, callback.SignedAgentOptions{AgentOptions: callback.AgentOptions{Remember: -1}})
	if want := "callback: Remember: is negative\ncallback: Verifier: required\ncallback: play: is nil"; err == nil || err.Error() != want {
		t.Errorf("%v", err)
	}
}
