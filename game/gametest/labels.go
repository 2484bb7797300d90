package gametest

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/matchreferee/arena/game"
)

// maxLabel is the most code points of a seat's label, which clients show beside a name.
const maxLabel = 32

// checkLabels: each seat has a short name of its own.
func checkLabels(k *kit) error {
	for _, gr := range k.grounds {
		if !gr.table.Features().Labeler {
			continue
		}
		holders := map[string]game.Seat{}
		for seat := range game.FirstSeats(gr.table.Info().MaxSeats).All() {
			label := gr.table.Label(seat)
			if err := labelError(label); err != nil {
				return fmt.Errorf("ruleset %s: the label %q of seat %s %w", gr.table.Ruleset(), label, seat, err)
			}
			if other, ok := holders[label]; ok {
				return fmt.Errorf("ruleset %s: seats %s and %s both have the label %q", gr.table.Ruleset(), other, seat, label)
			}
			if again := gr.table.Label(seat); again != label {
				return fmt.Errorf("ruleset %s: the label of seat %s is %q, and %q when asked again", gr.table.Ruleset(), seat, label, again)
			}
			holders[label] = seat
		}
	}
	return nil
}

func labelError(label string) error {
	unprintable := func(r rune) bool { return !unicode.IsPrint(r) }
	switch {
	case strings.TrimSpace(label) == "":
		return errors.New("is empty")
	case !utf8.ValidString(label) || strings.ContainsFunc(label, unprintable):
		return errors.New("is not one line of printable text")
	case strings.TrimSpace(label) != label:
		return errors.New("has spaces around it")
	case utf8.RuneCountInString(label) > maxLabel:
		return fmt.Errorf("is longer than %d code points", maxLabel)
	}
	return nil
}
