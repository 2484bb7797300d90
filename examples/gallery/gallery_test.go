package main

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/game/draw"
)

const (
	goldenDir      = "testdata"
	updateVariable = "GAMETEST_UPDATE" // that of the authors' kit: 1 writes golden files anew
)

func allShots(t *testing.T) []shot {
	t.Helper()
	shots, err := shots("")
	if err != nil {
		t.Fatal(err)
	}
	if len(shots) < 20 {
		t.Fatalf("%d shots", len(shots))
	}
	return shots
}

// TestGolden compares every scene with the files that were written when somebody looked at them.
func TestGolden(t *testing.T) {
	for _, sh := range allShots(t) {
		t.Run(sh.title, func(t *testing.T) {
			name := strings.Trim(regexp.MustCompile(`[^a-z0-9]+`).ReplaceAllString(strings.ToLower(sh.title), "-"), "-")
			terminal := draw.Terminal(sh.state, sh.seat, draw.Options{Names: sh.names, Width: 60, Color: true})
			for _, file := range []struct{ name, content string }{
				{name + ".svg", strings.ReplaceAll(string(sh.svg(draw.Auto)), "><", ">\n<") + "\n"},
				{name + ".txt", strings.ReplaceAll(terminal, "\x1b", "ESC")},
			} {
				path := filepath.Join(goldenDir, file.name)
				if os.Getenv(updateVariable) == "1" {
					if err := os.MkdirAll(goldenDir, 0o755); err != nil {
						t.Fatal(err)
					}
					if err := os.WriteFile(path, []byte(file.content), 0o644); err != nil {
						t.Fatal(err)
					}
				}
				want, err := os.ReadFile(path)
				if err != nil {
					t.Fatalf("%v; %s=1 go test writes it", err, updateVariable)
				}
				if d := cmp.Diff(string(want), file.content); d != "" {
					t.Errorf("%s: %s=1 go test writes it anew, if that is meant:\n%s", path, updateVariable, d)
				}
			}
		})
	}
}

// TestRandomGames draws positions of random games of every game, for every seat: the picture is well-formed, clean, bounded, and the same when it is
// drawn again.
func TestRandomGames(t *testing.T) {
	every := 1
	if testing.Short() {
		every = 8
	}
	games := map[string]bool{}
	for _, sc := range scenes() {
		if games[sc.title[:5]] {
			continue
		}
		games[sc.title[:5]] = true
		t.Run(sc.title, func(t *testing.T) {
			sc.random, sc.moves = 0, nil
			s, err := sc.play()
			if err != nil {
				t.Fatal(err)
			}
			names := []string{"<script>alert(1)</script>", "\x1b[31m\u202eevil\u2066", strings.Repeat("字", 64), "a&b\x00\xff"}
			o := draw.Options{Names: names, Color: true}
			r := game.SeedFrom(7).Stream("pictures", 0)
			for i := 0; ; i++ {
				for seat := game.Spectator; int(seat) < sc.setup.Seats; seat++ {
					if i%every != 0 && !s.Turn().Over() {
						break
					}
					svg := draw.SVG(nil, s, seat, o)
					checkPicture(t, svg)
					checkTerminal(t, draw.Terminal(s, seat, o))
					if i%16 == 0 && !bytes.Equal(svg, draw.SVG(nil, s.Clone(), seat, o)) {
						t.Fatal("drawn twice, the pictures differ")
					}
				}
				if s.Turn().Over() || i == 300 {
					break
				}
				step, err := randomStep(s, r.IntN)
				if err != nil {
					t.Fatal(err)
				}
				if err := s.Apply(step); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
	if len(games) != 5 {
		t.Errorf("games: %v", games)
	}
}

func checkPicture(t *testing.T, svg []byte) {
	t.Helper()
	if len(svg) < 1000 || len(svg) > 64<<10 {
		t.Fatalf("%d bytes", len(svg))
	}
	d := xml.NewDecoder(bytes.NewReader(svg))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatalf("%v\n%s", err, svg)
		}
		switch token := token.(type) {
		case xml.CharData:
			if text := string(token); draw.Clean(text) != text && !strings.HasPrefix(text, "@media") {
				t.Fatalf("unclean: %+q", text)
			}
		case xml.StartElement:
			switch token.Name.Local {
			case "svg", "title", "desc", "style", "g", "rect", "circle", "line", "path", "text":
			default:
				t.Fatalf("element %s", token.Name.Local)
			}
		case xml.EndElement:
		default:
			t.Fatalf("%T", token)
		}
	}
}

var sgr = regexp.MustCompile("\x1b\\[[0-9;]*m")

func checkTerminal(t *testing.T, text string) {
	t.Helper()
	for line := range strings.Lines(sgr.ReplaceAllString(text, "")) {
		line, ended := strings.CutSuffix(line, "\n")
		if !ended || draw.Cells(line) > 80 || strings.ContainsFunc(line, unicode.IsControl) || draw.Clean(line) != line {
			t.Fatalf("%q", line)
		}
	}
	if text == "" {
		t.Fatal("nothing")
	}
}

// TestPage: every scene is on the page, light and dark, small and large, and nothing else that loads anything.
func TestPage(t *testing.T) {
	all := allShots(t)
	html := string(page(all))
	if n := strings.Count(html, "<img "); n != 4*len(all) {
		t.Errorf("%d pictures of %d scenes", n, len(all))
	}
	if n := strings.Count(html, "src="); n != strings.Count(html, `src="data:image/svg+xml;base64,`) {
		t.Errorf("something else is loaded")
	}
	if strings.Contains(html, "<script") || strings.Contains(html, "\x1b") {
		t.Error("names are on the page as they are")
	}
	const colored = `<span style="font-weight:bold;color:#ff5f5f;background:#585858;">X</span> &lt;b&gt;<span style="color:#5fafff;">O</span>`
	if got := terminalHTML("\x1b[1;38;5;203;48;5;240mX\x1b[0m <b>\x1b[38;5;75mO"); got != colored {
		t.Error(got)
	}
	if some, err := shots("nim"); err != nil || len(some) != 2 {
		t.Errorf("%d scenes of nim, %v", len(some), err)
	}
	if none, err := shots("backgammon"); err == nil {
		t.Errorf("%d scenes of backgammon", len(none))
	}
}
