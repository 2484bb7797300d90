package polling_test

import (
	"context"
	"encoding/json"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/matchreferee/arena/transport"
	"github.com/matchreferee/arena/transport/polling"
)

// TestAnswerStays repeats a move after something else has ended the match: the answer is the one of the move.
func TestAnswerStays(t *testing.T) {
	for name, end := range map[string]func(h *host, path string){
		"abandoned": func(h *host, path string) { h.as("ann", "POST", path+"/abandon", "{}") },
		"expired":   func(*host, string) { time.Sleep(time.Hour) },
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				h := newHost(t, nil, nil)
				path, o := h.begun(1, "never", "")
				first := h.create(1, "never", "")
				body := moveOf(o, 1)
				a := h.as("ann", "POST", path+"/moves", body)
				time.Sleep(time.Minute)
				end(h, path)
				for range 2 {
					if again := h.as("ann", "POST", path+"/moves", body); again.body != a.body || again.status != 200 {
						t.Fatalf("was %s, is %d %s", a.body, again.status, again.body)
					}
					if again := h.create(1, "never", ""); again.body != first.body || again.status != 201 {
						t.Fatalf("was %s, is %d %s", first.body, again.status, again.body)
					}
					if o := h.await(path); o.Status != "expired" {
						t.Fatalf("%+v", o)
					}
					h.close()
					h = newHost(t, h, nil)
				}
			})
		})
	}
}

// TestStartFails has the host fail to begin matches, at once or by never doing it: no place and no quota is lost.
func TestStartFails(t *testing.T) {
	bubble(t, func(t *testing.T) {
		var how atomic.Int32
		var h *host
		h = newHost(t, nil, func(o *polling.Options) {
			o.Limits.Starts, o.Limits.Active, o.Limits.StartsTotal = 1, 1, 1
			o.Start = func(ctx context.Context, s polling.Start) error {
				switch how.Load() {
				case 0:
					return errors.New("no room")
				case 1:
					return nil // and nothing happens
				}
				return h.start(ctx, s)
			}
		})
		for i := range int32(2) {
			how.Store(i)
			if a := h.create(1, "quick", ""); a.status != 503 || a.code() != "full" || a.header.Get("Retry-After") == "" {
				t.Fatal(a)
			}
			if errs := h.failed(); len(errs) != 1 {
				t.Fatal(errs)
			}
		}
		how.Store(2)
		if a := h.create(1, "quick", ""); a.status != 201 {
			t.Fatal(a)
		}
		if a := h.create(2, "quick", ""); a.status != 429 {
			t.Fatal(a)
		}
	})
}

// frail is a store of matches that can break.
type frail struct {
	polling.MemoryStore
	broken atomic.Bool
}

func (f *frail) Put(ctx context.Context, e polling.Entry) error {
	if f.broken.Load() {
		return errors.New("no disk")
	}
	return f.MemoryStore.Put(ctx, e)
}

// TestStoreFails has the store fail before a match begins, and when it ends.
func TestStoreFails(t *testing.T) {
	store := new(frail)
	h := newHost(t, nil, func(o *polling.Options) { o.Store, o.Limits.Active = store, 1 })
	store.broken.Store(true)
	if a := h.create(1, "quick", ""); a.status != 500 || a.code() != "internal" {
		t.Fatal(a)
	}
	store.broken.Store(false)
	path, _ := h.begun(1, "quick", "")
	store.broken.Store(true)
	if a := h.as("ann", "POST", path+"/abandon", ""); a.status != 200 || a.observation(t).Status != "expired" {
		t.Fatal(a)
	}
	store.broken.Store(false)
	if errs := h.failed(); len(errs) < 2 {
		t.Error(errs)
	}
	h.close()
	h = newHost(t, h, func(o *polling.Options) { o.Limits.Active = 1 }) // finds out what was not noted
	if a := h.create(2, "quick", ""); a.status != 201 {
		t.Fatal(a)
	}
}

