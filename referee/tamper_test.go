package referee_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/referee"
)

// fold reads events as a verifier does, who does not know the secret.
func fold(s referee.Setup, events []referee.Event) (*referee.Match, error) {
	s.Secret, s.Salt = game.Seed{}, [32]byte{}
	m, err := referee.Follow(s, events[0].X.Start.Commit)
	if err != nil {
		return nil, err
	}
	for i := range events {
		if reflect.DeepEqual(events[i].X, new(referee.Extra)) {
			events[i].X = nil // as ParseLine has it
		}
		if err := m.Fold(&events[i]); err != nil {
			return m, err
		}
	}
	return m, nil
}

// forgeries change one event each; false: this event has nothing of the kind. Each makes the record one that no referee would have written.
var forgeries = map[string]func(e *referee.Event) bool{
	"another request": func(e *referee.Event) bool {
		e.Ask += 3
		return e.Kind == referee.KindMove && e.Seat >= 0 || e.Kind == referee.KindFault && e.Seat >= 0
	},
	"no such seat": func(e *referee.Event) bool {
		has := slices.Contains([]referee.Kind{referee.KindSent, referee.KindMove, referee.KindFault, referee.KindGone, referee.KindBack, referee.KindClaim, referee.KindSay}, e.Kind) && e.Seat >= 0
		e.Seat = 62
		return has
	},
	"before all others": func(e *referee.Event) bool { e.Time = epoch - 1; return e.Kind != referee.KindStart },
	"more time than passed": func(e *referee.Event) bool {
		e.Used += 1e7
		return e.Kind == referee.KindMove || e.Kind == referee.KindFault && e.Seat >= 0
	},
	"an illegal move":    func(e *referee.Event) bool { e.Action = "7"; return e.Kind == referee.KindMove },
	"no canonical move":  func(e *referee.Event) bool { e.Action = " " + e.Action; return e.Kind == referee.KindMove },
	"the referee's move": func(e *referee.Event) bool { e.X.Ref = !e.X.Ref; return e.Kind == referee.KindMove && e.Seat >= 0 },
	"a gentler consequence": func(e *referee.Event) bool {
		was := e.X.Do
		e.X.Do = referee.DoReject
		return e.Kind == referee.KindFault && was != referee.DoReject && e.Seat >= 0
	},
	"a harder consequence": func(e *referee.Event) bool {
		was := e.X.Do
		e.X.Do = referee.DoForfeit
		return e.Kind == referee.KindFault && was != referee.DoForfeit
	},
	"a default never played": func(e *referee.Event) bool {
		e.Action = "1"
		return e.Kind == referee.KindFault && e.X.Do != referee.DoVoid
	},
	"got what": func(e *referee.Event) bool {
		e.X.Got = referee.Address{By: referee.ByAsk, N: 1}
		return e.Kind == referee.KindFault && e.X.Fault != referee.Stale && e.Seat >= 0
	},
	"unclean words": func(e *referee.Event) bool {
		e.X.Note, e.X.Text = "a\x00", "a\x00"
		return e.Kind == referee.KindMove || e.Kind == referee.KindSay
	},
	"two lines of words": func(e *referee.Event) bool {
		e.X.Note, e.X.Text = "a\nb", "a\nb"
		return e.Kind == referee.KindMove || e.Kind == referee.KindSay
	},
	"another draw by lot": func(e *referee.Event) bool {
		if e.Kind != referee.KindMove || e.Seat != game.Chance {
			return false
		}
		e.Action = game.Action(fmt.Sprint(20 + (e.Action[1]-'0'+1)%6))
		return true
	},
	"another winner": func(e *referee.Event) bool {
		if e.Kind != referee.KindEnd || e.X.End.Ret == nil {
			return false
		}
		e.X.End.Ret[0] = 0.125
		return true
	},
	"another cause":  func(e *referee.Event) bool { return end(e, func(x *referee.End) { x.Cause = (x.Cause + 1) % 5 }) },
	"another reason": func(e *referee.Event) bool { return end(e, func(x *referee.End) { x.Reason += "!" }) },
	"a strike less":  func(e *referee.Event) bool { return end(e, func(x *referee.End) { x.Strikes = nil }) && e.X.End != nil },
	"no faults":      func(e *referee.Event) bool { return end(e, func(x *referee.End) { x.Faults = nil }) },
	"another secret": func(e *referee.Event) bool { return end(e, func(x *referee.End) { x.Secret[3]++ }) },
	"another salt":   func(e *referee.Event) bool { return end(e, func(x *referee.End) { x.Salt[3]++ }) },
	"another game":   func(e *referee.Event) bool { return e.Kind == referee.KindStart && set(&e.X.Start.Game, "chess") },
	"another rule": func(e *referee.Event) bool {
		return e.Kind == referee.KindStart && set(&e.X.Start.Ruleset, []byte(`{"most":1}`))
	},
	"a start late": func(e *referee.Event) bool {
		was := e.Kind
		e.Kind = referee.KindStart
		return was != referee.KindStart
	},
	"an end early": func(e *referee.Event) bool {
		was := e.Kind
		e.Kind, e.X.End = referee.KindEnd, &referee.End{Cause: referee.CauseVoid, Reason: "internal"}
		return was != referee.KindEnd && was != referee.KindStart
	},
	"back without going": func(e *referee.Event) bool {
		was := e.Kind
		e.Kind = referee.KindBack
		return was == referee.KindMove && e.Seat >= 0
	},
	"sent again": func(e *referee.Event) bool {
		was := e.Kind
		e.Kind, e.Ask = referee.KindSent, e.Ask+7
		return was == referee.KindMove
	},
}

