package referee

import (
	"errors"
	"fmt"
	"slices"

	"github.com/matchreferee/arena/game"
)

// Match decides about one match and does nothing else: what happens, and when,
// it is told by its caller. It is not for concurrent use.
//
// Every step takes the time and gives an [Output], whose Events must be on
// record, all or none of them, before anybody acts on the rest. Where writing
// them failed, this Match is of no more use: [Resume] makes another from the
// log. All change of state is a fold over events; a step only decides which
// events there are, so a record cut after any event resumes.
type Match struct {
	s     Setup
	info  game.Info
	state *game.State
	turn  game.Turn
	seats []seat

	start, last Time
	pos         int64        // events so far
	steps       int          // Applies so far
	moves       int32        // steps of seats: a joint turn is one
	open        game.SeatSet // asked, or to be asked when their pause is over
	shown       game.SeatSet // of those, the ones that Output.Open has told of
	out         game.SeatSet // eliminated
	in          game.SeatSet // joint turn: who has moved
	step        game.Step    // buffer of a joint Apply
	expiry      Time
	limitAt     Time // when Setup.MaxSteps was reached; 0: not
	limitTold   bool
	offer       offer
	ending      *ending      // decided, its event not yet recorded
	outcome     game.Outcome // of the rules
	result      *Result
	asked       map[int64]bool // host asks told of since Start or Resumed

	follow bool     // reading a record whose secret is not known yet
	draws  []draw   // chance moves to check when it is
	commit [32]byte // then known from the start event

	played  bool         // the move being recorded is already on the state
	opened  game.SeatSet // in this step, by time
	closed  game.SeatSet // to be told of, see seat.closedAsk
	events  []Event
	effects []Effect
	inStep  bool // a step has begun and not ended: the rules panicked in it, if it is none of ours
	folded  int  // events of the step that have been applied whole

	// kept from one match to the next where memory is used again
	first   *game.State
	ruleset []byte
	names   []string

	bodies *bodies
	unseen bool                // nobody sees the events
	filter func(string) string // of an agent's words; nil: they stay as they are
}

// bodies are the rare parts of the first and the last event.
type bodies struct {
	start  Start
	startX Extra
	end    End
	endX   Extra
}

// ending is an end that has been decided.
type ending struct {
	cause   Cause
	reason  string
	by      string
	outcome *game.Outcome // nil: no winner
	out     game.SeatSet
}

// New makes a match that is about to start. It returns one error for each bad
// field, joined.
func New(s Setup) (*Match, error) { return Resume(s, nil) }

// init makes m, whatever it was before, a match that is about to start.
func (m *Match) init(s Setup) error {
	m.names = s.fill(m.names)
	if err := s.validate(); err != nil {
		return fmt.Errorf("referee: bad setup: %w", err)
	}
	if err := m.initState(&s); err != nil {
		return fmt.Errorf("referee: bad setup: start: %w", err)
	}
	if err := s.validateSeats(s.Table.Features().Defaulter); err != nil {
		return fmt.Errorf("referee: bad setup: %w", err)
	}
	*m = Match{s: s, info: m.info, state: m.state, first: m.first, ruleset: m.ruleset, names: m.names,
		seats: m.seats[:0], events: m.events[:0], effects: m.effects[:0], step: m.step[:0], bodies: m.bodies,
		expiry: never, offer: offer{by: game.Spectator}}
	m.seats = slices.Grow(m.seats, len(s.Seats))[:len(s.Seats)]
	if m.events == nil {
		m.events, m.effects, m.bodies = make([]Event, 0, 3), make([]Effect, 0, 1), new(bodies)
	}
	for i := range m.seats {
		m.seats[i] = seat{info: &m.s.Seats[i], due: never}
	}
	return nil
}

// initState makes the first state, again from what the match before it had where
// it started from the same.
func (m *Match) initState(s *Setup) error {
	if m.first != nil && m.s.Table == s.Table && m.s.Start.Seats == s.Start.Seats && m.s.Start.Position == s.Start.Position && slices.Equal(m.s.Start.Names, s.Start.Names) {
		m.state.Set(m.first)
		return nil
	}
	first, err := s.Table.Start(s.Start)
	if err != nil {
		return err
	}
	m.first, m.state = first, first.Clone()
	m.info, m.ruleset = s.Table.Info(), s.Table.Ruleset()
	return nil
}

// ErrOver says that the match is over.
var ErrOver = errors.New("referee: the match is over")

// ID gives the match's id.
func (m *Match) ID() string { return m.s.ID }

// Setup gives what the match started from. Its slices are the match's own.
func (m *Match) Setup() Setup { return m.s }

// Len is how many events there have been: the position of the next one.
func (m *Match) Len() int64 { return m.pos }

// Result gives how the match ended; false while it has not.
func (m *Match) Result() (*Result, bool) { return m.result, m.result != nil }

// Start begins the match: the start event, and what follows from it.
func (m *Match) Start(now Time) Output {
	m.begin(now)
	if m.pos == 0 {
		e := Event{Kind: KindStart}
		if !m.unseen {
			m.startBody(&m.bodies.start)
			m.bodies.startX.Start = &m.bodies.start
			e.X = &m.bodies.startX
		}
		m.record(e)
		m.settle()
	}
	return m.output()
}

// commitment is the start event's: that of a record whose secret is not known
// yet, or of the secret.
func (m *Match) commitment() [32]byte {
	if m.follow {
		return m.commit
	}
	return Commit(m.s.Secret, m.s.Salt)
}

func (m *Match) startBody(s *Start) {
	*s = Start{ID: m.s.ID, Game: m.info.Name, Version: m.info.Version, Ruleset: m.ruleset, Position: m.s.Start.Position,
		Seats: m.s.Seats, Max: m.s.MaxSteps, Commit: m.commitment(), Lib: "arena"}
	for i, n := range m.s.Start.Names {
		if n != m.s.Seats[i].Agent.Name {
			s.Names = m.s.Start.Names
			break
		}
	}
}

// Resumed is the first step after [Resume]. Its event takes a place in the log,
// so that a referee which still holds the match can write no more. What is
// missing of a torn batch is added, open requests are open again, and each has
// its whole move time from now.
func (m *Match) Resumed(now Time) Output {
	m.begin(now)
	if m.result == nil {
		m.shown, m.closed, m.limitTold, m.asked = 0, 0, false, nil
		m.record(Event{Kind: KindResume, X: &Extra{At: now}})
		m.settle()
	}
	return m.output()
}

// begin readies the buffers of a step and moves time on, never back.
func (m *Match) begin(now Time) {
	m.events, m.effects, m.opened = m.events[:0], m.effects[:0], 0
	m.last = max(m.last, now)
	m.inStep, m.folded = true, 0
}

// record decides an event: it joins the batch and is folded in.
func (m *Match) record(e Event) {
	e.Time = m.last
	m.events = append(m.events, e)
	m.apply(&m.events[len(m.events)-1])
	m.folded = len(m.events)
}
