package game

import (
	"encoding/json"
	"errors"
	"fmt"
	"unicode"

	"github.com/matchreferee/arena/internal/jsontext"
)

// codec turns moves into actions and back: by table where the move space is finite, else by JSON with a memory for listed moves.
type codec[A comparable] struct {
	indexed Indexed[A] // nil: not a finite move space
	moves   []A        // of indexed, in its order
	texts   []Action   // texts[i] is the action of moves[i]
	dense   bool       // the moves are the ints from 0 on: texts needs no Index
	number  map[Action]int
	short   [256]int16 // number+1 of the action that is one byte, 0: none
	memo    memo[A]
}

func newCodec[A comparable](rules any) (*codec[A], error) {
	c := new(codec[A])
	c.indexed, _ = rules.(Indexed[A])
	if c.indexed == nil {
		return c, nil
	}
	c.moves = c.indexed.Actions()
	ints, isInt := any(c.moves).([]int)
	c.dense = isInt
	for i, n := range ints {
		c.dense = c.dense && n == i
	}
	c.texts = make([]Action, len(c.moves))
	c.number = make(map[Action]int, len(c.moves))
	for i, a := range c.moves {
		t, err := marshalMove(a)
		if err != nil {
			return nil, fmt.Errorf("game: Actions()[%d]: %w", i, err)
		}
		if k, ok := c.number[t]; ok {
			return nil, fmt.Errorf("game: Actions()[%d] and [%d] are both %s in JSON", k, i, t)
		}
		if n := c.indexed.Index(a); n != i {
			return nil, fmt.Errorf("game: Index(Actions()[%d]) is %d", i, n)
		}
		c.texts[i], c.number[t] = t, i
		if len(t) == 1 {
			c.short[t[0]] = int16(i + 1)
		}
	}
	return c, nil
}

// index numbers an action that stands in the table as it is.
func (c *codec[A]) index(t Action) (int, bool) {
	if len(t) == 1 {
		n := int(c.short[t[0]])
		return n - 1, n > 0
	}
	n, ok := c.number[t]
	return n, ok
}

// known gives the text of a if it is in the table or the memory.
func (c *codec[A]) known(a A) (Action, bool) {
	if c.indexed == nil {
		return c.memo.textOf(a)
	}
	if i := c.indexed.Index(a); uint(i) < uint(len(c.texts)) {
		return c.texts[i], true
	}
	return "", false
}

// appendListed appends the texts of listed moves.
func (c *codec[A]) appendListed(dst []Action, moves []A) []Action {
	if x, texts := c.indexed, c.texts; x != nil {
		if list, ok := any(moves).([]int); ok && c.dense {
			for _, i := range list {
				if uint(i) < uint(len(texts)) {
					dst = append(dst, texts[i])
				} else {
					dst = append(dst, mustMarshal(i))
				}
			}
			return dst
		}
		for _, a := range moves {
			if i := x.Index(a); uint(i) < uint(len(texts)) {
				dst = append(dst, texts[i])
			} else {
				dst = append(dst, mustMarshal(a))
			}
		}
		return dst
	}
	for _, a := range moves {
		dst = append(dst, c.listed(a))
	}
	return dst
}

// listed gives the text of a move that Legal listed, and remembers it if it comes back from JSON as it was.
// It panics if the move is no JSON: that is a fault of the rules, as their own panic would be.
func (c *codec[A]) listed(a A) Action {
	if t, ok := c.known(a); ok {
		return t
	}
	t := mustMarshal(a)
	if c.indexed == nil {
		if back, _, err := unmarshalMove[A](t); err == nil && back == a {
			c.memo.put(a, t)
		}
	}
	return t
}

// own gives the text of any move that the rules made, and remembers nothing.
func (c *codec[A]) own(a A) Action {
	if t, ok := c.known(a); ok {
		return t
	}
	return mustMarshal(a)
}

// decode reads an action from outside: the move, and its canonical text.
func (c *codec[A]) decode(t Action) (A, Action, error) {
	if c.indexed == nil {
		if a, ok := c.memo.moveOf(t); ok {
			return a, t, nil
		}
	} else if i, ok := c.index(t); ok {
		return c.moves[i], t, nil
	}
	return unmarshalMove[A](t)
}

