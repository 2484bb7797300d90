package werewolf

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"

	"github.com/matchreferee/arena/game"
)

// Kind says what an [Action] does.
type Kind uint8

// Kinds of action, with their JSON.
const (
	Kill Kind = iota // {"type":"kill","target":2}: a werewolf's at night; target null: nobody
	Peek             // {"type":"peek","target":4}: the seer's at night; target null: nobody
	Vote             // {"type":"vote","target":2}: by day; target null: abstain
	Say              // {"type":"say","text":"..."}: by day; "" is silence
	Deal             // {"type":"deal","roles":"vwsvv"}: by Chance; a letter a seat
	Lot              // {"type":"lot","target":3}: by Chance; who of the tied dies
)

var kindNames = [...]string{"kill", "peek", "vote", "say", "deal", "lot"}

// String is the type member of the action's JSON.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "kind " + strconv.Itoa(int(k))
}

// Nobody is the target of an action that stands as null in JSON.
const Nobody game.Seat = -1

// Action is a move. Target means something with Kill, Peek, Vote and Lot, and is 0 otherwise; Text is what is said, or the roles of a deal
// (v, s and w for villager, seer and werewolf, from seat 0), and empty otherwise.
type Action struct {
	Type   Kind
	Target game.Seat
	Text   string
}

// MarshalJSON gives the shapes that [Kind] shows.
func (a Action) MarshalJSON() ([]byte, error) {
	b := append(make([]byte, 0, 40+len(a.Text)), `{"type":"`...)
	b = append(append(b, a.Type.String()...), '"')
	switch a.Type {
	case Say, Deal:
		name := `,"text":`
		if a.Type == Deal {
			name = `,"roles":`
		}
		text, err := json.Marshal(a.Text)
		if err != nil {
			return nil, err
		}
		b = append(append(b, name...), text...)
	default:
		b = append(b, `,"target":`...)
		if a.Target == Nobody {
			b = append(b, "null"...)
		} else {
			b = strconv.AppendInt(b, int64(a.Target), 10)
		}
	}
	return append(b, '}'), nil
}

// UnmarshalJSON reads the shapes that [Kind] shows; on error *a is unchanged. Members that the type does not have are passed over.
func (a *Action) UnmarshalJSON(data []byte) error {
	var raw struct {
		Type   string
		Target json.RawMessage
		Text   json.RawMessage
		Roles  json.RawMessage
	}
	if err := json.Unmarshal(data, &raw); err != nil {
		return errors.New(`a move is an object with a type: kill, peek, vote or say`)
	}
	for i, name := range kindNames {
		if raw.Type != name {
			continue
		}
		read := Action{Type: Kind(i)}
		switch read.Type {
		case Say:
			if raw.Text == nil || raw.Text[0] != '"' || json.Unmarshal(raw.Text, &read.Text) != nil {
				return errors.New("text: what is said is a string")
			}
		case Deal:
			if raw.Roles == nil || raw.Roles[0] != '"' || json.Unmarshal(raw.Roles, &read.Text) != nil {
				return errors.New("roles: they are a string")
			}
		default:
			if raw.Target == nil {
				return errors.New("target: it is missing; give the number of a seat, or null for nobody")
			}
			if string(raw.Target) == "null" {
				read.Target = Nobody
			} else if n, err := strconv.ParseUint(string(raw.Target), 10, 6); err != nil {
				return errors.New("target: give the number of a seat, or null for nobody")
			} else {
				read.Target = game.Seat(n)
			}
		}
		*a = read
		return nil
	}
	return errors.New("type: it is kill, peek, vote or say")
}

// Actions are the moves that can be listed: an action on each seat and on nobody, lots, and silence.
func (r Rules) Actions() []Action {
	var all []Action
	for _, k := range []Kind{Kill, Peek, Vote} {
		for seat := Nobody; seat < MaxSeats; seat++ {
			all = append(all, Action{Type: k, Target: seat})
		}
	}
	all = append(all, Action{Type: Say})
	for seat := range game.Seat(MaxSeats) {
		all = append(all, Action{Type: Lot, Target: seat})
	}
	return all
}

// Index numbers an action as Actions does.
func (r Rules) Index(a Action) int {
	const block = MaxSeats + 1
	switch a.Type {
	case Kill, Peek, Vote:
		if a.Target >= Nobody && a.Target < MaxSeats && a.Text == "" {
			return int(a.Type)*block + int(a.Target) + 1
		}
	case Say:
		if a.Text == "" && a.Target == 0 {
			return 3 * block
		}
	case Lot:
		if a.Target >= 0 && a.Target < MaxSeats && a.Text == "" {
			return 3*block + 1 + int(a.Target)
		}
	}
	return -1
}

