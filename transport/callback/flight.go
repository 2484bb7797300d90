package callback

import (
	"context"
	"net/http/httptrace"
	"sync/atomic"
	"time"
)

// flight is the context of one request and the notes on how far it came. Its
// stage is written by the goroutines of net/http and read when they are done or not.
type flight struct {
	context.Context // ends when the request closes

	began     time.Time
	stage     atomic.Uint32
	connected atomic.Int64 // ns since began; 0: not
	firstByte atomic.Int64
	reused    atomic.Bool
	status    int
}

type flightKey struct{}

// Value finds the flight in contexts derived from it.
func (f *flight) Value(key any) any {
	if key == (flightKey{}) {
		return f
	}
	return f.Context.Value(key)
}

// inFlight gives the context and the flight of a dial. net/http lets a dial live
// on when its request has ended; here it ends with it.
func inFlight(ctx context.Context) (context.Context, *flight, func()) {
	f := ctx.Value(flightKey{}).(*flight)
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(f.Context, cancel)
	return ctx, f, func() { stop(); cancel() }
}

func (f *flight) now() Stage { return Stage(f.stage.Load()) }

// at notes a stage of dialling, unless the request has got another connection meanwhile.
func (f *flight) at(s Stage) {
	for {
		old := f.stage.Load()
		if Stage(old) > StageTLS || f.stage.CompareAndSwap(old, uint32(s)) {
			return
		}
	}
}

// traced gives the context under which net/http tells the flight its stages.
func (f *flight) traced() context.Context {
	return httptrace.WithClientTrace(f, &httptrace.ClientTrace{
		GetConn: func(string) { f.stage.Store(uint32(StageResolve)) }, // anew where a kept connection was dead
		GotConn: func(i httptrace.GotConnInfo) {
			f.reused.Store(i.Reused)
			f.connected.Store(int64(time.Since(f.began)))
			f.stage.Store(uint32(StageFirstByte))
		},
		GotFirstResponseByte: func() {
			f.firstByte.Store(int64(time.Since(f.began)))
			f.stage.Store(uint32(StageBody))
		},
	})
}

// describe writes the notes into an event.
func (f *flight) describe(e *Event) {
	e.Stage, e.Reused, e.Status = f.now(), f.reused.Load(), f.status
	e.Connected, e.FirstByte = time.Duration(f.connected.Load()), time.Duration(f.firstByte.Load())
}
