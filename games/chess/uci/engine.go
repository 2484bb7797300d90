package uci

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/internal/jsontext"
	"github.com/matchreferee/arena/referee"
)

// Engine is a UCI engine as a player: a [referee.Player] for chess. It is safe for concurrent use.
type Engine struct {
	o            Options
	name, author string
	declared     []Option
	slots        chan struct{} // one for each process at work
	closing      context.Context
	shut         context.CancelCauseFunc

	mu     sync.Mutex // never held while anything is waited for
	idle   []*process // the longest idle first
	closed bool
	work   sync.WaitGroup // grows only under mu while not closed
	end    func()         // Close, once
}

// errClosed ends what an engine waits for when it is closed.
var errClosed = errors.New("the engine is closed")

// Open starts a process of an engine, to see that it is one and takes the settings; it stays for the first match. The end of ctx breaks the start off.
// Errors are about the options, one for each that is bad, or a [Failure]. Who opens an engine closes it.
func Open(ctx context.Context, o Options) (*Engine, error) {
	if err := o.validate(); err != nil {
		return nil, err
	}
	o.Args, o.Env, o.Set = slices.Clone(o.Args), slices.Clone(o.Env), slices.Clone(o.Set)
	o.fill()
	e := &Engine{o: o, slots: make(chan struct{}, o.Processes)}
	e.closing, e.shut = context.WithCancelCause(context.Background())
	e.end = sync.OnceFunc(e.close)
	p, f := e.start(ctx)
	if f != nil {
		e.shut(errClosed)
		var settings *settingsError
		if errors.As(f, &settings) {
			return nil, settings.error
		}
		return nil, f
	}
	e.name, e.author, e.declared = p.name, p.author, p.declared
	e.idle = append(e.idle, p)
	return e, nil
}

// Name is how the engine calls itself, fit for the name of a [referee.Agent]: one line of at most 64 code points without control characters.
// "" if it does not.
func (e *Engine) Name() string { return e.name }

// Author is whom the engine names as its author, as Name.
func (e *Engine) Author() string { return e.author }

// Declared gives the options that the engine declared, in its order; the caller owns them.
func (e *Engine) Declared() []Option {
	l := slices.Clone(e.declared)
	for i := range l {
		l[i].Vars = slices.Clone(l[i].Vars)
	}
	return l
}

// Tell answers the requests of a seat, each in a goroutine of the match's.
func (e *Engine) Tell(s *referee.Seat, n referee.Notice) {
	key := s.Match() + " " + s.Num().String()
	switch n.Kind {
	case referee.Opened:
		referee.Func(func(ctx context.Context, r *referee.Request) (referee.Answer, error) {
			position, err := position(r.View())
			if err != nil {
				return referee.Answer{Fault: referee.BadProtocol, Detail: err.Error()}, nil
			}
			left := func() (time.Duration, bool) {
				if now, open := s.Open(); open && now.Ask == n.Ask && now.Deadline != 0 {
					return s.Left(now), true
				}
				return r.Limit, r.Limit > 0
			}
			return e.answer(ctx, r, &search{seat: key, position: position, left: left})
		}).Tell(s, n)
	case referee.Ended:
		e.release(key)
	}
}

// answer gives the answer to a request, or returns at once when ctx ends; what is to be tidied up then goes on behind it.
func (e *Engine) answer(ctx context.Context, r *referee.Request, s *search) (referee.Answer, error) {
	e.mu.Lock()
	closed := e.closed
	if !closed {
		e.work.Add(1)
	}
	e.mu.Unlock()
	if closed {
		return referee.Answer{Fault: referee.Disconnected, Detail: "closed"}, nil
	}
	type outcome struct {
		found found
		f     *Failure
	}
	result := make(chan outcome, 1)
	go func() {
		defer e.work.Done()
		found, f := e.search(ctx, s)
		result <- outcome{found, f}
	}()
	select {
	case <-ctx.Done():
		return referee.Answer{}, context.Cause(ctx)
	case x := <-result:
		switch {
		case ctx.Err() != nil: // what stop has brought is no answer any more
			return referee.Answer{}, context.Cause(ctx)
		case e.closing.Err() != nil && x.found.move == "":
			return referee.Answer{Fault: referee.Disconnected, Detail: "closed"}, nil
		case x.f != nil:
			return referee.Answer{Fault: x.f.Fault, Detail: x.f.detail()}, nil
		}
		a := referee.Answer{Meta: x.found.info.meta()}
		if !moveLike(x.found.move) {
			a.Fault, a.Detail = referee.Malformed, "bestmove "+cut(x.found.move, 32)
			return a, nil
		}
		var err error
		if a.Action, err = r.Parse(x.found.move); err != nil {
			a.Action = game.Action(jsontext.Quote(x.found.move)) // for the referee to refuse
		}
		return a, nil
	}
}

