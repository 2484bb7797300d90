package werewolf

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/matchreferee/arena/game"
)

var nobodyTexts = [...]string{Kill: "no kill", Peek: "no peek", Vote: "abstain"}

// Text is the kind and the target of an action, or its words: "vote 3", "abstain", "no kill", "say", "say good morning".
func (r Rules) Text(_ *State, a Action) string {
	switch {
	case a.Type == Say && a.Text == "":
		return "say"
	case a.Type == Say || a.Type == Deal:
		return a.Type.String() + " " + a.Text
	case a.Target == Nobody && int(a.Type) < len(nobodyTexts):
		return nobodyTexts[a.Type]
	}
	return a.Type.String() + " " + strconv.Itoa(int(a.Target))
}

// Parse reads what is to be said, behind "say " where speech is due.
func (r Rules) Parse(s *State, seat game.Seat, text string) (Action, error) {
	if s.phase == discussion {
		if words, ok := strings.CutPrefix(text, "say "); ok {
			return Action{Type: Say, Text: words}, nil
		}
		return Action{}, errors.New("write say, a space, and what you say")
	}
	var b strings.Builder
	for i, a := range r.Legal(nil, s, seat) {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(r.Text(s, a))
	}
	return Action{}, fmt.Errorf("write one of these exactly: %s", b.String())
}

// Board tells in words what a seat sees: the table, what it knows, and the public log. Names and what was said stand in quotes, with
// escapes as in Go for quotes and for what does not show (format characters such as U+202E): other players wrote them.
func (r Rules) Board(s *State, seat game.Seat) string {
	v := r.View(s, seat).(View)
	var b strings.Builder
	fmt.Fprintf(&b, "Werewolf, day %d of %d, %s\n", v.Day, s.last, v.Phase)
	for _, p := range v.Players {
		fmt.Fprintf(&b, "seat %d %s: %s", p.Seat, quote(p.Name), map[bool]string{true: "alive", false: "dead"}[p.Alive])
		if p.Role != "" {
			fmt.Fprintf(&b, ", %s", p.Role)
		}
		if you, ok := v.YouAre.Get(); ok && you == p.Seat {
			b.WriteString(" (you)")
		}
		b.WriteByte('\n')
	}
	v.writePrivate(&b)
	if len(v.PublicLog) > 0 {
		b.WriteString("What everybody knows, oldest first:\n")
	}
	for _, e := range v.PublicLog {
		e.write(&b)
	}
	return b.String()
}

func (v *View) writePrivate(b *strings.Builder) {
	role, ok := v.YourRole.Get()
	if !ok {
		return
	}
	fmt.Fprintf(b, "Your role: %s\n", role)
	if len(v.Private.Packmates) > 0 {
		b.WriteString("Werewolves with you: seats")
		for _, mate := range v.Private.Packmates {
			fmt.Fprintf(b, " %d", mate)
		}
		b.WriteByte('\n')
	}
	for _, p := range v.Private.Peeks {
		is := "no werewolf"
		if p.IsWerewolf {
			is = "a werewolf"
		}
		fmt.Fprintf(b, "You looked in night %d: seat %d is %s\n", p.Day, p.Target, is)
	}
}

func (e *Entry) write(b *strings.Builder) {
	seat, _ := e.Seat.Get()
	switch e.Type {
	case "say":
		if text, _ := e.Text.Get(); text == "" {
			fmt.Fprintf(b, "day %d: seat %d was silent\n", e.Day, seat)
		} else {
			fmt.Fprintf(b, "day %d: seat %d said %s\n", e.Day, seat, quote(text))
		}
	case "vote":
		if target, ok := e.Target.Get(); ok {
			fmt.Fprintf(b, "day %d: seat %d voted for seat %d\n", e.Day, seat, target)
		} else {
			fmt.Fprintf(b, "day %d: seat %d abstained\n", e.Day, seat)
		}
	case "death":
		fmt.Fprintf(b, "night %d: seat %d was killed\n", e.Day, seat)
	case "no_kill":
		fmt.Fprintf(b, "night %d: nobody was killed\n", e.Day)
	case "eliminated":
		fmt.Fprintf(b, "day %d: seat %d was voted out\n", e.Day, seat)
	}
}

// quote puts a text in quotes so that no line of the board can be made up by it.
func quote(text string) string { return strconv.QuoteToGraphic(text) }
