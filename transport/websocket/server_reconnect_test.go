package websocket_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/protocol/ludux"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport/websocket"
)

func TestReconnect(t *testing.T) {
	// After a reconnect an agent was told that no time was left: it is the same request, with the time that is.
	t.Run("B64", func(t *testing.T) {
		virtual(t, websocket.Options{}, func(t *testing.T, h *hall) {
			ann := h.join("ann")
			b := h.four("m-1", "ann", "house")
			before := until[*ludux.ActionRequest](t, ann)
			time.Sleep(4 * time.Second)
			ann.Conn.Close()
			synctest.Wait()
			if got := fmt.Sprint(b.recorded(referee.KindGone)); got != "[gone 0 lost]" {
				t.Error(got)
			}
			time.Sleep(3 * time.Second)
			ann = h.join("ann")
			if s := expect[*ludux.MatchStart](t, ann); s.MatchID != "m-1" {
				t.Errorf("%+v", s)
			}
			after := expect[*ludux.ActionRequest](t, ann)
			if after.Deadline != 8*time.Second || after.Seq != 1 || !after.IssuedAt.Equal(before.IssuedAt.Add(7*time.Second)) || !after.DeadlineAt.Equal(before.DeadlineAt) {
				t.Errorf("seq %d, left %v, %v to %v", after.Seq, after.Deadline, after.IssuedAt, after.DeadlineAt)
			}
			if diff := cmp.Diff(string(before.State), string(after.State)); diff != "" {
				t.Error(diff)
			}
			time.Sleep(8*time.Second - time.Millisecond)
			ann.send(after.Respond("3", ""))
			if r := until[*ludux.ActionRequest](t, ann); r.Seq != 2 {
				t.Errorf("%+v", r)
			}
			b.stop()
			ann.Conn.Close()
		})
	})
	// What a second connection means is one rule, told to both: it replaces the first, which is closed.
	t.Run("B72", func(t *testing.T) {
		virtual(t, websocket.Options{}, func(t *testing.T, h *hall) {
			old := h.join("ann")
			b := h.four("m-1", "ann", "house")
			r := until[*ludux.ActionRequest](t, old)
			newer := h.open("/agents").listen()
			newer.send(&ludux.Hello{Key: "key-ann"})
			if w := expect[*ludux.Welcome](t, newer); !w.Replaced {
				t.Errorf("%+v", w)
			}
			expect[*ludux.MatchStart](t, newer)
			if again := expect[*ludux.ActionRequest](t, newer); again.Seq != r.Seq {
				t.Errorf("%+v", again)
			}
			old.write(fin|opText, r.Respond("6", "").Append(nil)) // counts no more
			if code, e := old.closed(); code != websocket.CloseReplaced || e == nil || e.Code != ludux.CodeRateLimited || e.RetryAfter != 0 {
				t.Errorf("%d %+v", code, e)
			}
			synctest.Wait()
			if e := h.lastClosed(); e.Reason != websocket.ReasonReplaced || e.Code != websocket.CloseReplaced {
				t.Errorf("%+v", e)
			}
			newer.quiet(time.Second)
			newer.send(r.Respond("3", ""))
			expect[*ludux.ActionRequest](t, newer)
			if got := fmt.Sprint(b.recorded(referee.KindFault, referee.KindGone, referee.KindBack)); got != "[]" {
				t.Error(got)
			}
			b.stop()
			newer.Conn.Close()
		})
	})
}

// TestGoneForGood: with a clock that bounds how long an agent may be gone, one that never connects is a fault, and one that is back in time is none.
func TestGoneForGood(t *testing.T) {
	virtual(t, websocket.Options{}, func(t *testing.T, h *hall) {
		bounded := func(s *referee.Setup, _ *referee.Config) {
			for i := range s.Seats {
				s.Seats[i].Policy.Disconnected = referee.DoForfeit
				s.Seats[i].Clock.Move, s.Seats[i].Clock.Back = time.Minute, 30*time.Second
				s.Seats[i].Clock.Warn = 0
			}
		}
		never := h.start("m-1", connectfour.New(), "", bounded, "ann", "house")
		b := h.start("m-2", connectfour.New(), "", bounded, "bob", "house")
		time.Sleep(29 * time.Second)
		bob := h.join("bob")
		r := until[*ludux.ActionRequest](t, bob)
		time.Sleep(10 * time.Second)
		if res := never.end(); res.Cause != referee.CauseForfeit || res.Reason != "disconnected" {
			t.Errorf("%+v", res)
		}
		bob.send(r.Respond("3", ""))
		until[*ludux.ActionRequest](t, bob)
		b.stop()
		bob.Conn.Close()
	})
}

