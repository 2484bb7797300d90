package replay

import (
	"encoding/json"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/referee"
)

// ErrUnknownRules is returned by a [Resolver], wrapped or not, that does not have
// the rules of a record.
var ErrUnknownRules = errors.New("replay: these rules are not known here")

// Resolver finds the rules of a record: the table of this game, in exactly this
// version, with this ruleset. An error that wraps [ErrUnknownRules] means that
// the record is not played again, one that wraps [game.ErrRuleset] that the record
// is wrong; any other ends [Verify]. It is called once a record.
type Resolver func(name, version string, ruleset json.RawMessage) (*game.Table, error)

// Rules gives the resolver of some games. Of several with the same name and
// version the first counts. It keeps the latest table of each game, so that many
// records of one ruleset share it, and is safe for concurrent use.
func Rules(games ...game.Game) Resolver {
	latest := make([]atomic.Pointer[made], len(games))
	return func(name, version string, ruleset json.RawMessage) (*game.Table, error) {
		other := ""
		for i, g := range games {
			info := g.Info()
			if info.Name != name {
				continue
			}
			if info.Version != version {
				other = info.Version
				continue
			}
			if m := latest[i].Load(); m != nil && m.ruleset == string(ruleset) {
				return m.table, nil
			}
			table, err := g.Table(ruleset)
			if err != nil {
				return nil, err
			}
			latest[i].Store(&made{string(ruleset), table})
			return table, nil
		}
		if other != "" {
			return nil, fmt.Errorf("%w: %s %q, only version %s", ErrUnknownRules, name, version, other)
		}
		return nil, fmt.Errorf("%w: %q %q", ErrUnknownRules, name, version)
	}
}

// made is a table and the text of the ruleset that it was made from.
type made struct {
	ruleset string
	table   *game.Table
}

// find asks a resolver for the rules of a record; nil without an error where it
// does not know them.
func find(resolve Resolver, s *referee.Start) (*game.Table, error) {
	if resolve == nil {
		return nil, nil
	}
	table, err := resolve(s.Game, s.Version, s.Ruleset)
	switch {
	case errors.Is(err, ErrUnknownRules):
		return nil, nil
	case errors.Is(err, game.ErrRuleset):
		return nil, err
	case err != nil:
		return nil, &hostError{fmt.Errorf("replay: finding the rules of %s %s: %w", word(s.Game), word(s.Version), err)}
	case table == nil:
		return nil, &hostError{errors.New("replay: the resolver gave neither rules nor an error")}
	}
	if info := table.Info(); info.Name != s.Game || info.Version != s.Version {
		return nil, &hostError{fmt.Errorf("replay: the resolver gave %s %s for %s %s", info.Name, info.Version, word(s.Game), word(s.Version))}
	}
	return table, nil
}
