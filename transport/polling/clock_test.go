package polling_test

import (
	"context"
	"fmt"
	"iter"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport/polling"
)

// bubble runs a test in virtual time, and closes its host inside.
func bubble(t *testing.T, f func(t *testing.T)) {
	t.Helper()
	synctest.Test(t, f)
}

// TestTurnTimeout lets the agent's turn pass.
func TestTurnTimeout(t *testing.T) {
	bubble(t, func(t *testing.T) {
		h := newHost(t, nil, func(o *polling.Options) { o.Limits.Active = 1 })
		path, o := h.begun(1, "quick", `,"agentSeat":1`)
		if o.Status != "ai" || o.Revision != 0 || len(o.LegalMoves) != 0 || o.RemainingMs != 30_000 || *o.Turn != 0 { // though the opponent moves at once
			t.Fatalf("%+v", o)
		}
		time.Sleep(10 * time.Second)
		if o = h.await(path); o.Status != "agent" || o.RemainingMs != 20_000 || o.ExpiresAt.Sub(o.ServerTime) != time.Hour-10*time.Second {
			t.Fatalf("%+v", o)
		}
		if *o.TimeControl.TurnMs != 30_000 || o.TimeControl.MatchMs != 3_600_000 || o.TimeControl.Control != "production" {
			t.Fatalf("%+v", o.TimeControl)
		}
		time.Sleep(20*time.Second - time.Millisecond)
		if o = h.await(path); o.Status != "agent" || o.RemainingMs != 1 {
			t.Fatalf("%+v", o)
		}
		time.Sleep(time.Millisecond)
		synctest.Wait()
		late := h.as("ann", "POST", path+"/moves", moveOf(o, 1))
		if late.status != 409 || late.code() != "wrong_status" {
			t.Fatal(late)
		}
		if o = h.await(path); o.Status != "expired" || o.Reason != "turn_timeout" || o.RemainingMs != 0 || o.Turn != nil || o.LegalMoves == nil || len(o.LegalMoves) != 0 {
			t.Fatalf("%+v", o)
		}
		if a := h.as("ann", "POST", path+"/abandon", ""); a.status != 200 || a.observation(t).Reason != "turn_timeout" {
			t.Fatal(a)
		}
		h.begun(2, "quick", "") // the place is free
	})
}

