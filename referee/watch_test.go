package referee_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/referee"
)

// TestWatch: a spectator sees each position once, in order, and the result.
func TestWatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, bot := range []func() referee.Player{func() referee.Player { return random() }, randomFunc} {
			l := newLive(t, setup(t, "watch", 4), referee.Config{}, bot(), bot())
			ch := l.Watch(t.Context())
			done := running(t.Context(), l)
			var turns []int32
			var last referee.Public
			for p := range ch {
				turns = append(turns, p.Turn)
				last = p
			}
			o := <-done
			if !cmp.Equal(last.Result, o.result) || last.Board == "" || last.View == nil {
				t.Errorf("the last position: %+v", last)
			}
			want := []int32{}
			for i := range int32(o.result.Seats[0].Moves + o.result.Seats[1].Moves + 1) {
				want = append(want, i)
			}
			if diff := cmp.Diff(want, turns); diff != "" {
				t.Errorf("turns (-want +got)\n%s", diff)
			}
			for p := range l.Watch(t.Context()) { // who comes late sees the end
				if p.Result == nil || p.Turn != last.Turn {
					t.Errorf("after the end: %+v", p)
				}
			}
		}
	})
}

// TestWatchGone: who gives up while the log is slow does not wait for it.
func TestWatchGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := newMailbox(), newMailbox()
		l := newLive(t, setup(t, "watch", 4), referee.Config{Log: &slowLog{takes: time.Hour}}, a, b)
		ctx, stop := context.WithCancel(t.Context())
		done := running(ctx, l)
		synctest.Wait() // the start is being appended
		watching, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		began := time.Now()
		if p, open := <-l.Watch(watching); open || time.Since(began) != time.Second {
			t.Errorf("%+v after %v", p, time.Since(began))
		}
		stop()
		<-done
	})
}

// TestWatchHidden: where information is hidden, spectators get no private part of a view, no count of moves, and no sign of a sealed move.
func TestWatchHidden(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		boxes := []*mailbox{newMailbox(), newMailbox(), newMailbox()}
		s := parlourSetup(t, "safe", "ljj", 3, referee.Policy{Illegal: referee.DoReject}, referee.Clock{Move: time.Minute})
		s.Table = parlourTable(t, "safe", "ljj", true)
		l := newLive(t, s, referee.Config{Log: new(referee.Memory)}, boxes[0], boxes[1], boxes[2])
		ch := l.Watch(t.Context())
		done := running(t.Context(), l)
		n := boxes[0].await(t, referee.Opened)
		if v := n.Request.View().(ParlourView); v.Drawn == 0 {
			t.Errorf("seat 0 does not see its draw: %+v", v)
		}
		seen := 0
		look := func(want int) {
			t.Helper()
			synctest.Wait()
			for ; len(ch) > 0; seen++ {
				p := <-ch
				if p.Turn != 0 || p.Seats != 0 || p.View.(ParlourView).Drawn != 0 {
					t.Errorf("a spectator sees %+v", p)
				}
			}
			if seen != want {
				t.Errorf("%d positions seen, not %d", seen, want)
			}
		}
		look(1)
		before := views(l)
		if strings.Contains(strings.Join(before, ""), "others to move") {
			t.Errorf("a seat sees who else is asked: %v", before)
		}
		heard := len(boxes[1].kinds())
		boxes[0].submit(t, referee.Answer{Action: "9"}) // refused
		boxes[0].submit(t, referee.Answer{Action: "2"}) // sealed
		boxes[2].submit(t, referee.Answer{Action: "1"}) // sealed
		look(1)
		if diff := cmp.Diff(before, views(l)); diff != "" {
			t.Errorf("sealed moves show (-before +after)\n%s", diff)
		}
		if got := boxes[1].kinds(); len(got) != heard {
			t.Errorf("the last seat to move hears %v", got)
		}
		boxes[1].submit(t, referee.Answer{Action: "1"})
		look(2)
		for _, b := range boxes {
			b.submit(t, referee.Answer{Action: "0"})
		}
		<-done
		look(3)
		if p, open := <-ch; open {
			t.Errorf("the channel is open: %+v", p)
		}
	})
}

// views gives what each seat may look at, as JSON.
func views(l *referee.Live) (list []string) {
	for i := range game.Seat(3) {
		l.Seat(i).Look(func(v referee.View) {
			data, err := json.Marshal(v.State())
			if err != nil {
				data = []byte(err.Error())
			}
			if v.Seats&^game.Seats(i) != 0 {
				data = append(data, " and others to move"...)
			}
			list = append(list, string(data), v.Phase)
		})
	}
	return list
}

// TestLook: a look is consistent, and its channel closes at the next change.
func TestLook(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := newMailbox(), newMailbox()
		l := newLive(t, setup(t, "look", 4), referee.Config{}, a, b)
		done := running(t.Context(), l)
		a.await(t, referee.Opened)
		var r *referee.Request
		look := func(seat game.Seat) (changed <-chan struct{}, open bool, turn int32, result *referee.Result) {
			changed = l.Seat(seat).Look(func(v referee.View) {
				r, open, turn, result = v.Request, v.Request != nil, v.Turn, v.Result
				if _, ok := v.Board(); !ok || v.Strikes != 0 || v.Seats != game.Seats(game.Seat(v.Turn&1)) && v.Result == nil {
					t.Errorf("%+v", v)
				}
			})
			return changed, open, turn, result
		}
		changed, open, turn, _ := look(0)
		if !open || turn != 0 || r.Ask != 1 {
			t.Errorf("open %v turn %d", open, turn)
		}
		if _, open, _, _ := look(1); open {
			t.Error("seat 1 has a request")
		}
		select {
		case <-changed:
			t.Error("nothing changed")
		default:
		}
		a.submit(t, referee.Answer{Action: "3"})
		<-changed
		changed, open, turn, _ = look(1)
		if !open || turn != 1 {
			t.Errorf("open %v turn %d", open, turn)
		}
		b.seat.Claim(referee.Resign)
		<-changed
		<-done
		changed, open, _, result := look(1)
		<-changed // for ever closed
		if open || result == nil || result.Returns[0] != 1 {
			t.Errorf("open %v, %+v", open, result)
		}
	})
}

// TestSlowSpectator: one who does not read misses the oldest positions and holds nobody up.
func TestSlowSpectator(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := parlourSetup(t, "safe", "oooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooo", 2, referee.Policy{}, referee.Clock{})
		s.ID = "slow"
		one := referee.Inline(func(*referee.Request) referee.Answer { return referee.Answer{Action: "1"} })
		l := newLive(t, s, referee.Config{}, one, one)
		ch := l.Watch(t.Context())
		o := <-running(t.Context(), l)
		var last, n int32
		for p := range ch {
			if n > 0 && p.Turn != last+1 {
				t.Errorf("turn %d after %d", p.Turn, last)
			}
			last = p.Turn
			n++
		}
		if n >= int32(o.result.Seats[0].Moves+o.result.Seats[1].Moves) || int(last) != o.result.Seats[0].Moves+o.result.Seats[1].Moves {
			t.Errorf("%d positions, the last of turn %d", n, last)
		}
	})
}
