package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"
)

const (
	pace     = 2 * time.Second // from the end of one poll to the next while the opponent thinks
	refusals = 5               // conflicts in a row before it gives up
)

// Match is the match of a state.
type Match struct {
	api    *API
	state  *State
	held   bool      // the server holds polls, so that they need no pause
	polled time.Time // when the last poll that was told "ai" ended
}

// play plays to the end, wherever the match stands, and keeps how it ended.
func (m *Match) play(ctx context.Context) error {
	o, err := m.begin(ctx)
	refused := 0
	for err == nil && (o.Status == "agent" || o.Status == "ai") {
		if o.Status == "ai" {
			o, err = m.poll(ctx)
			continue
		}
		if err := m.decide(o); err != nil {
			return err
		}
		var taken bool
		if o, taken, err = m.submit(ctx); err != nil || taken {
			refused = 0
			continue
		}
		if refused++; refused > refusals {
			return stop{strange, "the server takes no move of ours"}
		}
		if refused > 1 {
			if err := sleep(ctx, pause(125*time.Millisecond, refused)); err != nil {
				return err
			}
		}
		o, err = m.reload(ctx, 0)
	}
	if err != nil {
		return err
	}
	m.state.Over = &Over{Status: o.Status, Reason: o.Reason, Seat: o.Seat, Scores: o.Scores}
	return m.state.save()
}

var matchID = regexp.MustCompile(`^[A-Za-z0-9_:-][A-Za-z0-9_.:-]{0,127}$`)

// begin gives an observation to start from: it creates the match, sends a move
// that may not have arrived, or looks.
func (m *Match) begin(ctx context.Context) (Observation, error) {
	if m.state.MatchID != "" {
		say("going on with match %s", m.state.MatchID)
		if m.state.Move != nil {
			if o, taken, err := m.submit(ctx); taken || err != nil {
				return o, err
			}
		}
		return m.reload(ctx, 0)
	}
	payload, err := encode(m.state.Create)
	if err != nil {
		return Observation{}, err
	}
	got, err := m.api.call(ctx, "", payload, 0)
	if err != nil {
		return Observation{}, err
	}
	o, err := observation(got)
	if err != nil {
		return o, err
	}
	if !matchID.MatchString(o.MatchID) {
		return o, stop{strange, "the server gave no match id"}
	}
	m.state.MatchID = o.MatchID
	say("match %s has begun", o.MatchID)
	return o, m.state.save()
}

func (m *Match) path() string { return "/" + url.PathEscape(m.state.MatchID) }

func (m *Match) reload(ctx context.Context, wait time.Duration) (Observation, error) {
	got, err := m.api.call(ctx, m.path(), nil, wait)
	if err != nil {
		return Observation{}, err
	}
	m.held = wait > 0 && strings.Contains(got.header.Get("Preference-Applied"), "wait")
	return observation(got)
}

// poll looks whether the opponent has moved, no faster than allowed.
func (m *Match) poll(ctx context.Context) (Observation, error) {
	if !m.held && m.polled.IsZero() {
		m.polled = time.Now() // the answer to our move said so
	}
	if !m.polled.IsZero() {
		if err := sleep(ctx, time.Until(m.polled.Add(pace))); err != nil {
			return Observation{}, err
		}
	}
	o, err := m.reload(ctx, hold)
	if m.polled = time.Now(); o.Status != "ai" {
		m.polled = time.Time{}
	}
	return o, err
}

// decide asks choose for a move, and saves it before anybody hears of it.
func (m *Match) decide(o Observation) error {
	move, err := choose(o)
	if err != nil {
		return stop{broken, "choose failed: " + plain(err.Error())}
	}
	legal := false
	for _, l := range o.LegalMoves {
		legal = legal || bytes.Equal(l, move)
	}
	if !legal {
		return stop{broken, fmt.Sprintf("choose gave %s, which is not legal", plain(string(move)))}
	}
	next := &Move{Revision: *o.Revision, MoveID: newID()}
	d := json.NewDecoder(bytes.NewReader(move))
	d.DisallowUnknownFields()
	var cell struct{ Row, Col *int }
	if d.Decode(&cell) == nil && cell.Row != nil && cell.Col != nil {
		next.Row, next.Col = cell.Row, cell.Col
	} else {
		next.Action = move
	}
	m.state.Move = next
	return m.state.save()
}

// submit sends the saved move, the same bytes however often. It is not taken where
// the position is not the one that it was for.
func (m *Match) submit(ctx context.Context) (o Observation, taken bool, err error) {
	payload, err := encode(m.state.Move)
	if err != nil {
		return o, false, err
	}
	got, err := m.api.call(ctx, m.path()+"/moves", payload, 0)
	if err != nil {
		return o, false, err
	}
	switch got.status {
	case http.StatusConflict:
		say("the move was not taken: %s", complaint(got.body))
	case http.StatusUnprocessableEntity:
		err = stop{broken, "the server refused the move: " + complaint(got.body)}
	default:
		if o, err = observation(got); err != nil {
			return o, false, err
		}
		taken = true
	}
	m.state.Move = nil
	if err := m.state.save(); err != nil {
		return o, false, err
	}
	return o, taken, err
}

// observation reads an answer that is to be one.
func observation(got *answer) (o Observation, err error) {
	switch got.status {
	case http.StatusOK, http.StatusCreated:
	case http.StatusUnauthorized, http.StatusForbidden:
		return o, stop{badKey, fmt.Sprintf("the server refused the key: %d %s", got.status, complaint(got.body))}
	default:
		return o, stop{strange, fmt.Sprintf("the server says %d %s", got.status, complaint(got.body))}
	}
	err = json.Unmarshal(got.body, &o)
	good := err == nil
	switch o.Status {
	case "agent":
		good = good && o.Revision != nil && len(o.LegalMoves) > 0
	case "ai", "completed", "expired", "failed":
	default:
		good = false
	}
	if !good {
		return Observation{}, stop{strange, "the server's answer is no observation"}
	}
	o.All = got.body
	return o, nil
}
