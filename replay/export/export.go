// Package export writes records in formats of others, for programs that read
// those and know nothing of records: PGN for chess. Every game has the JSON of
// [replay.Playback.Export].
package export

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/chess"
	"github.com/matchreferee/arena/games/chess/eco"
	"github.com/matchreferee/arena/games/chess/pgn"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/replay"
)

// ErrGame is wrapped where a record is of another game than the format is for.
var ErrGame = errors.New("export: the record is not of that game")

// PGN gives a match of chess as far as it goes, each move as it was played, with
// what agents said about it as comments, the time that it took, and what the
// clock showed where there is one over several moves. The opening is named where book is not
// nil and has a name. The position of the playback stays.
func PGN(p *replay.Playback, book *eco.Book) (*pgn.Game, error) {
	if name := p.Info().Name; name != "chess" {
		return nil, fmt.Errorf("%w: %s", ErrGame, name)
	}
	start, at := p.Start()
	r := pgn.Record{Start: start.Position, Result: pgn.Unknown, Termination: pgn.Unterminated}
	r.Tags = tags(start, time.UnixMilli(int64(at)).UTC())
	var moves []string
	var clocks [2]clock
	for i := range clocks {
		clocks[i].Clock = start.Seats[i].Clock
	}
	for k := 1; k <= p.Len(); k++ {
		ply, err := plyOf(p.Step(k), &clocks)
		if err != nil {
			return nil, fmt.Errorf("export: step %d: %w", k, err)
		}
		r.Moves, moves = append(r.Moves, ply), append(moves, ply.UCI)
	}
	if end := p.End(); end != nil {
		r.Result, r.Termination = result(end), termination(end)
	}
	if book != nil && (start.Position == "" || start.Position == chess.StartFEN) {
		if o, ok := book.FindUCI(moves); ok {
			r.Tags = append(r.Tags, pgn.Tag{Name: "ECO", Value: o.Code}, pgn.Tag{Name: "Opening", Value: o.Name})
		}
	}
	return r.Game()
}

func tags(s *referee.Start, at time.Time) []pgn.Tag {
	list := []pgn.Tag{
		{Name: "Event", Value: s.ID}, {Name: "Date", Value: at.Format("2006.01.02")}, {Name: "UTCDate", Value: at.Format("2006.01.02")}, {Name: "UTCTime", Value: at.Format("15:04:05")},
	}
	for i, colour := range [...]string{"White", "Black"} {
		a := &s.Seats[i].Agent
		name := a.Name
		if name == "" {
			name = a.Slug
		}
		if name != "" {
			list = append(list, pgn.Tag{Name: colour, Value: name})
		}
		if a.Rating != 0 {
			list = append(list, pgn.Tag{Name: colour + "Elo", Value: strconv.FormatFloat(a.Rating, 'f', 0, 64)})
		}
	}
	if a, b := s.Seats[0].Clock, s.Seats[1].Clock; a == b {
		if control := timeControl(&a); control != "" {
			list = append(list, pgn.Tag{Name: "TimeControl", Value: control})
		}
	}
	return list
}

// timeControl writes what the tag of that name can say of a clock; "" for others.
func timeControl(c *referee.Clock) string {
	seconds := func(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', -1, 64) }
	switch {
	case c.Base > 0 && c.Move == 0 && c.Increment > 0:
		return seconds(c.Base) + "+" + seconds(c.Increment)
	case c.Base > 0 && c.Move == 0:
		return seconds(c.Base)
	case c.Base == 0 && c.Move > 0:
		return "1/" + seconds(c.Move) // a move in so many seconds
	}
	return ""
}

// clock counts what a seat has left of its time for all moves.
type clock struct {
	referee.Clock
	moves int
	used  time.Duration
}

func plyOf(s replay.Played, clocks *[2]clock) (pgn.Ply, error) {
	var ply pgn.Ply
	if len(s.Moves) != 1 || s.Moves[0].Seat < 0 || s.Moves[0].Seat > 1 {
		return ply, errors.New("not a ply of chess")
	}
	if err := json.Unmarshal([]byte(s.Moves[0].Action), &ply.UCI); err != nil {
		return ply, err
	}
	c := &clocks[s.Moves[0].Seat]
	c.moves++
	for i := range s.Events {
		e := &s.Events[i]
		used := time.Duration(e.Used) * time.Millisecond
		if e.Seat == s.Moves[0].Seat {
			c.used += used
		}
		if e.Action == s.Moves[0].Action && e.Seat == s.Moves[0].Seat {
			ply.Elapsed = game.Some(used)
			if e.X != nil {
				ply.Comment = e.X.Note
			}
		}
	}
	if c.Base > 0 {
		ply.Clock = game.Some(max(0, c.Base+time.Duration(c.moves)*c.Increment-c.used))
	}
	return ply, nil
}

func result(e *referee.End) pgn.Result {
	switch {
	case len(e.Ret) != 2:
		return pgn.Unknown
	case e.Ret[0] > e.Ret[1]:
		return pgn.WhiteWins
	case e.Ret[0] < e.Ret[1]:
		return pgn.BlackWins
	}
	return pgn.Draw
}

func termination(e *referee.End) pgn.Termination {
	switch e.Cause {
	case referee.CausePlay:
		return pgn.Normal
	case referee.CauseForfeit:
		switch e.Reason {
		case referee.Late.String():
			return pgn.TimeForfeit
		case referee.Unreachable.String(), referee.Disconnected.String():
			return pgn.Abandoned
		}
		return pgn.RulesInfraction
	case referee.CauseAdjudication:
		if e.Reason == "resignation" || e.Reason == "agreement" {
			return pgn.Normal
		}
		return pgn.Adjudication
	case referee.CauseAbandonment:
		return pgn.Abandoned
	case referee.CauseVoid:
		return pgn.Emergency
	}
	return pgn.Unterminated
}
