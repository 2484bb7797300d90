package polling_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/matchreferee/arena/transport/polling"
)

// at sends one request n times at the same moment.
func at(n int, f func(i int) answer) []answer {
	out := make([]answer, n)
	begin := make(chan struct{})
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			<-begin
			out[i] = f(i)
		})
	}
	close(begin)
	wg.Wait()
	return out
}

// TestReports has the rows of testdata/reports.jsonl about repeated requests.
func TestReports(t *testing.T) {
	t.Run("B92", func(t *testing.T) {
		h := newHost(t, nil, nil)
		path, o := h.begun(1, "quick", "")
		body := moveOf(o, 7)
		for i, a := range at(50, func(int) answer { return h.as("ann", "POST", path+"/moves", body) }) {
			if a.status != 200 || a.body != h.as("ann", "POST", path+"/moves", body).body {
				t.Fatalf("answer %d: %d %s", i, a.status, a.body)
			}
		}
		o = h.await(path)
		if o.Revision != 2 || len(o.History) != 2 {
			t.Fatalf("%d moves, revision %d", len(o.History), o.Revision)
		}
	})
	t.Run("B94", func(t *testing.T) {
		h := newHost(t, nil, nil)
		path, o := h.begun(1, "quick", "")
		h.play(path, o, 1)
		h.await(path)
		move := func(revision, row, col int) answer {
			return h.as("ann", "POST", path+"/moves", fmt.Sprintf(`{"revision":%d,"moveId":%q,"row":%d,"col":%d}`, revision, uuid(2), row, col))
		}
		for _, c := range []struct {
			revision, row, col, status int
			code                       string
		}{
			{2, 0, 0, 422, "illegal_move"}, // taken
			{2, 0, 0, 422, "illegal_move"}, // is refused each time
			{2, 9, 0, 422, "illegal_move"},
			{1, 5, 5, 409, "stale_revision"},
			{2, 5, 5, 200, ""}, // the id is still free
			{2, 5, 5, 200, ""},
			{2, 5, 6, 409, "id_reused"},
			{4, 5, 5, 409, "id_reused"},
			{2, 0, 0, 409, "id_reused"},
		} {
			if c.code != "" && c.status != 409 {
				h.await(path)
			}
			if a := move(c.revision, c.row, c.col); a.status != c.status || a.code() != c.code {
				t.Fatalf("%+v: %d %s", c, a.status, a.body)
			}
		}
		if o = h.await(path); o.Revision != 4 {
			t.Fatalf("revision %d", o.Revision)
		}
	})
}

// TestOneOfTwo has two payloads come under one id at the same moment, many times each: one of them counts, and whoever sent it hears so.
func TestOneOfTwo(t *testing.T) {
	check := func(all []answer, status int) {
		t.Helper()
		won, count := "", 0
		for _, a := range all {
			switch {
			case a.status == status && (won == "" || a.body == won):
				won = a.body
				count++
			case a.status != 409 || a.code() != "id_reused":
				t.Fatalf("%d %s, and %s", a.status, a.body, won)
			}
		}
		if count != 25 {
			t.Fatalf("%d of %d were granted", count, len(all))
		}
	}
	h := newHost(t, nil, func(o *polling.Options) { o.Limits.Starts, o.Limits.Active = 1, 1 })
	all := at(50, func(i int) answer { return h.create(1, "quick", fmt.Sprintf(`,"name":"n%d"`, i%2)) })
	check(all, 201)
	for _, a := range all {
		if a.status == 201 {
			path := "/matches/" + a.observation(t).MatchID
			check(at(50, func(i int) answer {
				return h.as("ann", "POST", path+"/moves", fmt.Sprintf(`{"revision":0,"moveId":%q,"row":5,"col":%d}`, uuid(7), i%2))
			}), 200)
			if o := h.await(path); o.Revision != 2 {
				t.Errorf("revision %d", o.Revision)
			}
			return
		}
	}
}

// TestRepeatsCost has a repeated request count as one against the requests of its account, and neither as a start nor as a move.
func TestRepeatsCost(t *testing.T) {
	h := newHost(t, nil, func(o *polling.Options) { o.Limits.Account = polling.Rate{PerSecond: 1e-6, Burst: 5} })
	path, o := h.begun(1, "never", "")
	body := moveOf(o, 1)
	for i := range 6 {
		var a answer
		if i%2 == 0 {
			a = h.create(1, "never", "")
		} else {
			a = h.as("ann", "POST", path+"/moves", body)
		}
		if i >= 4 != (a.status == 429) || i >= 4 && (a.code() != "rate_limited" || a.header.Get("Retry-After") == "") {
			t.Fatal(i, a)
		}
	}
}

