package websocket_test

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matchreferee/arena/protocol/ludux"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport/websocket"
)

func TestLimits(t *testing.T) {
	// A message over the limit closed the connection and nobody knew why: it is an error, the close code 1009, and a fault in the record.
	t.Run("B78", func(t *testing.T) {
		pieces := func(p *peer, message []byte, n int) {
			for i := 0; i < len(message); i += n {
				head, end := byte(opContinuation), min(i+n, len(message))
				if i == 0 {
					head = opText
				}
				if end == len(message) {
					head |= fin
				}
				if p.write(head, message[i:end]) != nil {
					return // it has had enough
				}
			}
		}
		for _, n := range []int{ludux.MaxFrame + 1, 1000, 1} {
			virtual(t, websocket.Options{}, func(t *testing.T, h *hall) {
				ann := h.join("ann")
				b := h.start("m-1", connectFour, "", noClock, "ann", "house")
				r := until[*ludux.ActionRequest](t, ann)
				pieces(ann, padded(r, ludux.MaxFrame), n) // just within it
				r = expect[*ludux.ActionRequest](t, ann)
				go pieces(ann, padded(r, ludux.MaxFrame+1), n)
				if code, e := ann.closed(); code != 1009 || e == nil || e.Code != ludux.CodeFrameTooLarge {
					t.Errorf("in pieces of %d: %d %+v", n, code, e)
				}
				synctest.Wait()
				if e := h.lastClosed(); e.Reason != websocket.ReasonTooLarge || e.Code != 1009 {
					t.Errorf("%+v", e)
				}
				if got := fmt.Sprint(b.recorded(referee.KindFault, referee.KindGone)); got != "[oversized 0 gone 0 too_large]" && got != "[gone 0 too_large oversized 0]" {
					t.Errorf("in pieces of %d: %s", n, got)
				}
				ann = h.join("ann")
				if again := until[*ludux.ActionRequest](t, ann); again.Seq != r.Seq {
					t.Errorf("%+v", again)
				}
				b.stop()
			})
		}
	})
}

// TestOversizedMemory: of a message of a gigabyte, and of one in frames that hold nothing, no more is kept or read than of the largest that is allowed.
func TestOversizedMemory(t *testing.T) {
	virtual(t, websocket.Options{}, func(t *testing.T, h *hall) {
		for _, c := range []struct {
			name   string
			first  []byte
			rest   []byte
			reason websocket.Reason
		}{
			{"one frame", []byte{fin | opText, 0xff, 0, 0, 0, 0, 0x40, 0, 0, 0, 1, 2, 3, 4}, make([]byte, 4096), websocket.ReasonTooLarge},
			{"empty frames", encode(opText, []byte(`{`), true), encode(opContinuation, nil, true), websocket.ReasonFlood},
			{"pongs", encode(fin|opPong, nil, true), encode(fin|opPong, []byte(strings.Repeat("p", 125)), true), websocket.ReasonFlood},
		} {
			ann := h.join("ann")
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			ann.Conn.Write(c.first)
			wrote := 0
			for wrote < 1<<26 {
				n, err := ann.Conn.Write(c.rest)
				if wrote += n; err != nil {
					break
				}
			}
			if wrote > 2<<20 {
				t.Errorf("%s: %d bytes were read", c.name, wrote)
			}
			ann.Conn.Close()
			synctest.Wait()
			runtime.GC()
			runtime.ReadMemStats(&after)
			if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 1<<20 {
				t.Errorf("%s: %d bytes more", c.name, grown)
			}
			if e := h.lastClosed(); e.Reason != c.reason {
				t.Errorf("%s: %+v", c.name, e)
			}
		}
	})
}

