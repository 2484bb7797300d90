package replay_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/replay"
)

// TestFork goes on from every step of matches with and without chance, joint turns and the host.
func TestFork(t *testing.T) {
	for name, record := range playable(t) {
		t.Run(name, func(t *testing.T) {
			p := open(t, record, replay.PlaybackOptions{})
			own, _ := p.Start()
			for k := 0; k <= p.Len(); k++ {
				var s referee.Setup
				s.ID, s.Seats = fmt.Sprintf("fork-%d", k), own.Seats
				s.Secret, _, _ = p.Secret()
				s.Salt = [32]byte{byte(k)}
				log := new(referee.Memory)
				if err := p.Fork(t.Context(), k, s, log, start); err != nil {
					t.Fatalf("step %d: %v", k, err)
				}
				s.Table, s.Start = tableOf(t, own), own.Setup(tableOf(t, own)).Start
				ps := make([]referee.Player, len(s.Seats))
				for i := range ps {
					ps[i] = random
				}
				l := referee.Local{Config: referee.Config{Log: log, Now: ticking(), Host: yes{}, Seal: replay.Sealer()}}
				if _, err := l.Play(t.Context(), s, ps...); err != nil {
					t.Fatalf("step %d, playing on: %v", k, err)
				}
				if r := verifyBy(t, log.Bytes(), shown); r.Status != replay.Valid || r.Start.ID != s.ID {
					t.Fatalf("step %d: %v\n%s", k, r, log.Bytes())
				}
				f := open(t, log.Bytes(), replay.PlaybackOptions{})
				if err := f.Seek(k); err != nil {
					t.Fatal(err)
				}
				if err := p.Seek(k); err != nil {
					t.Fatal(err)
				}
				if dump(t, f) != dump(t, p) {
					t.Fatalf("step %d: the position is another", k)
				}
				notes := 0
				for i := 1; i <= f.Len(); i++ {
					for _, e := range f.Step(i).Events {
						if e.Kind == referee.KindMove && e.Seat >= 0 && e.X != nil && strings.HasPrefix(e.X.Note, "from match "+own.ID+", by ") {
							if notes++; i > k {
								t.Fatalf("step %d of a fork at %d is said to be another's", i, k)
							}
						}
					}
				}
				if k > 3 && notes == 0 {
					t.Fatalf("step %d: nothing says whose the moves are", k)
				}
			}
		})
	}
}

func tableOf(t testing.TB, s *referee.Start) *game.Table {
	t.Helper()
	table, err := shown(s.Game, s.Version, s.Ruleset)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func TestForkRefuses(t *testing.T) {
	p := open(t, played(t, setup(t, game.New(kuhn{}), "k"), true), replay.PlaybackOptions{})
	good := setup(t, game.New(kuhn{}), "other")
	good.Secret, _, _ = p.Secret()
	for name, c := range map[string]struct {
		step int
		s    func(*referee.Setup)
		want error
	}{
		"beyond the end":   {p.Len() + 1, func(*referee.Setup) {}, replay.ErrSeek},
		"before the start": {-1, func(*referee.Setup) {}, replay.ErrSeek},
		"the same name":    {0, func(s *referee.Setup) { s.ID = "k" }, replay.ErrFork},
		"no name":          {0, func(s *referee.Setup) { s.ID = "" }, replay.ErrFork},
		"too few seats":    {0, func(s *referee.Setup) { s.Seats = s.Seats[:1] }, replay.ErrFork},
		"over by then":     {2, func(s *referee.Setup) { s.MaxSteps = 1 }, replay.ErrFork},
	} {
		s, log := good, new(referee.Memory)
		c.s(&s)
		if err := p.Fork(t.Context(), c.step, s, log, start); !errors.Is(err, c.want) || len(log.Bytes()) > 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	// Of several other secrets one deals other cards.
	refused := 0
	for n := range uint64(8) {
		s := good
		s.Secret = game.SeedFrom(n)
		if err := p.Fork(t.Context(), 1, s, new(referee.Memory), start); errors.Is(err, replay.ErrFork) {
			refused++
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if refused == 0 {
		t.Error("eight other secrets, and each deals the same")
	}
	full := new(referee.Memory)
	if err := full.Append(t.Context(), 0, [][]byte{[]byte("x")}); err != nil {
		t.Fatal(err)
	}
	if err := p.Fork(t.Context(), 0, good, full, start); !errors.Is(err, referee.ErrFenced) {
		t.Errorf("a log that is not empty: %v", err)
	}
}

// TestForkRepeats: the same players and the same secret, from the start, play the same match again.
func TestForkRepeats(t *testing.T) {
	s := setup(t, connectfour.New(), "again")
	record := played(t, s, false)
	p := open(t, record, replay.PlaybackOptions{})
	log := new(referee.Memory)
	s.ID = "another"
	if err := p.Fork(t.Context(), 0, s, log, start); err != nil {
		t.Fatal(err)
	}
	l := referee.Local{Config: referee.Config{Log: log, Now: ticking()}}
	if _, err := l.Play(t.Context(), s, random, random); err != nil {
		t.Fatal(err)
	}
	f := open(t, log.Bytes(), replay.PlaybackOptions{})
	if f.Len() != p.Len() {
		t.Fatalf("%d steps, not %d", f.Len(), p.Len())
	}
	for k := 1; k <= p.Len(); k++ {
		if f.Step(k).Moves[0] != p.Step(k).Moves[0] {
			t.Fatalf("step %d: %v, not %v", k, f.Step(k).Moves, p.Step(k).Moves)
		}
	}
	if bytes.Equal(log.Bytes(), record) {
		t.Error("a fork says that it was resumed")
	}
}
