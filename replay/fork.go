package replay

import (
	"context"
	"errors"
	"fmt"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/internal/jsontext"
	"github.com/matchreferee/arena/referee"
)

// ErrFork is wrapped where a match cannot go on differently from a step of another.
var ErrFork = errors.New("replay: the match cannot be forked like this")

// Fork writes the beginning of another match to an empty log: the same game from
// the same start, with the steps up to step, and from there on open. What plays
// it on is the referee, who finds an unfinished record:
// [referee.Local.Play] with the same setup and log.
//
// s names the new match, its seats, policies and clocks; its Table and Start are
// those of the record. Of chance it is the same match with the same
// Setup.Secret, which [Playback.Secret] gives: later draws then come out as they
// did, as far as the rules ask for the same ones. With another secret, a prefix that holds chance moves is refused.
// Whoever has the record of the first match knows that secret, and with it what is
// still to be drawn: between agents who may have it, a fork proves nothing.
//
// The moves of the prefix are recorded at one moment, now, and cost nobody time. Each of a
// seat has a note that says which match and whose it is from: who sits there now has not made it. To ratings such a
// match is no evidence about the prefix; whether it is any about the rest is for
// its host to say.
func (p *Playback) Fork(ctx context.Context, step int, s referee.Setup, log referee.Log, now referee.Time) error {
	if p.secret() {
		return ErrSecret
	}
	if step < 0 || step > len(p.steps) {
		return fmt.Errorf("%w: %d, they are 0 to %d", ErrSeek, step, len(p.steps))
	}
	own := p.begun.X.Start
	if s.ID == own.ID {
		return fmt.Errorf("%w: its id is that of the match that it comes from", ErrFork)
	}
	like := own.Setup(p.table)
	s.Table, s.Start = like.Table, like.Start
	m, err := referee.New(s)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrFork, err)
	}
	f := forking{m: m, now: now, state: p.marks[0].Clone(), from: own}
	f.take(m.Start(now))
	for k, played := range p.steps[:step] {
		if err := f.step(played.Moves); err != nil {
			return fmt.Errorf("%w: step %d: %w", ErrFork, k+1, err)
		}
	}
	return f.write(ctx, log)
}

// Secret gives what all chance came from, and the salt, as the end event reveals
// them; false while the match runs.
func (p *Playback) Secret() (secret game.Seed, salt [32]byte, ok bool) {
	if p.end == nil {
		return secret, salt, false
	}
	return p.end.Secret, p.end.Salt, true
}

// forking plays a prefix through a match of its own.
type forking struct {
	m      *referee.Match
	now    referee.Time
	state  *game.State // as the match has it
	from   *referee.Start
	events []referee.Event
	drawn  []game.Action // chance moves of the match that have not been compared yet
}

func (f *forking) take(o referee.Output) {
	for _, e := range o.Events {
		if e.Kind == referee.KindMove && e.Seat == game.Chance {
			f.drawn = append(f.drawn, e.Action)
		}
		f.events = append(f.events, e)
	}
}

func (f *forking) step(moves game.Step) error {
	for _, move := range moves {
		if _, over := f.m.Result(); over {
			return errors.New("the match is over by then")
		}
		var err error
		switch {
		case move.Seat == game.Chance:
			err = f.chance(move.Action)
		case move.Seat == game.Host:
			err = f.host(move.Action)
		default:
			err = f.seat(move.Seat, move.Action)
		}
		if err != nil {
			return err
		}
	}
	return f.state.Apply(moves)
}

// chance compares a draw that the match has made of itself.
func (f *forking) chance(a game.Action) error {
	if len(f.drawn) == 0 || f.drawn[0] != a {
		return errors.New("chance comes out differently: the secret is another")
	}
	f.drawn = f.drawn[1:]
	return nil
}

func (f *forking) host(a game.Action) error {
	asks := f.state.Asks()
	if len(asks) == 0 {
		return errors.New("the host is not asked")
	}
	f.take(f.m.HostAnswer(f.now, asks[0].ID, a))
	return nil
}

func (f *forking) seat(seat game.Seat, a game.Action) error {
	req, open := f.m.Open(seat)
	if !open {
		return fmt.Errorf("seat %v is not asked", seat)
	}
	if f.m.Setup().Seats[seat].Clock.Starts == referee.AtSent {
		_, _, o := f.m.Sent(f.now, seat, req.Ask)
		f.take(o)
	}
	v, o := f.m.Answer(f.now, seat, &referee.Answer{Action: a, Note: f.note(seat)})
	f.take(o)
	if v.Code != referee.OK {
		return fmt.Errorf("the move of seat %v is not taken: %v %v %s", seat, v.Code, v.Fault, v.Detail)
	}
	return nil
}

// note says whose a move of the prefix is.
func (f *forking) note(seat game.Seat) string {
	a := &f.from.Seats[seat].Agent
	who := a.Slug
	if who == "" {
		who = a.Name
	}
	return fmt.Sprintf("from match %s, by %s", f.from.ID, jsontext.Quote(who))
}

// write puts the lines into the log.
func (f *forking) write(ctx context.Context, log referee.Log) error {
	var prev [32]byte
	var lines [][]byte
	for i := range f.events {
		line := referee.AppendLine(nil, &f.events[i], f.now, &prev)
		prev = referee.LeafHash(line)
		lines = append(lines, line)
	}
	if err := log.Append(ctx, 0, lines); err != nil {
		return fmt.Errorf("replay: writing the fork: %w", err)
	}
	return nil
}