// TestCreatedOnce has one request begin one match, however often and with whatever else beside it.
func TestCreatedOnce(t *testing.T) {
	h := newHost(t, nil, func(o *polling.Options) { o.Limits.Starts, o.Limits.Active = 2, 1 })
	all := at(50, func(int) answer { return h.create(1, "never", `,"name":"é"`) })
	for _, a := range all {
		if a.status != 201 || a.body != all[0].body || a.header.Get("Location") != all[0].header.Get("Location") {
			t.Fatalf("%d %s, and %s", a.status, a.body, all[0].body)
		}
	}
	// The same in other words.
	if a := h.as("ann", "POST", "/matches", fmt.Sprintf(`{"more":[1],"requestId":%q,"name":"\u00e9","opponent":"never","agentSeat":0,"diagnostics":{"nodes":3}}`, uuid(1))); a.body != all[0].body {
		t.Fatal(a)
	}
	for _, more := range []string{`,"name":"e"`, `,"name":"é","agentSeat":1`, `,"name":"é","control":"untimed"`} {
		if a := h.create(1, "never", more); a.status != 409 || a.code() != "id_reused" {
			t.Errorf("%s: %d %s", more, a.status, a.body)
		}
	}
	if a := h.create(2, "never", ""); a.status != 429 || a.code() != "active_account" || a.header.Get("Retry-After") == "" {
		t.Fatal(a)
	}
	// An id is its account's own.
	if a := h.as("bob", "POST", "/matches", fmt.Sprintf(`{"opponent":"never","requestId":%q}`, uuid(1))); a.status != 201 || a.header.Get("Location") == all[0].header.Get("Location") {
		t.Fatal(a)
	}
	path := "/matches/" + all[0].observation(t).MatchID
	if a := h.as("ann", "POST", path+"/abandon", "{}"); a.status != 200 {
		t.Fatal(a)
	}
	if a := h.create(1, "never", `,"name":"é"`); a.body != all[0].body { // after its end too
		t.Fatal(a)
	}
	if a := h.create(2, "never", ""); a.status != 201 {
		t.Fatal(a)
	}
}

// TestRestart stops the host wherever it stands, and finds every answer again.
func TestRestart(t *testing.T) {
	h := newHost(t, nil, nil)
	type sent struct{ path, body, answer string }
	var all []sent
	send := func(path, body string) answer {
		a := h.as("ann", "POST", path, body)
		if a.status >= 300 {
			t.Fatalf("%s %s: %d %s", path, body, a.status, a.body)
		}
		all = append(all, sent{path, body, a.body})
		return a
	}
	again := func() {
		t.Helper()
		for i, s := range all {
			if a := h.as("ann", "POST", s.path, s.body); a.body != s.answer {
				t.Fatalf("request %d: %d %s\nwas\n%s", i, a.status, a.body, s.answer)
			}
		}
	}
	path := "/matches/" + send("/matches", fmt.Sprintf(`{"opponent":"quick","agentSeat":1,"requestId":%q}`, uuid(1))).observation(t).MatchID
	var o observation
	for n := 0; ; n++ {
		if n%9 == 0 {
			h.close()
			h = newHost(t, h, nil)
			again()
		}
		if o = h.await(path); o.Status != "agent" {
			break
		}
		send(path+"/moves", moveOf(o, 100+n))
	}
	if o.Status != "completed" || o.Revision != 81 {
		t.Fatalf("%+v", o)
	}
	again()
	replay, recent := h.as("", "GET", "/replays/"+o.MatchID, ""), h.as("", "GET", "", "")
	h.close()
	h = newHost(t, h, nil)
	again()
	if a := h.as("", "GET", "/replays/"+o.MatchID, ""); a.body != replay.body || a.status != 200 || a.header.Get("ETag") != replay.header.Get("ETag") {
		t.Errorf("the replay was %s, is %s", replay.body, a.body)
	}
	if a := h.as("", "GET", "", ""); a.body != recent.body {
		t.Errorf("the results were %s, are %s", recent.body, a.body)
	}
	if a := h.as("ann", "POST", path+"/moves", fmt.Sprintf(`{"revision":81,"moveId":%q,"row":0,"col":0}`, uuid(5))); a.status != 409 || a.code() != "wrong_status" {
		t.Error(a)
	}
	if errs := h.failed(); errs != nil {
		t.Error(errs)
	}
}