// TestEndWhileAway: an agent that is away at the end hears of it when it comes, and again until it is sure that it heard; then no more.
func TestEndWhileAway(t *testing.T) {
	virtual(t, websocket.Options{}, func(t *testing.T, h *hall) {
		h.four("m-1", "ann", "house").end()
		for range 2 {
			ann := h.join("ann")
			if e := expect[*ludux.MatchEnd](t, ann); e.MatchID != "m-1" || e.Reason != "late" {
				t.Errorf("%+v", e)
			}
			time.Sleep(10 * time.Second)
			ann.Conn.Close()
			synctest.Wait()
		}
		ann := h.join("ann")
		expect[*ludux.MatchEnd](t, ann)
		time.Sleep(16 * time.Second) // a ping
		ann.Conn.Close()
		synctest.Wait()
		ann = h.join("ann")
		ann.quiet(time.Second)
		ann.Conn.Close()
		for i := range 20 {
			h.four(fmt.Sprint("m-", i+2), "ann", "house").stop()
		}
		synctest.Wait()
		time.Sleep(time.Second)
		ann = h.join("ann")
		var heard []string
		for range 16 {
			heard = append(heard, expect[*ludux.MatchEnd](t, ann).MatchID)
		}
		if heard[0] != "m-6" || heard[15] != "m-21" {
			t.Errorf("%v", heard)
		}
		ann.quiet(time.Second)
		ann.Conn.Close()
		h.four("m-30", "eve", "house").stop()
		time.Sleep(12 * time.Minute)
		eve := h.join("eve")
		eve.quiet(time.Second)
		eve.Conn.Close()
	})
}

// TestEndUnread: an end that the connection before did not read is told over the one that replaces it, or comes after it.
func TestEndUnread(t *testing.T) {
	for _, cut := range []bool{false, true} {
		virtual(t, websocket.Options{WriteTimeout: time.Minute}, func(t *testing.T, h *hall) {
			deaf := h.open("/agents", "Authorization: Bearer key-ann")
			for i := range 3 {
				h.four(fmt.Sprint("m-", i), "ann", "house").stop()
			}
			synctest.Wait()
			if cut {
				deaf.Conn.Close()
				synctest.Wait()
			}
			ann := h.join("ann")
			for i := range 3 {
				if e := expect[*ludux.MatchEnd](t, ann); e.MatchID != fmt.Sprint("m-", i) {
					t.Errorf("%+v", e)
				}
			}
			ann.quiet(time.Second)
		})
	}
}

// TestEndBehindPing: that a ping is answered, which went out while the end of a match waited for its turn, does not say that the end has arrived.
func TestEndBehindPing(t *testing.T) {
	virtual(t, websocket.Options{WriteTimeout: time.Minute}, func(t *testing.T, h *hall) {
		deaf := h.open("/agents", "Authorization: Bearer key-ann")
		time.Sleep(12 * time.Second)
		h.four("m-1", "ann", "house").stop() // its start and its end are one thing to tell
		read := func(head byte) []byte {
			t.Helper()
			f, err := readFrame(deaf.br)
			if err != nil || f.head != fin|head {
				t.Fatalf("%x %s %v", f.head, f.payload, err)
			}
			return f.payload
		}
		read(opText) // welcome
		synctest.Wait()
		time.Sleep(4 * time.Second) // the ping waits behind the start
		read(opText)
		deaf.write(fin|opPong, read(opPing))
		synctest.Wait()
		deaf.Conn.Close()
		synctest.Wait()
		ann := h.join("ann")
		if e := expect[*ludux.MatchEnd](t, ann); e.MatchID != "m-1" {
			t.Errorf("%+v", e)
		}
	})
}

// TestEndWhileJudged: the same where the connection ends while the match does, by an answer that a slow store is writing down.
func TestEndWhileJudged(t *testing.T) {
	virtual(t, websocket.Options{}, func(t *testing.T, h *hall) {
		log := new(slowLog)
		b := h.start("m-1", connectFour, "", func(_ *referee.Setup, c *referee.Config) { c.Log = log }, "ann", "house")
		ann := h.join("ann")
		r := until[*ludux.ActionRequest](t, ann)
		time.Sleep(time.Second)
		log.set(5 * time.Second)
		ann.send(r.Respond("99", "")) // forfeits
		synctest.Wait()
		ann.Conn.Close()
		b.end()
		synctest.Wait()
		ann = h.join("ann")
		if e := expect[*ludux.MatchEnd](t, ann); e.MatchID != "m-1" || e.Outcome != ludux.Loss {
			t.Errorf("%+v", e)
		}
	})
}

// script is what a seat answers: columns in the order of its requests.
func script(seat int) []string {
	r := rand.New(rand.NewPCG(7, uint64(seat)))
	columns := make([]string, 64)
	for i := range columns {
		columns[i] = fmt.Sprint(r.IntN(4) + 3*seat) // both fill the middle one at times
	}
	return columns
}

