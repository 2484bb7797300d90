package chess_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/chess"
)

func TestEnds(t *testing.T) {
	tests := []struct {
		name, fen, moves string
		reason           string // by default
		late             string // with draws at the fifth occurrence and 75 moves
		returns          []float64
	}{
		{"fool's mate", "", "f2f3 e7e5 g2g4 d8h4", "checkmate", "checkmate", []float64{-1, 1}},
		{"scholar's mate", "", "e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7", "checkmate", "checkmate", []float64{1, -1}},
		{"mate on the last ply of the move limit", "k7/8/1K6/8/8/8/8/7R w - - 99 80", "h1h8", "checkmate", "checkmate", []float64{1, -1}},
		{"mate on the last ply of 75 moves", "k7/8/1K6/8/8/8/8/7R w - - 149 80", "h1h8", "checkmate", "checkmate", []float64{1, -1}},
		{"mate far beyond the limit", "k7/8/1K6/8/8/8/8/7R w - - 400 300", "h1h8", "checkmate", "checkmate", []float64{1, -1}},
		{"a capture beyond the limit", "k7/8/1K6/8/8/8/7q/7R w - - 400 300", "h1h2", "", "", nil},
		{"stalemate on the last ply", "k7/8/1K6/8/8/8/8/2Q5 w - - 99 80", "c1c7", "stalemate", "stalemate", []float64{0, 0}},
		{"the limit, not before", "k7/8/8/1K6/8/8/8/7R w - - 98 80", "h1h2", "", "", nil},
		{"the limit", "k7/8/8/1K6/8/8/8/7R w - - 98 80", "h1h2 a8b8", "fifty_moves", "", []float64{0, 0}},
		{"the last piece is taken", "8/8/8/4k3/8/8/2r5/1K6 w - - 9 80", "b1c2", "insufficient_material", "insufficient_material", []float64{0, 0}},
		{"a promotion to a bishop", "8/4P1k1/8/8/8/8/8/K7 w - - 9 80", "e7e8b", "insufficient_material", "insufficient_material", []float64{0, 0}},
		{"a promotion to a knight", "8/4P1k1/8/8/8/8/8/K7 w - - 9 80", "e7e8n", "insufficient_material", "insufficient_material", []float64{0, 0}},
		{"starts in mate", "R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1", "", "checkmate", "checkmate", []float64{1, -1}},
		{"starts in stalemate", "k7/2Q5/1K6/8/8/8/8/8 b - - 200 200", "", "stalemate", "stalemate", []float64{0, 0}},
		{"starts with bare kings", "k7/8/1K6/8/8/8/8/8 b - - 0 1", "", "insufficient_material", "insufficient_material", []float64{0, 0}},
		{"threefold from the start", "", "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8", "threefold_repetition", "", []float64{0, 0}},
		{"twofold", "", "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1", "", "", nil},
		{"other castling rights", "r3k3/8/8/8/8/8/8/4K2R w Kq - 0 1", "h1h2 a8a7 h2h1 a7a8 h1h2 a8a7 h2h1 a7a8", "", "", nil}, // the first had rights
		{"other castling rights, once more", "r3k3/8/8/8/8/8/8/4K2R w Kq - 0 1", "h1h2 a8a7 h2h1 a7a8 h1h2 a8a7 h2h1 a7a8 h1h2 a8a7", "threefold_repetition", "", []float64{0, 0}},
		{"every sixth ply", "4k3/8/8/8/8/8/P7/4K3 w - - 0 1", "e1d1 e8d8 d1d2 d8d7 d2e1 d7e8 e1d1 e8d8 d1d2 d8d7 d2e1 d7e8", "threefold_repetition", "", []float64{0, 0}},
		{"the other side to move", "4k3/8/8/8/8/8/P7/4K3 w - - 0 1", "e1d1 e8d8 d1e2 d8e8 e2e1 e8d8 e1d1 d8e8 d1e1", "", "", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := start(t, "", tt.fen)
			play(t, s, tt.moves)
			over(t, s, tt.reason, tt.returns...)
			s = start(t, late, tt.fen)
			play(t, s, tt.moves)
			over(t, s, tt.late, tt.returns...)
		})
	}
}

func TestNothingAfterTheEnd(t *testing.T) {
	for _, moves := range []string{"f2f3 e7e5 g2g4 d8h4", "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8"} {
		s := start(t, lenient, "")
		play(t, s, moves)
		before := game.Dump(s)
		for _, seat := range []game.Seat{0, 1, game.Spectator, game.Chance, game.Host} {
			if legal := s.Legal(nil, seat); len(legal) > 0 {
				t.Errorf("seat %s has %s", seat, legal)
			}
			for _, a := range []game.Action{uci("e2e4"), uci("e8d8"), uci("Nf3"), "0", ""} {
				if _, err := s.Check(seat, a); !errors.Is(err, game.ErrIllegal) {
					t.Errorf("Check(%s, %s): %v", seat, a, err)
				}
				if _, err := s.Play(seat, a); !errors.Is(err, game.ErrIllegal) {
					t.Errorf("Play(%s, %s): %v", seat, a, err)
				}
			}
		}
		if game.Dump(s) != before {
			t.Error("something changed")
		}
	}
}

