package websocket_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matchreferee/arena/protocol/ludux"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport/websocket"
)

// TestRelief: a reader judges what it reads; where that takes a while another goroutine reads on, and the answers that follow are judged by others
// until they are quick again.
func TestRelief(t *testing.T) {
	virtual(t, websocket.Options{}, func(t *testing.T, h *hall) {
		log := &slowLog{}
		slow := h.start("m-1", connectFour, "", func(_ *referee.Setup, c *referee.Config) { c.Log = log }, "ann", "house")
		quick := h.four("m-2", "ann", "house")
		ann := h.join("ann")
		asked := map[string]*ludux.ActionRequest{}
		next := func(match string) *ludux.ActionRequest {
			for asked[match] == nil {
				r := until[*ludux.ActionRequest](t, ann)
				asked[r.MatchID] = r
			}
			r := asked[match]
			delete(asked, match)
			return r
		}
		want := func(when string, readers int, watched bool) {
			t.Helper()
			synctest.Wait()
			if r, w := h.tr.Judging(); r != readers || w != watched {
				t.Errorf("%s: %d readers judge, watched: %v", when, r, w)
			}
		}
		time.Sleep(time.Second) // that it is there has been recorded
		want("in the beginning", 0, false)
		log.set(2 * time.Second)
		ann.send(next("m-1").Respond("3", ""))
		want("at first", 1, true)
		time.Sleep(10 * time.Millisecond) // the watch comes round every 5 ms
		want("relieved", 0, true)
		for range 3 {
			ann.send(next("m-2").Respond("3", ""))
			want("another match", 0, true)
		}
		time.Sleep(time.Second)
		want("a quiet second", 0, false)
		ann.send(next("m-2").Respond("3", ""))
		want("a quick one", 0, true)
		time.Sleep(time.Second)
		want("another quiet second", 0, false)
		ann.send(next("m-1").Respond("3", ""))
		want("slow before", 0, false)
		log.set(0)
		ann.send(next("m-1").Respond("3", "")) // the crew's too, for the one before was slow
		want("quick again", 0, false)
		log.set(2 * time.Second)
		ann.send(next("m-1").Respond("4", ""))
		want("quick before", 1, true)
		quick.stop()
		slow.stop()
	})
}