// TestPublic looks at what everybody is shown.
func TestPublic(t *testing.T) {
	h := newHost(t, nil, nil)
	path, o := h.begun(1, "heavy", `,"name":"  <b>My\u0007\nsolver</b>  ","control":"untimed"`)
	if string(o.AIPolicy) != `{"nodes":7,"opponent":"heavy"}` {
		t.Errorf("aiPolicy %s", o.AIPolicy)
	}
	for n := 0; o.Status == "agent"; n++ {
		h.play(path, o, n)
		o = h.await(path)
	}
	second, _ := h.begun(2, "quick", "")
	h.as("ann", "POST", second+"/abandon", "")
	type end struct {
		MatchID, Status, Reason, Outcome, Opponent, Name string
		Winner                                           *int
		VerifiedWin                                      bool
		Scores                                           []int64
	}
	var replay struct {
		end
		Players []struct {
			Name, Symbol string
			House        bool
		}
		AIPolicy    json.RawMessage
		History     []struct{ Scoring *struct{ Total int } }
		Notices     []string
		TimeControl struct{ Control string }
	}
	a := h.as("", "GET", "/replays/"+o.MatchID, "")
	if err := json.Unmarshal([]byte(a.body), &replay); err != nil || a.header.Get("Cache-Control") != "public, max-age=86400" {
		t.Fatal(err, a)
	}
	var sum [2]int64
	for i, p := range replay.History {
		if p.Scoring == nil {
			t.Fatal(i)
		}
		sum[i%2] += int64(p.Scoring.Total)
	}
	won := map[bool]string{sum[0] > sum[1]: "win", sum[0] < sum[1]: "loss"}[true]
	if len(replay.Players) != 2 || replay.Players[0].Name != "<b>My\ufffd solver</b>" || replay.Players[0].House || !replay.Players[1].House || replay.Players[1].Symbol != "O" ||
		string(replay.AIPolicy) != string(o.AIPolicy) || len(replay.Notices) != 3 || replay.TimeControl.Control != "untimed" || replay.Status != "completed" ||
		replay.Outcome != won || replay.VerifiedWin != (won == "win") || len(replay.History) != 81 || replay.Scores[0] != sum[0] || replay.Scores[1] != sum[1] {
		t.Errorf("%s", a.body)
	}
	if h.as("", "GET", "/replays/"+o.MatchID, "", "If-None-Match", `W/"x", `+a.header.Get("ETag")).status != 304 {
		t.Error("the tag does not fit")
	}
	var recent struct{ Results []end }
	a = h.as("", "GET", "", "")
	if err := json.Unmarshal([]byte(a.body), &recent); err != nil || len(recent.Results) != 2 {
		t.Fatal(err, a)
	}
	if r := recent.Results[0]; r.Status != "expired" || r.Reason != "abandoned" || r.VerifiedWin || r.Outcome != "loss" || *r.Winner != 1 || r.Opponent != "quick" {
		t.Errorf("%+v", r)
	}
	if r := recent.Results[1]; r.MatchID != o.MatchID || r.Outcome != won || r.Opponent != "heavy" || r.Name != "<b>My\ufffd solver</b>" {
		t.Errorf("%+v", r)
	}
	if a := h.as("", "GET", "/", ""); a.status != 200 { // with a slash too
		t.Error(a)
	}
	if a := h.as("", "HEAD", "/example", ""); a.status != 200 || a.header.Get("ETag") == "" {
		t.Error(a)
	}
}

// houseKeys says of everybody that they are of the house.
type houseKeys struct{ many }

func (k houseKeys) Authenticate(ctx context.Context, key string) (*transport.Grant, error) {
	g, err := k.many.Authenticate(ctx, key)
	if err == nil {
		g.Agent.House = true
	}
	return g, err
}

// TestNoHouse seats no agent in the place of an opponent, whatever its key says.
func TestNoHouse(t *testing.T) {
	h := newHost(t, nil, func(o *polling.Options) { o.Auth = houseKeys{} })
	path, o := h.begun(1, "quick", "")
	if a := h.play(path, o, 1); a.status != 200 {
		t.Fatal(a)
	}
	if o = h.await(path); o.Status != "agent" || o.Revision != 2 {
		t.Fatalf("%+v", o)
	}
}
