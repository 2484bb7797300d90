package game

import (
	"errors"
	"fmt"

	"github.com/matchreferee/arena/internal/jsontext"
)

const maxJSON = 1 << 20 // bytes of JSON from outside

// Canonical reads data, whoever it is from, as a single JSON value and writes that as RFC 8785 has it. Malformed JSON, duplicate names in an object,
// anything but white space after the value, arrays and objects nested over 32 deep, invalid UTF-8, lone surrogates, numbers beyond a
// float64, more than 1 MiB and more than 65,536 values are errors. A byte-order mark in front is dropped. Numbers are float64 values, which is part of
// that form: 1.0 and 1e0 become 1, and integers beyond 2^53 may be rounded. The result is at most about six times as long as data
// (1e20 is written out), and shares no memory with it.
func Canonical(data []byte) (Action, error) {
	v, err := parseJSON(data)
	if err != nil {
		return "", err
	}
	return Action(v.AppendCanonical(make([]byte, 0, len(data)+8))), nil
}

var errJSONSize = errors.New("game: JSON: over 1 MiB")

func parseJSON(data []byte) (*jsontext.Value, error) {
	if len(data) > maxJSON {
		return nil, errJSONSize
	}
	v, err := jsontext.Parse(data, jsontext.Refuse)
	if err != nil {
		return nil, fmt.Errorf("game: JSON: %w", err)
	}
	return v, nil
}
