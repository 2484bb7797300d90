package referee_test

import (
	"bytes"
	"context"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/referee"
)

func table(t testing.TB) *game.Table {
	t.Helper()
	tab, err := connectfour.New().Table(nil)
	if err != nil {
		t.Fatal(err)
	}
	return tab
}

func setup(t testing.TB, id string, seed uint64) referee.Setup {
	return referee.Setup{ID: id, Table: table(t), Secret: game.SeedFrom(seed), Seats: []referee.SeatInfo{
		{Agent: referee.Agent{Slug: "a", Name: "Ann"}}, {Agent: referee.Agent{Slug: "b", Name: "Bob"}},
	}}
}

// random plays any legal move; each player is for one match at a time.
func random() referee.Inline {
	var legal []game.Action
	return func(r *referee.Request) referee.Answer {
		legal = r.Legal(legal[:0])
		return referee.Answer{Action: legal[r.Rand().IntN(len(legal))]}
	}
}

// randomFunc is the same player in a goroutine of its own.
func randomFunc() referee.Player {
	f := random()
	return referee.Func(func(_ context.Context, r *referee.Request) (referee.Answer, error) { return f(r), nil })
}

func constant() referee.Time { return 1_790_000_000_000 }

func play(t *testing.T, s referee.Setup, c referee.Config, ps ...referee.Player) (*referee.Result, []byte) {
	t.Helper()
	log := new(referee.Memory)
	c.Log = log
	r, err := (&referee.Local{Config: c}).Play(t.Context(), s, ps...)
	if err != nil {
		t.Fatal(err)
	}
	return r, log.Bytes()
}

// TestPlayersAgree plays the same seeds through different kinds of player: the
// moves are the same to the byte.
func TestPlayersAgree(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for seed := range uint64(20) {
			s := setup(t, "m"+strconv.FormatUint(seed, 10), seed)
			c := referee.Config{Now: constant}
			r1, b1 := play(t, s, c, random(), random())
			_, b2 := play(t, s, c, randomFunc(), random())
			_, b3 := play(t, s, c, randomFunc(), randomFunc())
			if !bytes.Equal(b1, b2) || !bytes.Equal(b1, b3) {
				t.Fatalf("seed %d:\n%s\n%s\n%s", seed, b1, b2, b3)
			}
			if r1.Cause != referee.CausePlay || !r1.Rated() || !r1.Verified() {
				t.Fatalf("seed %d: %+v", seed, r1)
			}
			if seed == 0 {
				t.Logf("\n%s", b1)
			}
		}
	})
}

// TestLineLength holds an ordinary move to two blocks of SHA-256, leaf prefix included.
func TestLineLength(t *testing.T) {
	var prev [32]byte
	e := referee.Event{Kind: referee.KindMove, Seat: 1, Ask: 21, Time: 1_000_000, Used: 9_999, Action: "3"}
	if n := len(referee.AppendLine(nil, &e, 0, &prev)); n > 118 {
		t.Fatalf("%d bytes", n)
	}
}

func TestVirtualTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := setup(t, "slow", 1)
		for i := range s.Seats {
			s.Seats[i].Clock = referee.Clock{Move: 10 * time.Second}
		}
		silent := referee.Func(func(ctx context.Context, r *referee.Request) (referee.Answer, error) {
			<-ctx.Done()
			return referee.Answer{}, ctx.Err()
		})
		t0 := time.Now()
		r, _ := play(t, s, referee.Config{}, random(), silent)
		if r.Cause != referee.CauseForfeit || r.Reason != "late" || r.Returns[0] != 1 || time.Since(t0) != 10*time.Second {
			t.Fatalf("%+v after %v", r, time.Since(t0))
		}
	})
}

// TestSentInProcess starts the clock of an AtSent seat when its player is called.
func TestSentInProcess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := setup(t, "sent", 1)
		for i := range s.Seats {
			s.Seats[i].Clock = referee.Clock{Move: 10 * time.Second, Starts: referee.AtSent, Expiry: time.Hour}
		}
		thinks := referee.Func(func(ctx context.Context, r *referee.Request) (referee.Answer, error) {
			d := 2 * time.Second
			if r.Nth == 3 {
				d = 11 * time.Second
			}
			time.Sleep(d)
			return random()(r), nil
		})
		slow := referee.Inline(func(r *referee.Request) referee.Answer {
			time.Sleep(time.Second)
			return random()(r)
		})
		r, record := play(t, s, referee.Config{}, slow, thinks)
		if r.Reason != "late" || r.Seats[0].Used != 3000 || r.Seats[1].Used != 14000 || bytes.Count(record, []byte(`"k":"sent"`)) != 6 {
			t.Fatalf("%+v\n%s", r, record)
		}
	})
}
