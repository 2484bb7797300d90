package arena

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/referee"
)

// Match says what is to be played.
type Match struct {
	ID       string // 1 to 128 of letters, digits and _ . : -; "": a random one
	Game     string // a name in Config.Games; "": the only one
	Ruleset  []byte // JSON over the game's defaults; nil: the defaults
	Position string // where to start, in the game's notation; "": the usual start
	Seats    []Seat // one for each player, in seat order
	// Seed fixes everything that is left to chance, the players' own random
	// streams included; see [Seed]. Times, which results and records also hold,
	// are fixed by a constant Config.Clock. nil: the secret is derived from
	// Config.Key and the id. A match with a seed of its own is not taken over by
	// Recover: play it again with the same Match to go on with it.
	Seed     *game.Seed
	MaxSteps int // see referee.Setup
}

// Seat says who plays on one seat: an agent behind a carrier, or a player in
// this process.
type Seat struct {
	Agent   referee.Agent
	Carrier string         // a name in Config.Carriers; "" with a Player, or where Config.Agents tells
	Player  referee.Player // plays here; "" Carrier
	Terms   *Terms         // nil: the carrier's; with a Player, the zero values
}

// Terms is how a seat is treated.
type Terms struct {
	Policy referee.Policy
	Clock  referee.Clock
}

// Seed gives the seed of a small number, for [Match].
func Seed(n uint64) *game.Seed {
	s := game.SeedFrom(n)
	return &s
}

// ErrNotFound says that there is no such game, carrier or agent.
var ErrNotFound = errors.New("arena: not found")

// setup makes a match's setup and players, one error for each bad field.
func (a *Arena) setup(ctx context.Context, m *Match) (referee.Setup, []referee.Player, error) {
	s := referee.Setup{ID: m.ID, MaxSteps: m.MaxSteps, Start: game.Setup{Position: m.Position}}
	if s.ID == "" {
		s.ID = randomID()
	}
	s.Secret, s.Salt = a.secrets(s.ID, m.Seed)
	table, err := a.table(m.Game, m.Ruleset)
	if err != nil {
		return s, nil, err
	}
	s.Table = table
	s.Seats = make([]referee.SeatInfo, len(m.Seats))
	players := make([]referee.Player, len(m.Seats))
	var errs []error
	for i := range m.Seats {
		if players[i], err = a.seat(ctx, &s.Seats[i], m.Seats[i], len(m.Seats)); err != nil {
			errs = append(errs, fmt.Errorf("arena: Seats[%d]: %w", i, err))
		}
	}
	return s, players, errors.Join(errs...)
}

// seat finds out who plays on one seat and how it is treated.
func (a *Arena) seat(ctx context.Context, info *referee.SeatInfo, seat Seat, seats int) (referee.Player, error) {
	info.Agent = seat.Agent
	if seat.Terms != nil {
		info.Policy, info.Clock = seat.Terms.Policy, seat.Terms.Clock
	}
	if seat.Player != nil {
		if seat.Carrier != "" {
			return nil, errors.New("both a Player and a Carrier")
		}
		return seat.Player, nil
	}
	if seat.Carrier == "" && a.c.Agents == nil {
		return nil, errors.New("neither a Player nor a Carrier")
	}
	if seat.Carrier == "" {
		who, err := a.c.Agents(ctx, seat.Agent.Slug)
		if err != nil {
			return nil, fmt.Errorf("agent %q: %w", seat.Agent.Slug, err)
		}
		info.Agent, seat.Carrier = who.Agent, who.Carrier
	}
	carrier, ok := a.c.Carriers[seat.Carrier]
	if !ok {
		return nil, fmt.Errorf("%w: carrier %q", ErrNotFound, seat.Carrier)
	}
	info.Transport = seat.Carrier
	if seat.Terms == nil && carrier.Terms != nil {
		info.Policy, info.Clock = carrier.Terms(seats)
	}
	return carrier.Player(ctx, info.Agent)
}

// secrets gives what a match keeps secret until its end. The salt of a seed that
// the caller chose is SHA-256(seed || "salt" || id).
func (a *Arena) secrets(id string, seed *game.Seed) (game.Seed, [32]byte) {
	if seed == nil {
		return referee.Secrets(a.c.Key, id)
	}
	if a.c.Store == nil {
		return *seed, [32]byte{} // nothing is committed to
	}
	var buf [256]byte
	b := append(append(append(buf[:0], seed[:]...), "salt"...), id...)
	return *seed, sha256.Sum256(b)
}

func randomKey() []byte {
	key := make([]byte, 32)
	rand.Read(key)
	return key
}

func randomID() string {
	var b [16]byte
	rand.Read(b[:])
	return hex.EncodeToString(b[:])
}
