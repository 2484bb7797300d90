package draw

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/internal/jsontext"
)

// What is shown of a view that cannot draw itself.
const (
	maxTableJSON  = 1 << 20 // bytes of JSON; a larger view is not read
	maxTableRows  = 32
	maxTableDepth = 4
	maxMatrix     = 16 // rows and columns of a board
	maxMatrices   = 4  // boards, so that a picture has room for what comes after them; others are lists
)

// row is one line of a table: a name and a value, or a board of short values.
type row struct {
	depth  int
	name   string
	value  string
	matrix [][]string
}

// tableOf makes the rows of a view, and, if there is a state, of its turn.
func tableOf(s *game.State, seat game.Seat, view any, o Options) []row {
	var t tabler
	if s != nil {
		t.turn(s, seat, o)
	}
	if out := o.Outcome; out != nil {
		t.add(row{name: "result", value: out.Reason})
		for i, r := range out.Returns[:min(len(out.Returns), game.MaxSeats)] {
			value := strconv.FormatFloat(r, 'g', 6, 64)
			if i < len(out.Scores) {
				value += fmt.Sprintf(" (%d points)", out.Scores[i])
			}
			t.add(row{depth: 1, name: seatName(o, game.Seat(i)), value: value})
		}
	}
	text, err := json.Marshal(view)
	if err != nil || len(text) > maxTableJSON {
		t.add(row{name: "view", value: "cannot be shown"})
		return t.rows
	}
	v, err := jsontext.Parse(text, jsontext.Replace)
	if err != nil {
		t.add(row{name: "view", value: "cannot be shown"})
		return t.rows
	}
	if v.Kind == jsontext.Object {
		for i := range v.Items {
			t.value(&v.Items[i], 0)
		}
	} else {
		v.Name = "view"
		t.value(v, 0)
	}
	return t.finish()
}

func seatName(o Options, seat game.Seat) string {
	if name := nameOf(o.Names, seat); name != "" {
		return name
	}
	return "seat " + seat.String()
}

// tabler gathers rows.
type tabler struct {
	rows     []row
	lost     int
	matrices int
}

func (t *tabler) add(r row) {
	if len(t.rows) >= maxTableRows {
		t.lost++
		return
	}
	r.name, r.value = Clean(r.name), Clean(r.value)
	t.rows = append(t.rows, r)
}

func (t *tabler) finish() []row {
	if t.lost > 0 {
		t.rows[len(t.rows)-1] = row{name: ellipsis, value: fmt.Sprintf("and %d more lines", t.lost+1)}
	}
	return t.rows
}

// turn tells what anybody may know of the turn, and whether seat itself may act.
func (t *tabler) turn(s *game.State, seat game.Seat, o Options) {
	turn := s.Turn()
	if turn.Phase != "" {
		t.add(row{name: "phase", value: turn.Phase})
	}
	if turn.Seats.Has(seat) && o.Outcome == nil {
		t.add(row{name: "to move", value: "you"})
	}
}

func (t *tabler) value(v *jsontext.Value, depth int) {
	switch {
	case v.Kind == jsontext.Array && t.matrices < maxMatrices && isMatrix(v):
		t.matrices++
		r := row{depth: depth, name: v.Name}
		for i := range v.Items {
			var line []string
			for k := range v.Items[i].Items {
				line = append(line, Clean(scalar(&v.Items[i].Items[k])))
			}
			r.matrix = append(r.matrix, line)
		}
		t.add(r)
	case len(v.Items) == 0 || flat(v) || depth >= maxTableDepth:
		t.add(row{depth: depth, name: v.Name, value: inline(v)})
	default:
		t.add(row{depth: depth, name: v.Name})
		for i := range v.Items {
			item := v.Items[i]
			if v.Kind == jsontext.Array {
				item.Name = strconv.Itoa(i)
			}
			t.value(&item, depth+1)
		}
	}
}

// flat tells whether a list holds no lists, and an object little and no lists.
func flat(v *jsontext.Value) bool {
	for i := range v.Items {
		if k := v.Items[i].Kind; k == jsontext.Array || k == jsontext.Object {
			return false
		}
	}
	return v.Kind == jsontext.Array || len(v.Items) <= 6
}

// isMatrix tells whether v is a board: 2 to 16 lists of the same length, 2 to 16, of values no longer than two columns.
func isMatrix(v *jsontext.Value) bool {
	if len(v.Items) < 2 || len(v.Items) > maxMatrix {
		return false
	}
	for i := range v.Items {
		line := &v.Items[i]
		if line.Kind != jsontext.Array || len(line.Items) < 2 || len(line.Items) > maxMatrix || len(line.Items) != len(v.Items[0].Items) {
			return false
		}
		for k := range line.Items {
			if c := &line.Items[k]; c.Kind == jsontext.Array || c.Kind == jsontext.Object || Cells(Clean(scalar(c))) > 2 {
				return false
			}
		}
	}
	return true
}

// scalar writes a value that is no list and no object.
func scalar(v *jsontext.Value) string {
	switch v.Kind {
	case jsontext.Null:
		return "·"
	case jsontext.True:
		return "yes"
	case jsontext.False:
		return "no"
	case jsontext.Number:
		return string(jsontext.AppendNumber(nil, v.Float))
	}
	return v.Text
}

// inline writes a value on one line, as far as a line can be seen.
func inline(v *jsontext.Value) string {
	var out strings.Builder
	appendInline(&out, v, 0)
	return out.String()
}

func appendInline(out *strings.Builder, v *jsontext.Value, depth int) {
	if v.Kind != jsontext.Array && v.Kind != jsontext.Object {
		if text := scalar(v); v.Kind == jsontext.Null {
			out.WriteString("–")
		} else {
			out.WriteString(text)
		}
		return
	}
	if len(v.Items) == 0 {
		out.WriteString("none")
	}
	if depth > maxTableDepth {
		out.WriteString(ellipsis)
		return
	}
	for i := range v.Items {
		if out.Len() > 4*maxRunes {
			return
		}
		if i > 0 {
			out.WriteString(", ")
		}
		item := &v.Items[i]
		if v.Kind == jsontext.Object {
			out.WriteString(item.Name + " ")
		}
		nested := len(item.Items) > 0
		if nested {
			out.WriteByte('(')
		}
		appendInline(out, item, depth+1)
		if nested {
			out.WriteByte(')')
		}
	}
}
