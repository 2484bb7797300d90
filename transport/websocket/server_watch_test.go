package websocket_test

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matchreferee/arena/games/werewolf"
	"github.com/matchreferee/arena/protocol/ludux"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport/websocket"
)

// watch mounts a handler for spectators of the given matches.
func (h *hall) watch(delay time.Duration, all ...*bout) *atomic.Int32 {
	h.Helper()
	calls := new(atomic.Int32)
	handler, err := h.tr.Watch(websocket.WatchOptions{Delay: delay, PerKey: 3, Views: func(ctx context.Context, match string) (<-chan referee.Public, error) {
		for _, b := range all {
			if b.id == match {
				calls.Add(1)
				return b.Watch(ctx), nil
			}
		}
		return nil, fmt.Errorf("%w: %q", websocket.ErrNoMatch, match)
	}})
	if err != nil {
		h.Fatal(err)
	}
	h.mux.Handle("/watch", handler)
	return calls
}

// spectate connects a spectator.
func (h *hall) spectate(match string) *peer {
	h.Helper()
	return h.open("/watch?match="+match, "Authorization: Bearer eye-team").listen()
}

// TestWatch: spectators see each position once it is there, share one source, and are closed after the last.
func TestWatch(t *testing.T) {
	virtual(t, websocket.Options{}, func(t *testing.T, h *hall) {
		b := h.four("m-1", "ann", "house")
		calls := h.watch(0, b)
		one := h.spectate("m-1")
		if p := expect[*ludux.PublicState](t, one); p.Turn != 0 || p.MatchID != "m-1" || len(p.ToMove) != 1 {
			t.Errorf("%+v", p)
		}
		two := h.spectate("m-1")
		expect[*ludux.PublicState](t, two)
		ann := h.join("ann")
		ann.send(until[*ludux.ActionRequest](t, ann).Respond("3", "a secret thought"))
		for turn := int64(1); turn <= 2; turn++ {
			for _, p := range []*peer{one, two} {
				if m := expect[*ludux.PublicState](t, p); m.Turn != turn {
					t.Errorf("%+v", m)
				}
			}
		}
		one.write(fin|opText, []byte("hi"))
		if e := expect[*ludux.Error](t, one); e.Code != ludux.CodeMalformed {
			t.Errorf("%+v", e)
		}
		b.stop()
		for _, p := range []*peer{one, two} {
			if m := expect[*ludux.PublicState](t, p); m.Result == nil || m.Result.Cause != referee.CauseVoid {
				t.Errorf("%+v", m)
			}
			if code, _ := p.closed(); code != 1000 {
				t.Error(code)
			}
		}
		synctest.Wait()
		if e := h.lastClosed(); e.Reason != websocket.ReasonEnd || e.Match != "m-1" || e.Key != "id-eye-team" {
			t.Errorf("%+v", e)
		}
		if calls.Load() != 1 {
			t.Errorf("%d sources", calls.Load())
		}
		h.mu.Lock()
		defer h.mu.Unlock()
		if strings.Contains(string(h.bytes), "secret thought") {
			t.Error("a commentary was shown")
		}
	})
}

// TestWatchAgain: the source ends with the last spectator, and another that comes later has a new one.
func TestWatchAgain(t *testing.T) {
	virtual(t, websocket.Options{}, func(t *testing.T, h *hall) {
		b := h.start("m-1", connectFour, "", noClock, "ann", "house")
		calls := h.watch(0, b)
		for range 2 {
			one := h.spectate("m-1")
			expect[*ludux.PublicState](t, one)
			one.bye()
			synctest.Wait()
		}
		two := h.spectate("m-1")
		expect[*ludux.PublicState](t, two)
		if calls.Load() != 3 {
			t.Errorf("%d sources", calls.Load())
		}
		ann := h.join("ann")
		ann.send(until[*ludux.ActionRequest](t, ann).Respond("3", ""))
		if m := expect[*ludux.PublicState](t, two); m.Turn != 1 {
			t.Errorf("%+v", m)
		}
		b.stop()
	})
}

