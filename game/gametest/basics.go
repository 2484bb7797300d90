package gametest

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/matchreferee/arena/game"
	"pgregory.net/rapid"
)

// basicChecks are about the game before anybody moves, and about random games coming to an end at all.
func basicChecks() []check {
	return []check{
		{name: "ruleset", once: checkRuleset},
		{name: "info", needs: []string{"ruleset"}, once: checkInfo},
		{name: "labels", needs: []string{"info"}, when: func(k *kit) bool { return k.has(func(f game.Features) bool { return f.Labeler }) }, once: checkLabels},
		{name: "play", needs: []string{"info"}, game: checkPlay},
		{name: "turn", needs: []string{"play"}, game: checkTurn},
	}
}

// checkRuleset: rulesets are strict, and the canonical form says the same again.
func checkRuleset(k *kit) error {
	if k.groundErr != nil {
		return k.groundErr
	}
	for _, given := range append([]string{"", "{}"}, k.opts.Rulesets...) {
		data := []byte(given)
		table, err := k.g.Table(data)
		if err != nil {
			return fmt.Errorf("ruleset %s is refused: %w", given, err)
		}
		for i := range data { // the table keeps nothing of them
			data[i] = '#'
		}
		rules := slices.Clone(table.Ruleset())
		if canonical, err := game.Canonical(rules); err != nil || string(canonical) != string(rules) {
			return fmt.Errorf("Ruleset() of %q gives %s, which is not canonical JSON: %s, %v", given, rules, canonical, err)
		}
		again, err := k.g.Table(rules)
		if err != nil {
			return fmt.Errorf("the ruleset %s, as Ruleset() gave it, is refused: %w", rules, err)
		}
		if string(again.Ruleset()) != string(rules) {
			return fmt.Errorf("the ruleset %s comes back as %s", rules, again.Ruleset())
		}
		if a, b := table.Info(), again.Info(); a != b {
			return fmt.Errorf("the ruleset %s has Info %+v, and written canonically %+v", given, a, b)
		}
		if err := k.strict(rules); err != nil {
			return err
		}
	}
	return nil
}

// strict: the canonical ruleset is refused once a name is unknown, doubled or in the wrong case, and where it is no object.
func (k *kit) strict(rules []byte) error {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(rules, &members); err != nil {
		return fmt.Errorf("the ruleset %s is no JSON object: %w", rules, err)
	}
	inside := strings.TrimSuffix(strings.TrimPrefix(string(rules), "{"), "}")
	bad := map[string]string{
		"an unknown name": strings.TrimPrefix(inside+`,"no_such_rule":1`, ","),
	}
	for name, value := range members {
		bad["a doubled name"] = fmt.Sprintf("%s,%q:%s", inside, name, value)
		bad["a name in the wrong case"] = fmt.Sprintf("%q:%s", swapCase(name), value)
	}
	for _, why := range slices.Sorted(mapKeys(bad)) {
		text := "{" + bad[why] + "}"
		if _, err := k.g.Table([]byte(text)); err == nil {
			return fmt.Errorf("a ruleset with %s is accepted: %s", why, text)
		}
	}
	for _, text := range []string{string(rules) + "{}", "[]", "3", `"x"`} {
		if _, err := k.g.Table([]byte(text)); err == nil {
			return fmt.Errorf("a ruleset that is not one object is accepted: %s", text)
		}
	}
	return nil
}

func mapKeys[V any](m map[string]V) func(func(string) bool) {
	return func(yield func(string) bool) {
		for key := range m {
			if !yield(key) {
				return
			}
		}
	}
}

func swapCase(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsUpper(r) {
			return unicode.ToLower(r)
		}
		return unicode.ToUpper(r)
	}, s)
}

var (
	infoName    = regexp.MustCompile(`^[a-z][a-z0-9]*([_-][a-z0-9]+)*$`)
	infoVersion = regexp.MustCompile(`^[0-9]+(\.[0-9]+)*([-+][0-9A-Za-z.-]+)?$`)
)