// TestPace: who sends too much is told so, and what it sent does not count; who goes on is closed.
func TestPace(t *testing.T) {
	virtual(t, websocket.Options{Messages: websocket.Pace{PerSecond: 10, Burst: 100}}, func(t *testing.T, h *hall) {
		ann := h.join("ann")
		b := h.start("m-1", connectFour, "", noClock, "ann", "house")
		r := until[*ludux.ActionRequest](t, ann)
		junk := []byte(`{"protocol":"ludux/1","type":"action_response","match_id":"m-9","seq":7,"action":1}`)
		for range 101 { // one response to the one request is free
			ann.write(fin|opText, junk)
			if e := expect[*ludux.Error](t, ann); e.Code != ludux.CodeStaleResponse {
				t.Fatalf("%+v", e)
			}
		}
		ann.write(fin|opText, []byte(`{"protocol":"ludux/1","type":"action_response","match_id":"m-1"}`))
		if e := expect[*ludux.Error](t, ann); e.Code != ludux.CodeRateLimited || e.MatchID != "m-1" || e.RetryAfter != 100*time.Millisecond {
			t.Errorf("%+v", e)
		}
		old := r
		ann.send(r.Respond("3", "")) // to what it was asked, it may always answer
		if r = expect[*ludux.ActionRequest](t, ann); r.Seq != 2 {
			t.Errorf("%+v", r)
		}
		ann.send(old.Respond("3", ""))
		if r2 := expect[*ludux.Error](t, ann); r2.Code != ludux.CodeStaleResponse {
			t.Errorf("%+v", r2)
		}
		ann.send(old.Respond("3", ""))
		e := expect[*ludux.Error](t, ann)
		if e.Code != ludux.CodeRateLimited || e.MatchID != "m-1" || e.Seq != 1 || e.RetryAfter != 100*time.Millisecond {
			t.Errorf("%+v", e)
		}
		time.Sleep(e.RetryAfter)
		ann.send(old.Respond("3", ""))
		if e = expect[*ludux.Error](t, ann); e.Code != ludux.CodeStaleResponse {
			t.Errorf("%+v", e)
		}
		go func() {
			for ann.write(fin|opText, make([]byte, 20_000)) == nil {
			}
		}()
		if code, e := ann.closed(); code != 1008 || e == nil || e.Code != ludux.CodeRateLimited {
			t.Errorf("%d %+v", code, e)
		}
		synctest.Wait()
		if e := h.lastClosed(); e.Reason != websocket.ReasonPace {
			t.Errorf("%+v", e)
		}
		// The key's pace is that of all its connections.
		ann = h.join("ann")
		until[*ludux.ActionRequest](t, ann)
		ann.write(fin|opText, make([]byte, 30_000))
		if e := expect[*ludux.Error](t, ann); e.Code != ludux.CodeRateLimited {
			t.Errorf("%+v", e)
		}
		b.stop()
	})
}

// TestOftenAsked: who is asked often may answer as often, whatever the pace; and once each.
func TestOftenAsked(t *testing.T) {
	virtual(t, websocket.Options{Messages: websocket.Pace{PerSecond: 0.001, Burst: 65}}, func(t *testing.T, h *hall) {
		ann := h.join("ann")
		answers := 0
		for i := range 20 {
			b := h.four(fmt.Sprint("m-", i), "ann", "house")
			ann.play(leftmost)
			r := b.end()
			if r.Cause != referee.CausePlay {
				t.Fatalf("match %d: %v, %s", i, r.Cause, r.Reason)
			}
			answers += r.Seats[0].Moves
		}
		if answers < 130 {
			t.Fatalf("%d answers are not twice as many as may come at once", answers)
		}
		if n := len(h.told(websocket.Closed)); n != 0 {
			t.Errorf("%d connections were closed", n)
		}
		b := h.four("m-twice", "ann", "house")
		r := until[*ludux.ActionRequest](t, ann)
		free := 0
		for ; free < 200; free++ {
			ann.send(r.Respond("3", ""))
			if e, ok := ann.message().(*ludux.Error); ok && e.Code == ludux.CodeRateLimited {
				break
			}
		}
		if free != 67 { // two for the requests that came, and a burst
			t.Errorf("%d times the same answer before the pace was too high", free)
		}
		b.stop()
	})
}

// TestConnects: a key has a pace of connections, too, so that two programs with one key do not replace each other for ever.
func TestConnects(t *testing.T) {
	virtual(t, websocket.Options{Connects: websocket.Pace{PerSecond: 0.5, Burst: 3}}, func(t *testing.T, h *hall) {
		for range 3 {
			h.join("ann")
		}
		if resp, _ := h.refused("/agents", "Authorization: Bearer key-ann"); resp.StatusCode != 429 || resp.Header.Get("Retry-After") != "2" {
			t.Errorf("%s %v", resp.Status, resp.Header)
		}
		p := h.open("/agents").listen()
		p.send(&ludux.Hello{Key: "key-ann"})
		if code, e := p.closed(); code != 1008 || e == nil || e.Code != ludux.CodeRateLimited || e.RetryAfter <= time.Second {
			t.Errorf("%d %+v", code, e)
		}
		h.join("bob")
		time.Sleep(2 * time.Second)
		h.join("ann")
	})
}