// TestWatchDelay: nobody sees a position, or the end, before its time.
func TestWatchDelay(t *testing.T) {
	virtual(t, websocket.Options{}, func(t *testing.T, h *hall) {
		b := h.start("m-1", connectFour, "", noClock, "ann", "house")
		h.watch(time.Minute, b)
		one := h.spectate("m-1")
		one.quiet(time.Minute - time.Second)
		if p := expect[*ludux.PublicState](t, one); p.Turn != 0 {
			t.Errorf("%+v", p)
		}
		ann := h.join("ann")
		ann.send(until[*ludux.ActionRequest](t, ann).Respond("3", ""))
		synctest.Wait()
		moved := time.Now()
		time.Sleep(10 * time.Second)
		b.stop()
		two := h.spectate("m-1")
		for _, p := range []*peer{two, one, one, two, two} {
			m := expect[*ludux.PublicState](t, p)
			switch d := time.Since(moved); {
			case m.Turn == 0 && p == two:
			case m.Turn == 0, m.Result == nil && d != time.Minute, m.Result != nil && d != 70*time.Second:
				t.Errorf("turn %d after %v, %v", m.Turn, d, m.Result)
			}
			if p == one && m.Turn == 1 {
				two.message() // the same, at the same time
			}
		}
	})
}

// TestWatchRefused: a key of an agent does not watch, unknown matches and too many connections are told, and nothing stays behind.
func TestWatchRefused(t *testing.T) {
	virtual(t, websocket.Options{}, func(t *testing.T, h *hall) {
		b := h.start("m-1", connectFour, "", noClock, "ann", "house")
		h.watch(0, b)
		if resp, _ := h.refused("/watch?match=m-1", "Authorization: Bearer key-ann"); resp.StatusCode != 403 {
			t.Error(resp.Status)
		}
		if code, e := h.spectate("m-2").closed(); code != 1008 || e == nil || e.Code != ludux.CodeMatchOver || e.MatchID != "m-2" {
			t.Errorf("%d %+v", code, e)
		}
		endless := strings.Repeat("m", 1000)
		if code, e := h.spectate(endless).closed(); code != 1008 || e == nil || e.Code != ludux.CodeMatchOver {
			t.Errorf("%d %+v", code, e)
		}
		h.refused("/watch?match="+endless, "Authorization: Bearer wrong")
		for _, e := range h.told(websocket.Refused, websocket.Closed) {
			if len(e.Match) > 128 {
				t.Errorf("the host is told of %d bytes", len(e.Match))
			}
		}
		for range 2 {
			var all []*peer
			for range 3 {
				p := h.spectate("m-1")
				expect[*ludux.PublicState](t, p)
				all = append(all, p)
			}
			if code, e := h.spectate("m-1").closed(); code != 1008 || e == nil || e.Code != ludux.CodeRateLimited {
				t.Errorf("%d %+v", code, e)
			}
			for _, p := range all {
				p.bye()
			}
			synctest.Wait()
		}
		h.spectate("m-1")
		h.keys.revoke("eye-team")
		time.Sleep(18 * time.Second)
		if e := h.lastClosed(); e.Reason != websocket.ReasonUnauthorized {
			t.Errorf("%+v", e)
		}
		b.stop()
	})
}

// TestWatchSlow: a spectator that does not read misses positions, and holds up neither the match nor the others.
func TestWatchSlow(t *testing.T) {
	virtual(t, websocket.Options{WriteTimeout: time.Minute}, func(t *testing.T, h *hall) {
		b := h.start("m-1", connectFour, `{"columns":16,"rows":7,"connect":7}`, noClock, "house-1", "house-2")
		h.watch(0, b)
		b.end()
		slow := h.open("/watch?match=m-1", "Authorization: Bearer eye-team")
		quick := h.spectate("m-1")
		if m := expect[*ludux.PublicState](t, quick); m.Result == nil {
			t.Errorf("%+v", m)
		}
		quick.closed()
		late := h.spectate("m-1") // after the end has been shown, while the feed is there still
		if m := expect[*ludux.PublicState](t, late); m.Result == nil {
			t.Errorf("%+v", m)
		}
		if code, _ := late.closed(); code != 1000 {
			t.Error(code)
		}
		time.Sleep(30 * time.Second)
		slow.listen()
		if m := expect[*ludux.PublicState](t, slow); m.Result == nil {
			t.Errorf("%+v", m)
		}
	})
}

