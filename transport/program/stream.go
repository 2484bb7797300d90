package program

import (
	"context"
	"io"
	"sync"

	"github.com/matchreferee/arena/referee"
)

// Stream is the player of one seat of one match whose program somebody else has
// started: observations are written to out, answers read from in, under the same
// rules. The match's Run waits until the last observation is written, DefaultGrace
// at most. What is read after the match is lost. Reading goes on until in ends or a
// second line follows the match's end, for nothing can stop a read of any reader;
// nor can a write be stopped that out does not take.
func Stream(in io.Reader, out io.Writer) referee.Player {
	t := newTransport(Options{})
	var once sync.Once
	return &player{t: t, launch: func(s *referee.Seat) (p *process, f *failure) {
		f = &failure{referee.Disconnected, "closed", "closed"}
		once.Do(func() {
			p, f = &process{t: t, seat: s, stdin: open{out}, done: make(chan struct{})}, nil
			close(p.done)
			p.life, p.die = context.WithCancel(context.Background())
			go p.read(in)
		})
		return p, f
	}}
}

// open is a writer that stays open.
type open struct{ io.Writer }

// Close does nothing.
func (open) Close() error { return nil }
