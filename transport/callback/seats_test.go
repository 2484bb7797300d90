package callback_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matchreferee/arena/protocol/agentarena"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport"
	"github.com/matchreferee/arena/transport/callback"
)

// TestSeats has an agent with as many seats as it may have, and then one that
// is free again.
func TestSeats(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := slowPipes(time.Second)
		o := plain(nil)
		o.Seats = 2
		tr := p.over(t, o)
		a := referee.Agent{Slug: "agent"}
		if err := tr.Register(t.Context(), a, "http://agent.example/"); err != nil {
			t.Fatal(err)
		}
		player := func(want error) referee.Player {
			t.Helper()
			p, err := tr.Player(t.Context(), a)
			if !errors.Is(err, want) {
				t.Fatalf("got %v, want %v", err, want)
			}
			return p
		}
		play := func(ctx context.Context, id string, p referee.Player) error {
			_, err := new(referee.Local).Play(ctx, setupFor(t, id, "agent"), p, leftmost())
			return err
		}

		// Two players, then none, also before either is seated.
		var wg sync.WaitGroup
		one, two := player(nil), player(nil)
		player(callback.ErrBusyAgent)
		ctx, cancel := context.WithCancel(t.Context())
		wg.Go(func() {
			if err := play(t.Context(), "one", one); err != nil {
				t.Error(err)
			}
		})
		wg.Go(func() {
			if err := play(ctx, "two", two); !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		})
		synctest.Wait()
		<-time.After(2 * time.Second)
		player(callback.ErrBusyAgent)

		// A match that stopped counts no more, nor does one that ended.
		cancel()
		synctest.Wait()
		player(nil)
		player(callback.ErrBusyAgent)
		wg.Wait()
		player(nil)
		player(callback.ErrBusyAgent)

		// Two players were never seated.
		<-time.After(time.Minute)
		three := player(nil)
		player(nil)
		player(callback.ErrBusyAgent)

		// Another agent is another one's business, and so is one registered anew.
		seat(t, tr, "other", "http://agent.example/other")
		tr.Forget("agent")
		four := seat(t, tr, "agent", "http://agent.example/")

		// A player may sit in more matches than one; each counts.
		for i := range 3 {
			wg.Go(func() { play(t.Context(), fmt.Sprint("three", i), three) })
			wg.Go(func() { play(t.Context(), fmt.Sprint("four", i), four) })
		}
		synctest.Wait()
		player(callback.ErrBusyAgent)
		wg.Wait()
		player(nil)
	})
}

// TestSeatsRecovering: a match that began before has its seat, however busy its agent is.
func TestSeatsRecovering(t *testing.T) {
	o := callback.Options{Resolver: web(), Seats: 1}
	tr := newTransport(t, o)
	a := referee.Agent{Slug: "a"}
	if err := tr.Register(t.Context(), a, "https://agent.example/"); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		ctx  context.Context
		want error
	}{{t.Context(), nil}, {t.Context(), callback.ErrBusyAgent}, {transport.Recovering(t.Context()), nil}, {t.Context(), callback.ErrBusyAgent}} {
		if _, err := tr.Player(c.ctx, a); !errors.Is(err, c.want) {
			t.Errorf("%v, want %v", err, c.want)
		}
	}
}

// TestSeatsTogether has agents that share an endpoint, and so its seats.
func TestSeatsTogether(t *testing.T) {
	o := callback.Options{Resolver: web(), Seats: 3}
	tr := newTransport(t, o)
	player := func(slug, url string) error {
		t.Helper()
		if err := tr.Register(t.Context(), referee.Agent{Slug: slug}, url); err != nil {
			t.Fatal(err)
		}
		_, err := tr.Player(t.Context(), referee.Agent{Slug: slug})
		return err
	}
	for _, c := range []struct {
		slug, url string
		want      error
	}{
		{"a", "https://agent.example/play", nil},
		{"b", "https://agent.example:443/play", nil},
		{"a", "https://agent.example/play", nil},
		{"c", "https://agent.example/./play", callback.ErrBusyAgent},
		{"a", "https://agent.example/play", callback.ErrBusyAgent},
		{"c", "https://agent.example/other", nil},
		{"b", "https://agent.example/moved", nil}, // with its seat
		{"a", "https://agent.example/play", nil},
		{"a", "https://agent.example/play", callback.ErrBusyAgent},
	} {
		if err := player(c.slug, c.url); !errors.Is(err, c.want) {
			t.Errorf("%s at %s: %v, want %v", c.slug, c.url, err, c.want)
		}
	}
}

