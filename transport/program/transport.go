package program

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport"
)

var (
	// ErrUnknown is wrapped where there is no program under an agent's slug.
	ErrUnknown = errors.New("program: unknown agent")
	// ErrClosed says that the transport was closed.
	ErrClosed = errors.New("program: closed")
)

// Transport gives players that are programs. Make one with [New]. Safe for
// concurrent use.
type Transport struct {
	o       Options
	slots   chan struct{} // one for each process
	closing context.Context
	shut    context.CancelFunc

	mu     sync.Mutex // of what follows and of o.Programs; never held while anything is waited for
	closed bool
	work   sync.WaitGroup // grows only under mu while not closed
}

var _ transport.Transport = (*Transport)(nil)

// New makes a transport. It returns one error for each bad field, joined.
func New(o Options) (*Transport, error) {
	if err := o.validate(); err != nil {
		return nil, err
	}
	return newTransport(o), nil
}

func newTransport(o Options) *Transport {
	o.fill()
	t := &Transport{o: o, slots: make(chan struct{}, o.Processes)}
	t.closing, t.shut = context.WithCancel(context.Background())
	return t
}

// Add makes one more program known. It is an error where slug is not one of an
// agent, or is taken already.
func (t *Transport) Add(slug string, p Program) error {
	if err := errors.Join(p.validate(slug)...); err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return ErrClosed
	}
	if _, taken := t.o.Programs[slug]; taken {
		return fmt.Errorf("program: %s is there already", slug)
	}
	t.o.Programs[slug] = p.clone()
	return nil
}

// Player gives the player of one seat, whose process starts when it is asked
// first. The error wraps ErrUnknown or is ErrClosed.
func (t *Transport) Player(_ context.Context, a referee.Agent) (referee.Player, error) {
	if t.closing.Err() != nil {
		return nil, ErrClosed
	}
	t.mu.Lock()
	p, ok := t.o.Programs[a.Slug]
	t.mu.Unlock()
	if !ok {
		return nil, fmt.Errorf("%w: %q", ErrUnknown, a.Slug)
	}
	return &player{t: t, launch: func(s *referee.Seat) (*process, *failure) { return t.launch(&p, s) }}, nil
}

// Close kills what runs and returns when nothing of it is left. Those whose match
// has ended keep their grace. Requests that are open or come later are answered
// with the fault Disconnected: the matches should be over. A second Close waits too.
func (t *Transport) Close() error {
	t.mu.Lock()
	t.closed = true
	t.mu.Unlock()
	t.shut()
	t.work.Wait()
	return nil
}

// background calls f in a goroutine that Close waits for; false once it does.
func (t *Transport) background(f func()) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return false
	}
	t.work.Go(f)
	return true
}
