package chess_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/chess"
)

// TestModel compares positions, legal moves, checks and what captures with the mailbox, along random games.
func TestModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := random(rapid.Uint64().Draw(t, "seed"))
		p := parse(t, rapid.SampledFrom(walks).Draw(t, "from"))
		model := readMailbox(p.FEN())
		byKey, byIdentity := map[uint64]string{}, map[string]uint64{}
		for range rapid.IntRange(1, 60).Draw(t, "plies") {
			text := p.FEN()
			if want := model.fen(); text != want {
				t.Fatalf("at %s, not %s", text, want)
			}
			if p.InCheck() != model.inCheck() {
				t.Fatalf("%s: in check: %t", text, p.InCheck())
			}
			// Equal keys, equal positions in the sense of repetition.
			identity := model.identity()
			if was, ok := byKey[p.Key()]; ok && was != identity {
				t.Fatalf("%s and %s have one key", was, identity)
			}
			if was, ok := byIdentity[identity]; ok && was != p.Key() {
				t.Fatalf("%s has two keys", identity)
			}
			byKey[p.Key()], byIdentity[identity] = identity, p.Key()
			legal := p.Legal(nil)
			compareMoves(t, &p, legal, &model)
			if len(legal) == 0 {
				return
			}
			m := pickMove(r, p, legal)
			p.Play(m)
			model.play(stepOf(m))
		}
	})
}

func stepOf(m chess.Move) step {
	s := step{m.From().File(), m.From().Rank(), m.To().File(), m.To().Rank(), 0}
	if k := m.Promotion(); k != chess.NoKind {
		s.promotion = k.String()[0]
	}
	return s
}

func compareMoves(t tester, p *chess.Position, legal []chess.Move, model *mailbox) {
	t.Helper()
	var got, want, gotCaptures, wantCaptures []string
	for _, m := range legal {
		got = append(got, m.String())
		if (p.Captured(m) != 0) != (model.at[m.To().File()][m.To().Rank()] != 0 || model.enPassant(stepOf(m))) {
			t.Fatalf("%s: %s captures %s", p.FEN(), m, p.Captured(m))
		}
	}
	for _, m := range p.Captures(nil) {
		gotCaptures = append(gotCaptures, m.String())
	}
	for _, m := range model.legal() {
		want = append(want, m.String())
		if model.at[m.toF][m.toR] != 0 || model.enPassant(m) || m.promotion != 0 {
			wantCaptures = append(wantCaptures, m.String())
		}
	}
	inOrder := slices.DeleteFunc(slices.Clone(got), func(m string) bool { return !slices.Contains(gotCaptures, m) })
	if !slices.Equal(inOrder, gotCaptures) {
		t.Fatalf("%s: captures in the order %v, not %v", p.FEN(), gotCaptures, inOrder)
	}
	for _, list := range [][]string{got, want, gotCaptures, wantCaptures} {
		slices.Sort(list)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Fatalf("%s: legal moves:\n%s", p.FEN(), d)
	}
	if d := cmp.Diff(wantCaptures, gotCaptures); d != "" {
		t.Fatalf("%s: captures:\n%s", p.FEN(), d)
	}
	if p.Count() != len(want) || p.HasLegal() != (len(want) > 0) {
		t.Fatalf("%s: Count %d, HasLegal %t, of %d", p.FEN(), p.Count(), p.HasLegal(), len(want))
	}
}

