package agentarena

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

const maxDepth = 32 // arrays and objects inside one another

// member is a member of an object, or an item of an array without a name: raw
// is its value's text, which begins at byte from, str the content of a string.
type member struct {
	name, raw, str string
	kind           kind
	from           int
}

type object []member

type kind uint8

const (
	kindNull kind = iota
	kindBool
	kindNumber
	kindString
	kindArray
	kindObject
)

func (k kind) String() string {
	return [...]string{"null", "a boolean", "a number", "a string", "an array", "an object"}[k]
}

// get finds a member that is not null.
func (o object) get(name string) (member, error) {
	for _, m := range o {
		if m.name == name && m.kind != kindNull {
			return m, nil
		}
	}
	return member{}, fmt.Errorf("there is no %s", name)
}

// has reports whether there is a member that is not null.
func (o object) has(name string) bool {
	_, err := o.get(name)
	return err == nil
}

// text gives the content of a string member.
func (o object) text(name string) (string, error) {
	m, err := o.get(name)
	if err == nil && m.kind != kindString {
		err = fmt.Errorf("%s is %v, not a string", name, m.kind)
	}
	return m.str, err
}

// parseObject reads a text that is one JSON object, a byte-order mark before it
// allowed. What is no UTF-8 reads as U+FFFD: inside strings that is a
// character like any other.
func parseObject(text []byte) (object, error) {
	s := scanner{text: strings.ToValidUTF8(string(text), string(utf8.RuneError))}
	if strings.HasPrefix(s.text, "\ufeff") {
		s.pos = len("\ufeff")
	}
	o := make(object, 0, min(16, 2+len(text)/32))
	if s.peek() != '{' {
		return nil, s.at(s.unexpected())
	}
	if err := s.object(1, &o); err != nil {
		return nil, s.at(err)
	}
	if s.peek(); s.pos < len(s.text) {
		return nil, s.at(errors.New("something after the object"))
	}
	return o, nil
}

// number gives a member that is an integer from 0 to most.
func (o object) number(name string, most int64) (int64, error) {
	m, err := o.get(name)
	if err != nil {
		return 0, err
	}
	if m.kind != kindNumber {
		return 0, fmt.Errorf("%s is %v, not a number", name, m.kind)
	}
	n, err := strconv.ParseInt(m.raw, 10, 64)
	if err != nil {
		x, err := strconv.ParseFloat(m.raw, 64)
		if err != nil || x != math.Trunc(x) || math.Abs(x) > 1<<53 {
			return 0, fmt.Errorf("%s: %s is no integer", name, quote(m.raw))
		}
		n = int64(x)
	}
	if n < 0 || n > most {
		return 0, fmt.Errorf("%s: %s is not 0 to %d", name, quote(m.raw), most)
	}
	return n, nil
}

// strings gives the items of an array of strings.
func (m member) strings() ([]string, error) {
	if m.kind != kindArray {
		return nil, fmt.Errorf("%v, not an array", m.kind)
	}
	s := scanner{text: m.raw}
	items := make([]member, 0, min(64, 1+len(m.raw)/4))
	if err := s.array(1, &items); err != nil {
		return nil, err
	}
	out := make([]string, len(items))
	for i, m := range items {
		if m.kind != kindString {
			return nil, fmt.Errorf("item %d is %v, not a string", i, m.kind)
		}
		out[i] = m.str
	}
	return out, nil
}
