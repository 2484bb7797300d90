package websocket_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/protocol/ludux"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport/websocket"
)

// TestMatch plays Connect Four between two agents: one is there before the match, the other comes later.
func TestMatch(t *testing.T) {
	virtual(t, websocket.Options{}, func(t *testing.T, h *hall) {
		ann := h.join("ann")
		b := h.four("m-1", "ann", "bob")
		start := expect[*ludux.MatchStart](t, ann)
		if start.MatchID != "m-1" || start.Seat != 0 || start.Game != "connect-four" || len(start.Opponents) != 1 || start.Opponents[0].Name != "Agent bob" {
			t.Errorf("%+v", start)
		}
		r := expect[*ludux.ActionRequest](t, ann)
		if r.Seq != 1 || r.Deadline != 15*time.Second {
			t.Errorf("%+v", r)
		}
		ann.send(r.Respond("3", "the centre"))
		synctest.Wait()
		time.Sleep(4 * time.Second)
		bob := h.join("bob")
		expect[*ludux.MatchStart](t, bob)
		r = expect[*ludux.ActionRequest](t, bob)
		if r.Seq != 1 || r.Deadline != 11*time.Second {
			t.Errorf("left %v", r.Deadline)
		}
		bob.send(r.Respond("4", ""))
		for range 3 {
			r = expect[*ludux.ActionRequest](t, ann)
			ann.send(r.Respond("3", ""))
			if r.Seq < 4 {
				r = expect[*ludux.ActionRequest](t, bob)
				bob.send(r.Respond("4", ""))
			}
		}
		if e := expect[*ludux.MatchEnd](t, ann); e.Outcome != ludux.Win {
			t.Errorf("%+v", e)
		}
		if e := expect[*ludux.MatchEnd](t, bob); e.Outcome != ludux.Loss {
			t.Errorf("%+v", e)
		}
		if res := b.end(); res.Cause != referee.CausePlay || res.Places[0] != 1 {
			t.Errorf("%+v", res)
		}
		if got := fmt.Sprint(b.recorded(referee.KindGone, referee.KindBack, referee.KindFault)); got != "[gone 1 not connected back 1]" {
			t.Error(got)
		}
		ann.send(&ludux.ActionResponse{MatchID: "m-1", Seq: 4, Action: "3"})
		if e := expect[*ludux.Error](t, ann); e.Code != ludux.CodeMatchOver || e.MatchID != "m-1" || e.Seq != 4 {
			t.Errorf("%+v", e)
		}
		ann.bye()
		synctest.Wait()
		if e := h.lastClosed(); e.Reason != websocket.ReasonPeer || e.Code != 1000 || e.Agent != "ann" || e.Key != "id-ann" || e.Received != 5 || e.Sent != 8 {
			t.Errorf("%+v", e)
		}
		bob.Conn.Close()
	})
}

