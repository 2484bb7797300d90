package polling_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/grid"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport/polling"
)

// TestLeaves abandons a match that others play on: to its agent it is over at once, and its place free.
func TestLeaves(t *testing.T) {
	bubble(t, func(t *testing.T) {
		h := newHost(t, nil, func(o *polling.Options) { o.Limits.Active = 1 })
		path, o := h.begun(1, "never", `,"game":"werewolf","agentSeat":3`)
		gone := func(a answer) {
			t.Helper()
			if o := a.observation(t); o.Status != "expired" || o.Reason != "abandoned" || len(o.LegalMoves) != 0 || o.RemainingMs != 0 || o.Turn != nil || strings.Contains(a.body, `"role"`) {
				t.Fatal(a)
			}
		}
		began := time.Now()
		for range 2 {
			gone(h.as("ann", "POST", path+"/abandon", "{}"))
		}
		if took := time.Since(began); took > time.Second {
			t.Error(took)
		}
		gone(h.as("ann", "GET", path, "", "Prefer", "wait=20"))
		if a := h.as("ann", "POST", path+"/moves", fmt.Sprintf(`{"revision":0,"moveId":%q,"action":{}}`, uuid(2))); a.status != 409 || a.code() != "wrong_status" {
			t.Error(a)
		}
		if a := h.as("", "GET", "/replays/"+o.MatchID, ""); a.code() != "running" {
			t.Error(a)
		}
		h.begun(2, "quick", "")
		h.close()
		h = newHost(t, h, nil)
		if a := h.as("", "GET", "", ""); strings.Contains(a.body, o.MatchID) {
			t.Error(a)
		}
		gone(h.as("ann", "GET", path, ""))
		time.Sleep(time.Hour)
		synctest.Wait()
		gone(h.as("ann", "GET", path, ""))
		if a := h.as("", "GET", "", ""); !strings.Contains(a.body, o.MatchID) {
			t.Error(a)
		}
		if errs := h.failed(); errs != nil {
			t.Error(errs)
		}
	})
}

// TestLeavesNoWin leaves matches that are played to their end: no win comes of it.
func TestLeavesNoWin(t *testing.T) {
	h := newHost(t, nil, func(o *polling.Options) { o.Opponents["any"] = polling.Opponent{Light: true, Player: anything} })
	for i := range 10 {
		path, o := h.begun(i, "any", fmt.Sprintf(`,"game":"werewolf","agentSeat":%d`, i%5))
		h.as("ann", "POST", path+"/abandon", "{}")
		a := h.as("", "GET", "/replays/"+o.MatchID, "")
		for a.status == 409 {
			a = h.as("", "GET", "/replays/"+o.MatchID, "")
		}
		if !strings.Contains(a.body, `"status":"expired","reason":"abandoned"`) || !strings.Contains(a.body, `"outcome":"loss","verifiedWin":false`) {
			t.Fatal(a)
		}
	}
}

// TestClockJumps sets the wall clock forward: a match that runs is shown to nobody, and is not given up.
func TestClockJumps(t *testing.T) {
	bubble(t, func(t *testing.T) {
		var by atomic.Int64
		h := newHost(t, nil, func(o *polling.Options) {
			o.Now = func() time.Time { return time.Now().Add(time.Duration(by.Load())) }
		})
		path, o := h.begun(1, "never", `,"game":"werewolf","agentSeat":3,"control":"untimed"`)
		by.Store(int64(3 * time.Hour))
		time.Sleep(15 * time.Minute)
		if a := h.as("", "GET", "/replays/"+o.MatchID, ""); a.code() != "running" {
			t.Error(a)
		}
		if o := h.as("ann", "GET", path, "").observation(t); o.Status != "ai" && o.Status != "agent" {
			t.Errorf("%+v", o)
		}
	})
}

// TestUnreadable begins again with a match whose rules are gone: the others go on, and its place is free after its hour.
func TestUnreadable(t *testing.T) {
	bubble(t, func(t *testing.T) {
		h := newHost(t, nil, nil)
		lost, _ := h.begun(1, "never", `,"game":"werewolf"`)
		path, o := h.begun(2, "quick", "")
		h.close()
		h = &host{t: t, records: h.records, store: h.store, fails: &failures{make(chan error, 100)}}
		polls, err := polling.New(t.Context(), polling.Options{
			Auth: keyring{"ann": {"benchmark"}}, Games: []game.Game{grid.New()}, Records: h.records, Store: h.store, Start: h.start,
			Opponents: map[string]polling.Opponent{"quick": {}}, Limits: roomy(), Failed: func(err error) { h.fails.ch <- err },
		})
		if err != nil {
			t.Fatal(err)
		}
		defer polls.Close()
		h.polls = polls
		if errs := h.failed(); len(errs) != 1 {
			t.Error(errs)
		}
		if a := h.as("ann", "GET", lost, ""); a.status != 500 {
			t.Error(a)
		}
		if a := h.as("ann", "GET", path, ""); a.status != 503 { // nobody recovers it here
			t.Error(a, o)
		}
		time.Sleep(75 * time.Minute)
		for e := range h.store.Load(t.Context()) {
			if e.State != polling.Over || e.Outcome != "failed" {
				t.Errorf("%+v", e)
			}
		}
	})
}

// shaky is a store of matches that can be full.
type shaky struct {
	polling.Store
	full atomic.Bool
}