// TestReliefOfWriter: an agent that does not read holds up who writes to it, not who reads from it.
func TestReliefOfWriter(t *testing.T) {
	virtual(t, websocket.Options{WriteTimeout: 20 * time.Second}, func(t *testing.T, h *hall) {
		b := h.four("m-1", "ann", "house")
		ann := h.open("/agents", "Authorization: Bearer key-ann")
		for range 3 { // welcome, match_start, action_request
			if _, err := readFrame(ann.br); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(time.Second)
		r := &ludux.ActionRequest{MatchID: "m-1", Seq: 1}
		ann.send(r.Respond("99", "")) // is told that it is illegal, and does not listen
		synctest.Wait()
		if n, _ := h.tr.Judging(); n != 1 {
			t.Errorf("%d readers write", n)
		}
		begin := time.Now()
		for range 4 {
			ann.send(r.Respond("98", "")) // by a pipe, which blocks until it is read
		}
		if d := time.Since(begin); d > 10*time.Millisecond {
			t.Errorf("read after %v", d)
		}
		if n, _ := h.tr.Judging(); n != 0 {
			t.Errorf("%d readers write still", n)
		}
		ann.listen()
		if e := expect[*ludux.Error](t, ann); e.Code != ludux.CodeIllegalAction {
			t.Errorf("%+v", e)
		}
		if e := expect[*ludux.MatchEnd](t, ann); e.Reason != "illegal" {
			t.Errorf("%+v", e)
		}
		b.end()
	})
}

// TestOneWriter: a reader does not write where somebody does already; who writes and cannot ends the connection, once.
func TestOneWriter(t *testing.T) {
	virtual(t, websocket.Options{WriteTimeout: 20 * time.Second}, func(t *testing.T, h *hall) {
		first, second := h.four("m-1", "ann", "house"), h.four("m-2", "ann", "house")
		synctest.Wait()
		ann := h.open("/agents", "Authorization: Bearer key-ann")
		for range 5 { // welcome, and of each match match_start and action_request
			if _, err := readFrame(ann.br); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(time.Second)
		for i, b := range []*bout{first, second} { // is told that it is illegal, and does not listen
			r := &ludux.ActionRequest{MatchID: b.id, Seq: 1}
			ann.send(r.Respond("99", ""))
			synctest.Wait()
			if n, _ := h.tr.Judging(); n != 1-i {
				t.Errorf("%s: %d readers write", b.id, n)
			}
			time.Sleep(time.Second)
		}
		first.end()
		second.end()
		time.Sleep(20 * time.Second)
		if list := h.told(websocket.Closed); len(list) != 1 || list[0].Reason != websocket.ReasonWrite {
			t.Errorf("%+v", list)
		}
	})
}

// TestSlowStoreOfMany: a store that is slow for all matches of an agent holds up the reader for one answer, not for each seat's first.
func TestSlowStoreOfMany(t *testing.T) {
	for takes, held := range map[time.Duration]time.Duration{
		2 * time.Second: 10 * time.Millisecond, 4 * time.Millisecond: 4 * time.Millisecond, 900 * time.Microsecond: 4 * time.Millisecond,
	} {
		virtual(t, websocket.Options{}, func(t *testing.T, h *hall) {
			var logs [30]slowLog
			var bouts []*bout
			for i := range logs {
				bouts = append(bouts, h.start(fmt.Sprint("m-", i), connectFour, "", func(_ *referee.Setup, c *referee.Config) { c.Log = &logs[i] }, "ann", "house"))
			}
			ann := h.join("ann")
			var requests []*ludux.ActionRequest
			for range bouts {
				requests = append(requests, until[*ludux.ActionRequest](t, ann))
			}
			time.Sleep(time.Second)
			for i := range logs {
				logs[i].set(takes)
			}
			begin := time.Now()
			for _, r := range requests { // by a pipe, which blocks until it is read
				ann.send(r.Respond("3", ""))
			}
			ann.write(fin|opPing, nil)
			if d := time.Since(begin); d > held {
				t.Errorf("store of %v: all is read after %v", takes, d)
			}
			for _, b := range bouts {
				b.stop()
			}
		})
	}
}

// TestRest: a reader that was quick judges what comes next, too, and one that was not does so after a rest.
func TestRest(t *testing.T) {
	for _, c := range []struct {
		takes, after time.Duration
		readers      int
	}{{400 * time.Microsecond, 0, 1}, {3 * time.Millisecond, 25 * time.Millisecond, 0}, {3 * time.Millisecond, 35 * time.Millisecond, 1}} {
		virtual(t, websocket.Options{}, func(t *testing.T, h *hall) {
			var logs [2]slowLog
			var bouts []*bout
			for i := range logs {
				bouts = append(bouts, h.start(fmt.Sprint("m-", i), connectFour, "", func(_ *referee.Setup, o *referee.Config) { o.Log = &logs[i] }, "ann", "house"))
			}
			synctest.Wait() // else requests come in any order
			ann := h.join("ann")
			first, second := until[*ludux.ActionRequest](t, ann), until[*ludux.ActionRequest](t, ann)
			time.Sleep(time.Second)
			logs[0].set(c.takes)
			logs[1].set(2 * time.Second)
			ann.send(first.Respond("3", ""))
			time.Sleep(c.takes + c.after)
			ann.send(second.Respond("3", ""))
			synctest.Wait()
			if n, _ := h.tr.Judging(); n != c.readers {
				t.Errorf("%d readers judge, %v after one that took %v", n, c.after, c.takes)
			}
			for _, b := range bouts {
				b.stop()
			}
		})
	}
}

// TestUntired: a reader that waits for messages most of the time judges all of them.
func TestUntired(t *testing.T) {
	virtual(t, websocket.Options{}, func(t *testing.T, h *hall) {
		log := &slowLog{}
		b := h.start("m-1", connectFour, "", func(_ *referee.Setup, c *referee.Config) { c.Log = log }, "ann", "house")
		ann := h.join("ann")
		r := until[*ludux.ActionRequest](t, ann)
		time.Sleep(time.Second)
		log.set(400 * time.Microsecond)
		for i := range 6 {
			ann.send(r.Respond(r.LegalActions[0], ""))
			synctest.Wait()
			if n, _ := h.tr.Judging(); n != 1 {
				t.Errorf("answer %d: %d readers judge", i, n)
			}
			r = until[*ludux.ActionRequest](t, ann)
			time.Sleep(10 * time.Millisecond)
		}
		b.stop()
	})
}

// TestSecondRound: a reader that the watch finds at its post is left there until it does so again, at the same answer.
func TestSecondRound(t *testing.T) {
	virtual(t, websocket.Options{}, func(t *testing.T, h *hall) {
		var logs [3]slowLog
		var bouts []*bout
		for i := range logs {
			bouts = append(bouts, h.start(fmt.Sprint("m-", i), connectFour, "", func(_ *referee.Setup, c *referee.Config) { c.Log = &logs[i] }, "ann", "house"))
		}
		synctest.Wait() // else requests come in any order
		ann := h.join("ann")
		var requests []*ludux.ActionRequest
		for range logs {
			requests = append(requests, until[*ludux.ActionRequest](t, ann))
		}
		time.Sleep(time.Second)
		logs[1].set(400 * time.Microsecond)
		logs[2].set(2 * time.Second)
		ann.send(requests[0].Respond("3", "")) // wakes the watch, which comes round every 5 ms
		for _, r := range requests[1:] {
			time.Sleep(4800 * time.Microsecond)
			ann.send(r.Respond("3", ""))
		}
		for _, readers := range []int{1, 0} {
			time.Sleep(4 * time.Millisecond)
			if n, _ := h.tr.Judging(); n != readers {
				t.Errorf("%d readers judge, want %d", n, readers)
			}
		}
		for _, b := range bouts {
			b.stop()
		}
	})
}

// TestPosts: where more readers judge than there are posts, the crew judges for them.
func TestPosts(t *testing.T) {
	virtual(t, websocket.Options{}, func(t *testing.T, h *hall) {
		const agents = 70
		logs := make([]slowLog, agents)
		for i := range logs {
			slug := fmt.Sprint("a", i)
			h.start("m-"+slug, connectFour, "", func(_ *referee.Setup, c *referee.Config) { c.Log = &logs[i] }, slug, "house")
		}
		takes := func(d time.Duration) {
			for i := range logs {
				logs[i].set(d)
			}
		}
		var peers []*peer
		var requests []*ludux.ActionRequest
		for i := range agents {
			peers = append(peers, h.join(fmt.Sprint("a", i)))
			requests = append(requests, until[*ludux.ActionRequest](t, peers[i]))
		}
		time.Sleep(time.Second)
		takes(2 * time.Second)
		for i, p := range peers {
			p.send(requests[i].Respond("3", ""))
		}
		synctest.Wait()
		if n, _ := h.tr.Judging(); n != 64 {
			t.Errorf("%d readers judge", n)
		}
		takes(0)
		for _, p := range peers {
			if r := until[*ludux.ActionRequest](t, p); r.Seq != 2 {
				t.Errorf("%+v", r)
			}
		}
	})
}
