package polling

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/protocol/gridarena"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/replay"
)

// errNoRecord says that a match has left no record, or none yet.
var errNoRecord = errors.New("polling: the match has no record")

// story is what the record of one match tells, as far as it has been read. It is
// read on whenever somebody asks.
type story struct {
	match   string
	records referee.Store
	rules   replay.Resolver
	table   *game.Table // of the match; nil until it is known

	lock  chan struct{} // capacity 1: held while the record is read, or positions are looked at
	log   referee.Log
	lines int64 // read so far
	play  *replay.Playback
	taken int // events that are noted of those after the last complete step
	steps int // steps that are noted

	moves []gridarena.Played // of seats, in complete steps, in the order of the record
	waits []gridarena.Played // of a joint turn that is not complete: a secret of the seat that made it
	turns []int32            // after each step: how many of the steps before were seats'
	own   []int32            // moves, by seat
	keys  map[keyed]move
	last  referee.Event // the newest that is no seal
	out   game.Seat     // whose fault or claim was the newest; Spectator: nobody's
	left  game.SeatSet  // who has left
}

// keyed is a moveId of a seat.
type keyed struct {
	seat game.Seat
	id   string
}

// move is where an accepted move stands.
type move struct {
	revision int32 // what it was for
	action   game.Action
	raw      string // digest of it as it was sent, where that is not action
	at       referee.Time
	step     int   // complete ones by then
	moves    int   // of seats in them
	waits    bool  // it belongs to a joint turn that was not complete
	own      int32 // of its seat up to it
}

func newStory(match string, records referee.Store, rules replay.Resolver) *story {
	s := &story{match: match, records: records, lock: make(chan struct{}, 1), keys: map[keyed]move{}, out: game.Spectator}
	s.rules = func(name, version string, ruleset json.RawMessage) (t *game.Table, err error) {
		s.table, err = rules(name, version, ruleset)
		return s.table, err
	}
	return s
}

// read reads on and calls f, while nobody else does. The error is errNoRecord,
// the store's, that of a record that is wrong, or f's.
func (s *story) read(ctx context.Context, f func() error) error {
	select {
	case s.lock <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-s.lock }()
	if err := s.more(ctx); err != nil {
		return err
	}
	return f()
}

func (s *story) more(ctx context.Context) (err error) {
	if s.log == nil {
		log, err := s.records.Open(ctx, s.match)
		if err != nil { // and log may be anything
			return fmt.Errorf("polling: opening the record of %s: %w", s.match, err)
		}
		s.log = log
	}
	var buf bytes.Buffer
	lines := s.lines
	for line, err := range s.log.Read(ctx, lines) {
		if err != nil {
			return fmt.Errorf("polling: reading the record of %s: %w", s.match, err)
		}
		buf.Write(line)
		buf.WriteByte('\n')
		lines++
	}
	switch {
	case lines == 0:
		return errNoRecord
	case lines == s.lines:
		return nil
	case s.play == nil:
		s.play, err = replay.Open(&buf, s.rules, replay.PlaybackOptions{Reveal: true}) // each seat is shown its own
	default:
		err = s.play.Extend(&buf)
	}
	if err != nil {
		return fmt.Errorf("polling: the record of %s: %w", s.match, err)
	}
	s.lines = lines
	s.note()
	return nil
}

// note takes down what is new.
func (s *story) note() {
	if s.own == nil {
		start, _ := s.play.Start()
		s.own, s.turns = make([]int32, len(start.Seats)), []int32{0}
	}
	for ; s.steps < s.play.Len(); s.steps++ {
		step := s.play.Step(s.steps + 1)
		turn := s.turns[s.steps]
		if step.Moves[0].Seat.Valid() {
			turn++
		}
		s.turns = append(s.turns, turn)
		for i := s.taken; i < len(step.Events); i++ {
			s.event(&step.Events[i], i+1 < len(step.Events))
		}
		s.moves, s.waits, s.taken = append(s.moves, s.waits...), nil, 0
	}
	rest := s.play.Rest()
	for ; s.taken < len(rest); s.taken++ {
		s.event(&rest[s.taken], true)
	}
}

