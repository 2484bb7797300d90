package game

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

var (
	errJSONEnd     = errors.New("unexpected end")
	errJSONUTF8    = errors.New("invalid UTF-8")
	errJSONControl = errors.New("control character in a string")
	errJSONEscape  = errors.New("bad escape in a string")
	errJSONLone    = errors.New("lone surrogate in a string")
	errJSONNumber  = errors.New("bad number")
	errJSONRange   = errors.New("number beyond a float64")
	errJSONValues  = errors.New("over 65,536 values")
	errJSONDepth   = errors.New("nested over 32 deep")
)

// jsonParser is a strict RFC 8259 parser; pos is where an error is.
type jsonParser struct {
	data   string
	pos    int
	values int // so far
}

func (p *jsonParser) space() {
	for p.pos < len(p.data) {
		switch p.data[p.pos] {
		case ' ', '\t', '\n', '\r':
			p.pos++
		default:
			return
		}
	}
}

// peek skips white space and gives the next byte, 0 at the end.
func (p *jsonParser) peek() byte {
	p.space()
	if p.pos == len(p.data) {
		return 0
	}
	return p.data[p.pos]
}

func (p *jsonParser) value(v *jsonValue, depth int) (err error) {
	c := p.peek()
	v.from = int32(p.pos)
	if p.values++; p.values > maxValues {
		return errJSONValues
	}
	switch {
	case c == '"':
		v.kind = jsonString
		v.str, err = p.str()
	case c == '-' || c >= '0' && c <= '9':
		v.kind = jsonNumber
		v.num, err = p.number()
	case c == '[':
		v.kind = jsonArray
		err = p.array(v, depth+1)
	case c == '{':
		v.kind = jsonObject
		err = p.object(v, depth+1)
	case c == 'n':
		v.kind = jsonNull
		err = p.literal("null")
	case c == 't':
		v.kind = jsonTrue
		err = p.literal("true")
	case c == 'f':
		v.kind = jsonFalse
		err = p.literal("false")
	default:
		err = p.unexpected()
	}
	v.to = int32(p.pos)
	return err
}

func (p *jsonParser) unexpected() error {
	if p.pos == len(p.data) {
		return errJSONEnd
	}
	return fmt.Errorf("unexpected %s", strconv.QuoteToASCII(p.data[p.pos:p.pos+1]))
}

func (p *jsonParser) literal(word string) error {
	if len(p.data)-p.pos < len(word) || p.data[p.pos:p.pos+len(word)] != word {
		return errors.New("not JSON: a word that is none of null, true, false")
	}
	p.pos += len(word)
	return nil
}

func (p *jsonParser) array(v *jsonValue, depth int) error {
	if depth > maxDepth {
		return errJSONDepth
	}
	p.pos++
	if p.peek() == ']' {
		p.pos++
		return nil
	}
	for {
		v.items = append(v.items, jsonValue{})
		if err := p.value(&v.items[len(v.items)-1], depth); err != nil {
			return err
		}
		switch p.peek() {
		case ',':
			p.pos++
		case ']':
			p.pos++
			return nil
		default:
			return p.unexpected()
		}
	}
}

func (p *jsonParser) object(v *jsonValue, depth int) error {
	if depth > maxDepth {
		return errJSONDepth
	}
	p.pos++
	if p.peek() == '}' {
		p.pos++
		return nil
	}
	var seen map[string]struct{} // only where there are many names
	for {
		if p.peek() != '"' {
			return p.unexpected()
		}
		start := p.pos
		name, err := p.str()
		if err != nil {
			return err
		}
		_, twice := seen[name]
		if twice || seen == nil && slices.Contains(v.names, name) {
			p.pos = start
			return fmt.Errorf("duplicate name %s", clip(name))
		}
		v.names = append(v.names, name)
		if seen != nil {
			seen[name] = struct{}{}
		} else if len(v.names) == 16 {
			seen = make(map[string]struct{}, 64)
			for _, n := range v.names {
				seen[n] = struct{}{}
			}
		}
		if p.peek() != ':' {
			return p.unexpected()
		}
		p.pos++
		v.items = append(v.items, jsonValue{})
		if err := p.value(&v.items[len(v.items)-1], depth); err != nil {
			return err
		}
		switch p.peek() {
		case ',':
			p.pos++
		case '}':
			p.pos++
			return nil
		default:
			return p.unexpected()
		}
	}
}