func end(e *referee.Event, f func(*referee.End)) bool {
	if e.Kind == referee.KindEnd {
		f(e.X.End)
	}
	return e.Kind == referee.KindEnd
}

func set[T any](p *T, v T) bool { *p = v; return true }

// TestForgeries: a record in which one event is changed, or missing, or doubled, is refused.
func TestForgeries(t *testing.T) {
	tried := map[string]int{}
	matches := uint64(10)
	if testing.Short() {
		matches = 3
	}
	for seed := range matches {
		s := parlourSetup(t, "safe", "jlolihf", 3, policies["agentarena-3"], clocks["mixed"])
		lines := driveRandom(t, s, seed)
		c := chain{lines: lines, start: epoch}
		events := func() (list []referee.Event) {
			for e, err := range c.events {
				if err != nil {
					t.Fatal(err)
				}
				if e.X == nil {
					e.X = new(referee.Extra)
				}
				list = append(list, e)
			}
			return list
		}
		m, err := fold(s, events())
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		_, over := m.Result()
		for i := range lines {
			for name, forge := range forgeries {
				list := events()
				before := string(referee.AppendLine(nil, &list[i], epoch, &[32]byte{}))
				if !forge(&list[i]) || !over && list[i].Kind == referee.KindMove && list[i].Seat == game.Chance {
					continue
				}
				if name != "a start late" && name != "before all others" && string(referee.AppendLine(nil, &list[i], epoch, &[32]byte{})) == before {
					continue // nothing has changed
				}
				tried[name]++
				if _, err := fold(s, list); !errors.Is(err, referee.ErrRecord) {
					t.Fatalf("seed %d, %s at event %d: %v\n%s", seed, name, i, err, lines[i])
				}
			}
			if list := events(); list[i].Kind == referee.KindMove && i+1 < len(list) && over {
				tried["missing"]++
				if _, err := fold(s, slices.Delete(list, i, i+1)); !errors.Is(err, referee.ErrRecord) {
					t.Fatalf("seed %d: event %d may be missing: %v\n%s", seed, i, err, lines[i])
				}
			}
			if list := events(); list[i].Kind == referee.KindMove || list[i].Kind == referee.KindEnd {
				tried["doubled"]++
				if _, err := fold(s, slices.Insert(list, i, list[i])); !errors.Is(err, referee.ErrRecord) && list[i].Seat >= 0 {
					t.Fatalf("seed %d: event %d may be doubled: %v\n%s", seed, i, err, lines[i])
				}
			}
		}
	}
	for name := range forgeries {
		if tried[name] == 0 {
			t.Errorf("%q was never tried", name)
		}
	}
	if tried["missing"] == 0 || tried["doubled"] == 0 {
		t.Error("no event was left out or doubled")
	}
}
