package gametest

import (
	"errors"
	"slices"
	"strconv"

	"github.com/matchreferee/arena/game"
	"pgregory.net/rapid"
)

// moveChecks are about which moves may be made, and how they are written.
func moveChecks() []check {
	return []check{
		{name: "codec", needs: []string{"turn"}, game: checkCodec},
		{name: "legal", needs: []string{"codec"}, game: checkLegal},
		{name: "bytes", needs: []string{"legal"}, game: checkBytes},
		{name: "check", needs: []string{"bytes"}, game: checkCheck},
		{name: "closed", needs: []string{"check"}, when: (*kit).closed, game: checkClosed},
		{name: "impostor", needs: []string{"closed"}, game: checkImpostor},
		{name: "indexed", needs: []string{"legal"}, when: func(k *kit) bool { return k.has(func(f game.Features) bool { return f.Indexed }) }, game: checkIndexed},
		{name: "text", needs: []string{"check"}, game: checkText},
	}
}

// checkCodec: where membership of Legal decides, a listed move that is read back from its text is still a member. A table that has never
// listed anything must find it so: moves that hold a pointer, or lose a field on the way through JSON, do not.
func checkCodec(k *kit, _ *rapid.T, tr *trace) error {
	if tr.table.Features().Checker {
		return nil
	}
	for _, i := range tr.look {
		for _, seat := range tr.everybody() {
			for _, a := range tr.states[i].Legal(nil, seat) {
				got, err := tr.states[i].Check(seat, a)
				if err != nil {
					return at(i, "move %s of seat %s is listed, and refused when it comes back as JSON: %v\n"+
						"Is there a pointer, an unexported field or json:\"-\" in the move type?", a, seat, err)
				}
				if got != a {
					return at(i, "move %s of seat %s comes back from JSON as %s", a, seat, got)
				}
			}
		}
	}
	return nil
}

// checkLegal: an acting seat has moves; each is listed once and accepted as it stands.
func checkLegal(_ *kit, _ *rapid.T, tr *trace) error {
	if no, ok := errors.AsType[*errNoMove](tr.err); ok && no.seat >= 0 {
		return at(len(tr.steps), "%v", no)
	}
	for _, i := range tr.look {
		s := tr.states[i]
		turn := s.Turn()
		for _, seat := range tr.everybody() {
			listed := s.Legal(nil, seat)
			if turn.Seats.Has(seat) && len(listed) == 0 {
				return at(i, "seat %s may act and has no listed move (open turns list one valid sample)", seat)
			}
			for n, a := range listed {
				if slices.Contains(listed[:n], a) {
					return at(i, "move %s of seat %s is listed twice", a, seat)
				}
				got, err := s.Check(seat, a)
				if err != nil {
					return at(i, "move %s of seat %s is listed, but refused: %v", a, seat, err)
				}
				if got != a {
					return at(i, "move %s of seat %s is listed, but recorded as %s", a, seat, got)
				}
			}
		}
	}
	return nil
}

// checkCheck: what Check gives back it gives back again, and Apply takes it.
func checkCheck(k *kit, t *rapid.T, tr *trace) error {
	if _, stuck := errors.AsType[*errNoMove](tr.err); tr.err != nil && !stuck {
		return at(len(tr.steps), "the next step is refused, though Check gave each of its moves: %v", tr.err)
	}
	for _, i := range tr.look {
		s := tr.states[i]
		words := tr.words(s)
		for seat := range s.Turn().Seats.All() {
			offers := k.offers(t, s, seat)
			for range 3 {
				offers = append(offers, game.Action(noise(t, words)))
			}
			for _, a := range offers {
				once, err := s.Check(seat, a)
				if err != nil {
					continue
				}
				twice, err := s.Check(seat, once)
				if err != nil || twice != once {
					return at(i, "Check of %s of seat %s gives %s; that again gives %s, %v", clip(string(a)), seat, clip(string(once)), clip(string(twice)), err)
				}
			}
		}
	}
	return nil
}

// closed reports whether some ruleset says that all moves can be listed.
func (k *kit) closed() bool {
	return slices.ContainsFunc(k.grounds, func(gr ground) bool { return !gr.table.Info().Open })
}

