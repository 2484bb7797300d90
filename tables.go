package arena

import (
	"fmt"
	"sync"

	"github.com/matchreferee/arena/game"
)

// maxTables bounds how many rulesets are kept ready.
const maxTables = 256

// tables keeps tables ready, so that their memoised moves serve many matches.
type tables struct {
	mu sync.RWMutex
	m  map[tableKey]*game.Table
}

type tableKey struct{ game, ruleset string }

// table gives a game with a ruleset fixed.
func (a *Arena) table(name string, ruleset []byte) (*game.Table, error) {
	if name == "" {
		if len(a.c.Games) > 1 {
			return nil, fmt.Errorf("arena: Game: %d are known here, say which", len(a.c.Games))
		}
		name = a.only
	}
	if len(ruleset) == 0 {
		if t := a.defaults[name]; t != nil {
			return t, nil
		}
		return nil, fmt.Errorf("%w: game %q", ErrNotFound, name)
	}
	a.tables.mu.RLock()
	t := a.tables.m[tableKey{name, string(ruleset)}]
	a.tables.mu.RUnlock()
	if t != nil {
		return t, nil
	}
	g, ok := a.games[name]
	if !ok {
		return nil, fmt.Errorf("%w: game %q", ErrNotFound, name)
	}
	t, err := g.Table(ruleset)
	if err != nil {
		return nil, fmt.Errorf("arena: Ruleset: %w", err)
	}
	a.tables.mu.Lock()
	defer a.tables.mu.Unlock()
	if a.tables.m == nil || len(a.tables.m) >= maxTables {
		a.tables.m = map[tableKey]*game.Table{}
	}
	a.tables.m[tableKey{name, string(ruleset)}] = t
	return t, nil
}
