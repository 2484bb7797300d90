package referee

import (
	"errors"
	"fmt"

	"github.com/matchreferee/arena/game"
)

// checkEnd compares the end with what it must be; in a record that is read
// without its secret, it opens the commitment and draws chance moves again.
func (m *Match) checkEnd(e, want *Event) error {
	end := e.x().End
	if m.follow {
		if Commit(end.Secret, end.Salt) != m.commit {
			return badEvent("secret and salt do not open the commitment of the start event")
		}
		want.X.End.Secret, want.X.End.Salt = end.Secret, end.Salt
		for _, d := range m.draws {
			if a, ok := d.state.Chance(end.Secret); !ok || a != d.action {
				return &DrawError{Event: d.event}
			}
		}
	}
	if !end.is(want.X.End) && !sameLine(e, want, m.start) {
		var zero [32]byte
		w := *want
		w.Time = e.Time
		return badEvent("it should be %s", AppendLine(nil, &w, m.start, &zero))
	}
	return nil
}

// draw is a chance move that waits for the secret.
type draw struct {
	event  int64
	state  *game.State
	action game.Action
}

// ErrDraw is matched by every [DrawError].
var ErrDraw = errors.New("not the chance move that the secret draws")

// DrawError says that a chance move is not what the revealed secret draws. It
// comes with the end event of a record read by [Follow].
type DrawError struct {
	Event int64 // position of the chance move in the record, from 0
}

// Error names the event.
func (e *DrawError) Error() string { return fmt.Sprintf("%v: event %d", ErrDraw, e.Event) }

// Unwrap gives [ErrDraw].
func (e *DrawError) Unwrap() error { return ErrDraw }