// checkInfo: what the game says of itself can be true, and its optional interfaces fit what it says.
func checkInfo(k *kit) error {
	for _, gr := range k.grounds {
		info := gr.table.Info()
		var errs []error
		wrong := func(bad bool, format string, args ...any) {
			if bad {
				errs = append(errs, fmt.Errorf("Info."+format, args...))
			}
		}
		finite := !math.IsInf(info.MinReturn, 0) && !math.IsInf(info.MaxReturn, 0)
		wrong(!infoName.MatchString(info.Name), "Name is %q: lower-case words joined by - or _ are wanted", info.Name)
		wrong(!infoVersion.MatchString(info.Version), "Version is %q: numbers joined by dots are wanted", info.Version)
		wrong(info.MaxSteps < 1, "MaxSteps is %d, below 1", info.MaxSteps)
		wrong(!(info.MinReturn <= info.MaxReturn) || !finite, "MinReturn is %v and MaxReturn %v", info.MinReturn, info.MaxReturn)
		wrong(info.ZeroSum && (info.MinReturn > 0 || info.MaxReturn < 0), "ZeroSum is set, but returns from %v to %v cannot sum to zero", info.MinReturn, info.MaxReturn)
		errs = append(errs, featureErrors(gr.table)...)
		if err := errors.Join(errs...); err != nil {
			return fmt.Errorf("ruleset %s: %w", gr.table.Ruleset(), err)
		}
	}
	if a, b := k.g.Info(), k.grounds[0].table.Info(); a != b {
		return fmt.Errorf("the game has Info %+v, its default table %+v", a, b)
	}
	return nil
}

// featureErrors compares the optional interfaces of the rules with what Info says.
func featureErrors(table *game.Table) []error {
	var errs []error
	for _, miss := range table.NearMisses() {
		errs = append(errs, fmt.Errorf("a method is not what New looks for: %s", miss))
	}
	info, has := table.Info(), table.Features()
	wrong := func(bad bool, text string) {
		if bad {
			errs = append(errs, errors.New(text))
		}
	}
	wrong(info.Hidden && !has.Resampler, "Info.Hidden is set, and the rules are no Resampler")
	wrong(info.Open && !has.Checker, "Info.Open is set, and the rules are no Checker")
	wrong(info.Open && !has.Former, "Info.Open is set, and the rules are no Former")
	return errs
}

// checkPlay: random games start, and end within MaxSteps.
func checkPlay(_ *kit, _ *rapid.T, tr *trace) error {
	max := tr.table.Info().MaxSteps
	if len(tr.steps) > max {
		return at(len(tr.steps), "the game goes on after Info.MaxSteps = %d steps", max)
	}
	return nil
}

// checkTurn: each turn is one that a referee can work with.
func checkTurn(_ *kit, _ *rapid.T, tr *trace) error {
	for i, s := range tr.states {
		turn := s.Turn()
		switch {
		case turn.Seats&^tr.seats() != 0:
			return at(i, "Turn has seats %b of a table with %d seats", turn.Seats, tr.setup.Seats)
		case turn.Chance && (turn.Seats != 0 || turn.Host):
			return at(i, "Turn has Chance beside others: %+v", turn)
		case turn.Host && turn.Seats != 0 && turn.Mode == game.Joint:
			return at(i, "Turn has Host beside seats of a joint turn: %+v", turn)
		case turn.Mode > game.Free:
			return at(i, "Turn.Mode is %d", turn.Mode)
		case len(turn.Phase) > 64 || strings.IndexFunc(turn.Phase, func(r rune) bool { return !unicode.IsPrint(r) }) >= 0:
			return at(i, "Turn.Phase is %q: at most 64 bytes of printable text are wanted, for the wire", turn.Phase)
		}
	}
	return nil
}
