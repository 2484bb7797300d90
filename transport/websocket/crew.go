package websocket

import "context"

// maxIdle is how many goroutines are kept while there is nothing to do.
const maxIdle = 64

// crew runs what is short and comes often: to write, and to hand answers in. A
// goroutine that has done so before has a stack that is large enough, which saves a
// tenth of the time of a request.
type crew struct {
	jobs chan func()
	idle chan struct{} // a token each
}

func newCrew() crew { return crew{make(chan func()), make(chan struct{}, maxIdle)} }

// do runs f in a goroutine, which the wait group counts. The caller counts, too.
func (t *Transport) do(f func()) {
	select {
	case t.crew.jobs <- f: // somebody waits for it
	default:
		t.wg.Go(func() { t.crew.work(t.ctx, f) })
	}
}

// work runs f, and then what comes, unless enough others wait.
func (c *crew) work(ctx context.Context, f func()) {
	for {
		f()
		select {
		case c.idle <- struct{}{}:
		default:
			return
		}
		select {
		case f = <-c.jobs:
			<-c.idle
		case <-ctx.Done():
			<-c.idle
			return
		}
	}
}