// search has a process think, and keeps it for another time if it behaves.
func (e *Engine) search(ctx context.Context, s *search) (found, *Failure) {
	if e.closing.Err() != nil {
		return found{}, nil
	}
	select {
	case e.slots <- struct{}{}:
		defer func() { <-e.slots }()
	case <-ctx.Done():
		return found{}, nil
	case <-e.closing.Done():
		return found{}, nil
	}
	p, f := e.prepared(s.seat)
	if f != nil || ctx.Err() != nil {
		e.keep(p)
		return found{}, f
	}
	x, f := p.think(ctx, e.closing, s, &e.o)
	if f != nil {
		e.discard(p, f)
		return x, f
	}
	e.keep(p)
	return x, nil
}

// prepared gives a process that is ready to search for a seat.
func (e *Engine) prepared(seat string) (*process, *Failure) {
	for {
		p := e.take(seat)
		idle := p != nil
		if !idle {
			var f *Failure
			if p, f = e.start(e.closing); f != nil {
				return nil, f
			}
		}
		f := p.prepare(e.closing, seat, &e.o)
		if f == nil {
			return p, nil
		}
		e.discard(p, f)
		if !idle || f.Code != "exited" {
			return nil, f
		}
		// It has ended while nobody asked anything of it.
	}
}

// keep puts a process by for other searches; nil is no process.
func (e *Engine) keep(p *process) {
	if p == nil {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.idle = append(e.idle, p)
}

// take gives the idle process that searched for a seat last, else one that is nobody's, else none as long as there may be more, else the
// one that has been idle longest.
func (e *Engine) take(seat string) *process {
	e.mu.Lock()
	defer e.mu.Unlock()
	i := slices.IndexFunc(e.idle, func(p *process) bool { return p.seat == seat })
	if i < 0 {
		i = slices.IndexFunc(e.idle, func(p *process) bool { return p.seat == "" })
	}
	if i < 0 {
		// Every process that is not idle holds a slot, and so does the caller.
		if len(e.idle) == 0 || len(e.idle)+len(e.slots) <= e.o.Processes {
			return nil
		}
		i = 0
	}
	p := e.idle[i]
	e.idle = slices.Delete(e.idle, i, i+1)
	return p
}

// release makes the process of a seat anybody's: its match is over.
func (e *Engine) release(seat string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, p := range e.idle {
		if p.seat == seat {
			p.seat = ""
		}
	}
}

// start starts a process that is ready for a game.
func (e *Engine) start(ctx context.Context) (*process, *Failure) {
	p, err := launch(&e.o)
	if err != nil {
		f := failed("start", err)
		if e.o.Failed != nil {
			e.o.Failed(f)
		}
		return nil, f
	}
	if f := p.handshake(ctx, &e.o); f != nil {
		e.discard(p, f)
		return nil, f
	}
	return p, nil
}

// discard ends a process for a failure.
func (e *Engine) discard(p *process, f *Failure) {
	p.kill()
	p.end()
	f.Stderr = p.stderr.String()
	if e.o.Failed != nil && e.closing.Err() == nil {
		e.o.Failed(f)
	}
}

// Close ends all processes and returns when nothing of them is left: after at most StopGrace and QuitGrace, and what the system takes to
// end a program that was killed. Requests that are open or come later are answered with the fault Disconnected: the matches should be
// over. A second Close waits too. The error is nil.
func (e *Engine) Close() error {
	e.end()
	return nil
}

func (e *Engine) close() {
	e.mu.Lock()
	e.closed = true
	e.mu.Unlock()
	e.shut(errClosed)
	e.work.Wait()
	var quitting sync.WaitGroup
	for _, p := range e.idle {
		quitting.Go(func() { p.quit(&e.o) })
	}
	quitting.Wait()
}