// TestConnections: there are no more than the host allows.
func TestConnections(t *testing.T) {
	virtual(t, websocket.Options{Connections: 2}, func(t *testing.T, h *hall) {
		ann := h.join("ann")
		h.join("bob")
		if resp, _ := h.refused("/agents", "Authorization: Bearer key-eve"); resp.StatusCode != 503 {
			t.Error(resp.Status)
		}
		ann.bye()
		synctest.Wait()
		h.join("eve")
	})
}

// TestSeats: an agent has no more seats than the host allows, but for matches that go on.
func TestSeats(t *testing.T) {
	virtual(t, websocket.Options{Seats: 2}, func(t *testing.T, h *hall) {
		one := h.four("m-1", "ann", "house")
		h.four("m-2", "ann", "house")
		synctest.Wait()
		a := referee.Agent{Slug: "ann"}
		if _, err := h.tr.Player(t.Context(), a); !isBusy(err) {
			t.Error(err)
		}
		if _, err := h.tr.Player(recovering(t.Context()), a); err != nil {
			t.Error(err)
		}
		one.stop()
		if _, err := h.tr.Player(t.Context(), a); err != nil {
			t.Error(err)
		}
		for _, slug := range []string{"", "Ann", "a b", strings.Repeat("a", 65)} {
			if _, err := h.tr.Player(t.Context(), referee.Agent{Slug: slug}); err == nil {
				t.Errorf("%q has a player", slug)
			}
		}
	})
}

// TestStopped: the seats of a match that stopped without an end are given up, and its agent is not told of it again.
func TestStopped(t *testing.T) {
	virtual(t, websocket.Options{Seats: 1}, func(t *testing.T, h *hall) {
		h.join("bob") // so that somebody looks
		ctx, cancel := context.WithCancel(t.Context())
		b := h.startIn(ctx, "m-1", connectFour, "", noClock, "ann", "house")
		synctest.Wait()
		cancel()
		<-b.done
		if b.err == nil {
			t.Error("it ended")
		}
		ann := h.join("ann")
		ann.send(&ludux.ActionResponse{MatchID: "m-1", Seq: 1, Action: "3"})
		if e := until[*ludux.Error](t, ann); e.Code != ludux.CodeStaleResponse {
			t.Errorf("%+v", e)
		}
		if _, err := h.tr.Player(t.Context(), referee.Agent{Slug: "ann"}); !isBusy(err) {
			t.Error(err)
		}
		time.Sleep(2 * time.Minute)
		if _, err := h.tr.Player(t.Context(), referee.Agent{Slug: "ann"}); err != nil {
			t.Error(err)
		}
	})
}

// TestSlowStore: while a match's store is slow, its agent's other matches go on, what it sends meanwhile is bounded, and what came in time counts.
func TestSlowStore(t *testing.T) {
	virtual(t, websocket.Options{}, func(t *testing.T, h *hall) {
		log := &slowLog{}
		slow := h.start("m-1", connectFour, "", func(_ *referee.Setup, c *referee.Config) { c.Log = log }, "ann", "house")
		quick := h.four("m-2", "ann", "house")
		ann := h.join("ann")
		asked := map[string]*ludux.ActionRequest{}
		for len(asked) < 2 {
			r := until[*ludux.ActionRequest](t, ann)
			asked[r.MatchID] = r
		}
		time.Sleep(time.Second) // that it is there has been recorded
		log.set(20 * time.Second)
		ann.send(asked["m-1"].Respond("3", "")) // in time, recorded long after the deadline
		synctest.Wait()                         // the store is at it, and the line behind it is empty
		for range 8 {
			ann.send(asked["m-1"].Respond("4", ""))
		}
		for range 4 {
			if e := expect[*ludux.Error](t, ann); e.Code != ludux.CodeRateLimited || e.MatchID != "m-1" || e.Seq != 1 {
				t.Errorf("%+v", e)
			}
		}
		ann.send(asked["m-2"].Respond("3", ""))
		if r := expect[*ludux.ActionRequest](t, ann); r.MatchID != "m-2" || r.Seq != 2 {
			t.Errorf("%+v", r)
		} else {
			ann.send(r.Respond("3", ""))
			if r = expect[*ludux.ActionRequest](t, ann); r.Seq != 3 {
				t.Errorf("%+v", r)
			}
		}
		quick.stop()
		log.set(0)
		time.Sleep(time.Minute)
		if got := strings.Join(slow.recordedMoves(), ","); !strings.HasPrefix(got, "0 1 3,") || strings.Contains(got, "0 late,0 1") {
			t.Error(got)
		}
		slow.stop()
	})
}

