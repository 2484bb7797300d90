package polling

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/protocol/gridarena"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport"
)

// beginTime bounds how long a match may take to begin.
const beginTime = 20 * time.Second

// create begins a match, or answers again to a request that has begun one.
func (t *Transport) create(c *call) (*reply, error) {
	body, err := t.body(c, false)
	if err != nil {
		return nil, err
	}
	want, bad := gridarena.DecodeCreate(body)
	if bad != nil {
		return nil, bad
	}
	id, err := t.ask(c.r.Context(), c.grant, want)
	if err != nil {
		return nil, err
	}
	m, e, ok := t.find(id)
	if !ok {
		return nil, fmt.Errorf("polling: match %s is gone", id)
	}
	var o *gridarena.Observation
	if err := m.story.read(c.r.Context(), func() (err error) {
		o, err = m.story.first(game.Seat(e.Seat))
		return err
	}); errors.Is(err, errNoRecord) {
		return nil, notYet()
	} else if err != nil {
		return nil, err
	}
	a := shown(http.StatusCreated, o)
	a.location = t.o.Prefix + "/matches/" + id
	return a, nil
}

// ask gives the id of the match that a request begins or has begun. The error is a
// [*gridarena.Problem] where it is refused.
func (t *Transport) ask(ctx context.Context, g *transport.Grant, want *gridarena.Create) (string, error) {
	opponent, table, bad := t.wanted(want)
	if bad != nil {
		return "", bad
	}
	if seats := seatsOf(table.Info()); int(want.AgentSeat) >= seats {
		return "", field(gridarena.CodeMalformed, "agentSeat", fmt.Sprintf("the game has the seats 0 to %d", seats-1))
	}
	_, clock := gridarena.Policy(want.Control)
	hash, now := want.Hash(), t.o.Now()
	e := Entry{
		Match: newID(), Account: g.Owner(), Agent: g.Agent.Slug, Opponent: want.Opponent, Game: table.Info().Name, Control: string(want.Control),
		Seat: int(want.AgentSeat), Heavy: opponent.Heavy, Request: want.RequestID, Payload: hex.EncodeToString(hash[:]),
		Created: now, Expires: now.Add(clock.Expiry),
	}
	// What is begun is not left half done because its sender goes.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), beginTime)
	defer cancel()
	return t.begin(ctx, e, start(g.Agent, want, e, opponent, table))
}

// wanted finds what a request asks for.
func (t *Transport) wanted(want *gridarena.Create) (*Opponent, *game.Table, *gridarena.Problem) {
	opponent, ok := t.o.Opponents[want.Opponent]
	if !ok {
		return nil, nil, field(gridarena.CodeUnknownOpponent, "opponent", "there is no such opponent here")
	}
	name := want.Game
	if name == "" {
		name = opponent.Game
	}
	if opponent.Game != "" && name != opponent.Game {
		return nil, nil, field(gridarena.CodeUnknownOpponent, "opponent", "this opponent plays another game")
	}
	for _, g := range t.o.Games {
		if name != "" && g.Info().Name != name {
			continue
		}
		table, err := g.Table(want.Ruleset)
		if err != nil {
			return nil, nil, field(gridarena.CodeUnknownGame, "ruleset", "the game does not know this ruleset")
		}
		return &opponent, table, nil
	}
	return nil, nil, field(gridarena.CodeUnknownGame, "game", "there is no such game here")
}

func field(code gridarena.Code, name, detail string) *gridarena.Problem {
	p := gridarena.NewProblem(code, detail)
	p.Errors = []gridarena.FieldError{{Field: name, Detail: detail}}
	return p
}

// seatsOf is how many seats a match has: two where the game allows it.
func seatsOf(i game.Info) int { return max(i.MinSeats, min(2, i.MaxSeats)) }

// newID gives a match's id: a random UUID.
func newID() string {
	var b [16]byte
	rand.Read(b[:])
	return uuid(b, 4)
}

// uuid writes a UUID of a version (RFC 9562).
func uuid(b [16]byte, version byte) string {
	b[6], b[8] = b[6]&0x0f|version<<4, b[8]&0x3f|0x80
	s := hex.EncodeToString(b[:])
	return s[:8] + "-" + s[8:12] + "-" + s[12:16] + "-" + s[16:20] + "-" + s[20:]
}

// start says what the host is to begin.
func start(agent referee.Agent, want *gridarena.Create, e Entry, opponent *Opponent, table *game.Table) Start {
	agent.House = false
	if want.Name != "" {
		agent.Name = want.Name
	}
	s := Start{Match: e.Match, Game: e.Game, Ruleset: table.Ruleset(), Account: e.Account, Opponent: want.Opponent}
	for i := range seatsOf(table.Info()) {
		seat := Seat{Agent: opponent.Agent}
		seat.Policy, seat.Clock = gridarena.HousePolicy()
		if i == e.Seat {
			seat.Agent = agent
			seat.Policy, seat.Clock = gridarena.Policy(want.Control)
		}
		s.Seats = append(s.Seats, seat)
	}
	return s
}

// begin gives the id of the match that a request begins or has begun.
func (t *Transport) begin(ctx context.Context, e Entry, s Start) (string, error) {
	gated := t.o.Opponents[s.Opponent].Gated
	if t.draining() {
		return "", later(gridarena.CodeClosing, "the server shuts down", 10*time.Second)
	}
	place, err := t.admission.reserve(ctx, e, gated)
	if err != nil {
		return "", err
	}
	if place.again {
		return place.Match, nil
	}
	m := t.awaits(e.Match)
	err = t.o.Start(ctx, s)
	if err == nil {
		err = m.begins(ctx, game.Seat(e.Seat))
	}
	if errors.Is(err, errNoRecord) { // it was seated: the host begins it when it can be recorded, and so it keeps its place
		t.o.Failed(errors.Join(fmt.Errorf("polling: beginning match %s: %w", m.id, err), place.commit(context.WithoutCancel(ctx))))
		return "", notYet()
	}
	if err != nil {
		return "", t.failed(ctx, place, m, err)
	}
	if err := place.commit(ctx); err != nil {
		t.o.Failed(err) // it is at play, and has its place; a restart finds that out
	}
	return e.Match, nil
}

// begins waits until the first line is recorded.
func (m *match) begins(ctx context.Context, seat game.Seat) error {
	if m.comes(ctx, seat, beginTime) == nil && !m.isOver() {
		return errors.New("polling: the match took too long to begin")
	}
	return m.story.read(ctx, func() error { return nil })
}

// failed gives the place of a match back that did not begin. Where a line of it is
// recorded all the same, it keeps its place.
func (t *Transport) failed(ctx context.Context, place *reservation, m *match, why error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeTime)
	defer cancel()
	err := m.story.read(ctx, func() error { return nil })
	if errors.Is(err, errNoRecord) {
		t.drop(m)
		err = place.cancel(ctx)
	} else {
		err = errors.Join(err, place.commit(ctx))
	}
	t.o.Failed(errors.Join(fmt.Errorf("polling: beginning match %s: %w", m.id, why), err))
	return notYet()
}

func notYet() error {
	return later(gridarena.CodeFull, "the match could not begin; send the same request again", 10*time.Second)
}
