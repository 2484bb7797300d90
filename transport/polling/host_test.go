package polling_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/matchreferee/arena"
	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/games/grid"
	"github.com/matchreferee/arena/games/werewolf"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport"
	"github.com/matchreferee/arena/transport/polling"
)

const prefix = "/api/benchmarks"

// keyring has the keys lcb_NAME of accounts NAME, with what each may.
type keyring map[string][]string

func (k keyring) Authenticate(_ context.Context, key string) (*transport.Grant, error) {
	name, ok := strings.CutPrefix(key, "lcb_")
	scopes, there := k[name]
	if name == "broken" {
		return nil, fmt.Errorf("no disk")
	}
	if !ok || !there {
		return nil, fmt.Errorf("lookup: %w", transport.ErrKey)
	}
	return &transport.Grant{Agent: referee.Agent{Slug: name, Name: name}, Account: name, Key: "key-" + name, Scopes: scopes}, nil
}

// many has a key for everybody.
type many struct{}

func (many) Authenticate(_ context.Context, key string) (*transport.Grant, error) {
	name, ok := strings.CutPrefix(key, "lcb_")
	if !ok {
		return nil, transport.ErrKey
	}
	return &transport.Grant{Agent: referee.Agent{Slug: name, Name: name}, Account: name, Scopes: []string{transport.ScopeBenchmark}}, nil
}

// roomy are limits that no test reaches by accident.
func roomy() polling.Limits {
	rate := polling.Rate{PerSecond: 1e6, Burst: 1e6}
	return polling.Limits{Starts: 1e6, Active: 1e6, ActiveTotal: 1e6, StartsTotal: 1e6, HeavyTotal: 1e6, Account: rate, Source: rate, Heavy: true}
}

// firstCell answers at once with the first legal action.
var firstCell = referee.Inline(func(r *referee.Request) referee.Answer { return referee.Answer{Action: r.Legal(nil)[0]} })

// held is an opponent that answers when it is let go.
type held struct{ go_ chan struct{} }

func (h held) player() referee.Player {
	return referee.Func(func(ctx context.Context, r *referee.Request) (referee.Answer, error) {
		select {
		case <-h.go_:
		case <-ctx.Done():
			return referee.Answer{}, ctx.Err()
		}
		return referee.Answer{Action: r.Legal(nil)[0]}, nil
	})
}

// host is an arena with a polling transport.
type host struct {
	t       testing.TB
	arena   *arena.Arena
	polls   *polling.Transport
	records referee.Store
	store   polling.Store
	games   []game.Game
	fails   *failures
	closed  bool
}

type failures struct {
	ch chan error
}