// TestSeatsStuck asks for a player while a match stands still in its log.
func TestSeatsStuck(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := slowPipes(time.Second)
		o := plain(nil)
		o.Seats = 1
		tr := p.over(t, o)
		player := seat(t, tr, "agent", "http://agent.example/")
		log := &stuckLog{Memory: new(referee.Memory), free: make(chan struct{})}
		var wg sync.WaitGroup
		wg.Go(func() {
			l := &referee.Local{Config: referee.Config{Log: log}}
			if _, err := l.Play(t.Context(), setupFor(t, "m", "agent"), player, leftmost()); err != nil {
				t.Error(err)
			}
		})
		<-time.After(1500 * time.Millisecond) // the first move is being recorded
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		for range 3 {
			if _, err := tr.Player(ctx, referee.Agent{Slug: "agent"}); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("got %v", err)
			}
		}
		close(log.free)
		synctest.Wait()
		if _, err := tr.Player(t.Context(), referee.Agent{Slug: "agent"}); !errors.Is(err, callback.ErrBusyAgent) {
			t.Errorf("got %v", err)
		}
		wg.Wait()
	})
}

// stuckLog takes the first moves when it is free.
type stuckLog struct {
	*referee.Memory
	free chan struct{}
}

func (l *stuckLog) Append(ctx context.Context, at int64, lines [][]byte) error {
	if at > 1 {
		<-l.free
	}
	return l.Memory.Append(ctx, at, lines)
}

// TestStalling has an agent that answers each request just in time, in as many
// matches as it can get: all of them end by play.
func TestStalling(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &pipes{reply: func(_ int, c net.Conn, _ *http.Request, m agentarena.MoveRequest) bool {
			<-time.After(9900 * time.Millisecond)
			return writeGood(c, m)
		}}
		tr := p.over(t, plain(nil))
		a := referee.Agent{Slug: "agent"}
		if err := tr.Register(t.Context(), a, "http://agent.example/"); err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		n := 0
		for i := range 100 {
			player, err := tr.Player(t.Context(), a)
			if err != nil {
				continue
			}
			n++
			wg.Go(func() {
				r, faults, _ := playedOver(t, player, fmt.Sprint("m", i))
				if r.Cause != referee.CausePlay || len(faults) != 0 {
					t.Errorf("got %v, faults %q", r.Cause, faults)
				}
			})
		}
		wg.Wait()
		if n != 16 {
			t.Errorf("%d matches", n)
		}
	})
}

// TestSlugs takes the slugs that a match takes.
func TestSlugs(t *testing.T) {
	long := "0123456789012345678901234567890123456789012345678901234567890123"
	for _, slug := range []string{"a", "a_b.c-9", "A", "a b", "é", "a/b", "\xff", "a\n", "-", long, long + "4"} {
		s := setupFor(t, "m", "a")
		s.Seats[0].Agent.Slug = slug
		_, want := referee.New(s)
		tr := newTransport(t, callback.Options{Resolver: web()})
		if err := tr.Register(t.Context(), referee.Agent{Slug: slug}, "https://agent.example/"); (err == nil) != (want == nil) {
			t.Errorf("%q: %v, and a match says %v", slug, err, want)
		}
		looked := newTransport(t, callback.Options{Resolver: web(), URL: func(context.Context, referee.Agent) (string, error) { return "https://agent.example/", nil }})
		if _, err := looked.Player(t.Context(), referee.Agent{Slug: slug}); (err == nil) != (want == nil) {
			t.Errorf("%q: %v, and a match says %v", slug, err, want)
		}
	}
	tr := newTransport(t, callback.Options{Resolver: web()})
	if err := tr.Register(t.Context(), referee.Agent{}, "https://agent.example/"); !errors.Is(err, callback.ErrUnknown) {
		t.Errorf("no slug: %v", err)
	}
}