func TestMaterial(t *testing.T) {
	tests := []struct {
		name, pieces string // of White, then of Black, without the kings; bishops by the color of their squares: L light, D dark
		white, black bool   // can mate
	}{
		{"kings", "", false, false},
		{"a pawn", "P", true, false},
		{"a rook", "R", true, false},
		{"a queen against a queen", "Qq", true, true},
		{"a knight", "N", false, false},
		{"two knights", "NN", true, false},
		{"a knight against a knight", "Nn", true, true},
		{"a knight against a bishop", "Nl", true, true},
		{"a knight against a rook", "Nr", true, true},
		{"a knight against a pawn", "Np", true, true},
		{"a knight against a queen", "Nq", false, true},
		{"two knights against a queen", "NNq", true, true},
		{"a bishop", "L", false, false},
		{"bishops of one color", "LLL", false, false},
		{"bishops of both colors", "LD", true, false},
		{"a bishop against one of its color", "Ll", false, false},
		{"bishops against bishops of their color", "DDdd", false, false},
		{"a bishop against one of the other color", "Ld", true, true},
		{"a bishop against a knight", "Ln", true, true},
		{"a bishop against a pawn", "Lp", true, true},
		{"a bishop against a rook", "Lr", false, true},
		{"a bishop against a queen", "Lq", false, true},
		{"a bishop and a knight", "LN", true, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var b mailbox
			b.white, b.fullmove, b.passed = true, 1, [2]int{-1, -1}
			b.at[0][0], b.at[0][7] = 'K', 'k'
			for i, c := range []byte(tt.pieces) { // on the c- and the f-file, away from the kings and each other
				file, rank := 2, 1+i
				switch lower(c) {
				case 'l':
					c -= 'l' - 'b'
					file += 1 - (file+rank)%2
				case 'd':
					c -= 'd' - 'b'
					file += (file + rank) % 2
				}
				b.at[file][rank] = c
			}
			fen := strings.Replace(b.fen(), " w ", " b ", 1)
			p, err := chess.ParseFEN(fen)
			if err != nil { // a black piece attacks the white king
				p = parse(t, b.fen())
			}
			if w, bl := p.CanMate(chess.White), p.CanMate(chess.Black); w != tt.white || bl != tt.black || p.InsufficientMaterial() != (!w && !bl) {
				t.Errorf("%s: white %t, black %t, insufficient %t", p.FEN(), w, bl, p.InsufficientMaterial())
			}
		})
	}
}

func TestForfeit(t *testing.T) {
	const knight = "4k3/8/8/8/8/8/4P3/4K1n1 w - - 0 1"
	const bare = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
	draw := game.Outcome{Returns: []float64{0, 0}, Reason: "forfeit_insufficient_material"}
	tests := []struct {
		name, ruleset, fen string
		out                game.SeatSet
		want               game.Outcome
	}{
		{"white", "", "", game.Seats(0), game.Outcome{Returns: []float64{-1, 1}, Reason: "forfeit"}},
		{"black", "", "", game.Seats(1), game.Outcome{Returns: []float64{1, -1}, Reason: "forfeit"}},
		{"both", "", "", game.Seats(0, 1), game.Outcome{Returns: []float64{0, 0}, Reason: "forfeit"}},
		{"against a bare king", "", bare, game.Seats(0), draw},
		{"of the bare king", "", bare, game.Seats(1), game.Outcome{Returns: []float64{1, -1}, Reason: "forfeit"}},
		{"against a knight that can mate", "", knight, game.Seats(0), game.Outcome{Returns: []float64{-1, 1}, Reason: "forfeit"}},
		{"against a bare king, switched off", `{"forfeit_draws":false}`, bare, game.Seats(0), game.Outcome{Returns: []float64{-1, 1}, Reason: "forfeit"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, ok := start(t, tt.ruleset, tt.fen).Forfeit(tt.out)
			if d := cmp.Diff(tt.want, got); d != "" || !ok {
				t.Errorf("%t\n%s", ok, d)
			}
		})
	}
}

