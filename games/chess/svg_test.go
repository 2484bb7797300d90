package chess

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/game/draw"
)

// pictureOf draws a position that moves led to.
func pictureOf(t *testing.T, seat game.Seat, fen, moves string) (svg, terminal string) {
	t.Helper()
	table, err := New().Table(nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := table.Start(game.Setup{Seats: 2, Position: fen})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range strings.Fields(moves) {
		if _, err := s.Play(s.Turn().Seats.First(), game.Action(`"`+m+`"`)); err != nil {
			t.Fatal(err)
		}
	}
	o := draw.Options{Theme: draw.Light, Names: []string{"Ann", "<Bob>"}}
	return string(draw.SVG(nil, s, seat, o)), draw.Terminal(s, seat, o)
}

func TestCaptured(t *testing.T) {
	tests := []struct{ name, fen, white, black string }{
		{"none", StartFEN, " 0", " 0"},
		{"a queen for a rook", "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/1NBQKBNR w Kkq - 0 1", "q 4", "R -4"},
		{"few left", "4k3/8/8/8/8/8/4P3/4K2R w K - 0 1", "ppppppppnnbbrrq 6", "PPPPPPPNNBBRQ -6"},
		{"two queens: one was a pawn", "4k3/8/8/8/8/8/PPPPPPP1/QQ2K3 w - - 0 1", "ppppppppnnbbrrq 25", "NNBBRR -25"},
		{"three knights and eight pawns, which cannot be", "4k3/8/8/8/8/NNN5/PPPPPPPP/4K3 w - - 0 1", "ppppppppnnbbrrq 17", "BBRRQ -17"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, err := ParseFEN(tt.fen)
			if err != nil {
				t.Fatal(err)
			}
			for c, want := range []string{tt.white, tt.black} {
				got := ""
				pieces, ahead := p.captured(Color(c))
				for _, piece := range pieces {
					got += piece.String()
				}
				if got += fmt.Sprintf(" %d", ahead); got != want {
					t.Errorf("%s has captured %s, want %s", Color(c), got, want)
				}
			}
		})
	}
}

// TestPictureSides: each piece is where its square is, seen from the seat's side.
func TestPictureSides(t *testing.T) {
	const fen = "4k3/8/8/8/8/8/P7/4K3 w - - 3 9" // a pawn on a2, kings on their squares
	at := func(svg string, column, row int) bool {
		return strings.Contains(svg, fmt.Sprintf(`<g transform="translate(%d %d) scale(0.540)">`, boardLeft+column*squareSize, boardTop+row*squareSize))
	}
	for _, tt := range []struct {
		seat    game.Seat
		flipped bool
		above   string
	}{{0, false, "<Bob>"}, {1, true, "Ann"}, {game.Spectator, false, "<Bob>"}} {
		svg, terminal := pictureOf(t, tt.seat, fen, "")
		for _, square := range [][2]int{{0, 6}, {4, 7}, {4, 0}} { // a2, e1, e8 from White's side
			column, row := square[0], square[1]
			if tt.flipped {
				column, row = 7-column, 7-row
			}
			if !at(svg, column, row) {
				t.Errorf("seat %s: nothing at column %d, row %d", tt.seat, column, row)
			}
		}
		if n := strings.Count(svg, "scale(0.540)"); n != 3 {
			t.Errorf("seat %s: %d pieces on the board", tt.seat, n)
		}
		if n := strings.Count(svg, "scale(0.310)"); n != 29 {
			t.Errorf("seat %s: %d captured pieces", tt.seat, n)
		}
		lines := strings.Split(terminal, "\n")
		first, last := "8 ", "   a  b  c  d  e  f  g  h"
		if tt.flipped {
			first, last = "1 ", "   h  g  f  e  d  c  b  a"
		}
		if len(lines) != 13 || !strings.Contains(lines[0], tt.above) || !strings.HasPrefix(lines[1], first) || lines[9] != last || lines[11] != "white to move" {
			t.Errorf("seat %s:\n%s", tt.seat, terminal)
		}
	}
}

// TestPictureStatus: who is to move, check and end are told; a check and the last move are marked.
func TestPictureStatus(t *testing.T) {
	alarm, mark := "#c92a35", "#ffd84d" // of the light theme
	tests := []struct {
		name, fen, moves, want string
		check, moved           bool
	}{
		{"start", "", "", "white to move", false, false},
		{"a move", "", "e2e4", "black to move", false, true},
		{"check", "", "e2e4 f7f6 d2d4 a7a6 d1h5", "black to move, in check", true, true},
		{"mate", "", "f2f3 e7e5 g2g4 d8h4", "black wins, checkmate", true, true},
		{"stalemate", "7k/8/5KQ1/8/8/8/8/8 w - - 0 1", "g6f7", "draw, stalemate", false, true},
		{"bare kings", "7k/8/8/8/8/8/1q6/K7 w - - 0 1", "a1b2", "draw, insufficient material", false, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			svg, terminal := pictureOf(t, 0, tt.fen, tt.moves)
			if !strings.Contains(svg, ">"+tt.want+"</text>") || !strings.HasSuffix(terminal, "\n"+tt.want+"\n") {
				t.Errorf("not %q:\n%s", tt.want, terminal)
			}
			if got := strings.Contains(svg, alarm); got != tt.check {
				t.Errorf("check is marked: %v", got)
			}
			if got := strings.Count(svg, mark) == 2; got != tt.moved {
				t.Errorf("the last move is marked: %v", got)
			}
			if !strings.Contains(svg, ">&lt;Bob&gt;</text>") || strings.Contains(svg, "<Bob>") {
				t.Error("a name is not escaped")
			}
		})
	}
}

// FuzzView draws views from outside: nothing panics, all is well-formed.
func FuzzView(f *testing.F) {
	seeds := []string{
		`{}`, `{"fen":"` + StartFEN + `","you_are":"black","move_history_uci":["e2e4"],"halfmove_clock":0}`, `{"fen":"8/8/8/8/8/8/8/8 w - - 0 1"}`,
		`{"fen":"4k3/8/8/8/8/8/PPPPPPPP/QQQQKQQQ b - - 0 1","you_are":null}`, `{"fen":"7k/5Q2/5K2/8/8/8/8/8 b - - 1 1","move_history_uci":["g6f7"]}`,
	}
	if len(seeds) != 5 {
		f.Fatal("the seeds are gone")
	}
	for _, seed := range seeds {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var v View
		if len(data) > 1<<14 || json.Unmarshal(data, &v) != nil {
			return
		}
		d := xml.NewDecoder(strings.NewReader(string(draw.View(nil, v, draw.Options{}))))
		var names []string
		for {
			token, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			if e, ok := token.(xml.StartElement); ok {
				names = append(names, e.Name.Local)
			}
		}
		if !slices.Contains(names, "text") || draw.TerminalView(v, draw.Options{}) == "" {
			t.Fatalf("nothing is drawn of %q", data)
		}
	})
}

func BenchmarkSVG(b *testing.B) {
	r := Default()
	s, err := r.Start(game.Setup{Seats: 2})
	if err != nil {
		b.Fatal(err)
	}
	var svg []byte
	b.ReportAllocs()
	for b.Loop() {
		svg = r.SVG(svg[:0], &s, 0)
	}
	b.ReportMetric(float64(len(svg)), "bytes")
}
