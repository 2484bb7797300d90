package callback_test

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/protocol/agentarena"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport/callback"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const replayURL = "https://arena.example/m/{match_id}"

func connectFour(t testing.TB) *game.Table {
	t.Helper()
	table, err := connectfour.New().Table(nil)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// events collects what a transport tells.
type events struct {
	mu sync.Mutex
	es []callback.Event
}

func (e *events) add(x callback.Event) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.es = append(e.es, x)
}

// all gives them by match and request: they may come out of order.
func (e *events) all() []callback.Event {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.SortedStableFunc(slices.Values(e.es), func(a, b callback.Event) int {
		return cmp.Or(cmp.Compare(a.Match, b.Match), cmp.Compare(a.Ask, b.Ask))
	})
}

// newTransport makes one that is closed after the test.
func newTransport(t testing.TB, o callback.Options) *callback.Transport {
	t.Helper()
	if o.ReplayURL == "" {
		o.ReplayURL = replayURL
	}
	tr, err := callback.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tr.Close() })
	return tr
}

// practice are options for agents on this machine.
func practice(e *events) callback.Options {
	o := callback.Options{AllowHTTP: true, AllowLoopback: true}
	if e != nil {
		o.Observe = e.add
	}
	return o
}

// seat registers an agent and gives its player.
func seat(t testing.TB, tr *callback.Transport, slug, url string) referee.Player {
	t.Helper()
	a := referee.Agent{Slug: slug, Name: slug}
	if err := tr.Register(context.Background(), a, url); err != nil {
		t.Fatal(err)
	}
	p, err := tr.Player(context.Background(), a)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// leftmost is the other player of most matches here.
func leftmost() referee.Player {
	return referee.Inline(func(r *referee.Request) referee.Answer { return referee.Answer{Action: r.Legal(nil)[0]} })
}

// setupFor is a match of agent slug on seat 0 against leftmost, without the
// pauses after strikes, so that tests in real time are quick.
func setupFor(t testing.TB, id, slug string) referee.Setup {
	policy, clock := agentarena.Policy(2)
	policy.Pause, policy.PauseMax = 0, 0
	return referee.Setup{ID: id, Table: connectFour(t), Secret: game.SeedFrom(1), Seats: []referee.SeatInfo{
		{Agent: referee.Agent{Slug: slug, Name: slug}, Transport: "callback", Policy: policy, Clock: clock},
		{Agent: referee.Agent{Slug: "left", Name: "Left"}},
	}}
}

// played is a match of a callback player against leftmost, with its faults as
// "fault detail" in order.
func played(t testing.TB, s referee.Setup, p referee.Player) (r *referee.Result, faults []string) {
	t.Helper()
	c := referee.Config{Observe: func(_ string, e *referee.Event) {
		if e.Kind == referee.KindFault {
			f := e.X.Fault.String()
			if e.X.Detail != "" {
				f += ": " + e.X.Detail
			}
			faults = append(faults, f)
		}
	}}
	r, err := (&referee.Local{Config: c}).Play(t.Context(), s, p, leftmost())
	if err != nil {
		t.Fatal(err)
	}
	return r, faults
}

// good is an agent that plays the rightmost column and never strikes.
func good(t testing.TB) http.Handler {
	t.Helper()
	h, err := callback.Agent(func(_ context.Context, m agentarena.MoveRequest) (agentarena.Reply, error) {
		return agentarena.Reply{Move: m.Legal[len(m.Legal)-1]}, nil
	}, callback.AgentOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func serve(t testing.TB, h http.Handler) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL
}

// names is a resolver that gives the next of several answers to each lookup of a
// name, the last one for ever.
type names struct {
	mu sync.Mutex
	m  map[string][]lookup
	n  map[string]int
}

type lookup struct {
	addrs []string
	err   error
}

func resolver(m map[string][]lookup) *names { return &names{m: m, n: map[string]int{}} }

func (r *names) LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if network != "ip" || host == "" || host[len(host)-1] != '.' {
		return nil, fmt.Errorf("asked for %s %q", network, host)
	}
	host = host[:len(host)-1]
	r.mu.Lock()
	defer r.mu.Unlock()
	all := r.m[host]
	if len(all) == 0 {
		return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	}
	l := all[min(r.n[host], len(all)-1)]
	r.n[host]++
	var addrs []netip.Addr
	for _, a := range l.addrs {
		addrs = append(addrs, netip.MustParseAddr(a))
	}
	return addrs, l.err
}
