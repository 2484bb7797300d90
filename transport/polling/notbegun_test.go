package polling_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport/polling"
)

// firstFails is a store of records whose first append fails, having done nothing.
type firstFails struct {
	*referee.MemoryStore
	mu     sync.Mutex
	failed bool
	opened map[string]bool
}

func (f *firstFails) Open(ctx context.Context, id string) (referee.Log, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.opened[id] = true
	log, err := f.MemoryStore.Open(ctx, id)
	return firstLog{log, f}, err
}

type firstLog struct {
	referee.Log
	f *firstFails
}

func (l firstLog) Append(ctx context.Context, at int64, lines [][]byte) error {
	l.f.mu.Lock()
	defer l.f.mu.Unlock()
	if !l.f.failed {
		l.f.failed = true
		return errors.New("no space left")
	}
	return l.Log.Append(ctx, at, lines)
}

// TestNotBegun: of a match whose first line could not be recorded the place is given back; so it must not begin later, unknown to its agent.
func TestNotBegun(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := &firstFails{MemoryStore: new(referee.MemoryStore), opened: map[string]bool{}}
		h := newHost(t, nil, func(p *polling.Options) { p.Records = f })
		body := `{"opponent":"never","requestId":"` + uuid(1) + `","agentSeat":0}`
		if a := h.as("ann", "POST", "/matches", body); a.status != 503 {
			t.Fatalf("%d %s", a.status, a.body)
		}
		time.Sleep(10 * time.Second) // as Retry-After says
		a := h.as("ann", "POST", "/matches", body)
		if a.status != 201 {
			t.Fatalf("%d %s", a.status, a.body)
		}
		time.Sleep(time.Minute)
		f.mu.Lock()
		defer f.mu.Unlock()
		for id := range f.opened {
			log, _ := f.MemoryStore.Open(t.Context(), id)
			n := 0
			for range log.Read(t.Context(), 0) {
				n++
			}
			if n > 0 && id != a.observation(t).MatchID {
				t.Errorf("match %s, which its agent does not know, has %d lines:\n%s", id, n, log.(*referee.Memory).Bytes())
			}
		}
	})
}
