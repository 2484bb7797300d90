package grid_test

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
	"github.com/matchreferee/arena/games/grid"
)

// TestPicture: marks, scores with what they are made of, the last move and who is to move are in the picture and on the terminal.
func TestPicture(t *testing.T) {
	tests := []struct {
		name, moves string
		x, o        int // marks
		want        []string
	}{
		{"start", "", 0, 0, []string{"X to move", "offence 0 · area 0 · defence 0"}},
		{"a window inside an area", "a1 e5 b1 e6 c1", 3, 2, []string{"O to move", "offence 1 · area 1 · defence 0", "X c1 earned 2"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := start(t)
			play(t, s, tt.moves)
			o := draw.Options{Names: []string{"Ann", "B & Co"}}
			svg, terminal := string(draw.SVG(nil, s, 1, o)), draw.Terminal(s, 1, o)
			shapes := func(color string) int { // of the path with this stroke
				before, _, ok := strings.Cut(svg, `" fill="none" stroke="`+color+`"`)
				if !ok {
					return 0
				}
				return strings.Count(before[strings.LastIndex(before, `"`):], "M")
			}
			if x, o := shapes("#d3303b"), shapes("#1d62c4"); x != 2*tt.x || o != tt.o {
				t.Errorf("%d strokes and %d noughts, want %d and %d", x, o, 2*tt.x, tt.o)
			}
			for _, want := range append(tt.want, "B & Co", "Ann") {
				if !strings.Contains(svg, ">"+strings.ReplaceAll(want, "&", "&amp;")+"</text>") {
					t.Errorf("the picture lacks %q", want)
				}
				if !strings.Contains(terminal, want) {
					t.Errorf("the terminal lacks %q:\n%s", want, terminal)
				}
			}
			if n := strings.Count(svg, fmt.Sprintf(`class="s%d" stroke-width="7"`, draw.Mark)); n != min(1, tt.x) {
				t.Errorf("%d last moves are marked", n)
			}
		})
	}
}

// TestPictureEnd: the winner and the totals are told.
func TestPictureEnd(t *testing.T) {
	s := start(t)
	for !s.Turn().Over() {
		seat := s.Turn().Seats.First()
		if _, err := s.Play(seat, s.Legal(nil, seat)[0]); err != nil {
			t.Fatal(err)
		}
	}
	v := s.View(game.Spectator).(grid.View)
	want := fmt.Sprintf("draw, %d each", v.Scores[0])
	for seat, symbol := range []string{"X", "O"} {
		if v.Scores[seat] > v.Scores[1-seat] {
			want = fmt.Sprintf("%s wins, %d to %d", symbol, v.Scores[seat], v.Scores[1-seat])
		}
	}
	svg, ok := s.SVG(nil, game.Spectator)
	if !ok || !strings.Contains(string(svg), ">"+want+"</text>") || !strings.HasSuffix(draw.Terminal(s, 0, draw.Options{}), "\n"+want+"\n") {
		t.Errorf("not %q:\n%s", want, svg)
	}
}

// TestPictureForfeit: an end that the rules know nothing of is told, and nobody is to move.
func TestPictureForfeit(t *testing.T) {
	s := start(t)
	play(t, s, "a1 e5 b1 e6 c1")
	o := draw.Options{Outcome: &game.Outcome{Returns: []float64{-1, 1}, Reason: "no_response"}, Theme: draw.Light}
	svg, win, want := string(draw.SVG(nil, s, 0, o)), "#0f8a4c", "O wins, no response"
	if !strings.Contains(svg, ">"+want+"</text>") || !strings.HasSuffix(draw.Terminal(s, 0, o), "\n"+want+"\n") {
		t.Errorf("not %q:\n%s", want, svg)
	}
	if bars, marked := strings.Count(svg, `fill="`+win+`"`), strings.Count(svg, `stroke="`+win+`" stroke-width="4"`); bars != 0 || marked != 1 {
		t.Errorf("%d to move, %d winners", bars, marked)
	}
}

// FuzzView draws views from outside: nothing panics, all is well-formed.
func FuzzView(f *testing.F) {
	s := start(f)
	seeds := []string{`{}`, `{"board":[[7]]}`, `{"lastMove":{"seat":0,"row":9,"col":-1}}`, `{"turn":5}`, `{"scores":[1,2],"board":[[1,0,-1]]}`}
	for _, moves := range []string{"", "a1 e5 b1"} {
		play(f, s, moves)
		text, err := json.Marshal(s.View(0))
		if err != nil {
			f.Fatal(err)
		}
		seeds = append(seeds, string(text))
	}
	if len(seeds) != 7 {
		f.Fatal("the seeds are gone")
	}
	for _, seed := range seeds {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var v grid.View
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
