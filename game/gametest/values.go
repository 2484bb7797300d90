package gametest

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/matchreferee/arena/game"
)

// valueChecks come last: they play under rulesets that the author did not name, so that what is wrong under every ruleset is told by others.
func valueChecks() []check {
	return []check{{name: "values", needs: []string{"check", "text", "outcome", "view", "resume", "chance", "host"}, once: checkValues}}
}

// checkValues: a whole number of the ruleset that a host may well get wrong (0, -1, one more than it was) is refused, or it makes a game.
func checkValues(k *kit) error {
	var tried []string
	for _, gr := range k.grounds {
		rules := string(gr.table.Ruleset())
		if slices.Contains(tried, rules) {
			continue
		}
		tried = append(tried, rules)
		var members map[string]json.RawMessage
		if err := json.Unmarshal([]byte(rules), &members); err != nil {
			return fmt.Errorf("the ruleset %s is no JSON object: %w", rules, err)
		}
		for _, name := range slices.Sorted(maps.Keys(members)) {
			n, err := strconv.ParseInt(string(members[name]), 10, 32)
			if err != nil {
				continue
			}
			for _, value := range []int64{-1, 0, n + 1} {
				changed := maps.Clone(members)
				changed[name] = json.RawMessage(strconv.FormatInt(value, 10))
				text, err := json.Marshal(changed)
				if err == nil {
					err = guarded(func() error { return k.playable(text) })
				}
				if err != nil {
					return fmt.Errorf("%s = %d: Validate is to refuse it, or there is to be a game: %w\nruleset %s", name, value, err, text)
				}
			}
		}
	}
	return nil
}

// playable: a ruleset is refused, or a few random games of it begin, have moves while they last, and end within bounds.
func (k *kit) playable(ruleset []byte) error {
	table, err := k.g.Table(ruleset)
	if errors.Is(err, game.ErrRuleset) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("the error of Table does not wrap game.ErrRuleset: %w", err)
	}
	listed := *k
	listed.opts.Open = nil // what an author makes up is for the author's rulesets
	info := table.Info()
	for _, seats := range slices.Compact([]int{info.MinSeats, info.MaxSeats}) {
		for n := range uint64(3) {
			s, err := table.Start(game.Setup{Seats: seats})
			if err != nil {
				return fmt.Errorf("the table is accepted, and Start with %d seats refused: %w", seats, err)
			}
			if err := listed.playOn(s, info, game.SeedFrom(n)); err != nil {
				return fmt.Errorf("after %d steps with %d seats: %w", s.Steps(), seats, err)
			}
			if s.Turn().Over() {
				if err := outcomeError(info, seats, s.Outcome()); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// playOn plays listed moves until the game is over, or for as many steps as go into a transcript.
func (k *kit) playOn(s *game.State, info game.Info, seed game.Seed) error {
	for !s.Turn().Over() && s.Steps() < maxTranscript {
		if s.Steps() >= info.MaxSteps {
			return fmt.Errorf("the game goes on after Info.MaxSteps = %d steps", info.MaxSteps)
		}
		_ = viewText(s, game.Spectator)
		step, err := k.transcriptStep(s, seed)
		if err == nil {
			err = s.Apply(step)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
