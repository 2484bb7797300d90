package werewolf

import (
	"unicode"
	"unicode/utf8"

	"github.com/matchreferee/arena/game"
)

// View is what a seat or a spectator sees; the names are those of ludux/1.
type View struct {
	YourRole  game.Opt[Role]      `json:"your_role"` // null for a spectator, and before the deal
	Day       int                 `json:"day"`       // from 1; it begins with its night
	Phase     string              `json:"phase"`     // "deal", "night_action", "day_discussion", "day_vote", "over"
	Players   []Player            `json:"players"`   // by seat
	YouAre    game.Opt[game.Seat] `json:"you_are"`   // null for a spectator
	PublicLog []Entry             `json:"public_log"`
	Private   Private             `json:"private"`
}

// Player is somebody at the table.
type Player struct {
	Seat  game.Seat `json:"seat"`
	Name  string    `json:"name"`
	Alive bool      `json:"alive"`
	Role  Role      `json:"role,omitempty"` // of the dead where the ruleset has reveal_roles, of everybody after the end; else left out
}

// Entry is something that everybody knows of. The log has the newest that fit a message, at most MaxLog, oldest first.
type Entry struct {
	Day    int                 `json:"day"`
	Phase  string              `json:"phase"`
	Type   string              `json:"type"`            // "say", "vote", "death" at night, "eliminated" by vote, "no_kill"
	Seat   game.Opt[game.Seat] `json:"seat,omitzero"`   // who spoke, voted or died; absent from no_kill
	Text   game.Opt[string]    `json:"text,omitzero"`   // with say: untrusted, "" is silence
	Target game.Opt[game.Seat] `json:"target,omitzero"` // with vote; null: abstained
}

// Private is what the holder of a role knows. Lists that belong to other roles are left out.
type Private struct {
	Packmates []game.Seat  `json:"packmates,omitzero"` // a werewolf's: the others, dead or alive
	Kills     []KillResult `json:"kills,omitzero"`     // a werewolf's: whom the pack killed, night by night
	Peeks     []PeekResult `json:"peeks,omitzero"`     // the seer's
}

// KillResult is what the pack did in a night.
type KillResult struct {
	Day    int       `json:"day"`
	Target game.Seat `json:"target"`
}

// PeekResult is what the seer saw in a night.
type PeekResult struct {
	Day        int       `json:"day"`
	Target     game.Seat `json:"target"`
	IsWerewolf bool      `json:"is_werewolf"`
}

// View gives a View.
func (r Rules) View(s *State, seat game.Seat) any {
	v := View{YourRole: game.Null[Role](), Day: int(s.day), Phase: s.phase.String(), YouAre: game.Null[game.Seat](), Players: make([]Player, s.n)}
	for i := range v.Players {
		p := Player{Seat: game.Seat(i), Name: s.names[i], Alive: s.alive.Has(game.Seat(i))}
		if s.phase == over || r.RevealRoles && !p.Alive {
			p.Role = s.role(p.Seat)
		}
		v.Players[i] = p
	}
	v.PublicLog = s.publicLog()
	if seat.Valid() {
		v.YouAre = game.Some(seat)
		if s.phase != dealing {
			v.YourRole = game.Some(s.role(seat))
			v.Private = s.private(seat)
		}
	}
	return v
}

// private is what the role of a seat lets it know.
func (s *State) private(seat game.Seat) (p Private) {
	switch s.role(seat) {
	case Werewolf:
		p.Packmates, p.Kills = make([]game.Seat, 0, 2), make([]KillResult, 0, s.day)
		for mate := range s.wolves.Without(seat).All() {
			p.Packmates = append(p.Packmates, mate)
		}
		for i, k := range s.kills[:s.day] {
			if k != 0 {
				p.Kills = append(p.Kills, KillResult{i + 1, k.seat()})
			}
		}
	case Seer:
		p.Peeks = make([]PeekResult, 0, s.day)
		for i, k := range s.peeks[:s.day] {
			if k != 0 {
				p.Peeks = append(p.Peeks, PeekResult{i + 1, k.seat(), s.wolves.Has(k.seat())})
			}
		}
	}
	return p
}

// publicLog gives the newest entries that fit.
func (s *State) publicLog() []Entry {
	const most = len(`{"day":30,"phase":"day_discussion","type":"eliminated","seat":14,"target":null,"text":},`)
	from, room := s.log.Len(), int(s.frame)
	for from > 0 && s.log.Len()-from < MaxLog {
		e := s.log.At(from - 1)
		if room -= most + jsonLen(e.text); room < 0 {
			break
		}
		from--
	}
	list := make([]Entry, 0, s.log.Len()-from)
	for i := from; i < s.log.Len(); i++ {
		list = append(list, s.log.At(i).public())
	}
	return list
}

func (e entry) public() Entry {
	p := Entry{Day: int(e.day), Phase: entryPhases[e.kind].String(), Type: entryNames[e.kind]}
	if e.kind != noKill {
		p.Seat = game.Some(e.seat)
	}
	switch {
	case e.kind == said:
		p.Text = game.Some(e.text)
	case e.kind == voted && e.target == Nobody:
		p.Target = game.Null[game.Seat]()
	case e.kind == voted:
		p.Target = game.Some(e.target)
	}
	return p
}

// jsonLen is the most bytes that a cleaned text takes in JSON, whatever the writer escapes.
func jsonLen(text string) int {
	n := 2 + len(text)
	for i := range len(text) {
		switch text[i] {
		case '"', '\\':
			n++
		case '<', '>', '&', 0x7f:
			n += 5
		}
	}
	return n
}

// clean makes one line of a text: line breaks and tabs are spaces, invalid UTF-8 and control characters U+FFFD, and what is longer than most
// code points is cut.
func clean(text string, most int) string {
	plain := len(text) <= most
	for i := 0; plain && i < len(text); i++ {
		plain = text[i] >= ' ' && text[i] < 0x7f
	}
	if plain {
		return text
	}
	b, n := make([]byte, 0, min(len(text), 4*most)), 0
	for _, c := range text {
		if n++; n > most {
			break
		}
		switch {
		case c == '\t' || c == '\n' || c == '\r' || c == '\u2028' || c == '\u2029':
			c = ' '
		case unicode.IsControl(c):
			c = utf8.RuneError
		}
		b = utf8.AppendRune(b, c)
	}
	return string(b)
}