// TestExpiry ends a match whose agent has no clock of its own.
func TestExpiry(t *testing.T) {
	bubble(t, func(t *testing.T) {
		h := newHost(t, nil, nil)
		path, o := h.begun(1, "quick", `,"control":"untimed"`)
		if o.RemainingMs != 3_600_000 || o.TimeControl.TurnMs != nil || o.TimeControl.Control != "untimed" {
			t.Fatalf("%+v", o)
		}
		time.Sleep(time.Hour - time.Second)
		h.play(path, o, 1)
		if o = h.await(path); o.Status != "agent" || o.RemainingMs != 1000 {
			t.Fatalf("%+v", o)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if o = h.await(path); o.Status != "expired" || o.Reason != "match_expired" {
			t.Fatalf("%+v", o)
		}
	})
}

// TestOutage never charges an agent for the time that the host is down, but the hour runs on.
func TestOutage(t *testing.T) {
	bubble(t, func(t *testing.T) {
		h := newHost(t, nil, nil)
		path, o := h.begun(1, "quick", "")
		other, _ := h.begun(2, "quick", "")
		time.Sleep(29 * time.Second)
		h.close()
		time.Sleep(20 * time.Minute)
		h = newHost(t, h, nil)
		synctest.Wait()
		if o = h.await(path); o.Status != "agent" || o.RemainingMs != 30_000 {
			t.Fatalf("%+v", o)
		}
		h.play(path, o, 1)
		h.close()
		time.Sleep(time.Hour)
		h = newHost(t, h, nil)
		synctest.Wait()
		for _, p := range []string{path, other} {
			if o = h.await(p); o.Status != "expired" || o.Reason != "match_expired" {
				t.Fatalf("%+v", o)
			}
		}
		if errs := h.failed(); errs != nil {
			t.Fatal(errs)
		}
	})
}

// TestBroken has an opponent fail: the match is void, and nobody's fault.
func TestBroken(t *testing.T) {
	bubble(t, func(t *testing.T) {
		h := newHost(t, nil, nil)
		path, o := h.begun(1, "broken", "")
		h.play(path, o, 1)
		synctest.Wait()
		if o = h.await(path); o.Status != "failed" || o.Reason != "" || len(o.History) != 1 {
			t.Fatalf("%+v", o)
		}
	})
}

// TestPace is about looks while the opponent thinks.
func TestPace(t *testing.T) {
	bubble(t, func(t *testing.T) {
		go_ := make(chan struct{})
		h := newHost(t, nil, func(o *polling.Options) { o.Opponents["held"] = polling.Opponent{Player: held{go_}.player()} })
		path, o := h.begun(1, "held", "")
		look := func(status int, header ...string) answer {
			t.Helper()
			a := h.as("ann", "GET", path, "", header...)
			if a.status != status {
				t.Fatalf("%d %s, want %d", a.status, a.body, status)
			}
			return a
		}
		for range 10 { // in its own turn an agent may look as it likes
			look(200)
		}
		h.play(path, o, 1)
		tag := look(200).header.Get("ETag")
		if a := look(429); a.code() != "poll_pace" || a.header.Get("Retry-After") != "2" {
			t.Fatal(a)
		}
		look(429, "If-None-Match", tag)
		look(429, "Prefer", "wait=10")
		time.Sleep(1500 * time.Millisecond)
		if a := look(429); a.header.Get("Retry-After") != "1" {
			t.Fatal(a)
		}
		time.Sleep(500 * time.Millisecond)
		look(304, "If-None-Match", tag)
		look(429)
		go_ <- struct{}{}
		synctest.Wait()
		o = look(200).observation(t)
		h.play(path, o, 2)
		look(200) // the first in this turn
		look(429)
	})
}

// TestHeld is about requests that wait for news.
func TestHeld(t *testing.T) {
	bubble(t, func(t *testing.T) {
		go_ := make(chan struct{})
		h := newHost(t, nil, func(o *polling.Options) {
			o.Opponents["held"] = polling.Opponent{Player: held{go_}.player()}
			o.Waiters, o.MaxWait = 2, 20*time.Second
		})
		path, _ := h.begun(1, "held", "")
		tag := h.as("ann", "GET", path, "").header.Get("ETag")
		look := func(ctx context.Context, header ...string) (took time.Duration, a answer) {
			r := httptest.NewRequestWithContext(ctx, "GET", prefix+path, nil)
			r.Header.Set("Authorization", "Bearer lcb_ann")
			for i := 0; i < len(header); i += 2 {
				r.Header.Set(header[i], header[i+1])
			}
			w := httptest.NewRecorder()
			began := time.Now()
			h.polls.ServeHTTP(w, r)
			return time.Since(began), answer{w.Code, w.Result().Header, w.Body.String()}
		}
		after := func(d time.Duration, f func()) { go func() { time.Sleep(d); f() }() }
		type c struct {
			name    string
			header  []string
			took    time.Duration
			status  int
			applied string
		}
		check := func(c c, took time.Duration, a answer) {
			t.Helper()
			if took != c.took || a.status != c.status || a.header.Get("Preference-Applied") != c.applied {
				t.Fatalf("%s: %v, %d %v %s", c.name, took, a.status, a.header, a.body)
			}
		}
		one := func(c c) {
			t.Helper()
			took, a := look(t.Context(), c.header...)
			check(c, took, a)
		}
		// The agent's turn: answered at once, unless it says that it knows.
		one(c{"its turn", []string{"Prefer", "wait=5"}, 0, 200, "wait=5"})
		one(c{"another tag", []string{"Prefer", "wait=5", "If-None-Match", `"x"`}, 0, 200, "wait=5"})
		one(c{"known", []string{"Prefer", "wait=5", "If-None-Match", tag}, 5 * time.Second, 304, "wait=5"})
		one(c{"too long", []string{"Prefer", "wait=99999999999999999999", "If-None-Match", tag}, 20 * time.Second, 304, "wait=20"})
		one(c{"among others", []string{"Prefer", `respond-async, Wait="3"; x=y, wait=9`, "If-None-Match", tag}, 3 * time.Second, 304, "wait=3"})
		for _, bad := range []string{"wait", "wait=-1", "wait=x", "wait=0", "wait=-99999999999999999999"} {
			one(c{bad, []string{"Prefer", bad, "If-None-Match", tag}, 0, 304, ""})
		}
		o := h.await(path)
		h.play(path, o, 1)
		// The opponent's.
		one(c{"nothing comes", []string{"Prefer", "wait=10"}, 10 * time.Second, 200, "wait=10"})
		after(3*time.Second, func() { go_ <- struct{}{} })
		one(c{"it moves", []string{"Prefer", "wait=10"}, 3 * time.Second, 200, "wait=10"})
		o = h.await(path)
		tag = h.as("ann", "GET", path, "").header.Get("ETag")
		after(3*time.Second, func() { h.play(path, o, 2) })
		one(c{"a move by another process", []string{"Prefer", "wait=10", "If-None-Match", tag}, 3 * time.Second, 200, "wait=10"})
		// No more than two of an account at once.
		results := make(chan time.Duration, 3)
		time.Sleep(5 * time.Second)
		for range 2 {
			go func() {
				took, _ := look(t.Context(), "Prefer", "wait=10")
				results <- took
			}()
			time.Sleep(2 * time.Second)
		}
		one(c{"a third", []string{"Prefer", "wait=10"}, 0, 200, ""})
		for range 2 {
			if took := <-results; took != 10*time.Second {
				t.Fatal(took)
			}
		}
		// The client goes.
		time.Sleep(2 * time.Second)
		ctx, cancel := context.WithTimeout(t.Context(), 4*time.Second)
		defer cancel()
		if took, a := look(ctx, "Prefer", "wait=10"); took != 4*time.Second || a.body != "" {
			t.Fatal(took, a)
		}
		// The server does.
		after(time.Second, h.polls.Drain)
		time.Sleep(2 * time.Second)
		one(c{"drained", []string{"Prefer", "wait=10"}, 0, 200, "wait=10"})
		if a := h.create(9, "quick", ""); a.status != 503 || a.code() != "closing" || a.header.Get("Retry-After") == "" {
			t.Fatal(a)
		}
		if errs := h.failed(); errs != nil {
			t.Fatal(errs)
		}
	})
}

// TestHeldEnd ends requests that are held when the match ends, and when its host stops.
func TestHeldEnd(t *testing.T) {
	for name, end := range map[string]func(h *host, path string){
		"abandoned": func(h *host, path string) { h.as("ann", "POST", path+"/abandon", "") },
		"stopped":   func(h *host, _ string) { h.close() },
		"drained":   func(h *host, _ string) { h.polls.Drain() },
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				h := newHost(t, nil, nil)
				path, o := h.begun(1, "never", "")
				h.play(path, o, 1)
				go func() {
					time.Sleep(7 * time.Second)
					end(h, path)
				}()
				began := time.Now()
				a := h.as("ann", "GET", path, "", "Prefer", "wait=30")
				if took := time.Since(began); took != 7*time.Second || a.status != 200 {
					t.Fatal(took, a)
				}
				if want := map[string]string{"abandoned": "expired"}[name]; want != "" && a.observation(t).Status != want {
					t.Fatal(a)
				}
			})
		})
	}
}

