package jsontext

import (
	"fmt"
	"math"
	"slices"
	"strconv"
)

// Member is a member of an object. Items of arrays and whole texts are members without a name.
type Member struct {
	Name string // its content, escapes resolved
	Raw  string // the value as it stands in the text, white space around it left out
	Text string // the content of a string, escapes resolved; "" for other kinds
	Kind Kind
	From int // the byte at which Raw begins, in the text that was read
}

// read reads the next value into m, whose name it leaves alone.
func (s *scanner) read(m *Member) (err error) {
	if m.Kind, err = s.next(); err != nil {
		return err
	}
	m.From = s.pos
	if m.Kind == String {
		m.Text, err = s.str()
	} else {
		err = s.skip(m.Kind)
	}
	m.Raw = s.text[m.From:s.pos]
	return err
}

// Members are the members of one object in the order of the text, each name once.
type Members []Member

// ParseObject reads a text that is one JSON object and gives its members; what is inside them is checked, and can be read from Raw. Numbers
// are checked by their form alone. Errors begin with the byte at which they are.
func ParseObject(text []byte, invalid Invalid) (Members, error) {
	var s scanner
	s.begin(text, invalid)
	list := make(Members, 0, min(16, 2+len(text)/32))
	if s.peek() != '{' {
		return nil, s.at(s.unexpected())
	}
	if err := s.keep(&list); err != nil {
		return nil, s.at(err)
	}
	if err := s.end("object"); err != nil {
		return nil, s.at(err)
	}
	return list, nil
}

// keep reads the object at pos into list.
func (s *scanner) keep(list *Members) error {
	return s.members(func(name string) error {
		*list = append(*list, Member{Name: name})
		return s.read(&(*list)[len(*list)-1])
	})
}

// Get finds the member of exactly that name; one that is null is as good as none, which is an error.
func (o Members) Get(name string) (Member, error) {
	if i := o.index(name); i >= 0 {
		return o[i], nil
	}
	return Member{}, fmt.Errorf("there is no %s", name)
}

// Has reports whether there is a member of that name that is not null.
func (o Members) Has(name string) bool { return o.index(name) >= 0 }

func (o Members) index(name string) int {
	return slices.IndexFunc(o, func(m Member) bool { return m.Name == name && m.Kind != Null })
}

// Text gives the content of a string member. The error says that there is no member of that name, or of what kind it is.
func (o Members) Text(name string) (string, error) {
	m, err := o.Get(name)
	if err == nil && m.Kind != String {
		err = fmt.Errorf("%s is %v, not a string", name, m.Kind)
	}
	return m.Text, err
}

// Int gives a member that is an integer from 0 to most, which is not negative. 7.0 and 70e-1 are integers too, up to 2^53. The error says
// what is wrong with the member.
func (o Members) Int(name string, most int64) (int64, error) {
	m, err := o.Get(name)
	if err != nil {
		return 0, err
	}
	if m.Kind != Number {
		return 0, fmt.Errorf("%s is %v, not a number", name, m.Kind)
	}
	n, err := strconv.ParseInt(m.Raw, 10, 64)
	if err != nil {
		x, err := strconv.ParseFloat(m.Raw, 64)
		if err != nil || x != math.Trunc(x) || math.Abs(x) > 1<<53 {
			return 0, fmt.Errorf("%s: %s is no integer", name, Quote(m.Raw))
		}
		n = int64(x)
	}
	if n < 0 || n > most {
		return 0, fmt.Errorf("%s: %s is not 0 to %d", name, Quote(m.Raw), most)
	}
	return n, nil
}

// Strings gives the contents of an array of strings. The error says of what kind m is, or the first item that is no string.
func (m Member) Strings() ([]string, error) {
	if m.Kind != Array {
		return nil, fmt.Errorf("%v, not an array", m.Kind)
	}
	s := scanner{text: m.Raw, replace: true} // what is to be refused was refused when m was read
	out := make([]string, 0, min(64, 1+len(m.Raw)/4))
	err := s.items(func() error {
		var item Member
		if err := s.read(&item); err != nil {
			return err
		}
		if item.Kind != String {
			return fmt.Errorf("item %d is %v, not a string", len(out), item.Kind)
		}
		out = append(out, item.Text)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}
