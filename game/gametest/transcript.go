package gametest

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/matchreferee/arena/game"
)

// updateVariable makes transcripts be written instead of compared.
const updateVariable = "GAMETEST_UPDATE"

// maxTranscript is how many steps of a game go into its transcript.
const maxTranscript = 200

// checkTranscript compares one game of each ruleset and setup with the file that was written for it. A digest at each ply covers everything
// that anybody may see; what people read is written out at the start and at the end.
func checkTranscript(k *kit) error {
	if k.groundErr != nil {
		return k.groundErr
	}
	info := k.g.Info()
	var b strings.Builder
	fmt.Fprintf(&b, "# %s %s: random games, compared in tests and written anew by %s=1 go test.\n", info.Name, info.Version, updateVariable)
	for i := range k.grounds {
		if err := k.transcribe(&b, &k.grounds[i]); err != nil {
			return err
		}
	}
	dir := k.opts.Transcripts
	if dir == "" {
		dir = filepath.Join("testdata", "transcripts")
	}
	path := filepath.Join(dir, info.Name+".txt")
	if os.Getenv(updateVariable) == "1" {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
		return os.WriteFile(path, []byte(b.String()), 0o644)
	}
	want, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no transcript %s yet: %s=1 go test writes it", path, updateVariable)
	}
	if err != nil {
		return err
	}
	if line, w, g := firstDifference(string(want), b.String()); line > 0 {
		return fmt.Errorf("%s:%d: the game goes otherwise than it did (%s=1 go test writes the transcript anew, if that is meant)\n  was: %s\n  now: %s",
			path, line, updateVariable, w, g)
	}
	return nil
}

// firstDifference counts lines from 1; 0: none differs.
func firstDifference(want, got string) (line int, w, g string) {
	ws, gs := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range max(len(ws), len(gs)) {
		w, g = "(end of file)", "(end of file)"
		if i < len(ws) {
			w = strings.TrimSuffix(ws[i], "\r")
		}
		if i < len(gs) {
			g = gs[i]
		}
		if w != g {
			return i + 1, w, g
		}
	}
	return 0, "", ""
}

// transcribe writes one random game.
func (k *kit) transcribe(b *strings.Builder, gr *ground) error {
	seed := game.SeedFrom(1)
	s, err := gr.table.Start(gr.setup)
	if err != nil {
		return err
	}
	fmt.Fprintf(b, "\nruleset %s, seats %d", gr.table.Ruleset(), gr.setup.Seats)
	if gr.setup.Names != nil {
		fmt.Fprintf(b, ", names %q", gr.setup.Names)
	}
	if gr.setup.Position != "" {
		fmt.Fprintf(b, ", position %q", gr.setup.Position)
	}
	fmt.Fprintln(b)
	gr.writeViews(b, s)
	for n := 0; n < maxTranscript && !s.Turn().Over(); n++ {
		step, err := k.transcriptStep(s, seed)
		if err == nil {
			err = s.Apply(step)
		}
		if err != nil {
			return fmt.Errorf("after %d steps of the transcript's game: %w", n, err)
		}
		fmt.Fprintf(b, "%3d %s %s %s\n", s.Steps(), gr.lookAll(s, nil).digest(), turnText(s.Turn()), stepText(step))
	}
	gr.writeViews(b, s)
	if s.Turn().Over() {
		out := s.Outcome()
		fmt.Fprintf(b, "outcome %v, scores %v, places %v, %s\n", out.Returns, out.Scores, out.Places(), out.Reason)
	}
	return nil
}

func turnText(t game.Turn) string {
	if t.Over() {
		return "over"
	}
	who := ""
	for seat := range t.Seats.All() {
		who += "+" + seat.String()
	}
	if t.Chance {
		who += "+chance"
	}
	if t.Host {
		who += "+host"
	}
	return strings.TrimPrefix(t.Phase+" ", " ") + who[1:]
}

func (gr *ground) writeViews(b *strings.Builder, s *game.State) {
	for _, seat := range gr.observers() {
		fmt.Fprintf(b, "view of %s: %s\n", seat, viewText(s, seat))
	}
	if board, ok := s.Board(game.Spectator); ok {
		fmt.Fprintf(b, "%s\n", strings.TrimRight(board, "\n"))
	}
}

// transcriptStep draws what happens next from the seed alone, by streams that will not change (rapid's ways of drawing might).
func (k *kit) transcriptStep(s *game.State, seed game.Seed) (game.Step, error) {
	r := seed.Stream("transcript", uint64(s.Steps()))
	turn := s.Turn()
	var who []game.Seat
	for seat := range turn.Seats.All() {
		who = append(who, seat)
	}
	if turn.Chance {
		who = append(who, game.Chance)
	}
	if turn.Host {
		who = append(who, game.Host)
	}
	if turn.Mode != game.Joint || turn.Seats == 0 {
		i := r.IntN(len(who))
		who = who[i : i+1]
	}
	var step game.Step
	for _, seat := range who {
		offers := s.Legal(nil, seat)
		switch asks := s.Asks(); {
		case seat == game.Chance:
			if a, ok := s.Chance(seed); ok {
				offers = []game.Action{a}
			}
		case seat == game.Host && k.opts.Host != nil && len(asks) > 0:
			offers = append(offers, k.opts.Host(r, asks[r.IntN(len(asks))]))
		case seat.Valid() && k.opts.Open != nil:
			if a, ok := k.opts.Open(r, s.Clone(), seat); ok {
				offers = append(offers, a)
			}
		}
		if len(offers) == 0 {
			return nil, &errNoMove{seat, errors.New("nothing is listed")}
		}
		a, err := s.Check(seat, offers[r.IntN(len(offers))])
		if err != nil {
			return nil, err
		}
		step = append(step, game.Move[game.Action]{Seat: seat, Action: a})
	}
	return step, nil
}
