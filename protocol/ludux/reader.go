package ludux

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/internal/jsontext"
)

// reader reads the members of one object and collects what is wrong with them.
// Reading goes on after an error; what is wrong or absent is zero.
type reader struct {
	jsontext.Members
	errs []error
}

// open reads a text that is one object.
func open(text []byte) (*reader, error) {
	o, err := jsontext.ParseObject(text, jsontext.Replace)
	if err != nil {
		return nil, fmt.Errorf("not one JSON object: %w", err)
	}
	return &reader{Members: o}, nil
}

// finite is an error if any number of the message, unknown members and what is
// inside them included, is beyond a float64. Without an exponent that takes more
// than 308 digits.
func (r *reader) finite() error {
	for i := range r.Members {
		m := &r.Members[i]
		switch m.Kind {
		case jsontext.Number, jsontext.Array, jsontext.Object:
			if len(m.Raw) <= 308 && !strings.ContainsAny(m.Raw, "eE") {
				continue
			}
			if _, err := jsontext.Parse([]byte(m.Raw), jsontext.Replace); err != nil {
				return fmt.Errorf("%s: %w", jsontext.Quote(m.Name), err)
			}
		}
	}
	return nil
}

// kind checks the protocol and gives the type.
func (r *reader) kind() (Kind, error) {
	protocol, err := r.Text("protocol")
	if err != nil {
		return "", err
	}
	if protocol != Protocol {
		return "", fmt.Errorf("protocol is %s, not %q", jsontext.Quote(protocol), Protocol)
	}
	kind, err := r.Text("type")
	return Kind(kind), err
}

func (r *reader) fail(err error) { r.errs = append(r.errs, err) }

// wrong notes err, about a member that may be absent unless it is needed.
func (r *reader) wrong(name string, needed bool, err error) {
	if err != nil && (needed || r.Has(name)) {
		r.fail(err)
	}
}

func (r *reader) text(name string, needed bool) string {
	s, err := r.Text(name)
	r.wrong(name, needed, err)
	return s
}

func (r *reader) int(name string, needed bool, most int64) int64 {
	n, err := r.Int(name, most)
	r.wrong(name, needed, err)
	return n
}

func (r *reader) seat(needed bool) game.Seat { return game.Seat(r.int("seat", needed, 63)) }

func (r *reader) ms(name string, needed bool) time.Duration {
	return time.Duration(r.int(name, needed, math.MaxInt64/int64(time.Millisecond))) * time.Millisecond
}

// of gives a member of these kinds, which may be absent.
func (r *reader) of(name, what string, kinds ...jsontext.Kind) (m jsontext.Member, ok bool) {
	m, err := r.Get(name)
	if err != nil {
		return m, false
	}
	if !slices.Contains(kinds, m.Kind) {
		r.fail(fmt.Errorf("%s is %v, not %s", name, m.Kind, what))
		return m, false
	}
	return m, true
}

func (r *reader) bool(name string) bool {
	m, _ := r.of(name, "a boolean", jsontext.True, jsontext.False)
	return m.Kind == jsontext.True
}

// number gives a number, nil for none.
func (r *reader) number(name string) *float64 {
	m, ok := r.of(name, "a number", jsontext.Number)
	if !ok {
		return nil
	}
	x, err := strconv.ParseFloat(m.Raw, 64)
	if err != nil {
		r.fail(fmt.Errorf("%s: %s is out of range", name, jsontext.Quote(m.Raw)))
		return nil
	}
	return &x
}

func (r *reader) time(name string) time.Time {
	s := r.text(name, false)
	if s == "" {
		return time.Time{}
	}
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		r.fail(fmt.Errorf("%s: %s is no time of RFC 3339", name, jsontext.Quote(s)))
		return time.Time{}
	}
	return t.UTC()
}

// object gives an object as JSON, nil for none.
func (r *reader) object(name string) json.RawMessage {
	m, ok := r.of(name, "an object", jsontext.Object)
	if !ok {
		return nil
	}
	return json.RawMessage(m.Raw)
}

// json gives a member that is there as it stands.
func (r *reader) json(name string) string {
	m, _ := r.Get(name)
	return m.Raw
}

// inside reads the members of an object inside this one with f.
func (r *reader) inside(name, raw string, f func(*reader)) {
	in, err := open([]byte(raw))
	if err != nil {
		r.fail(fmt.Errorf("%s is %w", name, err))
		return
	}
	f(in)
	for _, err := range in.errs {
		r.fail(fmt.Errorf("%s.%w", name, err))
	}
}

// item reads the members of item i of an array of objects with f.
func (r *reader) item(name string, i int, v *jsontext.Value, f func(*reader)) {
	if v.Kind != jsontext.Object {
		r.fail(fmt.Errorf("%s[%d] is %v, not an object", name, i, v.Kind))
		return
	}
	in := &reader{Members: make(jsontext.Members, len(v.Items))}
	for j := range v.Items {
		in.Members[j] = v.Items[j].Member
	}
	f(in)
	for _, err := range in.errs {
		r.fail(fmt.Errorf("%s[%d].%w", name, i, err))
	}
}

// list gives the items of an array.
func (r *reader) list(name string, needed bool) []jsontext.Value {
	m, err := r.Get(name)
	if err != nil {
		r.wrong(name, needed, err)
		return nil
	}
	if m.Kind != jsontext.Array {
		r.fail(fmt.Errorf("%s is %v, not an array", name, m.Kind))
		return nil
	}
	v, err := jsontext.Parse([]byte(m.Raw), jsontext.Replace)
	if err != nil {
		r.fail(fmt.Errorf("%s: %w", name, err))
		return nil
	}
	return v.Items
}

// numbers gives the items of an array of numbers, never nil.
func numbers[N any](r *reader, name string, convert func(float64) (N, bool)) []N {
	items := r.list(name, false)
	out := make([]N, 0, len(items))
	for i := range items {
		n, ok := convert(items[i].Float)
		if items[i].Kind != jsontext.Number || !ok {
			r.fail(fmt.Errorf("%s: item %d is not such a number", name, i))
			return out
		}
		out = append(out, n)
	}
	return out
}
