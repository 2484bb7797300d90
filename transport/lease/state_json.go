package lease

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// ErrState is wrapped where a store holds something else than the state of a lease.
var ErrState = errors.New("lease: not the state of a lease")

// maxState is the most bytes of a state.
const maxState = 16 << 20

// decode reads what a store keeps.
func decode(b []byte) (*state, error) {
	s := &state{Version: version}
	if b == nil {
		return s, nil
	}
	if len(b) > maxState {
		return nil, fmt.Errorf("%w: %d bytes", ErrState, len(b))
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	s.Version = 0
	if err := d.Decode(s); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrState, err)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, fmt.Errorf("%w: there is more after it", ErrState)
	}
	if err := s.validate(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrState, err)
	}
	return s, nil
}

// validate finds what no step makes.
func (s *state) validate() error {
	if s.Version != version {
		return fmt.Errorf("version %d, not %d", s.Version, version)
	}
	if s.Token < 0 || s.Ticket < 0 || len(s.Served) > maxServed {
		return errors.New("a number is out of its range")
	}
	served := map[string]bool{}
	for _, a := range s.Served {
		if len(a) > maxName || served[a] {
			return fmt.Errorf("served: %.20q", a)
		}
		served[a] = true
	}
	keys := map[string]bool{}
	check := func(p *place, hold bool) error {
		switch {
		case p.Claim.validate() != nil || p.ID == "":
			return fmt.Errorf("claim %.20q", p.ID)
		case p.Key == "" || len(p.Key) > maxName || len(p.Owner) > maxName || keys[p.Key]:
			return fmt.Errorf("claim %.20q: key %.20q", p.ID, p.Key)
		case p.Ticket < 1 || p.Ticket > s.Ticket:
			return fmt.Errorf("claim %.20q: ticket %d", p.ID, p.Ticket)
		case hold && (p.Token < 1 || p.Token > s.Token), !hold && (p.Token != 0 || p.End != 0):
			return fmt.Errorf("claim %.20q: token %d", p.ID, p.Token)
		}
		keys[p.Key] = true
		return nil
	}
	for i := range s.Holds {
		if err := check(&s.Holds[i], true); err != nil {
			return err
		}
	}
	for i := range s.Waits {
		if err := check(&s.Waits[i], false); err != nil {
			return err
		}
	}
	return nil
}

// encode gives what a store is to keep: nil where that is what it has.
func (s *state) encode(was []byte) ([]byte, error) {
	b, err := json.Marshal(s)
	if err != nil {
		return nil, fmt.Errorf("lease: %w", err)
	}
	b = append(b, '\n')
	if bytes.Equal(b, was) {
		return nil, nil
	}
	return b, nil
}