// event takes one down. It belongs to the step after s.steps; more says that others
// of that step follow.
func (s *story) event(e *referee.Event, more bool) {
	s.last = *e
	switch {
	case e.Kind == referee.KindClaim, e.Kind == referee.KindFault && e.X.Do == referee.DoForfeit:
		s.out = e.Seat
		if e.Kind == referee.KindClaim && (e.X == nil || e.X.Claim == referee.Resign || e.X.Claim == referee.Abandon) {
			s.left = s.left.With(e.Seat)
		}
	}
	if !e.Seat.Valid() || e.Kind != referee.KindMove && (e.Kind != referee.KindFault || e.Action == "") {
		return
	}
	m := move{revision: s.turns[s.steps], action: e.Action, at: e.Time, step: s.steps, moves: len(s.moves), waits: true}
	if s.play.Info().Hidden {
		m.revision = s.own[e.Seat]
	}
	s.waits = append(s.waits, gridarena.Played{Seat: e.Seat, Action: e.Action, At: e.Time})
	if !more {
		m.waits, m.step, m.moves = false, s.steps+1, len(s.moves)+len(s.waits)
	}
	s.own[e.Seat]++
	m.own = s.own[e.Seat]
	if e.Kind == referee.KindMove && e.X != nil && e.X.Key != "" {
		m.raw = e.X.Raw
		s.keys[keyed{e.Seat, e.X.Key}] = m
	}
}

// history gives the moves that a seat may know of after so many in complete
// steps, and with its own in one that waits for others.
func (s *story) history(seat game.Seat, moves int, waits ...gridarena.Played) []gridarena.Played {
	h := s.moves[:moves:moves]
	for _, p := range waits {
		if p.Seat == seat {
			h = append(h, p)
		}
	}
	return h
}

// same reports whether a request is the one that brought the move.
func (m *move) same(r *gridarena.Move) bool {
	if r.Revision != m.revision {
		return false
	}
	if m.raw == "" {
		return r.Action == m.action
	}
	sum := sha256.Sum256([]byte(r.Action))
	return base64.RawURLEncoding.EncodeToString(sum[:12]) == m.raw // as the referee shortens it
}

// turn counts as the revision of a seat does.
func (s *story) turn(seat game.Seat) int32 {
	if s.play.Info().Hidden {
		return s.own[seat]
	}
	return s.turns[s.steps]
}

// position gives what a seat was shown after so many steps, as it has to be shown
// whenever it is asked for: nothing counts that came later, but the draws of
// chance and the end by the rules, which are recorded with the step before them.
func (s *story) position(seat game.Seat, step int, waits bool) (gridarena.Position, error) {
	for !waits && step < s.steps && s.play.Step(step + 1).Moves[0].Seat == game.Chance {
		step++
	}
	if err := s.play.Seek(step); err != nil {
		return gridarena.Position{}, err
	}
	turn, _ := s.play.Turn()
	p := gridarena.Position{View: s.play.View(seat), Turn: s.turns[step], Seats: turn.Seats}
	if end := s.play.End(); end != nil && step == s.steps && !waits && end.Cause == referee.CausePlay {
		p.Result = s.result()
		return p, nil
	}
	if s.play.Info().Hidden {
		p.Seats &= game.Seats(seat)
	}
	if p.Open = turn.May(seat) && !waits; !p.Open {
		return p, nil
	}
	state, err := s.play.State()
	if err != nil {
		return p, err
	}
	p.Legal, p.Form = state.Legal(nil, seat), state.Form(seat)
	return p, nil
}

// final gives what a seat is shown of a match that is over, how ever it ended.
func (s *story) final(seat game.Seat) (gridarena.Position, error) {
	if err := s.play.Seek(s.steps); err != nil {
		return gridarena.Position{}, err
	}
	return gridarena.Position{View: s.play.View(seat), Turn: s.turn(seat), Result: s.result()}, nil
}

// lost is the result of a match that its host never brought to an end.
var lost = &referee.Result{Cause: referee.CauseVoid, Reason: "lost"}

// result gives how the match ended.
func (s *story) result() *referee.Result {
	end := s.play.End()
	if end == nil {
		return lost
	}
	r := &referee.Result{Cause: end.Cause, Reason: end.Reason, Returns: end.Ret, Scores: end.Scores, Places: end.Places, Seats: make([]referee.SeatResult, len(s.own))}
	if n := len(s.own); r.Returns == nil && r.Rated() {
		r.Returns = make([]float64, n) // zeros are not recorded
	}
	for i := range r.Seats {
		r.Seats[i].Moves = int(s.own[i])
		r.Seats[i].Out = game.Seat(i) == s.out && (r.Cause == referee.CauseForfeit || r.Cause == referee.CauseAbandonment) || s.left.Has(game.Seat(i))
	}
	return r
}
