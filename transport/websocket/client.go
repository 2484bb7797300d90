package websocket

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/matchreferee/arena/protocol/ludux"
)

const (
	settled  = 10 * time.Second // a connection that held so long was a good one
	longest  = 5 * time.Minute  // that an arena may ask an agent to stay away
	leave    = time.Second      // for the handshake at the end
	slowest  = 10 * time.Second // write of a frame
	silence  = 3                // pings that may be missed before a connection is given up
	unspoken = time.Second      // to wait where rate_limited names no time
)

// Client is an agent's side of an arena's WebSocket: one agent, one connection at a
// time, any number of matches. Make it with [Dial], and call Run once.
type Client struct {
	url   string
	o     DialOptions
	rand  *rand.Rand
	first *link // from Dial
	play  func(context.Context, *ludux.ActionRequest) (*ludux.ActionResponse, error)
	ctx   context.Context // of Run
	slots chan struct{}   // taken while the play function is called
	wg    sync.WaitGroup  // of thoughts

	closed chan struct{} // by Close
	once   sync.Once

	mu      sync.Mutex
	running bool
	link    *link // the live one; nil between connections
	seats   map[seatKey]*thought
	hold    time.Time // nothing is sent before
}

// Run answers requests with play until ctx ends, whose cause it returns then, the
// client is closed, the arena refuses the key (*[RefusedError]), another connection
// of the agent takes over ([ErrReplaced]), or the arena was away for too long
// ([ErrGaveUp]). Any other loss of the connection, an arena that restarts included,
// is mended in the background.
//
// Each request is played in a goroutine of its own, DialOptions.Concurrent at once.
// The context of play ends when the time for the request is over (its cause is then
// [context.DeadlineExceeded]), when the request is not open any more
// ([ErrWithdrawn]), and with Run, which returns only when every play has. What play
// returns needs an Action alone; [ludux.ActionRequest.Respond] makes one. MatchID
// and Seq are filled in, and Seat where the agent has others in the match. With an
// error nothing is sent, and DialOptions.Failed is told. What play is told comes
// from the network; the names and words of other agents in it are untrusted text.
//
// A request is played once, however often the connection breaks. One that comes
// again while play thinks about it joins that thought, and later on gets the same
// answer again. An answer found while there was no connection is sent when the
// arena asks again, which it does on each new connection, for as long as the
// request is open.
func (c *Client) Run(ctx context.Context, play func(context.Context, *ludux.ActionRequest) (*ludux.ActionResponse, error)) (err error) {
	if play == nil {
		return errors.New("websocket: play: is nil")
	}
	if err := c.begin(); err != nil {
		return err
	}
	ctx, end := context.WithCancelCause(ctx)
	stop := make(chan struct{})
	go func() {
		defer close(stop)
		select {
		case <-c.closed:
			end(ErrClosed)
		case <-ctx.Done():
		}
	}()
	defer func() {
		end(err)
		<-stop
		c.wg.Wait()
	}()
	c.play, c.ctx = play, ctx
	return c.stay(ctx)
}

// begin is an error where Run must not go on.
func (c *Client) begin() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	select {
	case <-c.closed:
		return ErrClosed
	default:
	}
	if c.running {
		return errors.New("websocket: Run was called before")
	}
	c.running = true
	return nil
}

// stay serves connections, one after the other.
func (c *Client) stay(ctx context.Context) error {
	l, tries, lost := c.first, 0, time.Now()
	var err error
	for {
		if l != nil {
			err = c.serve(ctx, l)
			if l.useful || time.Since(l.since) >= settled {
				tries, lost = 0, time.Now()
			}
		}
		var refused *RefusedError
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case errors.As(err, &refused):
			return refused
		case errors.Is(err, ErrReplaced):
			return ErrReplaced
		case c.o.Attempts > 0 && tries >= c.o.Attempts:
			return fmt.Errorf("%w after %d attempts: %w", ErrGaveUp, tries, err)
		}
		pause := c.pause(tries) + max(patience(err), c.held())
		if left := c.o.GiveUp - time.Since(lost); c.o.GiveUp > 0 && pause >= left {
			return fmt.Errorf("%w after %v: %w", ErrGaveUp, time.Since(lost).Round(time.Millisecond), err)
		}
		tries++
		c.o.Failed(&LostError{Err: err, Attempt: tries, Pause: pause})
		if !sleep(ctx, pause) {
			return context.Cause(ctx)
		}
		l, err = c.connect(ctx)
	}
}

// pause draws the pause after so many attempts that failed.
func (c *Client) pause(tries int) time.Duration {
	ceiling := min(c.o.Pause, c.o.MaxPause)
	for range tries {
		if ceiling > c.o.MaxPause/2 {
			ceiling = c.o.MaxPause
			break
		}
		ceiling *= 2
	}
	return time.Duration(c.rand.Int64N(int64(ceiling) + 1))
}

// patience is how long an arena asked to be left alone.
func patience(err error) time.Duration {
	var busy *busyError
	if errors.As(err, &busy) {
		return min(busy.after, longest)
	}
	return 0
}

// sleep reports whether ctx let it.
func sleep(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// Welcome gives what the arena said of the agent and of itself when Dial connected.
func (c *Client) Welcome() ludux.Welcome { return *c.first.welcome }

// Close ends Run with [ErrClosed], and does not wait for that; a client that does
// not run is disconnected. It may be called from anywhere, and more than once.
func (c *Client) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.once.Do(func() {
		close(c.closed)
		if !c.running {
			c.first.conn.CloseNow()
		}
	})
	return nil
}

// String does not tell the key, so that no log does.
func (c *Client) String() string {
	return fmt.Sprintf("websocket.Client of %s", c.first.welcome.Agent.Slug)
}

// GoString does not tell the key, so that no log does.
func (c *Client) GoString() string { return c.String() }