// checkClosed: where Info does not say Open, nothing is accepted that is not listed.
func checkClosed(_ *kit, t *rapid.T, tr *trace) error {
	if tr.table.Info().Open {
		return nil
	}
	for _, i := range tr.look {
		s := tr.states[i]
		for seat := range s.Turn().Seats.All() {
			listed := s.Legal(nil, seat)
			offers := tr.probes(32)
			for range 3 {
				if len(listed) > 0 {
					offers = append(offers, game.Action(mutate(t, string(rapid.SampledFrom(listed).Draw(t, "variant of")))))
				}
			}
			for _, a := range offers {
				got, err := s.Check(seat, a)
				if err == nil && !slices.Contains(listed, got) {
					return at(i, "move %s of seat %s is accepted, but not listed, and Info.Open is not set", got, seat)
				}
			}
		}
	}
	return nil
}

// checkImpostor: no seat gets away with a move of Chance or Host.
func checkImpostor(_ *kit, _ *rapid.T, tr *trace) error {
	outside := tr.outsiders(64)
	for _, i := range tr.look {
		s := tr.states[i]
		for seat := range tr.seats().All() {
			for _, a := range outside {
				got, err := s.Check(seat, a)
				if err == nil && !slices.Contains(s.Legal(nil, seat), got) {
					return at(i, "move %s, which Chance or Host makes in this game, is accepted from seat %s", a, seat)
				}
			}
		}
	}
	return nil
}

// checkIndexed: the finite move space that the rules declare holds every listed move.
func checkIndexed(_ *kit, _ *rapid.T, tr *trace) error {
	if !tr.table.Features().Indexed {
		return nil
	}
	for _, i := range tr.look {
		for _, seat := range tr.everybody() {
			for _, a := range tr.states[i].Legal(nil, seat) {
				if _, ok := tr.table.Index(a); !ok {
					return at(i, "move %s of seat %s is listed, and is not among Actions()", a, seat)
				}
			}
		}
	}
	return nil
}

// checkText: the texts of the listed moves tell them apart and are read back.
func checkText(_ *kit, _ *rapid.T, tr *trace) error {
	for _, i := range tr.look {
		s := tr.states[i]
		for seat := range s.Turn().Seats.All() {
			moves := map[string]game.Action{}
			for _, a := range s.Legal(nil, seat) {
				text := s.Text(a)
				if text == "" {
					return at(i, "move %s of seat %s has no text", a, seat)
				}
				if other, ok := moves[text]; ok {
					return at(i, "moves %s and %s of seat %s have the same text %q", other, a, seat, text)
				}
				moves[text] = a
			}
			for _, a := range s.Legal(nil, seat) {
				text := s.Text(a)
				got, err := s.Parse(seat, text)
				if err != nil || got != a {
					return at(i, "move %s of seat %s has the text %q, which is read as %s, %v", a, seat, text, got, err)
				}
			}
		}
	}
	return nil
}

// checkBytes: nothing from outside makes the rules panic.
func checkBytes(k *kit, t *rapid.T, tr *trace) error {
	_, _ = k.g.Table([]byte(noise(t, []string{string(tr.table.Ruleset())})))
	setup := tr.setup
	setup.Position = noise(t, nil)
	if pos, ok := tr.states[0].Position(); ok {
		setup.Position = noise(t, []string{pos, strconv.Quote(pos)})
	}
	_, _ = tr.table.Start(setup)
	for _, i := range tr.look {
		s := tr.states[i]
		words := tr.words(s)
		turn := s.Turn()
		for _, seat := range tr.everybody() {
			if !turn.May(seat) {
				continue // the rules are not asked
			}
			for range 3 {
				text := noise(t, words)
				err := guarded(func() error {
					_, _ = s.Check(seat, game.Action(text))
					_, _ = s.Parse(seat, text)
					return nil
				})
				if err != nil {
					return at(i, "Check or Parse of %q from seat %s: %v", clip(text), seat, err)
				}
			}
		}
	}
	return nil
}

// words are the actions and texts that are listed in s.
func (gr *ground) words(s *game.State) []string {
	var words []string
	for _, seat := range gr.everybody() {
		for _, a := range s.Legal(nil, seat) {
			words = append(words, string(a), s.Text(a))
		}
	}
	return words
}
