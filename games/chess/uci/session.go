package uci

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strconv"
	"time"
)

// gone gives the failure of a process whose output has ended.
func (p *process) gone() *Failure {
	if p.out.left.Load() < 0 {
		return failed("flood", nil)
	}
	err := p.err
	var exit *exec.ExitError
	if err == nil {
		err = errors.New("exit status 0")
	} else if !errors.As(err, &exit) {
		err = fmt.Errorf("its pipes: %w", err)
	}
	return failed("exited", err)
}

// await reads lines until one begins with the word last; each goes to see first, which may be nil.
func (p *process) await(ctx context.Context, last string, timeout time.Duration, see func(first, rest string)) *Failure {
	timer := time.NewTimer(timeout)
	defer timer.Stop()
	for {
		select {
		case line, ok := <-p.lines:
			if !ok {
				return p.gone()
			}
			first, rest := word(line)
			if see != nil {
				see(first, rest)
			}
			if first == last {
				return nil
			}
		case <-timer.C:
			return failed("unready", fmt.Errorf("no %s within %v", last, timeout))
		case <-ctx.Done():
			return failed("unready", context.Cause(ctx))
		}
	}
}

// handshake introduces the two and makes the settings. Errors that wrap errSettings are about these.
func (p *process) handshake(ctx context.Context, o *Options) *Failure {
	begin := time.Now()
	left := func() time.Duration { return max(0, o.Handshake-time.Since(begin)) }
	f := p.greet(ctx, o, left)
	if f != nil && f.Code != "flood" {
		f = failed("handshake", f.Err)
	}
	return f
}

func (p *process) greet(ctx context.Context, o *Options, left func() time.Duration) *Failure {
	if !p.send("uci") {
		return failed("deaf", nil)
	}
	f := p.await(ctx, "uciok", left(), func(first, rest string) {
		switch first {
		case "id":
			what, text := word(rest)
			text = label(text)
			if what == "name" {
				p.name = text
			} else if what == "author" {
				p.author = text
			}
		case "option":
			if d, ok := parseOption(rest); ok && len(p.declared) < maxDeclared {
				p.declared = append(p.declared, d)
			}
		}
	})
	if f != nil {
		return f
	}
	var errs []error
	for _, s := range o.Set {
		line, err := command(p.declared, s)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		// One after another, each answered for, so that a long list overtaxes no pipe.
		if f := p.ready(ctx, left(), line); f != nil {
			return f
		}
	}
	if errs != nil {
		return failed("handshake", &settingsError{errors.Join(errs...)})
	}
	return p.ready(ctx, left())
}

// settingsError is about Options.Set, which no other process would like better.
type settingsError struct{ error }

// ready sends lines and waits until the engine has dealt with them. Whatever it has written before is of an earlier search and dropped.
func (p *process) ready(ctx context.Context, timeout time.Duration, lines ...string) *Failure {
	if !p.send(append(lines, "isready")...) {
		return failed("deaf", nil)
	}
	return p.await(ctx, "readyok", timeout, nil)
}

// search is what is to be searched, and how long.
type search struct {
	seat     string // match and seat
	position string // the line for it
	left     func() (d time.Duration, limited bool)
}

// found is what came of a search.
type found struct {
	move string
	info info
}

// prepare makes the process ready to search for a seat.
func (p *process) prepare(ctx context.Context, seat string, o *Options) *Failure {
	var lines []string
	if o.Fresh || p.seat != seat {
		lines = append(lines, "ucinewgame")
	}
	p.seat = seat
	return p.ready(ctx, o.Handshake, lines...)
}

// think searches. The end of ctx or of closing stops it early, and so does the time that is left; the engine then has StopGrace to come up
// with its move.
func (p *process) think(ctx, closing context.Context, s *search, o *Options) (found, *Failure) {
	line, soft := o.goLine(s.left())
	if !p.send(s.position, line) {
		return found{}, failed("deaf", nil)
	}
	var (
		result    found
		softTimer = time.NewTimer(soft)
		hard      <-chan time.Time
		done      = ctx.Done()
		closed    = closing.Done()
	)
	defer softTimer.Stop()
	stop := func() *Failure {
		if hard != nil {
			return nil
		}
		t := time.NewTimer(o.StopGrace)
		hard = t.C
		if !p.send("stop") {
			return failed("deaf", nil)
		}
		return nil
	}
	for {
		var f *Failure
		select {
		case line, ok := <-p.lines:
			if !ok {
				return found{}, p.gone()
			}
			switch first, rest := word(line); first {
			case "info":
				result.info.read(rest)
			case "bestmove":
				result.move, _ = word(rest)
				return result, nil
			}
		case <-softTimer.C:
			f = stop()
		case <-done:
			done = nil
			f = stop()
		case <-closed:
			closed = nil
			f = stop()
		case <-hard:
			f = failed("mute", fmt.Errorf("no bestmove within %v of stop", o.StopGrace))
		}
		if f != nil {
			return found{}, f
		}
	}
}

// goLine gives the line that starts a search, and after which time to stop it. left is the time on the seat's clock.
func (o *Options) goLine(left time.Duration, limited bool) (line string, soft time.Duration) {
	if limited {
		left = max(left-o.Margin, left/2, time.Millisecond)
	} else {
		left = o.Cap
	}
	soft = min(left, o.Cap)
	line = "go"
	if o.Depth > 0 {
		line += " depth " + strconv.Itoa(o.Depth)
	}
	if o.Nodes > 0 {
		line += " nodes " + strconv.FormatInt(o.Nodes, 10)
	}
	if o.MoveTime > 0 {
		t := max(min(o.MoveTime, soft).Truncate(time.Millisecond), time.Millisecond)
		line += " movetime " + strconv.FormatInt(t.Milliseconds(), 10)
		soft = min(soft, t+o.StopGrace)
	}
	return line, soft
}

// quit asks the engine to go, and sees to it.
func (p *process) quit(o *Options) {
	p.send("quit")
	close(p.input)
	timer := time.NewTimer(o.QuitGrace)
	defer timer.Stop()
	for {
		select {
		case _, ok := <-p.lines:
			if !ok {
				return
			}
		case <-timer.C:
			p.kill()
			p.end()
			return
		}
	}
}