// newHost begins one with the opponents quick and slow on the grid; change may
// alter the options, and start again one that was before.
func newHost(t testing.TB, before *host, change func(*polling.Options)) *host {
	t.Helper()
	h := &host{t: t, records: new(referee.MemoryStore), store: new(polling.MemoryStore), fails: &failures{make(chan error, 100)}}
	if before != nil {
		h.records, h.store = before.records, before.store
	}
	h.games = []game.Game{grid.New(), connectfour.New(), werewolf.New()}
	o := polling.Options{
		Auth:  keyring{"ann": {"benchmark"}, "bob": {"play", "benchmark"}, "eve": {"watch"}, "broken": nil},
		Games: h.games, Records: h.records, Store: h.store, Limits: roomy(),
		Opponents: map[string]polling.Opponent{
			"quick": {Player: firstCell},
			"never": {Light: true, Player: referee.Func(func(ctx context.Context, _ *referee.Request) (referee.Answer, error) {
				<-ctx.Done()
				return referee.Answer{}, ctx.Err()
			})},
			"broken": {Player: referee.Func(func(context.Context, *referee.Request) (referee.Answer, error) {
				return referee.Answer{}, fmt.Errorf("out of memory")
			})},
			"secret": {Player: firstCell, Gated: true},
			"heavy":  {Player: firstCell, Heavy: true, Game: "grid", Policy: polling.JSON(map[string]any{"opponent": "heavy", "nodes": 7})},
		},
		Start:  h.start,
		Failed: func(err error) { h.fails.ch <- err },
	}
	if change != nil {
		change(&o)
	}
	h.records, h.store = o.Records, o.Store
	var err error
	if h.polls, err = polling.New(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	h.arena, err = arena.New(arena.Config{
		Games: o.Games, Store: o.Records, Key: []byte("0123456789abcdef"),
		Carriers: map[string]arena.Carrier{"polling": {Transport: h.polls}, "house": {Transport: h.polls.House()}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.arena.Recover(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.close)
	return h
}

func (h *host) start(ctx context.Context, s polling.Start) error {
	m := arena.Match{ID: s.Match, Game: s.Game, Ruleset: s.Ruleset}
	for _, seat := range s.Seats {
		carrier := "polling"
		if seat.Agent.House {
			carrier = "house"
		}
		m.Seats = append(m.Seats, arena.Seat{Agent: seat.Agent, Carrier: carrier, Terms: &arena.Terms{Policy: seat.Policy, Clock: seat.Clock}})
	}
	_, err := h.arena.Start(ctx, m)
	return err
}

// close stops the host where it stands, as a restart does.
func (h *host) close() {
	if h.closed {
		return
	}
	h.closed = true
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_ = h.arena.Shutdown(ctx)
}

// failed gives the host's errors so far.
func (h *host) failed() (errs []error) {
	for {
		select {
		case err := <-h.fails.ch:
			errs = append(errs, err)
		default:
			return errs
		}
	}
}

// answer is what a request got.
type answer struct {
	status int
	header http.Header
	body   string
}

func (a answer) code() string {
	var p struct{ Code string }
	_ = json.Unmarshal([]byte(a.body), &p)
	return p.Code
}

// observation is what the tests look at.
type observation struct {
	MatchID     string
	Seat        int
	Revision    int
	Turn        *int
	Status      string
	Reason      string
	RemainingMs int64
	ExpiresAt   time.Time
	ServerTime  time.Time
	LegalMoves  []json.RawMessage
	Scores      []int64
	View        json.RawMessage
	History     []struct {
		Seat      int
		Row, Col  *int
		Action    json.RawMessage
		Timestamp time.Time
		Scoring   *struct{ Offence, Area, Defence, Total int }
	}
	AIPolicy    json.RawMessage
	TimeControl struct {
		Control string
		TurnMs  *int64
		MatchMs int64
	}
	Notices []string
}

func (a answer) observation(t testing.TB) (o observation) {
	t.Helper()
	if a.status != 200 && a.status != 201 {
		t.Fatalf("%d %s", a.status, a.body)
	}
	if err := json.Unmarshal([]byte(a.body), &o); err != nil {
		t.Fatalf("%v: %s", err, a.body)
	}
	return o
}

// as sends a request with somebody's key; "" for none. Headers come in pairs.
func (h *host) as(who, method, path, body string, header ...string) answer {
	r := httptest.NewRequest(method, prefix+path, strings.NewReader(body))
	if who != "" {
		r.Header.Set("Authorization", "Bearer lcb_"+who)
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.polls.ServeHTTP(w, r)
	return answer{w.Code, w.Result().Header, w.Body.String()}
}

func uuid(n int) string { return fmt.Sprintf("00000000-0000-4000-8000-%012d", n) }

// create begins a match of ann's; more are members of the request.
func (h *host) create(request int, opponent string, more string) answer {
	return h.as("ann", "POST", "/matches", fmt.Sprintf(`{"opponent":%q,"requestId":%q%s}`, opponent, uuid(request), more))
}

// begun begins one and gives its path.
func (h *host) begun(request int, opponent, more string) (path string, o observation) {
	h.t.Helper()
	a := h.create(request, opponent, more)
	o = a.observation(h.t)
	if a.status != 201 || a.header.Get("Location") != prefix+"/matches/"+o.MatchID {
		h.t.Fatalf("%d, location %q", a.status, a.header.Get("Location"))
	}
	return "/matches/" + o.MatchID, o
}

// play makes the first legal move.
func (h *host) play(path string, o observation, move int) answer {
	h.t.Helper()
	if o.Status != "agent" {
		h.t.Fatalf("status %s", o.Status)
	}
	return h.as("ann", "POST", path+"/moves", moveOf(o, move))
}

func moveOf(o observation, move int) string {
	var cell struct{ Row, Col *int }
	if json.Unmarshal(o.LegalMoves[0], &cell) == nil && cell.Row != nil {
		return fmt.Sprintf(`{"revision":%d,"moveId":%q,"row":%d,"col":%d}`, o.Revision, uuid(move), *cell.Row, *cell.Col)
	}
	return fmt.Sprintf(`{"revision":%d,"moveId":%q,"action":%s}`, o.Revision, uuid(move), o.LegalMoves[0])
}

// await looks until the status is no longer ai.
func (h *host) await(path string) observation {
	h.t.Helper()
	for {
		a := h.as("ann", "GET", path, "", "Prefer", "wait=20")
		if o := a.observation(h.t); o.Status != "ai" {
			return o
		}
	}
}
