package websocket_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/protocol/ludux"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport/websocket"
)

// jointly has two turns of three seats at once. In each a seat may play one number, which no other seat and no other turn has.
type jointly struct{}

type jointlyState struct{ Turn int }

func (jointly) Info() game.Info {
	return game.Info{Name: "jointly", Version: "1.0.0", MinSeats: 3, MaxSeats: 3, MaxSteps: 2}
}

func (jointly) Start(game.Setup) (jointlyState, error) { return jointlyState{}, nil }

func (jointly) Turn(s *jointlyState) game.Turn {
	if s.Turn == 2 {
		return game.Turn{}
	}
	return game.Turn{Seats: game.FirstSeats(3)}
}

func (jointly) Legal(dst []int, s *jointlyState, seat game.Seat) []int {
	return append(dst, 10*s.Turn+int(seat))
}

func (jointly) Apply(s *jointlyState, _ []game.Move[int]) { s.Turn++ }
func (jointly) View(s *jointlyState, _ game.Seat) any     { return *s }
func (jointly) Outcome(*jointlyState) game.Outcome {
	return game.Outcome{Returns: []float64{0, 0, 0}, Reason: "done"}
}

// jointly begins a match of it. An illegal action or a missed deadline ends the match, as with two seats.
func (h *hall) jointly(slugs ...string) *bout {
	h.Helper()
	return h.start("m-1", game.New(jointly{}), "", func(s *referee.Setup, _ *referee.Config) {
		policy, _ := ludux.Policy(2)
		for i := range s.Seats {
			s.Seats[i].Policy = policy
		}
	}, slugs...)
}

// whole wants a match to be played to its end, without a fault.
func (b *bout) whole() {
	b.h.Helper()
	if r := b.end(); r.Cause != referee.CausePlay {
		b.h.Errorf("%v: %s", r.Cause, r.Reason)
	}
	if got := b.recorded(referee.KindFault); len(got) > 0 {
		b.h.Errorf("faults %v", got)
	}
}

// named is a response that names its seat.
func named(seat game.Seat, seq int64, action game.Action) *ludux.ActionResponse {
	return &ludux.ActionResponse{MatchID: "m-1", Seq: seq, Seat: &seat, Action: action}
}

// TestSeatNamed: the seats of one agent that are asked at once are answered in any order, over connections that break, where each
// response names its seat.
func TestSeatNamed(t *testing.T) {
	for _, order := range [][]game.Seat{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
		virtual(t, websocket.Options{}, func(t *testing.T, h *hall) {
			ann := h.join("ann")
			b := h.jointly("ann", "ann", "ann")
			for turn := range 2 {
				for i, seat := range order {
					for range 3 - i { // all that are open still, after each break
						if m := until[*ludux.ActionRequest](t, ann); m.Seq != int64(turn+1) {
							t.Fatalf("%v: %+v", order, m)
						}
					}
					ann.send(named(seat, int64(turn+1), game.Action(fmt.Sprint(10*turn+int(seat)))))
					synctest.Wait()
					if i < 2 {
						ann.Conn.Close()
						synctest.Wait()
						ann = h.join("ann")
					}
				}
			}
			b.whole()
			ann.Conn.Close()
		})
	}
}

// TestSeatUnnamed: a client that knows only what the format's document knows answers in the order of its seats.
func TestSeatUnnamed(t *testing.T) {
	virtual(t, websocket.Options{}, func(t *testing.T, h *hall) {
		ann := h.join("ann")
		b := h.jointly("ann", "ann", "ann")
		for turn := range 2 {
			for range 3 {
				until[*ludux.ActionRequest](t, ann)
			}
			for seat := range 3 {
				ann.send(&ludux.ActionResponse{MatchID: "m-1", Seq: int64(turn + 1), Action: game.Action(fmt.Sprint(10*turn + seat))})
			}
		}
		b.whole()
		ann.Conn.Close()
	})
}

// TestSeatOfAnother: a response for a seat that is not the agent's in that match is stale and nothing else; bytes that are no message are laid
// to the seat that they name.
func TestSeatOfAnother(t *testing.T) {
	virtual(t, websocket.Options{}, func(t *testing.T, h *hall) {
		ann, bob := h.join("ann"), h.join("bob")
		b := h.jointly("ann", "bob", "ann")
		for range 2 {
			until[*ludux.ActionRequest](t, ann)
		}
		until[*ludux.ActionRequest](t, bob)
		for _, seat := range []game.Seat{1, 3, 63} { // of bob, of nobody, of no match
			ann.send(named(seat, 1, "1"))
			if e := expect[*ludux.Error](t, ann); e.Code != ludux.CodeStaleResponse || e.MatchID != "m-1" || e.Seq != 1 {
				t.Errorf("seat %v: %+v", seat, e)
			}
		}
		bob.send(named(0, 1, "0"))
		if e := expect[*ludux.Error](t, bob); e.Code != ludux.CodeStaleResponse {
			t.Errorf("%+v", e)
		}
		bob.quiet(time.Second)
		if got := b.recorded(referee.KindFault); len(got) > 0 {
			t.Errorf("faults %v", got)
		}
		for _, rest := range []string{`"seat":1`, `"seat":2`, `"seat":"2","action":2`, `"seat":64,"action":2`} {
			ann.write(fin|opText, []byte(`{"protocol":"ludux/1","type":"action_response","match_id":"m-1","seq":1,`+rest+`}`))
			if e := expect[*ludux.Error](t, ann); e.Code != ludux.CodeMalformed || e.MatchID != "m-1" || e.Seq != 1 {
				t.Errorf("%s: %+v", rest, e)
			}
		}
		if got := fmt.Sprint(b.recorded(referee.KindFault)); got != "[malformed 2 malformed 0 malformed 0]" {
			t.Error(got)
		}
		ann.send(named(2, 1, "2"))
		ann.send(named(2, 1, "2"))
		if e := expect[*ludux.Error](t, ann); e.Code != ludux.CodeStaleResponse || e.Seq != 1 {
			t.Errorf("the same again: %+v", e)
		}
		ann.send(named(0, 1, "0"))
		bob.send(named(1, 1, "1")) // which it need not name
		for range 2 {
			m := expect[*ludux.ActionRequest](t, ann)
			ann.send(named(m.Seat, 2, m.LegalActions[0]))
		}
		bob.send(&ludux.ActionResponse{MatchID: "m-1", Seq: 2, Action: "11"})
		if r := b.end(); r.Cause != referee.CausePlay {
			t.Errorf("%v: %s", r.Cause, r.Reason)
		}
		for range 2 {
			expect[*ludux.MatchEnd](t, ann)
		}
		ann.send(named(0, 2, "10"))
		if e := expect[*ludux.Error](t, ann); e.Code != ludux.CodeMatchOver {
			t.Errorf("%+v", e)
		}
		ann.Conn.Close()
		bob.Conn.Close()
	})
}
