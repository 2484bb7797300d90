package jsontext

import (
	"errors"
	"slices"
	"unicode/utf8"
)

// Value is a value with all that is in it: the items of an array, without names, or the members of an object in the order of the text.
type Value struct {
	Member
	Float float64 // of a number
	Items []Value
}

// Parse reads a text that is one JSON value. Besides what the package refuses it refuses numbers beyond a float64 and more than
// [MaxValues] values. Numbers are rounded to float64 values, and what is too small for one becomes 0. Errors begin with the byte at which
// they are.
func Parse(text []byte, invalid Invalid) (*Value, error) {
	var p parser
	p.begin(text, invalid)
	v := new(Value)
	err := p.value(v)
	if err == nil {
		err = p.end("value")
	}
	if err != nil {
		return nil, p.at(err)
	}
	return v, nil
}

type parser struct {
	scanner
	values int // so far
}

var errValues = errors.New("over 65,536 values")

func (p *parser) value(v *Value) (err error) {
	if v.Kind, err = p.next(); err != nil {
		return err
	}
	if p.values++; p.values > MaxValues {
		return errValues
	}
	v.From = p.pos
	switch v.Kind {
	case String:
		v.Text, err = p.str()
	case Number:
		v.Float, err = p.float()
	case Array:
		err = p.items(func() error { return p.value(v.add("")) })
	case Object:
		err = p.members(func(name string) error { return p.value(v.add(name)) })
	default:
		err = p.skip(v.Kind)
	}
	v.Raw = p.text[v.From:p.pos]
	return err
}

func (v *Value) add(name string) *Value {
	v.Items = append(v.Items, Value{Member: Member{Name: name}})
	return &v.Items[len(v.Items)-1]
}

// Find gives the object's member of exactly that name, null or not; nil if there is none. It is part of v, not a copy.
func (v *Value) Find(name string) *Value {
	for i := range v.Items {
		if v.Kind == Object && v.Items[i].Name == name {
			return &v.Items[i]
		}
	}
	return nil
}

// AppendCanonical appends a value that [Parse] gave as RFC 8785 has it: members sorted by the UTF-16 code units of their names, no white space, strings as by
// [AppendString], numbers as by [AppendNumber]. It may be about six times as long as the text, for 1e20 is written out.
func (v *Value) AppendCanonical(dst []byte) []byte {
	switch v.Kind {
	case Null:
		return append(dst, "null"...)
	case False:
		return append(dst, "false"...)
	case True:
		return append(dst, "true"...)
	case Number:
		return AppendNumber(dst, v.Float)
	case String:
		return AppendString(dst, v.Text)
	case Array:
		dst = append(dst, '[')
		for i := range v.Items {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = v.Items[i].AppendCanonical(dst)
		}
		return append(dst, ']')
	}
	order := make([]int, len(v.Items))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return compareUTF16(v.Items[a].Name, v.Items[b].Name) })
	dst = append(dst, '{')
	for i, k := range order {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(AppendString(dst, v.Items[k].Name), ':')
		dst = v.Items[k].AppendCanonical(dst)
	}
	return append(dst, '}')
}

// compareUTF16 orders valid UTF-8 strings by their UTF-16 code units: as by code points,
// but that those written as surrogates (from U+10000) stand before U+E000 to U+FFFF.
func compareUTF16(a, b string) int {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	if i == len(a) || i == len(b) {
		return len(a) - len(b)
	}
	for i > 0 && !utf8.RuneStart(a[i]) {
		i--
	}
	x, _ := utf8.DecodeRuneInString(a[i:])
	y, _ := utf8.DecodeRuneInString(b[i:])
	if x >= 0x10000 && y >= 0xE000 && y < 0x10000 {
		return -1
	}
	if y >= 0x10000 && x >= 0xE000 && x < 0x10000 {
		return 1
	}
	return int(x) - int(y)
}
