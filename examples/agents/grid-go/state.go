package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

const format = "grid-client/1"

// State is what has to outlive the process: requests that may be on their way, the
// match, the result. Never the key.
type State struct {
	Format    string `json:"format"`
	Base      string `json:"base"`
	Create    Create `json:"create"`
	MatchID   string `json:"matchId"`
	Move      *Move  `json:"move"`
	NotBefore int64  `json:"notBefore"` // in milliseconds since 1970, a Retry-After
	Over      *Over  `json:"over"`

	path string
}

// Create is the payload that begins the match.
type Create struct {
	Opponent  string `json:"opponent"`
	Name      string `json:"name"`
	AgentSeat int    `json:"agentSeat"`
	Control   string `json:"control"`
	Game      string `json:"game,omitempty"`
	RequestID string `json:"requestId"`
}

// Move is the payload of a move: a cell, or an action of another game.
type Move struct {
	Revision int             `json:"revision"`
	MoveID   string          `json:"moveId"`
	Row      *int            `json:"row,omitempty"`
	Col      *int            `json:"col,omitempty"`
	Action   json.RawMessage `json:"action,omitempty"`
}

// Over is how the match ended.
type Over struct {
	Status string          `json:"status"`
	Reason *string         `json:"reason"`
	Seat   *int            `json:"seat"`
	Scores json.RawMessage `json:"scores"`
}

// save returns when the state is on the disk: the file is the old one or the new
// one, never half of either.
func (s *State) save() error {
	b, err := encode(s)
	if err != nil {
		return err
	}
	beside := s.path + ".tmp"
	f, err := os.OpenFile(beside, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return stop{usage, err.Error()}
	}
	_, err = f.Write(append(b, '\n'))
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = os.Rename(beside, s.path)
	}
	if err == nil && runtime.GOOS != "windows" { // which flushes names by itself
		err = syncDir(filepath.Dir(s.path))
	}
	if err != nil {
		return stop{usage, err.Error()}
	}
	return nil
}

func syncDir(name string) error {
	d, err := os.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// load reads the file, if there is one, which must be of the match that s asks for.
func (s *State) load() error {
	b, err := os.ReadFile(s.path)
	if errors.Is(err, fs.ErrNotExist) {
		return s.save()
	}
	if err != nil {
		return stop{usage, err.Error()}
	}
	var found State
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	err = d.Decode(&found)
	_, more := d.Token()
	switch good := err == nil && errors.Is(more, io.EOF) && found.Format == format && found.Create.RequestID != ""; {
	case !good, found.Move != nil && found.Move.MoveID == "", found.Over != nil && found.Over.Status == "":
		return stop{usage, fmt.Sprintf("%s is no state file of %s", s.path, format)}
	}
	mine := s.Create
	mine.RequestID = found.Create.RequestID
	if mine != found.Create || s.Base != found.Base {
		return stop{usage, s.path + " is of another match: give it the options that it began with, or another file"}
	}
	found.path = s.path
	*s = found
	return nil
}

// encode gives JSON as it is sent and kept: '<' stays '<'.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}