// TestSecrets plays nine-seat Werewolf with a spectator, connections that break, and every kind of error, and searches each byte that
// left: no key, no seed, no thought of another seat, and no role that its reader may not know.
func TestSecrets(t *testing.T) {
	virtual(t, websocket.Options{Messages: websocket.Pace{PerSecond: 1e4, Burst: 1e4}, Connects: websocket.Pace{PerSecond: 1e3, Burst: 1e3}}, func(t *testing.T, h *hall) {
		var slugs []string
		for i := range 9 {
			slugs = append(slugs, fmt.Sprintf("agent-%d", i))
		}
		var secrets []string
		b := h.start("m-1", werewolf.New(), `{"max_days":3}`, func(s *referee.Setup, _ *referee.Config) {
			secrets = append(secrets, fmt.Sprintf("%x", s.Secret), fmt.Sprintf("%x", s.Salt[:]), fmt.Sprint(s.Secret))
		}, slugs...)
		h.watch(0, b)
		eye := h.spectate("m-1")
		roles := make([]string, 9)
		type heard struct {
			seat  int
			state string
		}
		all := make(chan heard, 10_000)
		done := make(chan struct{}, 9)
		for i, slug := range slugs {
			go func() {
				defer func() { done <- struct{}{} }()
				for {
					p := h.join(slug)
					end := p.play(func(m *ludux.ActionRequest) (a gameAction) {
						all <- heard{i, string(m.State)}
						switch m.Seq % 5 {
						case 1:
							p.write(fin|opText, []byte(`{"protocol":"ludux/1","type":"action_response","match_id":"m-1","seq":1`))
						case 2:
							p.send(&ludux.ActionResponse{MatchID: "m-1", Seq: m.Seq - 1, Action: `{"type":"kill","target":1}`})
						case 3:
							if i%2 == 0 {
								p.write(fin|opText, m.Respond(`{"type":"kill","target":99}`, "").Append(nil))
								return ""
							}
						case 4:
							if i%3 == 0 {
								p.send(m.Respond(m.LegalActions[0], ""))
								p.Conn.Close()
								return ""
							}
						}
						p.write(fin|opText, m.Respond(m.LegalActions[int(m.Seq)%len(m.LegalActions)], fmt.Sprintf("canary-thought-%d", i)).Append(nil))
						return ""
					})
					if end != nil {
						return
					}
				}
			}()
		}
		var seen []string
		for {
			m, ok := eye.message().(*ludux.PublicState)
			if !ok || m.Result != nil {
				break
			}
			seen = append(seen, string(m.State))
		}
		b.end()
		for range 9 {
			<-done
		}
		synctest.Wait() // what they have read has been kept
		close(all)
		states := map[int][]string{}
		for x := range all {
			states[x.seat] = append(states[x.seat], x.state)
			var v struct {
				Role string `json:"your_role"`
			}
			mustJSON(t, x.state, &v)
			roles[x.seat] = v.Role
		}
		wolves := 0
		for i, role := range roles {
			if role == "" {
				t.Fatalf("seat %d was never asked", i)
			}
			if role == "werewolf" {
				wolves++
			}
		}
		if wolves != 2 || len(seen) < 5 {
			t.Fatalf("roles %v, %d public states", roles, len(seen))
		}
		var village struct {
			Players []struct {
				Seat  int
				Alive bool
				Role  *string
			}
			Private struct {
				Packmates []int
				Peeks     []any
			}
		}
		for i, list := range states {
			for _, s := range list {
				village.Players, village.Private.Packmates, village.Private.Peeks = nil, nil, nil
				mustJSON(t, s, &village)
				for _, p := range village.Players {
					if p.Role != nil && p.Alive && p.Seat != i {
						t.Errorf("seat %d was told that of %d", i, p.Seat)
					}
				}
				if roles[i] != "werewolf" && len(village.Private.Packmates) > 0 || roles[i] != "seer" && len(village.Private.Peeks) > 0 {
					t.Errorf("seat %d, %s: %s", i, roles[i], s)
				}
			}
		}
		for _, s := range seen {
			if strings.Contains(s, `"alive":true,"role"`) || strings.Contains(s, "packmates") || strings.Contains(s, "peeks") {
				t.Errorf("spectators: %s", s)
			}
		}
		h.mu.Lock()
		left := string(h.bytes)
		h.mu.Unlock()
		for _, secret := range append(secrets, "canary-thought", "key-agent", "eye-team") {
			if strings.Contains(left, secret) {
				t.Errorf("%q left", secret)
			}
		}
		for _, must := range []string{"stale_response", "malformed", "illegal_action", "welcome", "public_state", "match_end"} {
			if !strings.Contains(left, `"`+must+`"`) {
				t.Errorf("no %s left", must)
			}
		}
		for _, e := range h.told(websocket.Opened, websocket.Closed, websocket.Refused) {
			if s := fmt.Sprintf("%+v", e); strings.Contains(s, "key-") || strings.Contains(s, "eye-team") && e.Key != "id-eye-team" {
				t.Errorf("the host is told %s", s)
			}
		}
	})
}
