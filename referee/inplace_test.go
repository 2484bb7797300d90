package referee_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matchreferee/arena/referee"
)

// TestAllStuckInPlace: each player in place of one turn whose answers are all rejected is given up by its own.
func TestAllStuckInPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked [2]int
		stuck := referee.Inline(func(r *referee.Request) referee.Answer {
			if asked[r.Seat]++; asked[r.Seat] > 1000 { // it would be asked for ever
				return referee.Answer{Action: "1"}
			}
			return referee.Answer{Action: "99"}
		})
		s := parlourSetup(t, "safe", "jj", 2, policies["ludux-3"], referee.Clock{Move: 10 * time.Second})
		for i := range s.Seats {
			s.Seats[i].Policy.Illegal = referee.DoReject
		}
		begin := time.Now()
		o := <-running(t.Context(), newLive(t, s, referee.Config{}, stuck, stuck))
		if d := time.Since(begin); o.err != nil || o.result.Cause != referee.CausePlay || d != 20*time.Second || asked != [2]int{32, 32} {
			t.Errorf("%+v after %v, asked %v times", o, d, asked)
		}
	})
}

// TestStuckIsForgotten: that a player in place was given up means nothing to the next match in the same memory.
func TestStuckIsForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var r referee.Local
		s := parlourSetup(t, "safe", "o", 1, policies["gridarena"], referee.Clock{Move: 10 * time.Second})
		bad := referee.Inline(func(*referee.Request) referee.Answer { return referee.Answer{Action: "99"} })
		for _, match := range []struct {
			player referee.Player
			cause  referee.Cause
		}{{bad, referee.CauseForfeit}, {one, referee.CausePlay}, {bad, referee.CauseForfeit}, {one, referee.CausePlay}} {
			if result, err := r.Play(t.Context(), s, match.player); err != nil || result.Cause != match.cause {
				t.Errorf("%+v, %v", result, err)
			}
		}
	})
}

// TestInPlaceAlone: a match of players in place alone stops soon after its context has ended.
func TestInPlaceAlone(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	asked := 0
	bot := referee.Inline(func(*referee.Request) referee.Answer { asked++; cancel(); return referee.Answer{Action: "1"} })
	s := parlourSetup(t, "safe", strings.Repeat("o", 100), 2, referee.Policy{}, referee.Clock{})
	if _, err := newLive(t, s, referee.Config{}, bot, bot).Run(ctx); err != context.Canceled || asked > 16 {
		t.Errorf("%v after %d moves", err, asked)
	}
}
