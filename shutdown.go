package arena

import (
	"context"
	"errors"
	"fmt"
)

// Shutdown admits no more matches and waits for those at play. When the
// context ends first, they are taken from their referees where they stand:
// recorded ones can be recovered, and the error says how many there were. The
// carriers are closed last.
func (a *Arena) Shutdown(ctx context.Context) error {
	a.mu.Lock()
	a.closing = true
	idle := a.idle
	if idle == nil && len(a.live) > 0 {
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
			<-idle
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
	for r := range a.live {
		r.cancel(ErrShutdown)
	}
	return len(a.live)
}