// TestQuotas counts as the document says, in days of UTC.
func TestQuotas(t *testing.T) {
	bubble(t, func(t *testing.T) {
		h := newHost(t, nil, func(o *polling.Options) {
			o.Auth, o.Limits = many{}, polling.Limits{Account: roomy().Account, Source: roomy().Source}
		})
		create := func(who string, n int, opponent string) answer {
			return h.as(who, "POST", "/matches", fmt.Sprintf(`{"opponent":%q,"requestId":%q}`, opponent, uuid(n)))
		}
		refused := func(a answer, status int, code string) {
			t.Helper()
			if a.status != status || a.code() != code || status != 403 && a.header.Get("Retry-After") == "" {
				t.Fatalf("%d %v %s, want %d %s", a.status, a.header, a.body, status, code)
			}
		}
		abandon := func(who string, a answer) {
			t.Helper()
			o := a.observation(t)
			if a := h.as(who, "POST", "/matches/"+o.MatchID+"/abandon", "{}"); a.status != 200 || a.observation(t).Reason != "abandoned" {
				t.Fatal(a)
			}
		}
		refused(create("a", 1, "heavy"), 503, "heavy_off")
		refused(create("a", 1, "secret"), 403, "gated")
		first := create("a", 1, "quick")
		refused(create("a", 2, "quick"), 429, "active_account")
		abandon("a", first)
		abandon("a", first) // is idempotent
		abandon("a", create("a", 2, "quick"))
		refused(create("a", 3, "quick"), 429, "quota_account")
		for i, who := range []string{"b", "c", "d", "e"} {
			if a := create(who, i, "never"); a.status != 201 {
				t.Fatal(a)
			}
		}
		refused(create("f", 1, "quick"), 503, "full")
		h.polls.Admission().Pause(time.Time{})
		refused(create("f", 1, "quick"), 503, "paused")
		if a := create("b", 0, "never"); a.status != 201 { // a match that it has
			t.Fatal(a)
		}
		h.polls.Admission().Resume()
		h.polls.Admission().AllowHeavy(true)
		time.Sleep(24 * time.Hour) // all have expired meanwhile
		for i := range 2 {
			abandon("x", create("x", i, "heavy"))
		}
		refused(create("y", 1, "heavy"), 429, "quota_heavy")
		for i := range 10 {
			who := fmt.Sprint("z", i)
			abandon(who, create(who, 1, "quick"))
		}
		refused(create("y", 1, "quick"), 429, "quota_global")
		if errs := h.failed(); errs != nil {
			t.Fatal(errs)
		}
	})
}