// Legal lists an action on each seat that it may be done to, in seat order, and last the one on nobody. Where a seat is to speak it lists
// silence; see Form for words.
func (r Rules) Legal(dst []Action, s *State, seat game.Seat) []Action {
	if seat < 0 {
		return dst // Chance draws by the method of that name
	}
	kind, targets := Vote, s.targets(seat)
	switch s.phase {
	case discussion:
		return append(dst, Action{Type: Say})
	case night:
		kind = Peek
		if s.wolves.Has(seat) {
			kind = Kill
		}
	case voting:
	default:
		return dst
	}
	for ; targets != 0; targets &= targets - 1 {
		dst = append(dst, Action{Type: kind, Target: targets.First()})
	}
	return append(dst, Action{Type: kind, Target: Nobody})
}

// targets are the seats that an acting seat may point at.
func (s *State) targets(seat game.Seat) game.SeatSet {
	targets := s.alive.Without(seat)
	if s.phase == night && s.wolves.Has(seat) {
		targets &^= s.wolves
	}
	return targets
}

// Check says what is wrong with a move. Of what is said it cuts what goes beyond MaxText code points, makes spaces of line breaks
// and tabs, and U+FFFD of other control characters.
func (r Rules) Check(s *State, seat game.Seat, a Action) (Action, error) {
	if seat == game.Chance {
		return a, s.checkChance(a)
	}
	want := Vote
	switch {
	case s.phase == discussion:
		want = Say
	case s.phase == night && s.wolves.Has(seat):
		want = Kill
	case s.phase == night:
		want = Peek
	}
	if a.Type != want {
		return a, fmt.Errorf("type: now it is %s", want)
	}
	if want == Say {
		a.Target, a.Text = 0, clean(a.Text, MaxText)
		return a, nil
	}
	a.Text = ""
	if a.Target == Nobody || s.targets(seat).Has(a.Target) {
		return a, nil
	}
	switch {
	case a.Target < 0 || a.Target >= game.Seat(s.n):
		return a, fmt.Errorf("target: there is no seat %d: they are 0 to %d", a.Target, s.n-1)
	case a.Target == seat:
		return a, errors.New("target: that is yourself")
	case !s.alive.Has(a.Target):
		return a, fmt.Errorf("target: seat %d is dead", a.Target)
	}
	return a, fmt.Errorf("target: seat %d is of your pack", a.Target)
}

func (s *State) checkChance(a Action) error {
	if s.phase == lot {
		if a.Type == Lot && s.tied.Has(a.Target) && a.Text == "" {
			return nil
		}
		return errors.New("a lot among the tied is drawn now")
	}
	wolves, seers := 0, 0
	for i := range len(a.Text) {
		switch a.Text[i] {
		case 'w':
			wolves++
		case 's':
			seers++
		case 'v':
		default:
			seers = 2
		}
	}
	if a.Type != Deal || a.Target != 0 || len(a.Text) != int(s.n) || wolves != Werewolves(int(s.n)) || seers != 1 {
		return errors.New("the roles are dealt now")
	}
	return nil
}

// Chance deals the roles, each deal as likely as the others, whoever sits where; or draws the lot among the tied.
func (r Rules) Chance(s *State, rnd *rand.Rand) Action {
	if s.phase == lot {
		tied := s.tied
		for range rnd.IntN(tied.Len()) {
			tied &= tied - 1
		}
		return Action{Type: Lot, Target: tied.First()}
	}
	var roles [MaxSeats]byte
	n := int(s.n)
	for i := range n {
		switch {
		case i == 0:
			roles[i] = 's'
		case i <= Werewolves(n):
			roles[i] = 'w'
		default:
			roles[i] = 'v'
		}
	}
	rnd.Shuffle(n, func(i, j int) { roles[i], roles[j] = roles[j], roles[i] })
	return Action{Type: Deal, Text: string(roles[:n])}
}

// Default is to do nothing: no kill, no peek, silence, abstention.
func (r Rules) Default(s *State, seat game.Seat) Action {
	switch {
	case s.phase == discussion:
		return Action{Type: Say}
	case s.phase == voting:
		return Action{Type: Vote, Target: Nobody}
	case s.wolves.Has(seat):
		return Action{Type: Kill, Target: Nobody}
	}
	return Action{Type: Peek, Target: Nobody}
}

// Form is the JSON Schema of words to say; none in other phases.
func (r Rules) Form(s *State, _ game.Seat) json.RawMessage {
	if s.phase != discussion {
		return nil
	}
	return json.RawMessage(`{"type":"object","required":["type","text"],"properties":{"type":{"const":"say"},"text":{"type":"string","maxLength":400}}}`)
}
