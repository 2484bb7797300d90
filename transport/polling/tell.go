package polling

import (
	"encoding/json"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/protocol/gridarena"
	"github.com/matchreferee/arena/referee"
)

// What the record of a match says of it, for agents and for everybody. All of it
// is called within story.read.

// terms gives what stays the same of the match for a seat.
func (s *story) terms(seat game.Seat) gridarena.Match {
	start, at := s.play.Start()
	info := start.Seats[seat]
	m := gridarena.Match{
		ID: start.ID, Info: s.play.Info(), Seat: seat, Control: controlOf(info.Clock), Clock: info.Clock, Started: at,
		Symbol: s.symbol(seat),
	}
	for i := range start.Seats { // the opponent, or the first of several
		if a := &start.Seats[i].Agent; game.Seat(i) != seat && a.House && a.Labels[labelPolicy] != "" {
			m.AIPolicy = json.RawMessage(a.Labels[labelPolicy])
			break
		}
	}
	return m
}

// symbol gives what the game calls a seat.
func (s *story) symbol(seat game.Seat) string {
	return s.table.Label(seat)
}

func controlOf(c referee.Clock) gridarena.Control {
	if c.Move > 0 {
		return gridarena.Production
	}
	return gridarena.Untimed
}

// observe makes the observation of a position that came about by these moves.
func (s *story) observe(seat game.Seat, p gridarena.Position, now referee.Time, history []gridarena.Played) (*gridarena.Observation, error) {
	m := s.terms(seat)
	return m.Observe(p, now, history)
}

// present makes the observation of the position that the record has come to.
func (s *story) present(seat game.Seat, p gridarena.Position, now referee.Time) (*gridarena.Observation, error) {
	p.Left = s.left.Has(seat)
	return s.observe(seat, p, now, s.history(seat, len(s.moves), s.waits...))
}

// answer makes the answer to an accepted move.
func (s *story) answer(seat game.Seat, m move) (*gridarena.Observation, error) {
	p, err := s.position(seat, m.step, m.waits)
	if err != nil {
		return nil, err
	}
	if s.play.Info().Hidden {
		p.Turn = m.own
	}
	s.due(seat, &p, m.at)
	h := s.history(seat, m.moves)
	if m.waits {
		h = append(h, gridarena.Played{Seat: seat, Action: m.action, At: m.at})
	}
	return s.observe(seat, p, m.at, h)
}

// first makes the answer to the request that began the match.
func (s *story) first(seat game.Seat) (*gridarena.Observation, error) {
	p, err := s.position(seat, 0, false)
	if err != nil {
		return nil, err
	}
	if s.play.Info().Hidden {
		p.Turn = 0
	}
	_, at := s.play.Start()
	s.due(seat, &p, at)
	o, err := s.observe(seat, p, at, nil)
	if err == nil {
		o.Notices = gridarena.Notices()
	}
	return o, err
}

// due sets the deadline of a turn that began at a moment.
func (s *story) due(seat game.Seat, p *gridarena.Position, at referee.Time) {
	start, _ := s.play.Start()
	if limit := start.Seats[seat].Clock.Move; p.Open && limit > 0 {
		p.Deadline = at + referee.Time(limit.Milliseconds())
	}
}

// agent gives the seat that polled in a match of which the store knows nothing.
func (s *story) agent(e Entry) game.Seat {
	if e.Match != "" {
		return game.Seat(e.Seat)
	}
	start, _ := s.play.Start()
	for i := range start.Seats {
		if !start.Seats[i].Agent.House {
			return game.Seat(i)
		}
	}
	return 0
}

// outline gives what the latest results say of the match.
func (s *story) outline(e Entry) (gridarena.Result, error) {
	start, at := s.play.Start()
	seat := s.agent(e)
	end := s.result()
	r := gridarena.Result{
		MatchID: start.ID, Game: start.Game, Name: start.Seats[seat].Agent.Name, Opponent: e.Opponent, AgentSeat: seat, Control: controlOf(start.Seats[seat].Clock),
		StartedAt: at, EndedAt: s.last.Time, Revision: s.turns[s.steps], End: gridarena.EndOf(seat, end),
	}
	p, err := s.final(seat)
	if err != nil {
		return r, err
	}
	o, err := s.present(seat, p, s.last.Time)
	if err != nil {
		return r, err
	}
	r.Scores = o.Scores
	return r, nil
}

// replay gives the match as everybody may see it, once it is over.
func (s *story) replay(e Entry) (*gridarena.Replay, error) {
	r, err := s.outline(e)
	if err != nil {
		return nil, err
	}
	seat := r.AgentSeat
	p, err := s.final(seat)
	if err != nil {
		return nil, err
	}
	o, err := s.present(seat, p, r.EndedAt) // fills in what each move earned
	if err != nil {
		return nil, err
	}
	start, _ := s.play.Start()
	out := &gridarena.Replay{
		MatchID: r.MatchID, BenchmarkVersion: o.BenchmarkVersion, Info: s.play.Info(), Ruleset: start.Ruleset, AgentSeat: seat,
		StartedAt: r.StartedAt, EndedAt: r.EndedAt, History: o.History, Scores: r.Scores, End: r.End,
		AIPolicy: o.AIPolicy, TimeControl: o.TimeControl,
	}
	for i := range start.Seats {
		a := &start.Seats[i].Agent
		out.Players = append(out.Players, gridarena.Player{Symbol: s.symbol(game.Seat(i)), Name: a.Name, House: a.House})
	}
	return out, nil
}
