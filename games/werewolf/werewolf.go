package werewolf

import (
	"errors"
	"fmt"
	"slices"

	"github.com/matchreferee/arena/game"
)

// Bounds of a match.
const (
	MinSeats = 5
	MaxSeats = 15
	MaxDays  = 30  // the most that max_days may be
	MaxText  = 400 // code points of what is said at a time: more is cut
	MaxLog   = 200 // entries of [View.PublicLog]
)

// Rules is the ruleset; [New] has the defaults.
type Rules struct {
	MaxDays     int  `json:"max_days"`     // the match is a draw after that many days, at most the constant [MaxDays]; 0: as many as there are seats
	RevealRoles bool `json:"reveal_roles"` // the role of whoever dies becomes public
}

// New gives the game with its default ruleset: as many days as seats, and roles revealed by death.
func New() game.Game { return game.New(Rules{RevealRoles: true}) }

// State is a match at some point of it. All but names is copied with it, and names never changes.
type State struct {
	names   []string
	frame   int32 // bytes that the public log may take in a view
	n       uint8 // seats
	last    uint8 // day
	day     uint8 // from 1
	round   uint8 // of discussion, from 0
	phase   phase
	end     ending
	seer    game.Seat
	first   game.Seat // speaker of the day
	speaker game.Seat
	peek    game.Seat // what the seer asked tonight, while a lot is to be drawn
	alive   game.SeatSet
	wolves  game.SeatSet // dead ones too
	left    game.SeatSet // have yet to speak in this round
	tied    game.SeatSet // one of them is to die by lot
	peeks   [MaxDays]shifted
	kills   [MaxDays]shifted
	log     game.Log[entry]
}

// shifted is a seat plus one; zero is nobody.
type shifted int8

func (x shifted) seat() game.Seat { return game.Seat(x) - 1 }

func shift(s game.Seat) shifted { return shifted(s) + 1 }

type phase uint8

const (
	dealing phase = iota
	night
	lot // part of the night: nobody may tell them apart
	discussion
	voting
	over
)

var phaseNames = [...]string{"deal", "night_action", "night_action", "day_discussion", "day_vote", "over"}

func (p phase) String() string { return phaseNames[p] }

type ending uint8

const (
	running ending = iota
	villagersWin
	werewolvesWin
	dayLimit
)

// rounds of discussion a day.
const rounds = 2

// Role is what a seat was dealt.
type Role string

// Roles.
const (
	Villager Role = "villager"
	Seer     Role = "seer"
	Werewolf Role = "werewolf"
)

// Werewolves is how many of so many seats are werewolves: one in four, rounded down, but at least one.
func Werewolves(seats int) int { return max(1, seats/4) }

// Validate reports a max_days that is out of its range.
func (r Rules) Validate() error {
	if r.MaxDays < 0 || r.MaxDays > MaxDays {
		return fmt.Errorf("max_days: %d, not 0 to %d", r.MaxDays, MaxDays)
	}
	return nil
}

// Info tells of a game of hidden roles and open speech: 1 for each seat of the side that wins, dead or alive, -1 for the others, 0 after a draw.
func (r Rules) Info() game.Info {
	days := r.MaxDays
	if days == 0 {
		days = MaxSeats
	}
	// A day is the night, perhaps a lot, all that is said, and the vote.
	return game.Info{
		Name: "werewolf", Version: "1.0.0", MinSeats: MinSeats, MaxSeats: MaxSeats, MaxSteps: 1 + days*(1+1+rounds*MaxSeats+1),
		MinReturn: -1, MaxReturn: 1, Hidden: true, Open: true,
	}
}

// frame is what a message of ludux/1 may have, and rest what may go into one besides state.public_log and names.
const (
	frame = 32_768
	rest  = 6_144
)

// Start seats everybody; the deal is to come.
func (r Rules) Start(setup game.Setup) (State, error) {
	if len(setup.Names) != setup.Seats {
		return State{}, errors.New("names: one for each seat is needed")
	}
	s := State{n: uint8(setup.Seats), last: uint8(setup.Seats), alive: game.FirstSeats(setup.Seats), day: 1}
	if r.MaxDays > 0 {
		s.last = uint8(r.MaxDays)
	}
	s.names = slices.Clone(setup.Names)
	names := 0
	for i, name := range s.names {
		s.names[i] = clean(name, 64)
		names += jsonLen(s.names[i])
	}
	s.frame = int32(frame - rest - 2*names) // they stand in the state and beside it
	return s, nil
}

// Turn asks the seats that have something to decide; none at night but the werewolves and the seer.
func (r Rules) Turn(s *State) game.Turn {
	switch s.phase {
	case dealing:
		return game.Turn{Chance: true, Phase: "deal"}
	case night:
		return game.Turn{Seats: (s.wolves & s.alive) | game.Seats(s.seer)&s.alive, Phase: "night_action"}
	case lot:
		return game.Turn{Chance: true, Phase: "night_action"}
	case discussion:
		return game.Turn{Seats: game.Seats(s.speaker), Phase: "day_discussion"}
	case voting:
		return game.Turn{Seats: s.alive, Phase: "day_vote"}
	}
	return game.Turn{}
}

// Outcome has the reason "villagers_win", "werewolves_win" or "day_limit".
func (r Rules) Outcome(s *State) game.Outcome {
	o := game.Outcome{Returns: make([]float64, s.n)}
	won := 0.0
	switch s.end {
	case villagersWin:
		won, o.Reason = 1, "villagers_win"
	case werewolvesWin:
		won, o.Reason = -1, "werewolves_win"
	default:
		o.Reason = "day_limit"
		return o
	}
	for i := range o.Returns {
		o.Returns[i] = won
		if s.wolves.Has(game.Seat(i)) {
			o.Returns[i] = -won
		}
	}
	return o
}

// Forfeit is for matches that end by a seat's fault instead of playing its safe defaults on: who is out loses, and as neither side has won,
// the others share a draw.
func (r Rules) Forfeit(s *State, out game.SeatSet) game.Outcome {
	o := game.Outcome{Returns: make([]float64, s.n), Reason: "forfeit"}
	for seat := range (out & game.FirstSeats(int(s.n))).All() {
		o.Returns[seat] = -1
	}
	return o
}

// role of a seat after the deal.
func (s *State) role(seat game.Seat) Role {
	switch {
	case s.wolves.Has(seat):
		return Werewolf
	case s.seer == seat:
		return Seer
	}
	return Villager
}
