package ludux

import (
	"strconv"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/internal/jsontext"
	"github.com/matchreferee/arena/referee"
)

// Identity says which agent a message is for. On the wire a version that is a
// whole number is one; "" is null.
type Identity struct {
	Slug    string
	Version string
}

// Opponent is who sits on another seat. Its texts are untrusted.
type Opponent struct {
	Slug   string
	Name   string
	Seat   game.Seat
	Rating *float64 // as the host rates it; nil: unrated
	House  bool     // the host's own
}

func identityOf(a referee.Agent) Identity { return Identity{a.Slug, a.Version} }

func (id Identity) append(dst []byte) []byte {
	dst = append(dst, `,"agent":{"slug":`...)
	dst = jsontext.AppendString(dst, id.Slug)
	dst = append(dst, `,"version":`...)
	switch {
	case id.Version == "":
		dst = append(dst, "null"...)
	case whole(id.Version):
		dst = append(dst, id.Version...)
	default:
		dst = jsontext.AppendString(dst, id.Version)
	}
	return append(dst, '}')
}

// whole tells whether s is a number from 0 that JSON writes in the same way and
// that every reader holds exactly.
func whole(s string) bool {
	if s == "" || len(s) > 15 || s[0] == '0' && len(s) > 1 {
		return false
	}
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

func (r *reader) identity() (id Identity) {
	if !r.Has("agent") {
		return id
	}
	r.inside("agent", r.json("agent"), func(in *reader) {
		id.Slug = in.text("slug", true)
		if m, ok := in.of("version", "a string or a number", jsontext.String, jsontext.Number); ok {
			if id.Version = m.Text; m.Kind == jsontext.Number {
				id.Version = m.Raw
			}
		}
	})
	return id
}

// opponentsOf gives the agents of the other seats. Who has no name goes by the
// seat's label.
func opponentsOf(c referee.Card) []Opponent {
	list := make([]Opponent, 0, max(0, c.Seats()-1))
	for s := range game.Seat(c.Seats()) {
		if s == c.Seat {
			continue
		}
		a := c.Agents(s)
		o := Opponent{Slug: a.Slug, Name: a.Name, Seat: s, House: a.House}
		if o.Name == "" {
			o.Name = c.Label(s)
		}
		if a.Rating != 0 {
			o.Rating = &a.Rating
		}
		list = append(list, o)
	}
	return list
}

func appendOpponents(dst []byte, list []Opponent) []byte {
	dst = append(dst, `,"opponents":[`...)
	for i := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		o := &list[i]
		dst = append(dst, `{"slug":`...)
		dst = jsontext.AppendString(dst, o.Slug)
		dst = append(dst, `,"name":`...)
		dst = jsontext.AppendString(dst, o.Name)
		dst = append(dst, `,"seat":`...)
		dst = jsontext.AppendInt(dst, o.Seat)
		dst = append(dst, `,"rating":`...)
		if o.Rating == nil {
			dst = append(dst, "null"...)
		} else {
			dst = jsontext.AppendNumber(dst, *o.Rating)
		}
		dst = append(dst, `,"house":`...)
		dst = append(strconv.AppendBool(dst, o.House), '}')
	}
	return append(dst, ']')
}

func (r *reader) opponents() []Opponent {
	items := r.list("opponents", false)
	out := make([]Opponent, 0, len(items))
	for i := range items {
		r.item("opponents", i, &items[i], func(in *reader) {
			out = append(out, Opponent{
				Slug: in.text("slug", false), Name: in.text("name", false), Seat: in.seat(true), Rating: in.number("rating"), House: in.bool("house"),
			})
		})
	}
	return out
}