func mustMarshal[A any](a A) Action {
	t, err := marshalMove(a)
	if err != nil {
		panic(fmt.Errorf("game: the rules' move %v is no JSON: %w", a, err))
	}
	return t
}

func marshalMove[A any](a A) (Action, error) {
	data, err := json.Marshal(a)
	if err != nil {
		return "", err
	}
	return Canonical(data)
}

var errShape = errors.New("not the shape of a move here")

// unmarshalMove reads a move and writes it again: what it writes is the canonical text, without the members that the move type does not know.
// A member that the text did not have, or had as null, where the move says otherwise, is an error: nothing is guessed.
func unmarshalMove[A any](t Action) (a A, canonical Action, err error) {
	in, err := parseJSON([]byte(t))
	if err != nil {
		return a, "", err
	}
	if err := sameNames(in); err != nil {
		return a, "", err
	}
	if err := json.Unmarshal(in.AppendCanonical(nil), &a); err != nil {
		var wrong *json.UnmarshalTypeError
		if errors.As(err, &wrong) && wrong.Field != "" {
			return a, "", fmt.Errorf("%w: %s is %s", errShape, jsontext.Quote(wrong.Field), wrong.Value)
		} else if errors.As(err, &wrong) {
			return a, "", fmt.Errorf("%w: it is %s", errShape, wrong.Value)
		}
		return a, "", fmt.Errorf("%w: %w", errShape, err)
	}
	data, err := json.Marshal(a)
	if err != nil {
		return a, "", fmt.Errorf("%w: %w", errShape, err)
	}
	out, err := parseJSON(data)
	if err != nil {
		return a, "", err
	}
	if err := covers(in, out, ""); err != nil {
		return a, "", err
	}
	return a, Action(out.AppendCanonical(nil)), nil
}

// covers reports what of out was not said in in.
func covers(in, out *jsontext.Value, path string) error {
	where := path
	if where == "" {
		where = "the move"
	}
	if in.Kind == jsontext.Null && out.Kind != jsontext.Null {
		return fmt.Errorf("%w: %s is null", errShape, where)
	}
	if in.Kind != out.Kind {
		return nil // the type's own UnmarshalJSON has judged
	}
	switch out.Kind {
	case jsontext.Array:
		if len(in.Items) != len(out.Items) {
			return fmt.Errorf("%w: %s has length %d, not %d", errShape, where, len(in.Items), len(out.Items))
		}
		for i := range out.Items {
			if err := covers(&in.Items[i], &out.Items[i], fmt.Sprintf("%s[%d]", path, i)); err != nil {
				return err
			}
		}
	case jsontext.Object:
		for i := range out.Items {
			name := out.Items[i].Name
			member := in.Find(name)
			if member == nil {
				return fmt.Errorf("%w: %s is missing", errShape, join(path, name))
			}
			if err := covers(member, &out.Items[i], join(path, name)); err != nil {
				return err
			}
		}
	}
	return nil
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// sameNames refuses objects with names that differ in case alone: encoding/json would take one for the other.
func sameNames(v *jsontext.Value) error {
	if v.Kind == jsontext.Object && len(v.Items) > 1 {
		seen := make(map[string]struct{}, len(v.Items))
		for i := range v.Items {
			name := v.Items[i].Name
			f := foldName(name)
			if _, ok := seen[f]; ok {
				return fmt.Errorf("%w: several members are %s but for their case", errShape, jsontext.Quote(name))
			}
			seen[f] = struct{}{}
		}
	}
	for i := range v.Items {
		if err := sameNames(&v.Items[i]); err != nil {
			return err
		}
	}
	return nil
}

// foldName maps names that are equal under Unicode case folding to one: of each letter, the lowest of its forms.
func foldName(s string) string {
	out := []rune(s)
	for i, r := range out {
		low := r
		for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
			low = min(low, f)
		}
		out[i] = low
	}
	return string(out)
}
