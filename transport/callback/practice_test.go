package callback_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/protocol/agentarena"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport/callback"
)

// practiceOver makes a handler whose one house player is called left.
func practiceOver(t testing.TB, tr *callback.Transport, change func(*callback.PracticeOptions)) http.Handler {
	t.Helper()
	o := callback.PracticeOptions{
		Transport: tr, Games: map[string]game.Game{"connect4": connectfour.New()},
		House: func(_, name string) (referee.Player, bool) { return leftmost(), name == "left" },
	}
	if change != nil {
		change(&o)
	}
	h, err := callback.Practice(o)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func practise(ctx context.Context, h http.Handler, from, body string) *httptest.ResponseRecorder {
	r := httptest.NewRequestWithContext(ctx, "POST", "/practice", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json; charset=utf-8")
	r.RemoteAddr = from
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// readRecord gives the events of a record, whose chain it checks.
func readRecord(t *testing.T, record []byte) []referee.Event {
	t.Helper()
	log := new(referee.Memory)
	lines := bytes.Split(bytes.TrimSuffix(record, []byte("\n")), []byte("\n"))
	if err := log.Append(t.Context(), 0, lines); err != nil {
		t.Fatal(err)
	}
	var es []referee.Event
	for e, err := range referee.Events(t.Context(), log) {
		if err != nil {
			t.Fatal(err)
		}
		es = append(es, e)
	}
	return es
}

// TestPractice plays on each seat, against a server on this machine.
func TestPractice(t *testing.T) {
	agent := serve(t, good(t))
	h := practiceOver(t, newTransport(t, practice(nil)), nil)
	ids := map[string]bool{}
	for _, c := range []struct {
		body  string
		agent int
	}{
		{`{"url":%q,"game":"connect4","house":"left"}`, 0},
		{`{"url":%q,"game":"connect4","house":"left","seat":0}`, 0},
		{"\xef\xbb\xbf" + ` {"url":%q,"game":"connect4","house":"left","seat":1} `, 1},
	} {
		w := practise(t.Context(), h, "192.0.2.1:1234", fmt.Sprintf(c.body, agent))
		if w.Code != 200 || w.Header().Get("Content-Type") != "application/jsonl" {
			t.Fatalf("%s: %d %s", c.body, w.Code, w.Body)
		}
		es := readRecord(t, w.Body.Bytes())
		start, end := es[0].X.Start, es[len(es)-1].X.End
		if a := start.Seats[c.agent]; a.Agent.House || a.Transport != "callback" || a.Policy.Strikes != 3 {
			t.Errorf("the agent's seat: %+v", a)
		}
		if a := start.Seats[1-c.agent].Agent; !a.House || a.Name != "left" {
			t.Errorf("the other seat: %+v", a)
		}
		if end.Cause != referee.CausePlay || end.Reason != "connect" {
			t.Errorf("it ended by %v, %s", end.Cause, end.Reason)
		}
		ids[start.ID] = true
	}
	if len(ids) != 3 {
		t.Errorf("ids %v", ids)
	}
}

// TestPracticeRefuses has requests that are not right, and what is said of each member.
func TestPracticeRefuses(t *testing.T) {
	h := practiceOver(t, newTransport(t, callback.Options{Resolver: web()}), nil)
	for _, c := range []struct {
		name, body string
		status     int
		code       string
		fields     string
	}{
		{"empty", ``, 400, "malformed", ""},
		{"no JSON", `url=x`, 400, "malformed", ""},
		{"trailing data", `{"url":"https://1.1.1.1/","game":"connect4","house":"left"}{}`, 400, "malformed", ""},
		{"a member twice", `{"url":"https://1.1.1.1/","url":"https://10.0.0.1/","game":"connect4","house":"left"}`, 400, "malformed", ""},
		{"null", `null`, 400, "malformed", ""},
		{"array", `[]`, 400, "malformed", ""},
		{"deep", strings.Repeat("[", 40) + strings.Repeat("]", 40), 400, "malformed", ""},
		{"too long", `{"url":"` + strings.Repeat("a", 8192) + `"}`, 413, "too_large", ""},
		{"nothing in it", `{}`, 422, "invalid", "url game house"},
		{"wrong types", `{"url":1,"game":null,"house":["left"],"seat":"0"}`, 422, "invalid", "url game house seat"},
		{"half a seat", `{"url":"https://1.1.1.1/","game":"connect4","house":"left","seat":0.5}`, 422, "invalid", "seat"},
		{"a null seat", `{"url":"https://1.1.1.1/","game":"connect4","house":"left","seat":null}`, 422, "invalid", "seat"},
		{"unknown names", `{"url":"https://1.1.1.1/","game":"go","house":"x","seat":0}`, 422, "invalid", "game"},
		{"unknown house", `{"url":"https://1.1.1.1/","game":"connect4","house":"right"}`, 422, "invalid", "house"},
		{"seats", `{"url":"https://1.1.1.1/","game":"connect4","house":"left","seat":2}`, 422, "invalid", "seat"},
		{"negative seat", `{"url":"https://1.1.1.1/","game":"connect4","house":"left","seat":-1}`, 422, "invalid", "seat"},
		{"misspelt", `{"URL":"https://1.1.1.1/","url":"https://1.1.1.1/","game":"connect4","house":"left","seats":1}`, 422, "invalid", "URL seats"},
		{"misspelt and wrong", `{"url":"http://10.0.0.9/","game":"go","house":"x","seat":7,"z":1}`, 422, "invalid", "url game z"},
		{"misspelt and wrong in this game", `{"url":"https://1.1.1.1/","game":"connect4","house":"x","seats":7,"seat":9}`, 422, "invalid", "house seat seats"},
		{"wrong type and wrong", `{"url":7,"game":"connect4","house":"x","seat":-1}`, 422, "invalid", "house seat url"},
		{"all at once", `{"url":"http://1.1.1.1/","game":"connect4","house":"right","seat":7}`, 422, "invalid", "url house seat"},
		{"http", `{"url":"http://1.1.1.1/","game":"connect4","house":"left"}`, 422, "invalid", "url"},
		{"loopback", `{"url":"https://127.0.0.1:8443/","game":"connect4","house":"left"}`, 422, "invalid", "url"},
		{"private name", `{"url":"https://private.example/","game":"connect4","house":"left"}`, 422, "invalid", "url"},
		{"unknown name", `{"url":"https://unknown.example/","game":"connect4","house":"left"}`, 422, "invalid", "url"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := practise(t.Context(), h, "192.0.2.1:1234", c.body)
			var p struct {
				Title, Code, Detail string
				Status              int
				Errors              []struct{ Field, Detail string }
			}
			if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil {
				t.Fatalf("%v: %s", err, w.Body)
			}
			if w.Code != c.status || p.Status != c.status || p.Code != c.code || p.Title == "" || p.Detail == "" || w.Header().Get("Content-Type") != "application/problem+json" {
				t.Errorf("%d %s", w.Code, w.Body)
			}
			var fields []string
			for _, f := range p.Errors {
				fields = append(fields, f.Field)
				if f.Detail == "" {
					t.Errorf("nothing is said of %s", f.Field)
				}
			}
			if got := strings.Join(fields, " "); got != c.fields {
				t.Errorf("fields %q, want %q", got, c.fields)
			}
			if strings.Contains(w.Body.String(), "10.0.0.1") {
				t.Errorf("it tells the address of a private name: %s", w.Body)
			}
		})
	}
	for _, c := range []struct {
		method, contentType string
		status              int
	}{{"GET", "application/json", 405}, {"POST", "", 415}, {"POST", "text/plain", 415}, {"POST", "application/x-www-form-urlencoded", 415}} {
		r := httptest.NewRequest(c.method, "/practice", strings.NewReader(`{}`))
		r.Header.Set("Content-Type", c.contentType)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != c.status || (c.status == 405) != (w.Header().Get("Allow") == "POST") {
			t.Errorf("%s %s: %d %v", c.method, c.contentType, w.Code, w.Header())
		}
	}
	r := httptest.NewRequest("POST", "/practice", failing{})
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	if w.Code != 400 {
		t.Errorf("a body that breaks off: %d", w.Code)
	}
}

const overPipes = `{"url":"http://agent.example/","game":"connect4","house":"left"}`

// hanging never answers.
func hanging() *pipes {
	return &pipes{reply: func(_ int, c net.Conn, _ *http.Request, _ agentarena.MoveRequest) bool { untilClosed(c); return false }}
}

// TestPracticeTurns has one match at a time per source, and so many in all.
func TestPracticeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := practiceOver(t, hanging().over(t, plain(nil)), func(o *callback.PracticeOptions) { o.Concurrent = 2 })
		var wg sync.WaitGroup
		for _, from := range []string{"192.0.2.1:1", "[2001:db8::1]:1"} {
			wg.Go(func() {
				if w := practise(t.Context(), h, from, overPipes); w.Code != 200 {
					t.Errorf("%s: %d %s", from, w.Code, w.Body)
				}
			})
			synctest.Wait()
		}
		for _, c := range []struct {
			from   string
			status int
		}{{"192.0.2.1:2", 429}, {"[2001:db8::ffff]:2", 429}, {"192.0.2.2:1", 503}, {"[2001:db8:0:1::1]:1", 503}} {
			w := practise(t.Context(), h, c.from, overPipes)
			if w.Code != c.status || w.Header().Get("Retry-After") == "" {
				t.Errorf("%s: %d %v", c.from, w.Code, w.Header())
			}
		}
		wg.Wait()
		if w := practise(t.Context(), h, "192.0.2.1:3", overPipes); w.Code != 200 {
			t.Errorf("afterwards: %d", w.Code)
		}
	})
}