// TestAnswers: what is stale, malformed or illegal is told as the format says, to the request that it is about.
func TestAnswers(t *testing.T) {
	virtual(t, websocket.Options{}, func(t *testing.T, h *hall) {
		ann := h.join("ann")
		b := h.four("m-1", "ann", "house")
		other := h.four("m-2", "ann", "house")
		asked := map[string]*ludux.ActionRequest{}
		for len(asked) < 2 {
			r := until[*ludux.ActionRequest](t, ann)
			asked[r.MatchID] = r
		}
		one, two := asked["m-1"], asked["m-2"]
		ann.send(one.Respond("3", ""))
		next := until[*ludux.ActionRequest](t, ann)
		for _, c := range []struct {
			name, frame string
			want        ludux.Error
		}{
			{"answered before", string(one.Respond("3", "").Append(nil)), ludux.Error{Code: ludux.CodeStaleResponse, MatchID: "m-1", Seq: 1}},
			{"a seq to come", `{"protocol":"ludux/1","type":"action_response","match_id":"m-1","seq":3,"action":1}`, ludux.Error{Code: ludux.CodeStaleResponse, MatchID: "m-1", Seq: 3}},
			{"another match of its own, where that seq is not open", `{"protocol":"ludux/1","type":"action_response","match_id":"m-2","seq":2,"action":1}`, ludux.Error{Code: ludux.CodeStaleResponse, MatchID: "m-2", Seq: 2}},
			{"no match of its own", `{"protocol":"ludux/1","type":"action_response","match_id":"m-9","seq":1,"action":1}`, ludux.Error{Code: ludux.CodeStaleResponse, MatchID: "m-9", Seq: 1}},
			{"no JSON, and two requests are open", `I think I play 3.`, ludux.Error{Code: ludux.CodeMalformed}},
			{"no action", `{"protocol":"ludux/1","type":"action_response","match_id":"m-1","seq":2}`, ludux.Error{Code: ludux.CodeMalformed, MatchID: "m-1", Seq: 2}},
			{"a fraction", `{"protocol":"ludux/1","type":"action_response","match_id":"m-1","seq":2,"action":1.5}`, ludux.Error{Code: ludux.CodeMalformed, MatchID: "m-1", Seq: 2}},
			{"hello again", `{"protocol":"ludux/1","type":"hello","key":"key-ann"}`, ludux.Error{Code: ludux.CodeMalformed}},
		} {
			if err := ann.write(fin|opText, []byte(c.frame)); err != nil {
				t.Fatal(err)
			}
			e := expect[*ludux.Error](t, ann)
			if e.Code != c.want.Code || e.MatchID != c.want.MatchID || e.Seq != c.want.Seq || e.Message == "" && e.Code == ludux.CodeMalformed {
				t.Errorf("%s: %+v", c.name, e)
			}
		}
		if err := ann.write(fin|opBinary, next.Respond("3", "").Append(nil)); err != nil {
			t.Fatal(err)
		}
		if e := expect[*ludux.Error](t, ann); e.Code != ludux.CodeMalformed {
			t.Errorf("binary: %+v", e)
		}
		if got := fmt.Sprint(b.recorded(referee.KindFault)); got != "[stale 0 stale 0 malformed 0 malformed 0]" {
			t.Error(got)
		}
		ann.send(next.Respond("9", ""))
		if e := expect[*ludux.Error](t, ann); e.Code != ludux.CodeIllegalAction || e.Seq != 2 {
			t.Errorf("illegal: %+v", e)
		}
		if e := expect[*ludux.MatchEnd](t, ann); e.MatchID != "m-1" || e.Outcome != ludux.Loss || e.Cause != referee.CauseForfeit {
			t.Errorf("%+v", e)
		}
		b.end()
		// Now only one request is open, and what is no message is laid to it.
		if err := ann.write(fin|opText, []byte(`I think I play 3.`)); err != nil {
			t.Fatal(err)
		}
		if e := expect[*ludux.Error](t, ann); e.Code != ludux.CodeMalformed || e.MatchID != "m-2" || e.Seq != 1 {
			t.Errorf("%+v", e)
		}
		ann.send(two.Respond("3", ""))
		if r := expect[*ludux.ActionRequest](t, ann); r.MatchID != "m-2" || r.Seq != 2 {
			t.Errorf("%+v", r)
		}
		if got := fmt.Sprint(other.recorded(referee.KindFault)); got != "[stale 0 malformed 0]" {
			t.Error(got)
		}
		other.stop()
		ann.Conn.Close()
	})
}

// TestDeadline: a warning 5 s before the end, the error at the end, and then the end of the match.
func TestDeadline(t *testing.T) {
	virtual(t, websocket.Options{}, func(t *testing.T, h *hall) {
		ann := h.join("ann")
		b := h.four("m-1", "ann", "house")
		until[*ludux.ActionRequest](t, ann)
		began := time.Now()
		w := expect[*ludux.TimeoutWarning](t, ann)
		if d := time.Since(began); d != 10*time.Second || w.Left != 5*time.Second || w.Seq != 1 || w.MatchID != "m-1" {
			t.Errorf("after %v: %+v", d, w)
		}
		e := expect[*ludux.Error](t, ann)
		if d := time.Since(began); d != 15*time.Second || e.Code != ludux.CodeStaleResponse || e.Seq != 1 {
			t.Errorf("after %v: %+v", d, e)
		}
		if e := expect[*ludux.MatchEnd](t, ann); e.Cause != referee.CauseForfeit || e.Reason != "late" {
			t.Errorf("%+v", e)
		}
		b.end()
		ann.Conn.Close()
	})
}

// TestClockAtSent: where the clock starts when the request is sent, it does not run while the agent is away.
func TestClockAtSent(t *testing.T) {
	virtual(t, websocket.Options{}, func(t *testing.T, h *hall) {
		b := h.start("m-1", connectfour.New(), "", func(s *referee.Setup, _ *referee.Config) {
			for i := range s.Seats {
				s.Seats[i].Clock.Starts = referee.AtSent
			}
		}, "ann", "house")
		time.Sleep(time.Minute)
		ann := h.join("ann")
		expect[*ludux.MatchStart](t, ann)
		r := expect[*ludux.ActionRequest](t, ann)
		if r.Deadline != 15*time.Second {
			t.Errorf("left %v", r.Deadline)
		}
		time.Sleep(3 * time.Second)
		ann.Conn.Close()
		synctest.Wait()
		ann = h.join("ann")
		expect[*ludux.MatchStart](t, ann)
		if r = expect[*ludux.ActionRequest](t, ann); r.Deadline != 12*time.Second || r.Seq != 1 {
			t.Errorf("left %v", r.Deadline)
		}
		if w := expect[*ludux.TimeoutWarning](t, ann); w.Left != 5*time.Second {
			t.Errorf("%+v", w)
		}
		ann.send(r.Respond("3", ""))
		expect[*ludux.ActionRequest](t, ann)
		b.stop()
		ann.Conn.Close()
	})
}
