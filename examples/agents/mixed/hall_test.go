// Package mixed_test seats agents of different languages, behind different carriers, in the same matches.
package mixed_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	arena "github.com/matchreferee/arena"
	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/chess"
	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/games/werewolf"
	"github.com/matchreferee/arena/protocol/agentarena"
	"github.com/matchreferee/arena/protocol/ludux"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/replay"
	"github.com/matchreferee/arena/transport"
	"github.com/matchreferee/arena/transport/callback"
	"github.com/matchreferee/arena/transport/local"
	"github.com/matchreferee/arena/transport/websocket"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const patience = 5 * time.Minute // far longer than anything here takes

// hall is an arena with four carriers.
type hall struct {
	*arena.Arena
	functions *local.Transport
	calls     *callback.Transport  // agentarena/1
	posts     *callback.Transport  // ludux/1 in signed requests
	sockets   *websocket.Transport // ludux/1
	url       string               // of sockets
	secret    callback.Secret      // of all who are posted to
	store     *referee.MemoryStore
	close     func()

	arena.NoHooks
	mu      sync.Mutex
	answers int
	watch   func(answers int)
	joined  map[string]func() // by slug: called when the agent connects
}

// Answered counts, and holds the match up for whoever watches.
func (h *hall) Answered(string, game.Seat, referee.Time) {
	h.mu.Lock()
	h.answers++
	n, watch := h.answers, h.watch
	h.mu.Unlock()
	if watch != nil {
		watch(n)
	}
}

// onAnswer calls f after each answer from now on, counted from 1.
func (h *hall) onAnswer(f func(answers int)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.answers, h.watch = 0, f
}

// expect gives a channel that closes when an agent connects.
func (h *hall) expect(slug string) <-chan struct{} {
	c := make(chan struct{})
	h.mu.Lock()
	defer h.mu.Unlock()
	h.joined[slug] = sync.OnceFunc(func() { close(c) })
	return c
}

// observe is told of the connections.
func (h *hall) observe(e websocket.Event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if f := h.joined[e.Agent]; f != nil && e.Kind == websocket.Opened {
		f()
	}
}

func newHall(t *testing.T) *hall {
	t.Helper()
	return openHall(t, "127.0.0.1:0", callback.NewSecret(), new(referee.MemoryStore))
}

// openHall opens one at an address, until the test is over or it is closed.
func openHall(t *testing.T, address string, secret callback.Secret, store *referee.MemoryStore) *hall {
	t.Helper()
	h := &hall{functions: new(local.Transport), secret: secret, store: store, joined: map[string]func(){}}
	o := callback.Options{ReplayURL: "https://arena.example/m/{match_id}", AllowHTTP: true, AllowLoopback: true}
	var errs [4]error
	h.calls, errs[0] = callback.New(o)
	o.Signed = &callback.Signed{Secrets: func(context.Context, referee.Agent) ([]callback.Secret, error) {
		return []callback.Secret{h.secret}, nil
	}}
	h.posts, errs[1] = callback.New(o)
	h.sockets, errs[2] = websocket.New(websocket.Options{Auth: keys{}, Observe: h.observe})
	if err := errors.Join(errs[:]...); err != nil {
		t.Fatal(err)
	}
	h.Arena, errs[3] = arena.New(arena.Config{
		Games: []game.Game{connectfour.New(), chess.New(), werewolf.New()},
		Carriers: map[string]arena.Carrier{
			"functions":  {Transport: h.functions},
			"callbacks":  {Transport: h.calls, Terms: unhurried(agentarena.Policy)},
			"posts":      {Transport: h.posts, Terms: unhurried(ludux.Policy)},
			"websockets": {Transport: h.sockets, Terms: unhurried(ludux.Policy)},
		},
		Store: store, Key: []byte("a key of this test alone"), Hooks: h,
	})
	if errs[3] != nil {
		t.Fatal(errs[3])
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	server := &httptest.Server{Listener: l, Config: &http.Server{Handler: h.sockets}}
	server.Start()
	h.url = "ws" + server.URL[len("http"):]
	h.close = sync.OnceFunc(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if err := h.Shutdown(ctx); err != nil {
			t.Error(err)
		}
		server.Close()
	})
	t.Cleanup(h.close)
	return h
}

// unhurried gives a protocol's terms with a minute for a move: machines that test are slow at times.
func unhurried(terms func(int) (referee.Policy, referee.Clock)) func(int) (referee.Policy, referee.Clock) {
	return func(seats int) (referee.Policy, referee.Clock) {
		policy, clock := terms(seats)
		clock.Move = time.Minute
		return policy, clock
	}
}

// keys takes the slug of an agent after "key-of-" for its key.
type keys struct{}

func (keys) Authenticate(_ context.Context, key string) (*transport.Grant, error) {
	slug := bytes.TrimPrefix([]byte(key), []byte("key-of-"))
	if len(slug) == len(key) {
		return nil, transport.ErrKey
	}
	return &transport.Grant{Agent: referee.Agent{Slug: string(slug)}, Key: string(slug), Scopes: []string{transport.ScopePlay}}, nil
}

func keyOf(slug string) string { return "key-of-" + slug }

// pick chooses without a memory, so that a request that comes again is answered the same.
func pick(match, seat string, number, legal int) int {
	h := fnv.New64a()
	fmt.Fprint(h, match, " ", seat, " ", number)
	return int(h.Sum64() >> 8 % uint64(legal))
}

