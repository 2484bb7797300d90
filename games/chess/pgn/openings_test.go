package pgn

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/chess"
)

func TestEPD(t *testing.T) {
	const line = `rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 id "King's pawn; open"; hmvc  0;fmvn 7; bm c5 e5 ; am f6; c0 "" x 1.5;noop;`
	e, err := ParseEPD(line)
	if err != nil {
		t.Fatal(err)
	}
	if e.ID() != "King's pawn; open" || e.Position.FEN() != "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 7" {
		t.Errorf("%q, %s", e.ID(), e.Position.FEN())
	}
	if got := fmt.Sprint(e.Moves("bm"), e.Moves("am"), e.Moves("sm"), e.Moves("id")); got != "[c7c5 e7e5] [f7f6] [] []" {
		t.Error(got)
	}
	want := `rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 am f6; bm c5 e5; c0 "" x 1.5; fmvn 7; id "King's pawn; open"; noop;`
	if got := e.String(); got != want {
		t.Error(got)
	}

	if e := (EPD{Operations: []Operation{{Opcode: "id"}}}); e.ID() != "" {
		t.Error("an id without an operand is something")
	}
	const four = "7k/8/6K1/8/8/8/R7/8 w - -"
	if e, err := ParseEPD(four); err != nil || e.String() != four || e.ID() != "" {
		t.Error(e, err)
	}
	tests := []struct{ line, want string }{
		{"", "0 of 4 fields"},
		{"7k/8/6K1/8/8/8/R7/8 w -", "3 of 4 fields"},
		{"7k/8/6K1/8/8/8/R7/9 w - -", "chess: bad FEN"},
		{four + " id x", "column 27: id is not ended by a semicolon"},
		{four + ` id "x`, "a text of id has no end"},
		{four + ` id "x" "y";`, "id has one text"},
		{four + ` id;`, "id has one text"},
		{four + ` id x; id y;`, "id stands twice"},
		{four + ` hmvc;`, "hmvc has one number"},
		{four + ` hmvc -1;`, "chess: bad FEN"},
		{four + ` fmvn 1 2;`, "fmvn has one number"},
		{four + ` bm Ra9;`, "bm: "},
		{four + ` am Kg8;`, "am: "},
		{four + ` 0 1;`, "column 27: no opcode"},
		{four + ` é;`, "no opcode"},
		{four + ` ;`, "no opcode"},
		{four + ` sixteen_letters_ x;`, "no opcode"},
		{four + ` c0 "a""b";`, "no space"},
		{four + ` c0"a";`, "no space"},
		{four + " c0 a\n;", "not a line"},
		{four + " c0 \xff;", "not a line"},
		{four + " c0" + strings.Repeat(" x", MaxOperands+1) + ";", "over 256 operands"},
		{four + strings.Repeat(" ", MaxLine), "over 4096 bytes"},
		{four + manyOperations(), "over 64 operations"},
		{four + " c0;c1;c2;c3 " + strings.Repeat("x", MaxLine-len(four)-14) + ";", "bytes when written in full"},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprintf("%.60s", tt.line), func(t *testing.T) {
			if e, err := ParseEPD(tt.line); !errors.Is(err, ErrEPD) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, %v; want %s", e, err, tt.want)
			}
		})
	}
}

func manyOperations() string {
	s := ""
	for i := range MaxOperations + 1 {
		s += fmt.Sprintf(" c%d;", i)
	}
	return s
}

