package gametest

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/matchreferee/arena/game"
)

// part is one output of a state, by the name of the method that gives it.
type part struct{ name, text string }

// look is all that leaves a state towards one observer.
type look []part

// lookAt asks s for everything that seat may be shown. The verdicts on probes are part of it: a hint tells as much as a view.
func lookAt(s *game.State, seat game.Seat, probes []game.Action) look {
	turn := s.Turn()
	l := look{
		{"Turn.Phase", turn.Phase},
		{"Turn.Seats", fmt.Sprint(turn.May(seat))},
		{"View", viewText(s, seat)},
	}
	if board, ok := s.Board(seat); ok {
		l = append(l, part{"Board", board})
	}
	if svg, ok := s.SVG(nil, seat); ok {
		l = append(l, part{"SVG", string(svg)})
	}
	if seat == game.Spectator {
		return l
	}
	legal := s.Legal(nil, seat)
	texts := make([]string, len(legal))
	for i, a := range legal {
		texts[i] = s.Text(a)
	}
	l = append(l, part{"Legal", fmt.Sprint(legal)}, part{"Text", fmt.Sprintf("%q", texts)}, part{"Form", string(s.Form(seat))})
	if turn.May(seat) {
		a, ok := s.Default(seat)
		l = append(l, part{"Default", fmt.Sprint(a, ok)})
	}
	var verdicts, parsed strings.Builder
	for _, a := range probes {
		got, err := s.Check(seat, a)
		fmt.Fprintf(&verdicts, "%s: %s %v\n", a, got, err)
		got, err = s.Parse(seat, string(a))
		fmt.Fprintf(&parsed, "%s: %s %v\n", a, got, err)
	}
	return append(l, part{"Check", verdicts.String()}, part{"Parse", parsed.String()})
}

func viewText(s *game.State, seat game.Seat) string { return jsonText(s.View(seat)) }

// jsonText is v as JSON; what does not marshal is the view check's affair and stands here as its error.
func jsonText(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(data)
}

// lookAll asks s for everything that anybody may ask of it.
func (gr *ground) lookAll(s *game.State, probes []game.Action) look {
	var all look
	for _, seat := range gr.observers() {
		for _, p := range lookAt(s, seat, probes) {
			all = append(all, part{p.name + " of " + seat.String(), p.text})
		}
	}
	turn := s.Turn()
	all = append(all, part{"Turn", fmt.Sprintf("%+v", turn)},
		part{"Legal of chance", fmt.Sprint(s.Legal(nil, game.Chance))},
		part{"Legal of host", fmt.Sprint(s.Legal(nil, game.Host))},
		part{"Asks", asksText(s.Asks())})
	if pos, ok := s.Position(); ok {
		all = append(all, part{"Position", pos})
	}
	if turn.Over() {
		all = append(all, part{"Outcome", fmt.Sprintf("%+v", s.Outcome())})
	}
	return all
}

// asksText lists asks by id, whatever their order.
func asksText(asks []game.Ask) string {
	lines := make([]string, 0, len(asks))
	for _, a := range sortedAsks(asks) {
		lines = append(lines, fmt.Sprintf("%d for %s: %s %s", a.ID, a.Seat, a.Kind, a.Body))
	}
	return strings.Join(lines, "\n")
}

// diff says where l and other part, or nothing.
func (l look) diff(other look) string {
	for i := range max(len(l), len(other)) {
		if i >= len(l) || i >= len(other) || l[i].name != other[i].name {
			return "one of them has an output that the other has not"
		}
		if l[i].text != other[i].text {
			return fmt.Sprintf("%s differs:\n  %s\n  %s", l[i].name, clip(l[i].text), clip(other[i].text))
		}
	}
	return ""
}

// without leaves out the outputs of these names.
func (l look) without(names ...string) look {
	var kept look
next:
	for _, p := range l {
		for _, name := range names {
			if p.name == name {
				continue next
			}
		}
		kept = append(kept, p)
	}
	return kept
}

// clip keeps messages readable.
func clip(text string) string {
	const most = 2000
	if len(text) > most {
		return text[:most] + "..."
	}
	return text
}