// TestPracticeGone ends the match with the client's request.
func TestPracticeGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var got events
		h := practiceOver(t, hanging().over(t, plain(&got)), nil)
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		defer cancel()
		begun := time.Now()
		w := practise(ctx, h, "192.0.2.1:1", overPipes)
		if w.Body.Len() != 0 || time.Since(begun) != 3*time.Second {
			t.Errorf("after %v: %d %s", time.Since(begun), w.Code, w.Body)
		}
		if es := got.all(); len(es) != 1 || !es[0].Closed || es[0].Took != 3*time.Second {
			t.Errorf("events %+v", es)
		}
	})
}

// TestPracticeMaxTime ends the match that lasts too long: its record says so.
func TestPracticeMaxTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &pipes{reply: func(_ int, c net.Conn, _ *http.Request, m agentarena.MoveRequest) bool {
			<-time.After(9 * time.Second)
			return writeGood(c, m)
		}}
		h := practiceOver(t, p.over(t, plain(nil)), func(o *callback.PracticeOptions) { o.MaxTime = 20 * time.Second })
		begun := time.Now()
		w := practise(t.Context(), h, "192.0.2.1:1", overPipes)
		es := readRecord(t, w.Body.Bytes())
		if end := es[len(es)-1].X.End; w.Code != 200 || end.Cause != referee.CauseExpiry || time.Since(begun) != 20*time.Second {
			t.Errorf("after %v: %d, %v", time.Since(begun), w.Code, end.Cause)
		}
	})
}