func (p *jsonParser) digits() bool {
	from := p.pos
	for p.pos < len(p.data) && p.data[p.pos] >= '0' && p.data[p.pos] <= '9' {
		p.pos++
	}
	return p.pos > from
}

func (p *jsonParser) at(c byte) bool { return p.pos < len(p.data) && p.data[p.pos] == c }

func (p *jsonParser) number() (float64, error) {
	from := p.pos
	if p.at('-') {
		p.pos++
	}
	if p.at('0') {
		p.pos++
	} else if !p.digits() {
		return 0, errJSONNumber
	}
	if p.at('.') {
		p.pos++
		if !p.digits() {
			return 0, errJSONNumber
		}
	}
	if p.at('e') || p.at('E') {
		p.pos++
		if p.at('+') || p.at('-') {
			p.pos++
		}
		if !p.digits() {
			return 0, errJSONNumber
		}
	}
	x, err := strconv.ParseFloat(p.data[from:p.pos], 64)
	if err != nil {
		p.pos = from
		return 0, errJSONRange
	}
	return x, nil
}

// str reads the string that starts at pos.
func (p *jsonParser) str() (string, error) {
	p.pos++
	from := p.pos
	var out []byte // what is decoded so far, where the text is not the content
	for p.pos < len(p.data) {
		switch c := p.data[p.pos]; {
		case c == '"':
			s := p.data[from:p.pos]
			p.pos++
			if out != nil {
				s = string(append(out, s...))
			}
			return s, nil
		case c == '\\':
			out = append(out, p.data[from:p.pos]...)
			r, err := p.escape()
			if err != nil {
				return "", err
			}
			out = utf8.AppendRune(out, r)
			from = p.pos
		case c < ' ':
			return "", errJSONControl
		case c < utf8.RuneSelf:
			p.pos++
		default:
			r, n := utf8.DecodeRuneInString(p.data[p.pos:])
			if r == utf8.RuneError && n == 1 {
				return "", errJSONUTF8
			}
			p.pos += n
		}
	}
	return "", errJSONEnd
}

// escape reads the escape that starts at pos, both halves of a surrogate pair.
func (p *jsonParser) escape() (rune, error) {
	p.pos++
	if p.pos == len(p.data) {
		return 0, errJSONEnd
	}
	c := p.data[p.pos]
	p.pos++
	switch c {
	case '"', '\\', '/':
		return rune(c), nil
	case 'b':
		return '\b', nil
	case 'f':
		return '\f', nil
	case 'n':
		return '\n', nil
	case 'r':
		return '\r', nil
	case 't':
		return '\t', nil
	case 'u':
		r, ok := p.hex4()
		if !ok {
			return 0, errJSONEscape
		}
		if !utf16.IsSurrogate(r) {
			return r, nil
		}
		if len(p.data)-p.pos < 2 || p.data[p.pos:p.pos+2] != `\u` {
			return 0, errJSONLone
		}
		p.pos += 2
		low, ok := p.hex4()
		if !ok {
			return 0, errJSONEscape
		}
		if r = utf16.DecodeRune(r, low); r == utf8.RuneError {
			return 0, errJSONLone
		}
		return r, nil
	}
	return 0, errJSONEscape
}

func (p *jsonParser) hex4() (rune, bool) {
	if len(p.data)-p.pos < 4 {
		return 0, false
	}
	var r rune
	for _, c := range []byte(p.data[p.pos : p.pos+4]) {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c >= 'a' && c <= 'f':
			c -= 'a' - 10
		case c >= 'A' && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	p.pos += 4
	return r, true
}
