package referee_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/referee"
)

// mailbox is a player that keeps what it is told; the test answers for it.
type mailbox struct {
	mu    sync.Mutex
	seat  *referee.Seat
	heard []referee.Notice
	told  chan struct{} // of capacity 1: something was heard
}

func newMailbox() *mailbox { return &mailbox{told: make(chan struct{}, 1)} }

func (b *mailbox) Tell(s *referee.Seat, n referee.Notice) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.seat == nil {
		b.seat = s // read by the test after it has awaited something
	}
	b.heard = append(b.heard, n)
	select {
	case b.told <- struct{}{}:
	default:
	}
}

// await gives the first notice of a kind that was not given before.
func (b *mailbox) await(t *testing.T, kind referee.NoticeKind) referee.Notice {
	t.Helper()
	for {
		b.mu.Lock()
		for i, n := range b.heard {
			if n.Kind == kind {
				b.heard = b.heard[i+1:]
				b.mu.Unlock()
				return n
			}
		}
		b.mu.Unlock()
		select {
		case <-b.told:
		case <-time.After(24 * time.Hour):
			t.Fatalf("no notice of kind %v", kind)
		}
	}
}

// kinds lists what was heard and not yet awaited.
func (b *mailbox) kinds() (list []referee.NoticeKind) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, n := range b.heard {
		list = append(list, n.Kind)
	}
	return list
}

func (b *mailbox) submit(t *testing.T, a referee.Answer) referee.Verdict {
	t.Helper()
	v, err := b.seat.Submit(t.Context(), a)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// outcome is what Run gave.
type outcome struct {
	result *referee.Result
	err    error
}

// running starts Run in a goroutine of the test's bubble.
func running(ctx context.Context, l *referee.Live) <-chan outcome {
	done := make(chan outcome, 1)
	go func() {
		r, err := l.Run(ctx)
		done <- outcome{r, err}
	}()
	return done
}

func newLive(t *testing.T, s referee.Setup, c referee.Config, ps ...referee.Player) *referee.Live {
	t.Helper()
	m, err := referee.Load(t.Context(), c.Log, s)
	if err != nil {
		t.Fatal(err)
	}
	l, err := referee.NewLive(m, ps, c)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// parlourSetup seats n agents at a parlour game under one policy and clock.
func parlourSetup(t *testing.T, name, script string, n int, p referee.Policy, c referee.Clock) referee.Setup {
	s := referee.Setup{ID: "parlour-" + script, Table: parlourTable(t, name, script, false), Secret: game.SeedFrom(7)}
	for i := range n {
		s.Seats = append(s.Seats, referee.SeatInfo{Agent: referee.Agent{Name: string(rune('A' + i))}, Policy: p, Clock: c})
	}
	return s
}

// slowLog takes its time over every append, and fails where it is told to.
type slowLog struct {
	referee.Memory
	takes  time.Duration
	failAt int64 // fails the append at or over this position; 0: never
	keep   bool  // and yet keeps the lines of a failed one
}

var errDisk = errors.New("disk on fire")

func (l *slowLog) Append(ctx context.Context, at int64, lines [][]byte) error {
	time.Sleep(l.takes)
	if l.failAt > 0 && at+int64(len(lines)) > l.failAt {
		if l.keep {
			if err := l.Memory.Append(ctx, at, lines); err != nil {
				return err
			}
		}
		return errDisk
	}
	return l.Memory.Append(ctx, at, lines)
}

// checkRecord reads a record to its end as anybody can: the chain, the lines to the byte, and the match that they tell.
func checkRecord(t *testing.T, s referee.Setup, log referee.Log) *referee.Result {
	t.Helper()
	var m *referee.Match
	for e, err := range referee.Events(t.Context(), log) {
		if err != nil {
			t.Fatal(err)
		}
		if m == nil {
			public := s
			public.Secret, public.Salt = game.Seed{}, [32]byte{}
			if m, err = referee.Follow(public, e.X.Start.Commit); err != nil {
				t.Fatal(err)
			}
		}
		if err := m.Fold(&e); err != nil {
			t.Fatal(err)
		}
	}
	if m == nil {
		t.Fatal("an empty record")
	}
	r, _ := m.Result()
	return r
}
