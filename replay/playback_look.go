package replay

import (
	"errors"
	"fmt"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/referee"
)

// Start gives what the match started from, and when, in Unix milliseconds. Read only.
func (p *Playback) Start() (*referee.Start, referee.Time) { return p.begun.X.Start, p.begun.Time }

// Info describes the game.
func (p *Playback) Info() game.Info { return p.info }

// End gives the end event; nil while there is none. Read only.
func (p *Playback) End() *referee.End { return p.end }

// Seal gives the seal; nil while there is none. Read only.
func (p *Playback) Seal() *Seal { return p.seal }

// Rest gives the events after the last step that is complete, the end among them,
// in the order of the record. Read only; nil while they are not to be seen.
func (p *Playback) Rest() []referee.Event {
	if p.secret() {
		return nil
	}
	return p.events
}

// Half reports whether the bytes read so far end inside a line.
func (p *Playback) Half() bool { return len(p.half) > 0 }

// seen gives whose view is shown to who asks for that of seat.
func (p *Playback) seen(seat game.Seat) game.Seat {
	if p.secret() {
		return game.Spectator
	}
	return seat
}

// View gives what seat, or Spectator, saw at this step, in the type that the
// game's package exports. The caller owns it.
func (p *Playback) View(seat game.Seat) any { return p.now.View(p.seen(seat)) }

// Board draws as text what seat saw; ok is false where the game has no boards.
func (p *Playback) Board(seat game.Seat) (text string, ok bool) { return p.now.Board(p.seen(seat)) }

// SVG appends a picture of what seat saw; ok is false, and dst as it was, where
// the game has none.
func (p *Playback) SVG(dst []byte, seat game.Seat) (svg []byte, ok bool) {
	return p.now.SVG(dst, p.seen(seat))
}

// Turn tells whose move it was. While there are secrets in a match that runs, who
// is asked is one of them: ok is false, and of the turn there is the phase alone.
func (p *Playback) Turn() (t game.Turn, ok bool) {
	t = p.now.Turn()
	if p.secret() && !t.Over() {
		return game.Turn{Phase: t.Phase}, false
	}
	return t, true
}

// ErrSecret says that a match still runs, and that what is asked for holds its secrets.
var ErrSecret = errors.New("replay: the match runs, and has secrets")

// State gives a copy of the position, for analysis: it holds every secret. The
// error is [ErrSecret] where those are not to be seen yet.
func (p *Playback) State() (*game.State, error) {
	if p.secret() {
		return nil, ErrSecret
	}
	return p.now.Clone(), nil
}

// Outcome gives how the rules ended the game; false while they have not. Who
// won the match is in [Playback.End].
func (p *Playback) Outcome() (game.Outcome, bool) {
	if !p.last.Turn().Over() {
		return game.Outcome{}, false
	}
	return p.last.Outcome(), true
}

// String says where the playback stands.
func (p *Playback) String() string {
	return fmt.Sprintf("%s, step %d of %d", word(p.begun.X.Start.ID), p.at, len(p.steps))
}