// TestJudgedAnswers: answers that have been judged take nobody's room any more.
func TestJudgedAnswers(t *testing.T) {
	virtual(t, websocket.Options{}, func(t *testing.T, h *hall) {
		log := &slowLog{}
		b := h.start("m-1", connectFour, "", func(s *referee.Setup, c *referee.Config) {
			noClock(s, c)
			c.Log = log
		}, "ann", "house")
		ann := h.join("ann")
		r := until[*ludux.ActionRequest](t, ann)
		old := *r
		old.Seq--
		for range 70 {
			ann.send(old.Respond("3", ""))
			if e := expect[*ludux.Error](t, ann); e.Code != ludux.CodeStaleResponse {
				t.Fatalf("%+v", e)
			}
			time.Sleep(time.Second)
		}
		log.set(2 * time.Second)
		ann.send(r.Respond("3", ""))
		synctest.Wait()
		for range 4 {
			ann.send(old.Respond("3", ""))
		}
		ann.quiet(time.Second)
		b.stop()
	})
}

// TestRoomForOne: a seat has room for an answer however many wait for the agent's other seats.
func TestRoomForOne(t *testing.T) {
	virtual(t, websocket.Options{Messages: websocket.Pace{PerSecond: 1000, Burst: 1000}}, func(t *testing.T, h *hall) {
		var logs [20]slowLog
		var bouts []*bout
		for i := range logs {
			bouts = append(bouts, h.start(fmt.Sprint("m-", i), connectFour, "", func(_ *referee.Setup, c *referee.Config) { c.Log = &logs[i] }, "ann", "house"))
		}
		ann := h.join("ann")
		var requests []*ludux.ActionRequest
		for range logs {
			requests = append(requests, until[*ludux.ActionRequest](t, ann))
		}
		time.Sleep(time.Second)
		for i := range logs {
			logs[i].set(5 * time.Second)
		}
		refused := func(requests ...*ludux.ActionRequest) (n int) {
			for _, r := range requests {
				ann.send(r.Respond("3", ""))
			}
			time.Sleep(100 * time.Millisecond)
			for ; len(ann.frames) > 0; n++ {
				if e := expect[*ludux.Error](t, ann); e.Code != ludux.CodeRateLimited {
					t.Errorf("%+v", e)
				}
			}
			return n
		}
		last := requests[19]
		for round, want := range []int{0, 0, 0, 4*19 - 64, 19} {
			if n := refused(requests[:19]...); n != want {
				t.Errorf("round %d: %d refused", round, n)
			}
		}
		if n := refused(last); n != 0 {
			t.Errorf("the first answer of another seat: %d refused", n)
		}
		if n := refused(last); n != 0 { // one is judged, one waits
			t.Errorf("the second one: %d refused", n)
		}
		if n := refused(last); n != 1 {
			t.Errorf("the third one: %d refused", n)
		}
		for _, b := range bouts {
			b.stop()
		}
	})
}

// TestArrival: an answer has taken as long as it took to arrive, however long it waits behind another.
func TestArrival(t *testing.T) {
	virtual(t, websocket.Options{}, func(t *testing.T, h *hall) {
		log := &slowLog{}
		b := h.start("m-1", connectFour, "", func(_ *referee.Setup, c *referee.Config) { c.Log = log }, "ann", "house")
		ann := h.join("ann")
		r := until[*ludux.ActionRequest](t, ann)
		time.Sleep(2 * time.Second)
		log.set(5 * time.Second)
		ann.write(fin|opText, []byte("nonsense"))
		time.Sleep(time.Second)
		ann.send(r.Respond("3", ""))
		synctest.Wait()
		log.set(0)
		until[*ludux.ActionRequest](t, ann)
		b.stop()
		h.mu.Lock()
		defer h.mu.Unlock()
		for _, e := range h.records["m-1"] {
			if e.Kind == referee.KindMove && e.Seat == 0 {
				if e.Used != 3000 {
					t.Errorf("it took %d ms", e.Used)
				}
				return
			}
		}
		t.Error("it did not count")
	})
}
