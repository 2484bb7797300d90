package referee_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/referee"
)

// waitOut ticks a match at the times it asks for, and nothing else; how often, and whether it ended.
func waitOut(m *referee.Match) (ticks int, over bool) {
	now := epoch
	m.Start(now)
	for ; ticks < 2000; ticks++ {
		if _, over := m.Result(); over {
			return ticks, true
		}
		wake := m.Wake()
		if wake > 1<<61 {
			return ticks, false
		}
		if wake < now {
			return ticks, false
		}
		now = wake
		m.Tick(now)
	}
	return ticks, false
}

// TestSilence: nobody answers at all. Under every policy and clock the match ends by Wake and Tick alone; but without any limit of time it waits
// for ever, and says so.
func TestSilence(t *testing.T) {
	for policy, p := range policies {
		for clock, c := range clocks {
			if p.Validate(&c, true) != nil {
				continue
			}
			for _, script := range []string{"oooooooo", "jjj", "fjl", "i"} {
				for _, n := range []int{1, 2, 3, 5} {
					m, err := referee.New(parlourSetup(t, "safe", script, n, p, c))
					if err != nil {
						t.Fatal(err)
					}
					ticks, over := waitOut(m)
					waitsForHost := script == "i" && clock != "untimed" && c.Expiry == 0 && !over
					switch {
					case over == (clock == "untimed") && !waitsForHost:
						t.Errorf("%s, %s, %s, %d seats: over %v after %d ticks", policy, clock, script, n, over, ticks)
					case clock == "untimed" && ticks > 0:
						t.Errorf("%s untimed: woken %d times", policy, ticks)
					}
				}
			}
		}
	}
}

// TestSilenceAnyPolicy is the same for random policies and clocks that have some limit.
func TestSilenceAnyPolicy(t *testing.T) {
	tab := parlourTable(t, "safe", "oojjfol", false)
	rapid.Check(t, func(t *rapid.T) {
		s := referee.Setup{ID: "silence", Table: tab, Secret: game.SeedFrom(1)}
		for range 1 + dice(t, "seats", 4) {
			p, c := drawPolicy(t, true), drawClock(t)
			if p.Disconnected == referee.DoReject {
				c.Back = 0
			}
			if c.Move == 0 && c.Base == 0 && c.Expiry == 0 {
				c.Base = 1e9
			}
			s.Seats = append(s.Seats, referee.SeatInfo{Policy: p, Clock: c})
		}
		m, err := referee.New(s)
		if err != nil {
			t.Fatal(err)
		}
		if ticks, over := waitOut(m); !over {
			t.Fatalf("after %d ticks it waits for ever", ticks)
		}
	})
}

// TestBounds: what agents can add to a record in one turn has its bounds.
func TestBounds(t *testing.T) {
	m, err := referee.New(parlourSetup(t, "safe", "oo", 2, policies["gridarena"], referee.Clock{}))
	if err != nil {
		t.Fatal(err)
	}
	m.Start(epoch)
	count := func(f func() referee.Output) (n int) {
		for range 1000 {
			n += len(f().Events)
		}
		return n
	}
	stale := referee.Answer{Action: "1", To: referee.Address{By: referee.ByAsk, N: 77}}
	for name, test := range map[string]struct {
		step func() referee.Output
		most int
	}{
		"stale answers":      {func() referee.Output { _, o := m.Answer(epoch, 0, &stale); return o }, 16},
		"answers of another": {func() referee.Output { _, o := m.Answer(epoch, 1, &stale); return o }, 16},
		"words": {func() referee.Output {
			o, err := m.Say(epoch, 1, 0, "again")
			if (err != nil) != (len(o.Events) == 0) {
				t.Errorf("%d events, %v", len(o.Events), err)
			}
			return o
		}, 64},
		"absences": {func() referee.Output {
			n := len(m.Gone(epoch, 1, "").Events)
			m.Back(epoch, 1)
			return referee.Output{Events: make([]referee.Event, n)}
		}, 16},
	} {
		if n := count(test.step); n != test.most {
			t.Errorf("%s: %d recorded, not %d", name, n, test.most)
		}
	}
	if v, _ := m.Answer(epoch, 0, &referee.Answer{Action: "1"}); v.Code != referee.OK {
		t.Errorf("the right answer after all that: %+v", v)
	}
}