// TestRetention forgets matches after thirty days, and their records where the host says so.
func TestRetention(t *testing.T) {
	bubble(t, func(t *testing.T) {
		removed := make(chan string, 10)
		h := newHost(t, nil, func(o *polling.Options) {
			o.Remove = func(_ context.Context, match string) error {
				removed <- match
				return nil
			}
		})
		path, o := h.begun(1, "quick", "")
		h.as("ann", "POST", path+"/abandon", "")
		time.Sleep(30*24*time.Hour - time.Minute)
		if a := h.as("", "GET", "/replays/"+o.MatchID, ""); a.status != 200 || len(removed) != 0 {
			t.Fatal(a, len(removed))
		}
		time.Sleep(20 * time.Minute)
		if a := h.as("", "GET", "/replays/"+o.MatchID, ""); a.status != 404 || len(removed) != 1 || <-removed != o.MatchID {
			t.Fatal(a)
		}
		if a := h.as("ann", "GET", path, ""); a.status != 404 {
			t.Fatal(a)
		}
		if a := h.as("", "GET", "", ""); a.status != 200 || len(a.body) > 500 {
			t.Fatal(a)
		}
	})
}

// TestLost frees the place of a match that nobody plays on.
func TestLost(t *testing.T) {
	bubble(t, func(t *testing.T) {
		h := newHost(t, nil, nil)
		path, o := h.begun(1, "quick", "")
		h.play(path, o, 1)
		h.close()
		h = newHost(t, h, func(o *polling.Options) {
			o.Limits.Active = 1
			o.Records = stranded{o.Records}
		})
		if a := h.as("ann", "GET", path, ""); a.status != 503 || a.header.Get("Retry-After") == "" {
			t.Fatal(a)
		}
		if a := h.as("ann", "POST", path+"/moves", moveOf(o, 1)); a.status != 200 { // what is known is answered
			t.Fatal(a)
		}
		if a := h.create(2, "quick", ""); a.code() != "active_account" {
			t.Fatal(a)
		}
		time.Sleep(80 * time.Minute)
		if o = h.await(path); o.Status != "failed" {
			t.Fatalf("%+v", o)
		}
		if a := h.create(2, "quick", ""); a.status != 201 {
			t.Fatal(a)
		}
	})
}

// stranded is a store that does not tell of unfinished matches.
type stranded struct{ referee.Store }

func (stranded) Unfinished(context.Context) iter.Seq2[string, error] {
	return func(func(string, error) bool) {}
}