func TestReadEPD(t *testing.T) {
	const list = "\uFEFF7k/8/6K1/8/8/8/R7/8 b - - id \"a\";\r\n\n   \nrnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 id \"b\"; hmvc 0; fmvn 1;"
	l, err := ReadEPD(strings.NewReader(list))
	want := Openings{{"a", "7k/8/6K1/8/8/8/R7/8 b - - 0 1"}, {"b", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"}}
	if diff := cmp.Diff(want, l); err != nil || diff != "" {
		t.Error(err, diff)
	}
	table, err := chess.New().Table(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range l {
		s, err := table.Start(o.Setup())
		if err != nil {
			t.Fatal(err)
		}
		if fen, ok := s.Position(); !ok || fen != o.FEN || s.Turn().Over() {
			t.Errorf("starts from %s, not %s", fen, o.FEN)
		}
	}
	for text, want := range map[string]string{
		"\n7k/8":                                                     "line 2: pgn: bad EPD",
		"7k/6Q1/6K1/8/8/8/8/8 b - -":                                 "line 1: pgn: the opening ends the game", // mate
		"7k/5Q2/6K1/8/8/8/8/8 b - -":                                 "line 1: pgn: the opening ends the game", // stalemate
		"7k/8/6K1/8/8/8/8/8 b - -":                                   "line 1: pgn: the opening ends the game",
		"7k/8/6K1/8/8/8/R7/8 b - - hmvc 100;":                        "line 1: pgn: the opening ends the game",
		"\n\n" + strings.Repeat("x", MaxLine+3):                      "line 3: bufio.Scanner: token too long",
		strings.Repeat("7k/8/6K1/8/8/8/R7/8 b - -\n", MaxOpenings+1): "line 100001: pgn: over 100000 openings",
	} {
		if _, err := ReadEPD(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %s", err, want)
		}
	}
}

func TestReadPGN(t *testing.T) {
	const games = "[Opening \"A\"][Variation \"b\"] 1. e4 e5 2. Nf3 Nc6 *\n[Event \"C\"] 1. d4 * 1. c4 *\n"
	const king, queen, english = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
		"rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq d3 0 1", "rnbqkbnr/pppppppp/8/8/2P5/8/PP1PPPPP/RNBQKBNR b KQkq c3 0 1"
	const knights = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3"
	for plies, first := range map[int]string{1: king, 4: knights, 9: knights, -1: knights} {
		l, err := ReadPGN(strings.NewReader(games), plies)
		if diff := cmp.Diff(Openings{{"A, b", first}, {"C", queen}, {"", english}}, l); err != nil || diff != "" {
			t.Error(plies, err, diff)
		}
	}
	if l, err := ReadPGN(strings.NewReader(games), 0); err != nil || l[0].FEN != chess.StartFEN {
		t.Error(l, err)
	}
	if _, err := ReadPGN(strings.NewReader(games+"1. f3 e5 2. g4 Qh4# 0-1"), -1); err == nil || !strings.Contains(err.Error(), "game 4: pgn: the opening ends") {
		t.Error(err)
	}
	var syntax *SyntaxError
	if _, err := ReadPGN(strings.NewReader(games+"1. e5"), -1); !errors.As(err, &syntax) || syntax.Line != 3 {
		t.Error(err)
	}
}

// TestPairs: each opening is played twice in a row, with the seats swapped, and the list is used evenly.
func TestPairs(t *testing.T) {
	l := Openings{{Name: "a"}, {Name: "b"}, {Name: "c"}}
	got := ""
	for n := range 8 {
		o, swapped := l.Match(n)
		if got += o.Name; swapped {
			got += "' "
		}
	}
	if got != "aa' bb' cc' aa' " {
		t.Error(got)
	}
	var many Openings
	for i := range 50 {
		many = append(many, Opening{Name: fmt.Sprint(i)})
	}
	before := slices.Clone(many)
	x, y := many.Shuffled(game.SeedFrom(1).Stream("openings", 0)), many.Shuffled(game.SeedFrom(1).Stream("openings", 0))
	if !slices.Equal(x, y) || slices.Equal(x, many) || !slices.Equal(before, many) {
		t.Error("not the same order by the same lot, or no other, or the list itself has changed")
	}
	slices.SortFunc(x, func(a, b Opening) int { return slices.Index(many, a) - slices.Index(many, b) })
	if !slices.Equal(x, many) {
		t.Error("openings were lost")
	}
}
