package referee_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/referee"
)

type silentHost struct{}

func (silentHost) Answer(ctx context.Context, _ game.Ask) (game.Action, error) {
	<-ctx.Done()
	return "", ctx.Err()
}

// TestResumedHidden: a match with secrets that was resumed shows nobody that somebody moved unseen.
func TestResumedHidden(t *testing.T) {
	for _, script := range []string{"li", "i"} {
		for _, resumed := range []bool{false, true} {
			t.Run(script, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					s := parlourSetup(t, "safe", script, 2, referee.Policy{}, referee.Clock{})
					s.Table = parlourTable(t, "safe", script, true)
					log := new(referee.Memory)
					begin := func() (a, b *mailbox, l *referee.Live, stop func()) {
						a, b = newMailbox(), newMailbox()
						l = newLive(t, s, referee.Config{Log: log, Host: silentHost{}}, a, b)
						ctx, cancel := context.WithCancel(t.Context())
						done := running(ctx, l)
						a.await(t, referee.Opened)
						b.await(t, referee.Opened)
						return a, b, l, func() { cancel(); <-done }
					}
					a, b, l, stop := begin()
					if resumed {
						stop()
						a, b, l, stop = begin()
					}
					defer stop()
					ch := l.Watch(t.Context())
					<-ch
					a.submit(t, referee.Answer{Action: "0"})
					synctest.Wait()
					if slices.Contains(b.kinds(), referee.Stepped) || len(ch) > 0 {
						t.Errorf("resumed %v: an unseen move shows: %v, %d positions", resumed, b.kinds(), len(ch))
					}
				})
			})
		}
	}
}

// TestUnrecorded: what could not be recorded is shown to no spectator, and ends no match for who rules on it or claims.
func TestUnrecorded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := newMailbox(), newMailbox()
		log := &slowLog{}
		l := newLive(t, parlourSetup(t, "safe", "oo", 2, referee.Policy{}, referee.Clock{}), referee.Config{Log: log}, a, b)
		done := running(t.Context(), l)
		synctest.Wait()
		log.failAt = 1
		rule := func() error { return l.Rule(referee.Ruling{What: referee.RuleVoid, By: "host", Reason: "over"}) }
		if err := rule(); !errors.Is(err, errDisk) {
			t.Error(err)
		}
		<-done
		if err := rule(); !errors.Is(err, referee.ErrStopped) {
			t.Errorf("a second ruling: %v", err)
		}
		if err := l.Seat(0).Claim(referee.Resign); !errors.Is(err, referee.ErrStopped) {
			t.Errorf("a claim: %v", err)
		}
		for p := range l.Watch(t.Context()) {
			t.Errorf("a spectator sees %+v", p)
		}
	})
}
