package clienttest

import (
	"math/rand/v2"
	"net/http"
	"sync/atomic"
	"testing"
	"time"
)

// troubled plays a match in which requests and answers get lost in every way, and each kind of request meets each kind of trouble.
func troubled(t *testing.T, client []string) {
	s, run := table(t, client, "--timeout", "0.7")
	s.End = 40 // so that each trouble has its turn
	in := func(d time.Duration) string { return time.Now().Add(d).UTC().Format(http.TimeFormat) }
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
			h := http.Header{"Retry-After": {in(time.Second - time.Hour)}, "Date": {in(-time.Hour)}}
			return Trouble{Status: 503, Header: h, retryAfter: time.Now().Truncate(time.Second).Add(time.Second)}
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
		var kill atomic.Pointer[func()]
		var left atomic.Int32
		var after, drop atomic.Bool
		s.Trouble = func(Request) Trouble {
			if left.Add(-1) != 0 {
				return Trouble{}
			}
			now := *kill.Load()
			return Trouble{Then: now, Drop: drop.Load(), After: after.Load()}
		}
		for range kills {
			wait, now := run.start(t)
			kill.Store(&now)
			switch random.IntN(4) {
			case 0: // at any moment, while it starts above all
				left.Store(-1)
				timer := time.AfterFunc(time.Duration(random.IntN(300))*time.Millisecond, now)
				wait()
				timer.Stop()
			default: // while a request is under way: not carried out, carried out, or just being answered
				after.Store(random.IntN(2) == 0)
				drop.Store(random.IntN(3) > 0)
				left.Store(1 + random.Int32N(6))
				wait()
			}
		}
		left.Store(-1)
		none := func() {}
		kill.Store(&none)
		run.do(t).want(t, Played, "completed")
		if _, created, marks := s.Counts(); created != 1 || marks != cells {
			t.Errorf("%d matches, %d marks", created, marks)
		}
		if st := readState(t, run.State); st.Over == nil || st.Move != nil {
			t.Errorf("the state is %+v", st)
		}
	}
}

// paced plays against a server that holds no polls, and a house that thinks for a while.
func paced(t *testing.T, client []string) {
	s, run := table(t, client)
	s.Holds, s.Think, s.End = false, 3*time.Second, 3
	run.do(t).want(t, Played, "completed")
	s.mu.Lock()
	unheld := s.unheld
	s.mu.Unlock()
	if unheld < 1 {
		t.Errorf("no poll while the house thought")
	}
}

// Relay has clients take turns at one match: each is killed after some requests, and the next one goes on with its state file.
func Relay(t *testing.T, clients ...[]string) {
	s, run := table(t, nil, "--name", "Relay")
	var kill atomic.Pointer[func()]
	var left atomic.Int32
	s.Trouble = func(Request) Trouble {
		if left.Add(-1) != 0 {
			return Trouble{}
		}
		return Trouble{Then: *kill.Load(), Drop: true}
	}
	for i := range 3 * len(clients) {
		run.Client = clients[i%len(clients)]
		wait, now := run.start(t)
		kill.Store(&now)
		left.Store(int32(5 + i%2))
		if o := wait(); o.Status != -1 {
			t.Fatalf("client %d was not killed: %+v", i, o)
		}
	}
	left.Store(-1)
	for _, c := range clients {
		run.Client = c
		run.do(t).want(t, Played, "completed: lost 3-5")
	}
	if _, created, marks := s.Counts(); created != 1 || marks != cells {
		t.Errorf("%d matches, %d marks", created, marks)
	}
}
