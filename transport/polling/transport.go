package polling

import (
	"context"
	"errors"
	"net/http"
	"sync"

	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport"
)

// ErrClosed says that the transport was closed.
var ErrClosed = errors.New("polling: closed")

// Transport carries the seats of agents that poll, and is the [http.Handler] of
// their requests. Safe for concurrent use.
type Transport struct {
	o Options

	mu     sync.Mutex
	closed bool
}

var (
	_ transport.Transport = (*Transport)(nil)
	_ http.Handler        = (*Transport)(nil)
)

// New makes a transport. It returns one error for each bad option, joined.
//
// It looks through the store for matches whose beginning or end a crash kept from
// being noted, so it comes before the host recovers its matches: the records must
// stand still. The context is for that alone.
func New(ctx context.Context, o Options) (*Transport, error) {
	if err := o.validate(); err != nil {
		return nil, err
	}
	o.fill()
	return &Transport{o: o}, nil
}

// Player makes the player of an agent. Every agent has one: whose key opens a
// seat is settled when a request comes. Its error is ErrClosed.
func (t *Transport) Player(_ context.Context, a referee.Agent) (referee.Player, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return nil, ErrClosed
	}
	return &player{t: t, agent: a}, nil
}

// House gives the carrier of the opponents that have a [Opponent.Player]: by it
// they are seated again when the host recovers its matches. Its terms are those
// of [Start].
func (t *Transport) House() transport.Transport { return house{t} }

// ServeHTTP answers the requests whose paths begin with [Options.Prefix]; mount it there,
// and below.
func (t *Transport) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	http.Error(w, "not yet", http.StatusServiceUnavailable)
}

// Drain begins no more matches, and answers at once all requests that are held,
// now and from now on; give it to [http.Server.RegisterOnShutdown], whose Shutdown
// waits for requests. Matches go on.
func (t *Transport) Drain() {}

// Close drains, refuses new players, and stops what runs in the background. The
// matches at play are to be ended or stopped before, as arena.Shutdown does.
func (t *Transport) Close() error {
	t.Drain()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed = true
	return nil
}
