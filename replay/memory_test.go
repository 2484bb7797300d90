package replay_test

import (
	"bytes"
	"io"
	"runtime"
	"testing"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/replay"
)

// endless is a game of two seats that move in turn, for as long as it is played.
type endless struct{}

func (endless) Info() game.Info {
	return game.Info{Name: "endless", Version: "1.0.0", MinSeats: 2, MaxSeats: 2, MaxSteps: 1 << 20}
}
func (endless) Start(game.Setup) (int, error) { return 0, nil }
func (endless) Turn(s *int) game.Turn         { return game.Turn{Seats: game.Seats(game.Seat(*s % 2))} }
func (endless) Legal(dst []int, _ *int, _ game.Seat) []int {
	return append(dst, 0, 1, 2, 3)
}
func (endless) Apply(s *int, _ []game.Move[int]) { *s++ }
func (endless) View(s *int, _ game.Seat) any     { return *s }
func (endless) Outcome(*int) game.Outcome        { return game.Outcome{} }

// watched tells what memory is in use when the first and the last tenth of a record have been read.
type watched struct {
	record      []byte
	at          int
	early, late uint64
}

func (w *watched) Read(p []byte) (int, error) {
	if w.at == len(w.record) {
		return 0, io.EOF
	}
	n := copy(p, w.record[w.at:])
	for to, at := range map[*uint64]int{&w.early: len(w.record) / 10, &w.late: len(w.record) / 10 * 9} {
		if w.at < at && at <= w.at+n {
			runtime.GC()
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			*to = m.HeapAlloc
		}
	}
	w.at += n
	return n, nil
}

// TestVerifyMemory: what verifying holds does not grow with the record.
func TestVerifyMemory(t *testing.T) {
	steps := 60_000
	if testing.Short() {
		steps = 10_000
	}
	x := begin(t, setup(t, game.New(endless{}), "long"))
	var b bytes.Buffer
	w := replay.NewWriter(&b)
	flush := func() {
		for i := range x.events {
			if err := w.Append(&x.events[i]); err != nil {
				t.Fatal(err)
			}
		}
		x.events = x.events[:0]
	}
	for i := range steps {
		x.move(10, game.Seat(i%2), []game.Action{"0", "1", "2", "3"}[i*i%4])
		flush()
	}
	x.must(x.m.Rule(x.now, referee.Ruling{What: referee.RuleDraw, By: "the host", Reason: "enough"}))
	flush()
	if err := w.Seal(); err != nil {
		t.Fatal(err)
	}
	src := &watched{record: b.Bytes()}
	rep, err := replay.Verify(src, replay.Rules(game.New(endless{})))
	if err != nil || rep.Status != replay.Valid || rep.Counts.Moves != int64(steps) {
		t.Fatal(rep, err)
	}
	if src.early == 0 || src.late == 0 {
		t.Fatal("nothing was measured")
	}
	grown := int64(src.late) - int64(src.early)
	t.Logf("%d lines, %d bytes, %d more in use", w.Count(), b.Len(), grown)
	if grown > 64<<10 {
		t.Errorf("%d bytes more in use after eight tenths of %d lines", grown, w.Count())
	}
}