func TestRuleset(t *testing.T) {
	table, err := chess.New().Table(nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(table.Ruleset()), `{"forfeit_draws":true,"lenient":false,"move_limit":50,"repetition":3}`; got != want {
		t.Errorf("%s, not %s", got, want)
	}
	want := game.Info{Name: "chess", Version: "1.0.0", MinSeats: 2, MaxSeats: 2, MaxSteps: 11_800, MinReturn: -1, MaxReturn: 1, ZeroSum: true}
	if d := cmp.Diff(want, table.Info()); d != "" {
		t.Error(d)
	}
	if table, err = chess.New().Table([]byte(late)); err != nil || table.Info().MaxSteps != 17_700 {
		t.Errorf("%v: %d steps", err, table.Info().MaxSteps)
	}
	if table.Label(0) != "white" || table.Label(1) != "black" {
		t.Errorf("labels %q, %q", table.Label(0), table.Label(1))
	}
	for ruleset, hints := range map[string][]string{
		`{"repetition":4}`:                 {"repetition: 4"},
		`{"repetition":0,"move_limit":10}`: {"repetition: 0", "move_limit: 10"},
		`{"move_limit":"50"}`:              {"move_limit"},
		`{"Lenient":true}`:                 {"Lenient"},
		`{"chess960":true}`:                {"chess960"},
	} {
		_, err := chess.New().Table([]byte(ruleset))
		for _, hint := range hints {
			if !errors.Is(err, game.ErrRuleset) || !strings.Contains(err.Error(), hint) {
				t.Errorf("%s: %v, without %q", ruleset, err, hint)
			}
		}
	}
	if near := table.NearMisses(); len(near) > 0 {
		t.Error(near)
	}
}

// TestActions: the move space holds what queens, knights and pawns can do, once, and each number leads back.
func TestActions(t *testing.T) {
	rules := chess.Default()
	all := rules.Actions()
	if len(all) != 1968 {
		t.Errorf("%d actions", len(all))
	}
	seen := map[string]bool{}
	for i, a := range all {
		if seen[a.String()] || rules.Index(a) != i {
			t.Errorf("%s: twice, or number %d, not %d", a, rules.Index(a), i)
		}
		seen[a.String()] = true
	}
	for _, x := range []string{"a1b3", "a7a8q", "a7b8n", "h2h1r", "e1g1", "h8a1"} {
		if !seen[x] {
			t.Errorf("%s is missing", x)
		}
	}
	for _, x := range []chess.Action{{}, {Move: 0xffff}, {Move: chess.MakeMove(0, 9, chess.Queen)}, {Move: chess.MakeMove(0, 20, 0)}} {
		if i := rules.Index(x); i >= 0 {
			t.Errorf("%s has number %d", x, i)
		}
	}
	all[0] = chess.Action{}
	if again := rules.Actions(); again[0] == all[0] {
		t.Error("the list is not the caller's")
	}
}

func TestActionJSON(t *testing.T) {
	for text, want := range map[string]string{
		`"e2e4"`: `"e2e4"`, `"e7e8q"`: `"e7e8q"`, `"Nf3"`: `"Nf3"`, `" \n Nf3\t"`: `" Nf3"`, `"e2e9"`: `"e2e9"`, `"\u0065xd5"`: `"exd5"`,
	} {
		var a chess.Action
		if err := json.Unmarshal([]byte(text), &a); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		if got, err := json.Marshal(a); string(got) != want || err != nil {
			t.Errorf("%s becomes %s, %v, not %s", text, got, err, want)
		}
	}
	for _, text := range []string{`1`, `null`, `{}`, `["e2e4"]`, `true`, `""`, `"  "`, `"\u0000"`, `"e2e4\u0000"`, `"I move the pawn"`, `"` + strings.Repeat("x", 1<<20) + `"`} {
		var a chess.Action
		if err := json.Unmarshal([]byte(text), &a); err == nil || !strings.Contains(err.Error(), "UCI") || len(err.Error()) > 300 {
			t.Errorf("%.40s is %q, %.400v", text, a, err)
		}
	}
}

func TestDefault(t *testing.T) {
	for fen, want := range map[string]string{"": "a2a3", "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1": "e8d7", "8/2PP4/8/k7/8/8/8/K7 w - - 0 1": "a1a2"} {
		s := start(t, "", fen)
		if a, ok := s.Default(mover(s)); a != uci(want) || !ok {
			t.Errorf("%q: %s, %t, not %s", fen, a, ok, want)
		}
	}
}

// TestViewIsKept: a view stays as it is when the game goes on, and says nothing of the seat to spectators.
func TestViewIsKept(t *testing.T) {
	s := start(t, "", "")
	play(t, s, "e2e4 c7c5")
	v := s.View(1).(chess.View)
	play(t, s, "g1f3")
	want := chess.View{
		FEN:            "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 2",
		YouAre:         game.Some(chess.Black),
		MoveHistoryUCI: []chess.Move{chess.MakeMove(12, 28, 0), chess.MakeMove(50, 34, 0)},
	}
	if d := cmp.Diff(want, v, cmp.Comparer(func(a, b game.Opt[chess.Color]) bool { return a == b })); d != "" {
		t.Error(d)
	}
	text, err := json.Marshal(s.View(game.Spectator))
	const spectator = `{"fen":"rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2","you_are":null,"move_history_uci":["e2e4","c7c5","g1f3"],"halfmove_clock":1}`
	if string(text) != spectator || err != nil {
		t.Errorf("%s, %v", text, err)
	}
	var back chess.View
	if err := json.Unmarshal(text, &back); err != nil || !slices.Equal(back.MoveHistoryUCI, s.View(0).(chess.View).MoveHistoryUCI) || !back.YouAre.IsNull() {
		t.Errorf("%+v, %v", back, err)
	}
	for _, bad := range []string{`{"you_are":"White"}`, `{"move_history_uci":["Nf3"]}`, `{"move_history_uci":["0000"]}`} {
		if err := json.Unmarshal([]byte(bad), &back); err == nil {
			t.Errorf("%s is a view", bad)
		}
	}
}

// TestForks: clones share what was played and go their own ways.
func TestForks(t *testing.T) {
	s := start(t, "", "")
	play(t, s, "e2e4 e7e5")
	a, b := s.Clone(), s.Clone()
	play(t, a, "g1f3 b8c6")
	play(t, s, "d2d4")
	play(t, b, "f2f4 e5f4 g1f3")
	for _, tt := range []struct {
		s    *game.State
		want string
	}{{s, "e2e4 e7e5 d2d4"}, {a, "e2e4 e7e5 g1f3 b8c6"}, {b, "e2e4 e7e5 f2f4 e5f4 g1f3"}} {
		var got []string
		for _, m := range tt.s.View(0).(chess.View).MoveHistoryUCI {
			got = append(got, m.String())
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s, not %s", got, tt.want)
		}
	}
}

func TestBoard(t *testing.T) {
	tests := []struct{ fen, moves, want string }{
		{"", "e2e4", "```\n8 r n b q k b n r\n7 p p p p p p p p\n6 . . . . . . . .\n5 . . . . . . . .\n4 . . . . P . . .\n3 . . . . . . . .\n2 P P P P . P P P\n1 R N B Q K B N R\n  a b c d e f g h\n```\nTo move: black.\nLast move: e2e4, by white.\nFEN: rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"},
		{"4k3/8/8/8/8/8/8/4KR2 b - - 5 9", "e8d8 f1f8", "```\n8 . . . k . R . .\n7 . . . . . . . .\n6 . . . . . . . .\n5 . . . . . . . .\n4 . . . . . . . .\n3 . . . . . . . .\n2 . . . . . . . .\n1 . . . . K . . .\n  a b c d e f g h\n```\nTo move: black, in check.\nLast move: f1f8, by white.\nFEN: 3k1R2/8/8/8/8/8/8/4K3 b - - 7 10"},
		{"8/8/8/8/8/8/8/k1K5 w - - 0 1", "", "```\n8 . . . . . . . .\n7 . . . . . . . .\n6 . . . . . . . .\n5 . . . . . . . .\n4 . . . . . . . .\n3 . . . . . . . .\n2 . . . . . . . .\n1 k . K . . . . .\n  a b c d e f g h\n```\nThe game is over: insufficient material.\nFEN: 8/8/8/8/8/8/8/k1K5 w - - 0 1"},
	}
	for _, tt := range tests {
		s := start(t, "", tt.fen)
		play(t, s, tt.moves)
		for _, seat := range []game.Seat{0, 1, game.Spectator} {
			if got, ok := s.Board(seat); got != tt.want || !ok {
				t.Errorf("seat %s:\n%s", seat, cmp.Diff(tt.want, got))
			}
		}
	}
}

// TestAllocations: a game takes memory for its moves and nothing else.
func TestAllocations(t *testing.T) {
	rules := chess.Default()
	r := random(5)
	legal := make([]chess.Action, 0, chess.MaxLegal)
	move := make([]game.Move[chess.Action], 1)
	plies := 0
	allocations := testing.AllocsPerRun(30, func() {
		s, err := rules.Start(game.Setup{Seats: 2})
		if err != nil {
			t.Fatal(err)
		}
		for !rules.Turn(&s).Over() {
			seat := rules.Turn(&s).Seats.First()
			legal = rules.Legal(legal[:0], &s, seat)
			move[0] = game.Move[chess.Action]{Seat: seat, Action: legal[r.IntN(len(legal))]}
			rules.Apply(&s, move)
			plies++
		}
	})
	if allocations > 2 || plies < 31*50 {
		t.Errorf("%v allocations a game, %d plies", allocations, plies)
	}
}
