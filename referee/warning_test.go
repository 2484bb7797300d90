package referee_test

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matchreferee/arena/referee"
)

// TestNoWarningBefore: where the match stood still while a pause ended, nobody is warned of a request before it hears of that, or after it was closed.
func TestNoWarningBefore(t *testing.T) {
	for takes, want := range map[time.Duration][]referee.NoticeKind{
		500 * time.Millisecond: {referee.Opened, referee.Warned, referee.Judged, referee.Closed, referee.Ended},
		5 * time.Second:        {referee.Opened, referee.Judged, referee.Closed, referee.Ended},
		20 * time.Second:       {referee.Judged, referee.Ended},
	} {
		synctest.Test(t, func(t *testing.T) {
			box := newMailbox()
			deaf := tells(func(_ *referee.Seat, n referee.Notice) {
				if n.Kind == referee.Said {
					time.Sleep(takes)
				}
			})
			p := strikes(referee.DoForfeit)
			p.Pause, p.Strikes = time.Second, 2
			s := parlourSetup(t, "safe", "o", 2, p, referee.Clock{Move: 10 * time.Second, Warn: 8 * time.Second})
			done := running(t.Context(), newLive(t, s, referee.Config{}, box, deaf))
			box.await(t, referee.Opened)
			box.submit(t, referee.Answer{Action: "99"}) // asked again in a second, and warned 2 s later
			box.seat.Say(0, "listen")
			if o := <-done; o.err != nil || o.result.Cause != referee.CauseForfeit {
				t.Errorf("%+v", o)
			}
			if got := box.kinds(); !slices.Equal(got, want) {
				t.Errorf("told of something for %v: %v", takes, got)
			}
		})
	}
}