// TestPracticeTakesTurns practises against the URL of a registered agent that is
// playing: its requests do not overlap.
func TestPracticeTakesTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &pipes{reply: func(_ int, c net.Conn, _ *http.Request, m agentarena.MoveRequest) bool {
			<-time.After(time.Second)
			return writeGood(c, m)
		}}
		tr := p.over(t, plain(nil))
		player := seat(t, tr, "agent", "http://agent.example/")
		h := practiceOver(t, tr, nil)
		var wg sync.WaitGroup
		wg.Go(func() { played(t, setupFor(t, "m", "agent"), player) })
		wg.Go(func() {
			if w := practise(t.Context(), h, "192.0.2.1:1", overPipes); w.Code != 200 {
				t.Errorf("%d %s", w.Code, w.Body)
			}
		})
		wg.Wait()
		if _, requests, most := p.seen(); most != 1 || requests < 8 {
			t.Errorf("%d requests, %d at once", requests, most)
		}
	})
}

// TestPracticeVoid has our own resolver fail in the middle: a void match and its record.
func TestPracticeVoid(t *testing.T) {
	public, down := lookup{addrs: []string{"1.1.1.1"}}, lookup{err: &net.DNSError{Err: "server misbehaving", IsTemporary: true}}
	r := resolver(map[string][]lookup{"agent.example": {public, down}, "arena.example": {down}})
	h := practiceOver(t, newTransport(t, callback.Options{Resolver: r}), nil)
	body := strings.Replace(overPipes, "http:", "https:", 1)
	w := practise(t.Context(), h, "192.0.2.1:1", body)
	es := readRecord(t, w.Body.Bytes())
	if end := es[len(es)-1].X.End; w.Code != 200 || end.Cause != referee.CauseVoid {
		t.Errorf("%d, %v", w.Code, end.Cause)
	}
	if w := practise(t.Context(), h, "192.0.2.1:1", body); w.Code != 503 || !strings.Contains(w.Body.String(), `"unavailable"`) {
		t.Errorf("while the resolver is down: %d %s", w.Code, w.Body)
	}
}

func TestPracticeOptions(t *testing.T) {
	tr := newTransport(t, callback.Options{})
	house := func(string, string) (referee.Player, bool) { return nil, false }
	games := map[string]game.Game{"connect4": connectfour.New()}
	for _, c := range []struct {
		o    callback.PracticeOptions
		want []string
	}{
		{callback.PracticeOptions{}, []string{"Transport", "Games", "House"}},
		{callback.PracticeOptions{Transport: tr, Games: map[string]game.Game{"x": nil}, House: house}, []string{"Games"}},
		{callback.PracticeOptions{Transport: tr, Games: games, House: house, MaxTime: time.Millisecond, Concurrent: -1}, []string{"MaxTime", "Concurrent"}},
		{callback.PracticeOptions{Transport: tr, Games: games, House: house, MaxTime: 2 * time.Hour}, []string{"MaxTime"}},
		{callback.PracticeOptions{Transport: tr, Games: games, House: house}, nil},
	} {
		_, err := callback.Practice(c.o)
		var got []string
		if err != nil {
			for _, line := range strings.Split(err.Error(), "\n") {
				got = append(got, strings.Split(strings.TrimPrefix(line, "callback: "), ":")[0])
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("got %v, want errors about %v", err, c.want)
		}
	}
}