var errNoSpace = errors.New("no space left")

func (s *shaky) Put(ctx context.Context, e polling.Entry) error {
	if s.full.Load() {
		return errNoSpace
	}
	return s.Store.Put(ctx, e)
}

func (s *shaky) Remove(ctx context.Context, matches ...string) error {
	if s.full.Load() {
		return errNoSpace
	}
	return s.Store.Remove(ctx, matches...)
}

// TestPlaceLeftBehind has a place that could not be given back stand in the store beside the one that the same request took
// later: the host begins again, and knows which is which.
func TestPlaceLeftBehind(t *testing.T) {
	for i := range 8 { // ids are random, and with them the order
		file, err := polling.OpenFileStore(t.Context(), filepath.Join(t.TempDir(), "matches"), polling.FileStoreOptions{NoSync: true})
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		store := &shaky{Store: file}
		var h *host
		crash := i%2 == 0
		h = newHost(t, nil, func(o *polling.Options) {
			o.Store, o.Limits.Starts = store, 1
			o.Start = func(ctx context.Context, s polling.Start) error {
				if store.full.CompareAndSwap(false, true) && len(h.records.(*flaky).begun) == 0 {
					return errNoSpace
				}
				err := h.start(ctx, s)
				store.full.Store(crash) // the place stays as it was taken, or is marked as begun
				return err
			}
			o.Records = &flaky{Store: o.Records}
		})
		if a := h.create(1, "quick", ""); a.status != 503 {
			t.Fatal(a)
		}
		store.full.Store(false)
		h.records.(*flaky).begun = []string{"one"}
		first := h.create(1, "quick", "")
		if first.status != 201 {
			t.Fatal(first)
		}
		store.full.Store(false)
		for range 2 {
			h.close()
			h = newHost(t, h, func(o *polling.Options) { o.Limits.Starts = 1 })
			if a := h.create(1, "quick", ""); a.body != first.body {
				t.Fatal(a, first)
			}
			if a := h.create(2, "quick", ""); a.code() != "quota_account" {
				t.Fatal(a)
			}
		}
	}
}

// flaky are records whose logs can fail to take lines.
type flaky struct {
	referee.Store
	begun []string
	full  atomic.Bool
}

func (f *flaky) Open(ctx context.Context, id string) (referee.Log, error) {
	l, err := f.Store.Open(ctx, id)
	return flakyLog{l, f}, err
}

type flakyLog struct {
	referee.Log
	f *flaky
}

func (l flakyLog) Append(ctx context.Context, at int64, lines [][]byte) error {
	if l.f.full.Load() {
		return errNoSpace
	}
	return l.Log.Append(ctx, at, lines)
}

// TestRecordFull fills the disk under a match: what could not be recorded is shown to nobody, and who looks is told to come back.
func TestRecordFull(t *testing.T) {
	for name, act := range map[string]func(h *host, path string, o observation){
		"a move":  func(h *host, path string, o observation) { h.play(path, o, 2) },
		"the end": func(h *host, path string, _ observation) { h.as("ann", "POST", path+"/abandon", "{}") },
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				records := &flaky{Store: new(referee.MemoryStore)}
				h := newHost(t, nil, func(o *polling.Options) { o.Records = records })
				path, o := h.begun(1, "quick", "")
				h.play(path, o, 1)
				o = h.await(path)
				records.full.Store(true)
				act(h, path, o)
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				r := httptest.NewRequestWithContext(ctx, "GET", prefix+path, nil)
				r.Header.Set("Authorization", "Bearer lcb_ann")
				r.Header.Set("Prefer", "wait=20")
				w := httptest.NewRecorder()
				if h.polls.ServeHTTP(w, r); w.Code != 503 || w.Header().Get("Retry-After") == "" {
					t.Fatal(w.Code, w.Body)
				}
				records.full.Store(false)
				h.close()
				h = newHost(t, h, nil)
				if now := h.await(path); now.Status != "agent" || now.Revision != o.Revision {
					t.Errorf("%+v", now)
				}
			})
		})
	}
}

// TestSlowRefused answers to requests that are refused before their bodies are read, and whose bodies do not come.
func TestSlowRefused(t *testing.T) {
	h := newHost(t, nil, func(o *polling.Options) { o.BodyTime = 200 * time.Millisecond })
	server := httptest.NewServer(h.polls)
	defer server.Close()
	for head, status := range map[string]int{
		"POST " + prefix + "/matches HTTP/1.1\r\nAuthorization: Bearer no\r\nContent-Length: 100":            401,
		"POST " + prefix + "/matches HTTP/1.1\r\nAuthorization: Bearer no\r\nTransfer-Encoding: chunked":     401,
		"POST " + prefix + "/matches HTTP/1.1\r\nAuthorization: Bearer lcb_ann\r\nContent-Length: 100":       415,
		"POST " + prefix + "/matches/x/moves HTTP/1.1\r\nAuthorization: Bearer lcb_ann\r\nContent-Length: 9": 404,
		"GET " + prefix + " HTTP/1.1\r\nContent-Length: 100":                                                 200,
	} {
		conn, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		conn.SetDeadline(time.Now().Add(2 * time.Minute))
		io.WriteString(conn, head+"\r\nHost: x\r\n\r\n")
		resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil || resp.StatusCode != status {
			t.Errorf("%s: %v %v", head, resp, err)
		}
		conn.Close()
	}
}
