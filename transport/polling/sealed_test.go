package polling_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/matchreferee/arena"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/replay"
	"github.com/matchreferee/arena/transport/polling"
)

// unsealed is a store of records whose first seals cannot be appended.
type unsealed struct {
	*referee.MemoryStore
	left atomic.Int32
}

func (u *unsealed) Open(ctx context.Context, id string) (referee.Log, error) {
	log, err := u.MemoryStore.Open(ctx, id)
	return unsealedLog{log, u}, err
}

type unsealedLog struct {
	referee.Log
	u *unsealed
}

func (l unsealedLog) Append(ctx context.Context, at int64, lines [][]byte) error {
	if referee.IsSeal(lines[0]) && l.u.left.Add(-1) >= 0 {
		return errors.New("no space left")
	}
	return l.Log.Append(ctx, at, lines)
}

// TestSealedLater: a match that is sealed later than it ended is among the latest results once.
func TestSealedLater(t *testing.T) {
	bubble(t, func(t *testing.T) {
		u := &unsealed{MemoryStore: new(referee.MemoryStore)}
		u.left.Store(3)
		h := newHost(t, nil, func(p *polling.Options) { p.Records, p.Limits.Active = u, 1 })
		var err error
		h.arena, err = arena.New(arena.Config{
			Games: h.games, Store: u, Key: []byte("0123456789abcdef"), Seal: replay.Sealer(),
			Carriers: map[string]arena.Carrier{"polling": {Transport: h.polls}, "house": {Transport: h.polls.House()}},
		})
		if err != nil {
			t.Fatal(err)
		}
		path, _ := h.begun(1, "quick", "")
		if a := h.as("ann", "POST", path+"/abandon", ""); a.status != 200 {
			t.Fatal(a)
		}
		time.Sleep(time.Minute)
		a := h.as("ann", "GET", "", "")
		id := path[strings.LastIndex(path, "/")+1:]
		if n := strings.Count(a.body, id); n != 1 {
			t.Errorf("%d times: %d %s", n, a.status, a.body)
		}
	})
}
