package arena

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport"
)

// Carrier is a way to reach agents, and what its protocol promises them.
type Carrier struct {
	transport.Transport
	// Terms gives policy and clock for a seat in a match of so many seats:
	// agentarena.Policy, for one. nil: the zero values, which forfeit on every
	// fault and set no limit of time.
	Terms func(seats int) (referee.Policy, referee.Clock)
}

// Entrant is an agent and the carrier that reaches it.
type Entrant struct {
	Agent   referee.Agent
	Carrier string // a name in Config.Carriers
}

// Config is what an arena is made from. The zero value knows no games and is
// refused; Games alone is enough to play matches in this process.
type Config struct {
	// Games are what can be played here, each known by its Info().Name.
	Games []game.Game
	// Carriers are the ways to reach agents, by a name of the host's that is
	// recorded as the seat's transport.
	Carriers map[string]Carrier
	// Agents tells who an agent is of which only the slug is known. nil: seats
	// say everything themselves.
	Agents func(ctx context.Context, slug string) (Entrant, error)
	// Store keeps the records. nil: nothing is recorded, nothing is recovered.
	Store referee.Store
	// Key is what the secrets of matches are derived from: at least 16 random
	// bytes that stay the same as long as records are to be recovered. It is
	// needed where there is a Store; without one, nil means a random key.
	Key []byte
	// Seal makes the last line of each record; replay.Sealer gives one. nil: no seal.
	Seal func(match string, leaves [][32]byte) ([]byte, error)
	// Host answers the questions that games ask of the world. nil: such a game is void.
	Host referee.Host
	// Hooks are told what happens. nil: nobody is.
	Hooks Hooks
	// Logger gets a line for each match that starts, ends, or fails. nil: none.
	Logger *slog.Logger
	// Filter sees every text of an agent before it is recorded. nil: it stays as it is.
	Filter func(string) string
	// Clock gives the time of all matches. nil: wall and monotonic clock; see referee.Config.
	Clock func() referee.Time
	// Limit is how many matches may be at play at once. 0: no limit.
	Limit int
	// Retry is how long after its store has failed a match that runs by Start or
	// Recover is gone on with: about so long at first, twice as long each time after, and
	// never more than about a minute. What has run for a minute begins again with the first. 0: a second.
	// Below 0: never; its Handle then has the store's error. Where somebody else has
	// taken the match over meanwhile, or its record is gone, it has referee.ErrFenced.
	Retry time.Duration
}

// carriers gives the carriers' names in order.
func (c *Config) carriers() []string { return slices.Sorted(maps.Keys(c.Carriers)) }

func (c *Config) validate() error {
	var errs []error
	if len(c.Games) == 0 {
		errs = append(errs, errors.New("config.Games: there are none"))
	}
	names := map[string]bool{}
	for i, g := range c.Games {
		if g == nil {
			errs = append(errs, fmt.Errorf("config.Games[%d]: nil", i))
			continue
		}
		name := g.Info().Name
		if names[name] {
			errs = append(errs, fmt.Errorf("config.Games[%d]: %q is there twice", i, name))
		}
		names[name] = true
	}
	for _, name := range c.carriers() {
		if name == "" || len(name) > 64 {
			errs = append(errs, fmt.Errorf("config.Carriers: %q is no name of 1 to 64 bytes", name))
		}
		if c.Carriers[name].Transport == nil {
			errs = append(errs, fmt.Errorf("config.Carriers[%s].Transport: nil", name))
		}
	}
	if c.Store != nil && c.Key == nil {
		errs = append(errs, errors.New("config.Key: a Store needs one, or its records could not be recovered"))
	}
	if c.Key != nil && len(c.Key) < 16 {
		errs = append(errs, fmt.Errorf("config.Key: %d bytes, at least 16 are needed", len(c.Key)))
	}
	if c.Limit < 0 {
		errs = append(errs, fmt.Errorf("config.Limit: %d is negative", c.Limit))
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("arena: %w", err)
	}
	return nil
}

// Arena plays matches. Make one with [New]. Safe for concurrent use.
type Arena struct {
	c      Config
	games  map[string]game.Game
	local  *referee.Local
	tables tables
	// defaults are the tables of the default rulesets; only is the name of the
	// only game. Both are set by New.
	defaults map[string]*game.Table
	only     string

	mu      sync.Mutex
	closing bool
	live    runs
	ids     map[string]*run // of recorded matches
	handles map[string]*Handle
	idle    chan struct{} // closed when the last match of a closing arena has ended
}

// New makes an arena. It returns one error for each bad field, joined.
func New(c Config) (*Arena, error) {
	if err := c.validate(); err != nil {
		return nil, err
	}
	if c.Key == nil {
		c.Key = randomKey()
	}
	a := &Arena{c: c, games: map[string]game.Game{}, ids: map[string]*run{}, handles: map[string]*Handle{}, defaults: map[string]*game.Table{}}
	for i, g := range c.Games {
		a.only = g.Info().Name
		a.games[a.only] = g
		table, err := g.Table(nil)
		if err != nil {
			return nil, fmt.Errorf("arena: config.Games[%d]: its default ruleset: %w", i, err)
		}
		a.defaults[a.only] = table
	}
	a.local = &referee.Local{Store: c.Store, Config: referee.Config{Host: c.Host, Now: c.Clock, Seal: c.Seal, Filter: c.Filter}}
	if c.Hooks != nil || c.Logger != nil {
		o := &observer{hooks: c.Hooks, log: c.Logger}
		a.local.Config.Observe, a.local.Config.Opened, a.local.Config.Ended = o.event, o.opened, o.ended
	}
	return a, nil
}
