package game

import (
	"bytes"
	"encoding/json"
)

// Opt is for a member of a move that may be missing, or be null, or hold a T. Two of them are == if they hold the same, which pointers would not be.
// Tag its field omitzero, so that an absent one is left out. The zero value is absent.
type Opt[T comparable] struct {
	v    T
	kind optKind
}

type optKind uint8

const (
	optAbsent optKind = iota
	optNull
	optValue
)

// Some gives the Opt that holds v.
func Some[T comparable](v T) Opt[T] { return Opt[T]{v: v, kind: optValue} }

// Null gives the Opt that is null.
func Null[T comparable]() Opt[T] { return Opt[T]{kind: optNull} }

// Get gives the value; ok is false where it is absent or null.
func (o Opt[T]) Get() (v T, ok bool) { return o.v, o.kind == optValue }

// IsNull reports whether it is there and null.
func (o Opt[T]) IsNull() bool { return o.kind == optNull }

// IsZero reports whether it is absent; encoding/json asks it for omitzero.
func (o Opt[T]) IsZero() bool { return o.kind == optAbsent }

// MarshalJSON gives null, or the JSON of the value. An absent Opt is null too where it is not left out.
func (o Opt[T]) MarshalJSON() ([]byte, error) {
	if o.kind != optValue {
		return []byte("null"), nil
	}
	return marshalPlain(o.v)
}

// UnmarshalJSON reads null or a value; on error *o is unchanged.
func (o *Opt[T]) UnmarshalJSON(data []byte) error {
	if bytes.Equal(bytes.TrimSpace(data), []byte("null")) {
		*o = Null[T]()
		return nil
	}
	var v T
	if err := json.Unmarshal(data, &v); err != nil {
		return err
	}
	*o = Some(v)
	return nil
}

// marshalPlain is json.Marshal that leaves <, > and & as they are: whoever marshals what holds the result decides.
func marshalPlain(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
