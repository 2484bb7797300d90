package arena

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// stopTime is how long Shutdown waits for matches that were told to stop. Only
// players in this process that go on after their context has ended need it.
const stopTime = 5 * time.Second

// Shutdown admits no more matches and waits for those at play. When the context
// ends first, they are taken from their referees where they stand: recorded ones
// can be recovered, and the error says how many there were. A player that does
// not return when its context has ended is left behind after five seconds, which
// the error says too. The carriers are closed last.
func (a *Arena) Shutdown(ctx context.Context) error {
	a.mu.Lock()
	a.closing = true
	idle := a.idle
	if idle == nil && a.live.n > 0 {
		idle = make(chan struct{})
		a.idle = idle
	}
	a.mu.Unlock()
	var errs []error
	if idle != nil {
		select {
		case <-idle:
		case <-ctx.Done():
			if n := a.stop(); n > 0 {
				errs = append(errs, fmt.Errorf("arena: %d matches stopped unfinished: %w", n, context.Cause(ctx)))
			}
			select {
			case <-idle:
			case <-time.After(stopTime):
				a.mu.Lock()
				errs = append(errs, fmt.Errorf("arena: players of %d matches do not return", a.live.n))
				a.mu.Unlock()
			}
		}
	}
	for _, name := range a.c.carriers() {
		if err := a.c.Carriers[name].Close(); err != nil {
			errs = append(errs, fmt.Errorf("arena: closing carrier %s: %w", name, err))
		}
	}
	return errors.Join(errs...)
}

// stop takes every match from its referee.
func (a *Arena) stop() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	for r := a.live.first; r != nil; r = r.next {
		r.stop()
	}
	return a.live.n
}
