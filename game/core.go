package game

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"sync"
)

// New hides the types of rules behind a [Game]. A caller writes no type arguments, Go finds them: game.New(nim{Pile: 12}).
// The value given holds the default ruleset; it must not be changed afterwards.
func New[R Rules[S, A], S any, A comparable](defaults R) Game {
	return &erased[R, S, A]{defaults}
}

type erased[R Rules[S, A], S any, A comparable] struct{ defaults R }

func (g *erased[R, S, A]) Info() Info { return g.defaults.Info() }

func (g *erased[R, S, A]) Table(ruleset []byte) (*Table, error) {
	rules, err := decodeRuleset(g.defaults, ruleset)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrRuleset, err)
	}
	if v, ok := any(rules).(Validator); ok {
		if err := v.Validate(); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrRuleset, err)
		}
	}
	text, err := marshalMove(rules)
	if err != nil {
		return nil, fmt.Errorf("game: the ruleset is no JSON: %w", err)
	}
	if err := unfitForMoves(reflect.TypeFor[A](), "the move type"); err != nil {
		return nil, err
	}
	codec, err := newCodec[A](rules)
	if err != nil {
		return nil, err
	}
	info := rules.Info()
	if err := info.validate(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrRuleset, err)
	}
	c := &core[S, A]{codec: codec}
	c.assert(rules)
	return &Table{info: info, ruleset: []byte(text), features: c.features(), nearMisses: nearMisses[R, S, A], rules: c}, nil
}

// unfitForMoves refuses move types whose == can panic or that no JSON can make.
func unfitForMoves(t reflect.Type, where string) error {
	switch t.Kind() {
	case reflect.Interface, reflect.Chan, reflect.Func, reflect.UnsafePointer:
		return fmt.Errorf("game: %s has kind %s: moves must compare by value", where, t.Kind())
	case reflect.Array:
		return unfitForMoves(t.Elem(), where+"[]")
	case reflect.Struct:
		for f := range t.Fields() {
			if err := unfitForMoves(f.Type, where+"."+f.Name); err != nil {
				return err
			}
		}
	}
	return nil
}

// core is what the states of a table share: the rules, which of the optional interfaces they have, and the codec.
type core[S any, A comparable] struct {
	Rules[S, A]
	cloner     Cloner[S]
	checker    Checker[S, A]
	former     Former[S]
	defaulter  Defaulter[S, A]
	chancer    Chancer[S, A]
	asker      Asker[S]
	texter     Texter[S, A]
	parser     Parser[S, A]
	labeler    Labeler
	boarder    Boarder[S]
	drawer     Drawer[S]
	positioner Positioner[S]
	resampler  Resampler[S]
	forfeiter  Forfeiter[S]
	validator  Validator
	codec      *codec[A]
	lists      sync.Pool // of *[]A: so that reading a state needs no memory of the state's own
}

func (c *core[S, A]) assert(rules Rules[S, A]) {
	c.Rules = rules
	c.cloner, _ = rules.(Cloner[S])
	c.checker, _ = rules.(Checker[S, A])
	c.former, _ = rules.(Former[S])
	c.defaulter, _ = rules.(Defaulter[S, A])
	c.chancer, _ = rules.(Chancer[S, A])
	c.asker, _ = rules.(Asker[S])
	c.texter, _ = rules.(Texter[S, A])
	c.parser, _ = rules.(Parser[S, A])
	c.labeler, _ = rules.(Labeler)
	c.boarder, _ = rules.(Boarder[S])
	c.drawer, _ = rules.(Drawer[S])
	c.positioner, _ = rules.(Positioner[S])
	c.resampler, _ = rules.(Resampler[S])
	c.forfeiter, _ = rules.(Forfeiter[S])
	c.validator, _ = rules.(Validator)
	c.lists.New = func() any { return new([]A) }
}

func (c *core[S, A]) features() Features {
	return Features{
		Validator: c.validator != nil, Cloner: c.cloner != nil, Checker: c.checker != nil, Former: c.former != nil,
		Defaulter: c.defaulter != nil, Chancer: c.chancer != nil, Asker: c.asker != nil, Indexed: c.codec.indexed != nil,
		Texter: c.texter != nil, Parser: c.parser != nil, Labeler: c.labeler != nil, Boarder: c.boarder != nil, Drawer: c.drawer != nil,
		Positioner: c.positioner != nil, Resampler: c.resampler != nil, Forfeiter: c.forfeiter != nil,
	}
}

// ErrSetup is wrapped by the errors of [Table.Start] about the setup it was given.
var ErrSetup = errors.New("game: bad setup")

const maxPosition = 1 << 16 // bytes of Setup.Position

func (c *core[S, A]) start(info *Info, setup Setup) (position, error) {
	var errs []error
	if setup.Seats < info.MinSeats || setup.Seats > info.MaxSeats {
		errs = append(errs, fmt.Errorf("seats: %d, not %d to %d", setup.Seats, info.MinSeats, info.MaxSeats))
	}
	if len(setup.Names) > max(0, setup.Seats) {
		errs = append(errs, fmt.Errorf("names: %d of them for %d seats", len(setup.Names), setup.Seats))
	}
	if setup.Position != "" && c.positioner == nil {
		errs = append(errs, errors.New("position: this game has no notation for positions"))
	} else if len(setup.Position) > maxPosition {
		errs = append(errs, errors.New("position: over 64 KiB"))
	}
	if err := errors.Join(errs...); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSetup, err)
	}
	names := append(make([]string, 0, setup.Seats), setup.Names...)
	for i := len(names); i < setup.Seats; i++ {
		names = append(names, "seat "+strconv.Itoa(i))
	}
	setup.Names = names
	s, err := c.Start(setup)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSetup, err)
	}
	return &pos[S, A]{core: c, s: s}, nil
}

// copyState gives a copy of *s that shares nothing that changes.
func (c *core[S, A]) copyState(s *S) S {
	if c.cloner != nil {
		return c.cloner.Clone(s)
	}
	return *s
}

// release takes back the memory of a list that n moves were appended to, and sees that the next will fit.
// It never keeps a slice that the rules gave back: that may be their own.
func (c *core[S, A]) release(list *[]A, n int) {
	if n > cap(*list) {
		*list = make([]A, 0, n+n/2)
	}
	c.lists.Put(list)
}
