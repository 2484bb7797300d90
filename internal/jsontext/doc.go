// Package jsontext reads JSON texts from outside (RFC 8259) more strictly than the format asks, and writes strings, numbers and whole
// values in their canonical form (RFC 8785). It is what the rules, the record and the wire formats of this module share, so that no two
// of them take the same bytes for different things.
//
// Both readers, [Parse] and [ParseObject], refuse malformed text, names that stand twice in one object (however they are escaped),
// anything but white space after the value, and arrays and objects nested over [MaxDepth] deep. One byte-order mark in front is dropped.
// What is no Unicode is refused or replaced, as [Invalid] says. Neither bounds the length of its text: callers do, before they call.
//
// Results share no memory with the text that they were read from. Nothing here keeps state, so all of it may be used concurrently.
package jsontext

// Bounds of what is read.
const (
	MaxDepth  = 32      // arrays and objects inside one another
	MaxValues = 1 << 16 // values of a tree, those inside others counted
)

// Invalid says what becomes of text that is no Unicode: bytes that are no UTF-8, and escaped halves of surrogate pairs that stand alone.
type Invalid uint8

const (
	Refuse  Invalid = iota // an error; outside strings such bytes are one anyway
	Replace                // U+FFFD: one for each run of bytes, and one for each half
)

// Kind is the type of a value.
type Kind uint8

// The kinds of RFC 8259, booleans apart.
const (
	Null Kind = iota
	False
	True
	Number
	String
	Array
	Object
)

// String gives the kind with its article, as it stands in a sentence: "an array".
func (k Kind) String() string {
	return [...]string{"null", "a boolean", "a boolean", "a number", "a string", "an array", "an object"}[k]
}
