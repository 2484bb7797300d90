package ludux

import (
	"testing"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/referee"
)

// advance plays so many moves: with two seats the one in the middle of the legal ones, with more the safe default.
func advance(t tester, m *referee.Match, plies int) *referee.Request {
	for range plies {
		r := first(t, m)
		legal := r.Legal(nil)
		a := legal[len(legal)/2]
		if r.Seats() > 2 {
			a, _ = r.Default()
		}
		play(t, m, began, r, a)
	}
	return first(t, m)
}

// spots are the requests that are measured: one from the middle of each game of the document.
func spots(t tester) []struct {
	name string
	r    *referee.Request
} {
	return []struct {
		name string
		r    *referee.Request
	}{
		{"connect-four", advance(t, connectFour(t), 5)},
		{"chess", advance(t, chessMatch(t), 16)},
		{"werewolf", advance(t, village(t), 50)},
	}
}

func BenchmarkAppendRequest(b *testing.B) {
	for _, s := range spots(b) {
		b.Run(s.name, func(b *testing.B) {
			var buf []byte
			b.ReportAllocs()
			for b.Loop() {
				var err error
				if buf, err = AppendRequest(buf[:0], s.r, at(began)); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(len(buf)), "bytes")
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "requests/s")
		})
	}
}

func BenchmarkDecode(b *testing.B) {
	for _, s := range spots(b) {
		legal := s.r.Legal(nil)
		action := legal[len(legal)-1]
		if s.r.Form() != nil {
			action = `{"type":"say","text":"I have seen enough of seat 4"}`
		}
		body := (&ActionResponse{MatchID: s.r.Match(), Seq: int64(s.r.Ask), Action: action, Commentary: "blocking what comes next"}).Append(nil)
		b.Run(s.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if a := DecodeReply(body, s.r); a.Fault != referee.NoFault || a.Action == game.Action("") {
					b.Fatalf("%+v", a)
				}
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "replies/s")
		})
	}
}

func BenchmarkDecodeFromArena(b *testing.B) {
	for _, s := range spots(b) {
		frame := []byte(write(b, s.r))
		b.Run(s.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := DecodeFromArena(frame); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "requests/s")
		})
	}
}