// TestGameModel plays random games through game.State beside the mailbox: how they end, what is seen and what is said.
func TestGameModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rules := chess.Default()
		if rapid.Bool().Draw(t, "late") {
			rules.Repetition, rules.MoveLimit = 5, 75
		}
		ruleset, err := json.Marshal(rules)
		if err != nil {
			t.Fatal(err)
		}
		// Few pieces that shuffle, so that repetition and the move limit come about; or a whole game.
		from := rapid.SampledFrom(append([]string{
			"8/8/4k3/8/8/3QK3/8/8 w - - 90 70", "7k/8/8/8/8/8/R7/K7 b - - 140 99", "8/5k2/8/8/8/2N5/1p6/K7 w - - 0 1",
			"k7/8/8/8/8/8/8/K1BB4 w - - 20 30", "kb6/8/8/8/8/8/8/KR6 w - - 94 60", "k7/7p/8/8/8/8/7P/K7 w - - 96 60",
		}, walks...)).Draw(t, "from")
		s := start(t, string(ruleset), from)
		model := readMailbox(from)
		seen := map[string]int{model.identity(): 1}
		var played []string
		r := random(rapid.Uint64().Draw(t, "seed"))
		near := rapid.Bool().Draw(t, "near")
		plies := 400
		if testing.Short() {
			plies = 60
		}
		for {
			legal := model.legal()
			reason := modelEnd(&model, legal, seen, rules, len(played))
			compareGame(t, s, &model, played, reason)
			if reason != "" || len(played) == plies {
				return
			}
			actions := s.Legal(nil, mover(s))
			if len(actions) != len(legal) {
				t.Fatalf("%s: %d of %d moves", model.fen(), len(actions), len(legal))
			}
			a := actions[r.IntN(len(actions))]
			if near { // the first of them, mostly: pieces go to and fro
				a = actions[min(r.IntN(len(actions)), r.IntN(3))]
			}
			if _, err := s.Play(mover(s), a); err != nil {
				t.Fatal(err)
			}
			text := strings.Trim(string(a), `"`)
			i := slices.IndexFunc(legal, func(m step) bool { return m.String() == text })
			if i < 0 {
				t.Fatalf("%s: %s is not legal", model.fen(), text)
			}
			model.play(legal[i])
			seen[model.identity()]++
			played = append(played, text)
		}
	})
}

// modelEnd gives the reason for which the game is over, "" if it goes on.
func modelEnd(b *mailbox, legal []step, seen map[string]int, rules chess.Rules, plies int) string {
	var pieces []byte
	dark, bright := 0, 0
	for f := range 8 {
		for r := range 8 {
			c := lower(b.at[f][r])
			switch {
			case b.at[f][r] == 0 || c == 'k':
				continue
			case c == 'b' && (f+r)%2 == 0:
				dark++
			case c == 'b':
				bright++
			}
			pieces = append(pieces, c)
		}
	}
	switch {
	case len(legal) == 0 && b.inCheck():
		return "checkmate"
	case len(legal) == 0:
		return "stalemate"
	case len(pieces) == 0, len(pieces) == 1 && pieces[0] == 'n', dark+bright == len(pieces) && (dark == 0 || bright == 0):
		return "insufficient_material"
	case plies > 0 && seen[b.identity()] >= rules.Repetition:
		return map[int]string{3: "threefold_repetition", 5: "fivefold_repetition"}[rules.Repetition]
	case plies > 0 && b.halfmove >= 2*rules.MoveLimit:
		return map[int]string{50: "fifty_moves", 75: "seventy_five_moves"}[rules.MoveLimit]
	}
	return ""
}

func compareGame(t tester, s *game.State, model *mailbox, played []string, reason string) {
	t.Helper()
	if got := fen(t, s); got != model.fen() {
		t.Fatalf("at %s, not %s", got, model.fen())
	}
	view, err := json.Marshal(s.View(0))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"fen": model.fen(), "you_are": "white", "halfmove_clock": float64(model.halfmove)}
	var got map[string]any
	if err := json.Unmarshal(view, &got); err != nil {
		t.Fatal(err)
	}
	list := []any{}
	for _, m := range played {
		list = append(list, m)
	}
	want["move_history_uci"] = list
	if d := cmp.Diff(want, got); d != "" {
		t.Fatalf("%s: view:\n%s", model.fen(), d)
	}
	if s.Turn().Over() != (reason != "") {
		t.Fatalf("%s: over: %t, and %q is to be", model.fen(), s.Turn().Over(), reason)
	}
	if reason == "" {
		if mover(s) == 0 != model.white {
			t.Fatalf("%s: seat %s is to move", model.fen(), mover(s))
		}
		return
	}
	outcome := game.Outcome{Returns: []float64{0, 0}, Reason: reason}
	if reason == "checkmate" {
		outcome.Returns = []float64{1, -1}
		if model.white {
			outcome.Returns = []float64{-1, 1}
		}
	}
	if d := cmp.Diff(outcome, s.Outcome()); d != "" {
		t.Fatalf("%s: outcome:\n%s", model.fen(), d)
	}
}