// moves plays a scripted match of two agents on a large board, whose connections break at the given requests of each, and gives what
// happened.
func moves(t *testing.T, drops []int64) (asked [2][]string, recorded []string, result string) {
	virtual(t, websocket.Options{Connects: websocket.Pace{PerSecond: 100, Burst: 100}}, func(t *testing.T, h *hall) {
		b := h.start("m-1", connectfour.New(), `{"columns":12,"rows":8,"connect":6}`, nil, "ann", "bob")
		done := make(chan struct{}, 2)
		for i, slug := range []string{"ann", "bob"} {
			go func() {
				defer func() { done <- struct{}{} }()
				left, lines := slices.Clone(drops), script(i)
				for round := 0; ; round++ {
					p := h.join(slug)
					end := p.play(func(m *ludux.ActionRequest) game.Action {
						time.Sleep(time.Second)
						line := fmt.Sprintf("%d %s %s", m.Seq, m.Phase, m.State)
						if n := len(asked[i]); n == 0 || asked[i][n-1] != line {
							asked[i] = append(asked[i], line)
						}
						action := game.Action(lines[m.Seq])
						if !slices.Contains(m.LegalActions, action) {
							action = m.LegalActions[int(m.Seq)%len(m.LegalActions)]
						}
						if len(left) > 0 && m.Seq >= left[0] {
							switch left = left[1:]; len(left) % 3 {
							case 0: // before it answers
								p.Conn.Close()
								return ""
							case 1: // in the midst of its answer
								whole := encode(fin|opText, m.Respond(action, "").Append(nil), true)
								p.Conn.Write(whole[:len(whole)/2])
								p.Conn.Close()
								return ""
							}
							p.send(m.Respond(action, "")) // right after it
							p.Conn.Close()
							return ""
						}
						return action
					})
					if end != nil {
						if round != len(drops) {
							t.Errorf("%s: %d connections broke", slug, round)
						}
						p.Conn.Close()
						return
					}
				}
			}()
		}
		r := b.end()
		<-done
		<-done
		recorded = b.recordedMoves()
		result = fmt.Sprint(r.Cause, r.Reason, r.Returns, r.Places)
	})
	return asked, recorded, result
}

// recordedMoves gives the moves of the record, and the faults.
func (b *bout) recordedMoves() (list []string) {
	b.h.mu.Lock()
	defer b.h.mu.Unlock()
	for _, e := range b.h.records[b.id] {
		switch e.Kind {
		case referee.KindMove:
			list = append(list, fmt.Sprint(e.Seat, " ", e.Ask, " ", e.Action))
		case referee.KindFault:
			list = append(list, fmt.Sprint(e.Seat, " ", e.X.Fault))
		}
	}
	return list
}

// TestDroppedTenTimes: that every connection breaks ten times changes neither how a match ends, nor what a seat is asked and what is accepted of it.
func TestDroppedTenTimes(t *testing.T) {
	asked, recorded, result := moves(t, nil)
	if len(recorded) < 30 {
		t.Fatalf("only %d moves", len(recorded))
	}
	askedBroken, recordedBroken, resultBroken := moves(t, []int64{1, 2, 3, 4, 6, 7, 8, 11, 12, 14})
	if diff := cmp.Diff(asked, askedBroken); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(recorded, recordedBroken); diff != "" {
		t.Error(diff)
	}
	if result != resultBroken {
		t.Errorf("%s, with breaks %s", result, resultBroken)
	}
}

// TestManySeats: an agent that sits in many matches hears of all of them over one connection, and again over the next.
func TestManySeats(t *testing.T) {
	virtual(t, websocket.Options{Messages: websocket.Pace{PerSecond: 1e4, Burst: 1e4}}, func(t *testing.T, h *hall) {
		const n = 300
		var all []*bout
		for i := range n {
			all = append(all, h.four(fmt.Sprintf("m-%03d", i), "ann", "house"))
		}
		synctest.Wait()
		for range 2 {
			ann := h.join("ann")
			for i := range n {
				if s := expect[*ludux.MatchStart](t, ann); s.MatchID != fmt.Sprintf("m-%03d", i) {
					t.Fatalf("%+v", s)
				}
				expect[*ludux.ActionRequest](t, ann)
			}
			ann.quiet(time.Second)
			ann.Conn.Close()
			synctest.Wait()
		}
		ann := h.join("ann")
		ends := 0
		for ends < n {
			if ann.play(leftmost) == nil {
				time.Sleep(2 * time.Second)
				t.Fatalf("closed: %+v", h.lastClosed())
			}
			ends++
		}
		for _, b := range all {
			if r := b.end(); r.Cause != referee.CausePlay {
				t.Errorf("%s: %+v", b.id, r)
			}
		}
		ann.Conn.Close()
	})
}
