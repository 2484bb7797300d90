package clienttest

import (
	"math/rand/v2"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// troubled plays a match in which requests and answers get lost in every way, and each kind of request meets each kind of trouble.
func troubled(t *testing.T, client []string) {
	s, run := table(t, client, "--timeout", "3") // far longer than what is not to be waited for takes
	s.End = 40                                   // so that each trouble has its turn
	troubles := []func() Trouble{
		func() Trouble { return Trouble{Drop: true} },
		func() Trouble { return Trouble{Drop: true, After: true} },
		func() Trouble { return Trouble{Status: 500, After: true} },
		func() Trouble { return Trouble{Status: 502, Body: "<html>bad gateway</html>"} },
		func() Trouble { return Trouble{Status: 200, Body: `{"matchId":"m1"`, After: true} },
		func() Trouble {
			return Trouble{Status: 429, Header: http.Header{"Retry-After": {"1"}}, Body: `{"code":"pace"}`, retryAfter: time.Now().Add(time.Second)}
		},
		func() Trouble { // a date, to the second, of the server's clock: that is an hour slow
			now := time.Now()
			in := func(d time.Duration) string { return now.Add(d).UTC().Format(http.TimeFormat) }
			h := http.Header{"Retry-After": {in(time.Second - time.Hour)}, "Date": {in(-time.Hour)}}
			return Trouble{Status: 503, Header: h, retryAfter: now.Truncate(time.Second).Add(time.Second)}
		},
		func() Trouble { return Trouble{Stall: true} },
		func() Trouble { return Trouble{Stall: true, After: true} },
		func() Trouble { return Trouble{Drip: "HTTP/1.1 200 OK\r\nX-Endless: ", After: true} },
		func() Trouble { return Trouble{Drip: "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n", After: true} },
	}
	// None of these says to wait for long, but no client comes again at once.
	for _, value := range []string{"0", "-5", "soon 5", "1.5", "in 2099", "Wed, 21 Oct 2015 07:28:00 GMT", "Wed, 99 Oct 2015 07:28:00 GMT", ""} {
		troubles = append(troubles, func() Trouble {
			return Trouble{Status: 503, Header: http.Header{"Retry-After": {value}}, retryAfter: time.Now().Add(100 * time.Millisecond)}
		})
	}
	s.Trouble = func(r Request) Trouble {
		// Of each kind every other request fails, each time in the next way.
		if i := r.Nth / 2; r.Nth%2 == 1 && i < len(troubles) {
			if t := troubles[i](); !t.Stall && t.Drip == "" || r.Kind != "observe" { // a poll may take long
				return t
			}
		}
		return Trouble{}
	}
	run.do(t).want(t, Played, "completed")
	if _, created, marks := s.Counts(); created != 1 || marks != 40 {
		t.Errorf("%d matches, %d marks", created, marks)
	}
}

// stale takes no move at first: the client looks again, and comes with another.
func stale(t *testing.T, client []string) {
	s, run := table(t, client)
	s.End = 20
	var conflict atomic.Bool
	s.Trouble = func(r Request) Trouble {
		if conflict.Swap(false) && r.Kind != "observe" {
			t.Errorf("after a conflict came a %s", r.Kind)
		}
		if r.Kind == "move" && r.Nth%3 == 1 {
			conflict.Store(true)
			return Trouble{Status: 409, Body: `{"code":"stale_revision"}`}
		}
		return Trouble{}
	}
	run.do(t).want(t, Played, "completed", "stale_revision")
}

// deadly kills clients at one of their requests.
type deadly struct {
	mu   sync.Mutex // held while one starts: no request is dealt with before all is set
	left int        // requests until then, that one included; none where it is not above 0
	how  Trouble    // of that request
}

func (d *deadly) trouble(Request) Trouble {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.left--; d.left != 0 {
		return Trouble{}
	}
	return d.how
}

// start starts a client that is killed at its request nth, and gives what waits for its end.
func (d *deadly) start(t *testing.T, run Run, nth int, how Trouble) func() Outcome {
	t.Helper()
	d.mu.Lock()
	defer d.mu.Unlock()
	wait, kill := run.start(t)
	how.Then = kill
	d.left, d.how = nth, how
	return func() Outcome {
		o := wait()
		d.mu.Lock()
		defer d.mu.Unlock()
		d.left = 0
		return o
	}
}

// killed kills the client over and over, at moments that the server picks and at any others, and starts it again with the same command.
func killed(t *testing.T, client []string) {
	kills, seats := 10, 2
	if testing.Short() {
		kills, seats = 2, 1
	}
	from := seed()
	t.Logf("seed %x", from)
	random := rand.New(rand.NewChaCha8(from))
	for seat := range seats {
		s, run := table(t, client, "--seat", string(rune('0'+seat)))
		var d deadly
		s.Trouble = d.trouble
		for range kills {
			switch random.IntN(4) {
			case 0: // at any moment, while it starts above all
				wait, now := run.start(t)
				timer := time.AfterFunc(time.Duration(random.IntN(300))*time.Millisecond, now)
				wait()
				timer.Stop()
			default: // while a request is under way: not carried out, carried out, or just being answered
				d.start(t, run, 1+random.IntN(6), Trouble{After: random.IntN(2) == 0, Drop: random.IntN(3) > 0})()
			}
		}
		run.do(t).want(t, Played, "completed")
		if _, created, marks := s.Counts(); created != 1 || marks != cells {
			t.Errorf("%d matches, %d marks", created, marks)
		}
		if st := readState(t, run.State); st.Over == nil || st.Move != nil {
			t.Errorf("the state is %+v", st)
		}
	}
}

// paced plays against a server that holds no polls, and a house that thinks until it was asked twice.
func paced(t *testing.T, client []string) {
	s, run := table(t, client)
	s.Holds, s.Polls, s.End = false, 2, 3
	run.do(t).want(t, Played, "completed")
}

// Relay has clients take turns at one match: each is killed after some requests, and the next one goes on with its state file.
func Relay(t *testing.T, clients ...[]string) {
	s, run := table(t, nil, "--name", "Relay")
	var d deadly
	s.Trouble = d.trouble
	for i := range 3 * len(clients) {
		run.Client = clients[i%len(clients)]
		if o := d.start(t, run, 5+i%2, Trouble{Drop: true})(); o.Status != -1 {
			t.Fatalf("client %d was not killed: %+v", i, o)
		}
	}
	for _, c := range clients {
		run.Client = c
		run.do(t).want(t, Played, "completed: lost 3-5")
	}
	if _, created, marks := s.Counts(); created != 1 || marks != cells {
		t.Errorf("%d matches, %d marks", created, marks)
	}
}
