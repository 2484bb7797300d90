package gridarena

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/games/werewolf"
	"github.com/matchreferee/arena/referee"
)

// TestEndOf is about every cause; how a match ends is as the referee has it.
func TestEndOf(t *testing.T) {
	seats := func(out ...bool) []referee.SeatResult {
		list := make([]referee.SeatResult, len(out))
		for i := range out {
			list[i].Out = out[i]
		}
		return list
	}
	none := game.Spectator
	for _, tt := range []struct {
		name   string
		seat   game.Seat
		result referee.Result
		want   End
	}{
		{"won", 0, referee.Result{Cause: referee.CausePlay, Places: []int{1, 2}, Seats: seats(false, false)}, End{StatusCompleted, "", 0, Win, true}},
		{"lost", 1, referee.Result{Cause: referee.CausePlay, Places: []int{1, 2}, Seats: seats(false, false)}, End{StatusCompleted, "", 0, Loss, false}},
		{"drawn", 1, referee.Result{Cause: referee.CausePlay, Places: []int{1, 1}, Seats: seats(false, false)}, End{StatusCompleted, "", none, Draw, false}},
		{"shared by some", 1, referee.Result{Cause: referee.CausePlay, Places: []int{1, 1, 3}, Seats: seats(false, false, false)}, End{StatusCompleted, "", none, Draw, false}},
		{"late", 0, referee.Result{Cause: referee.CauseForfeit, Reason: "late", Places: []int{2, 1}, Seats: seats(true, false)}, End{StatusExpired, ReasonTurnTimeout, 1, Loss, false}},
		{"another fault", 0, referee.Result{Cause: referee.CauseForfeit, Reason: "illegal", Places: []int{2, 1}, Seats: seats(true, false)}, End{StatusExpired, ReasonForfeit, 1, Loss, false}},
		{"the opponent's", 0, referee.Result{Cause: referee.CauseForfeit, Reason: "late", Places: []int{1, 2}, Seats: seats(false, true)}, End{StatusExpired, ReasonOpponentForfeit, 0, Win, false}},
		{"late, and the rules say draw", 0, referee.Result{Cause: referee.CauseForfeit, Reason: "late", Places: []int{1, 1}, Seats: seats(true, false)}, End{StatusExpired, ReasonTurnTimeout, none, Draw, false}},
		{"abandoned", 1, referee.Result{Cause: referee.CauseAbandonment, Reason: "abandoned", Places: []int{1, 2}, Seats: seats(false, true)}, End{StatusExpired, ReasonAbandoned, 0, Loss, false}},
		{"abandoned by the other", 1, referee.Result{Cause: referee.CauseAbandonment, Reason: "abandoned", Places: []int{2, 1}, Seats: seats(true, false)}, End{StatusExpired, ReasonOpponentForfeit, 1, Win, false}},
		{"the hour", 0, referee.Result{Cause: referee.CauseExpiry, Reason: "expiry", Seats: seats(false, false)}, End{StatusExpired, ReasonMatchExpired, 1, Loss, false}},
		{"the hour, second", 1, referee.Result{Cause: referee.CauseExpiry, Reason: "expiry", Seats: seats(false, false)}, End{StatusExpired, ReasonMatchExpired, 0, Loss, false}},
		{"the hour of many", 1, referee.Result{Cause: referee.CauseExpiry, Seats: seats(false, false, false)}, End{StatusExpired, ReasonMatchExpired, none, Loss, false}},
		{"left, and its side has won", 1, referee.Result{Cause: referee.CausePlay, Places: []int{1, 1, 3}, Seats: seats(false, true, false)}, End{StatusExpired, ReasonAbandoned, none, Loss, false}},
		{"left, and first alone", 1, referee.Result{Cause: referee.CausePlay, Places: []int{2, 1, 2}, Seats: seats(false, true, false)}, End{StatusExpired, ReasonAbandoned, none, Loss, false}},
		{"another left", 1, referee.Result{Cause: referee.CausePlay, Places: []int{2, 1, 2}, Seats: seats(true, false, false)}, End{StatusCompleted, "", 1, Win, true}},
		{"left, and the hour", 1, referee.Result{Cause: referee.CauseExpiry, Seats: seats(false, true, false)}, End{StatusExpired, ReasonAbandoned, none, Loss, false}},
		{"ruled", 0, referee.Result{Cause: referee.CauseAdjudication, Places: []int{1, 2}, Seats: seats(false, false)}, End{StatusExpired, ReasonAdjudicated, 0, Win, false}},
		{"void", 0, referee.Result{Cause: referee.CauseVoid, Seats: seats(false, false)}, End{StatusFailed, "", none, None, false}},
		{"no seat of it", 5, referee.Result{Cause: referee.CausePlay, Places: []int{1, 2}, Seats: seats(false, false)}, End{StatusCompleted, "", 0, Loss, false}},
	} {
		if diff := cmp.Diff(tt.want, EndOf(tt.seat, &tt.result)); diff != "" {
			t.Errorf("%s: %s", tt.name, diff)
		}
		if got := EndOf(tt.seat, &tt.result); !got.Status.Over() || got.Verified && got.Outcome != Win || (got.Reason != "") != (got.Status == StatusExpired) {
			t.Errorf("%s: %+v", tt.name, got)
		}
	}
	for _, s := range []Status{StatusAgent, StatusAI, ""} {
		if s.Over() {
			t.Errorf("%q is over", s)
		}
	}
}

// TestHouseFails: whatever the house does wrong voids the match, however late it is, and nobody has won.
func TestHouseFails(t *testing.T) {
	for _, f := range []referee.Fault{referee.Malformed, referee.BadNonce, referee.Illegal, referee.Oversized, referee.Unreachable, referee.Disconnected, referee.BadProtocol} {
		during(t, setup{game: connectfour.New(), seat: 1}, func(s *scene) {
			s.wait(40 * time.Minute)
			a := referee.Answer{Fault: f}
			if f == referee.Illegal {
				a = referee.Answer{Action: "99"}
			}
			if _, err := s.seats[0].Submit(s.t.Context(), a); err != nil {
				t.Fatal(err)
			}
			<-s.over
			if diff := cmp.Diff(End{StatusFailed, "", game.Spectator, None, false}, EndOf(1, s.result)); diff != "" {
				t.Errorf("%v: %s", f, diff)
			}
		})
	}
}

// TestPolicy: what is promised, and that the referee takes it in every game here.
func TestPolicy(t *testing.T) {
	for control, move := range map[Control]time.Duration{Production: 30 * time.Second, Untimed: 0} {
		p, c := Policy(control)
		if c != (referee.Clock{Move: move, Expiry: time.Hour}) || control.Validate() != nil {
			t.Errorf("%s: %+v", control, c)
		}
		const r = referee.DoReject
		if p != (referee.Policy{Name: "gridarena", Late: referee.DoForfeit, Malformed: r, BadNonce: r, Illegal: r, Oversized: r, Unreachable: r, Disconnected: r, BadProtocol: r}) {
			t.Errorf("%s: %+v", control, p)
		}
	}
	for _, bad := range []Control{"", "Production", "blitz"} {
		if bad.Validate() == nil {
			t.Errorf("%q is a control", bad)
		}
	}
	during(t, setup{game: werewolf.New(), seats: 9, seat: 3}, func(s *scene) {
		if p, now := s.position(); p.Result != nil || now != s.match.Started {
			t.Errorf("%+v", p)
		}
	})
}