func play(_ context.Context, m *ludux.ActionRequest) (*ludux.ActionResponse, error) {
	return m.Respond(m.LegalActions[pick(m.MatchID, fmt.Sprint(m.Seat), int(m.Seq), len(m.LegalActions))], "Any move will do."), nil
}

// function seats a Go function of this process.
func (h *hall) function(t *testing.T, slug string) arena.Seat {
	t.Helper()
	err := h.functions.Add(slug, local.Act(func(_ context.Context, r *referee.Request) (game.Action, error) {
		legal := r.Legal(nil)
		return legal[pick(r.Match(), fmt.Sprint(r.Seat), int(r.Ask), len(legal))], nil
	}))
	if err != nil {
		t.Fatal(err)
	}
	return seat(slug, "functions")
}

// called seats an agent that answers calls of agentarena/1.
func (h *hall) called(t *testing.T, slug string) arena.Seat {
	t.Helper()
	handler, err := callback.Agent(func(_ context.Context, m agentarena.MoveRequest) (agentarena.Reply, error) {
		return agentarena.Reply{Move: m.Legal[pick(m.MatchID, m.You, m.MoveNumber, len(m.Legal))]}, nil
	}, callback.AgentOptions{})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	if err := h.calls.Register(t.Context(), referee.Agent{Slug: slug}, server.URL+"/"+slug); err != nil {
		t.Fatal(err)
	}
	return seat(slug, "callbacks")
}

// posted seats an agent in Go that answers signed requests.
func (h *hall) posted(t *testing.T, slug string) arena.Seat {
	t.Helper()
	verifier, err := callback.NewVerifier(callback.VerifierOptions{Secrets: []callback.Secret{h.secret}})
	if err != nil {
		t.Fatal(err)
	}
	handler, err := callback.SignedAgent(play, callback.SignedAgentOptions{Verifier: verifier})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return h.postedAt(t, slug, server.URL)
}

// postedAt seats an agent that answers at a URL.
func (h *hall) postedAt(t *testing.T, slug, url string) arena.Seat {
	t.Helper()
	if err := h.posts.Register(t.Context(), referee.Agent{Slug: slug}, url+"/"+slug); err != nil {
		t.Fatal(err)
	}
	return seat(slug, "posts")
}

// connected seats an agent in Go on a connection of its own.
func (h *hall) connected(t *testing.T, slug string) arena.Seat {
	t.Helper()
	client, err := websocket.Dial(t.Context(), h.url, websocket.DialOptions{Key: keyOf(slug)})
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- client.Run(context.Background(), play) }()
	t.Cleanup(func() {
		client.Close()
		if err := <-ended; !errors.Is(err, websocket.ErrClosed) {
			t.Errorf("%s: %v", slug, err)
		}
	})
	return seat(slug, "websockets")
}

func seat(slug, carrier string) arena.Seat {
	return arena.Seat{Agent: referee.Agent{Slug: slug, Name: slug}, Carrier: carrier}
}

// match plays one to its end by the rules; see ended.
func (h *hall) match(t *testing.T, id string, g game.Game, seats ...arena.Seat) map[string]int {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	r, err := h.Play(ctx, arena.Match{ID: id, Game: g.Info().Name, Seats: seats})
	if err != nil {
		t.Fatal(err)
	}
	return h.ended(t, r, id, g, seats...)
}

// ended proves the record of a match that has to have ended by the rules, and counts what happened beside moves: faults by kind, connections
// that went, and new referees.
func (h *hall) ended(t *testing.T, r *referee.Result, id string, g game.Game, seats ...arena.Seat) map[string]int {
	t.Helper()
	ctx := t.Context()
	log, err := h.store.Open(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	var record bytes.Buffer
	for line, err := range log.Read(ctx, 0) {
		if err != nil {
			t.Fatal(err)
		}
		record.Write(line)
		record.WriteByte('\n')
	}
	report, err := replay.Verify(&record, replay.Rules(g))
	if err == nil {
		err = report.Err()
	}
	if err != nil {
		t.Error(err)
	}
	wrong := map[string]int{}
	for e, err := range referee.Events(ctx, log) {
		if err != nil {
			t.Fatal(err)
		}
		switch e.Kind {
		case referee.KindFault:
			kind := e.X.Fault.String()
			if e.X.Fault == referee.BadProtocol {
				kind += " " + e.X.Detail
			}
			wrong[kind]++
		case referee.KindGone, referee.KindResume:
			wrong[e.Kind.String()]++
		case referee.KindStart:
			for i, s := range e.X.Start.Seats {
				if s.Transport != seats[i].Carrier || s.Agent.Slug != seats[i].Agent.Slug {
					t.Errorf("seat %d is on record as %s by %s", i, s.Agent.Slug, s.Transport)
				}
			}
		}
	}
	if r.Cause != referee.CausePlay {
		t.Errorf("%v, %s: %v", r.Cause, r.Reason, wrong)
	}
	return wrong
}

// only fails if anything else went wrong.
func only(t *testing.T, wrong map[string]int, kinds ...string) {
	t.Helper()
	for _, k := range slices.Sorted(maps.Keys(wrong)) {
		if !slices.Contains(kinds, k) {
			t.Errorf("%d times %s", wrong[k], k)
		}
	}
}
