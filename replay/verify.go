package replay

import (
	"errors"
	"io"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/referee"
)

// Verify reads a record to its end and plays the match again by the rules that
// resolve finds; a nil resolve finds none. The error is not about the record: the
// reader failed, or the resolver. What is wrong with the record is in the report,
// which is then not nil; see [Report.Err].
//
// Memory holds one line and one position, however long the record is, and
// beside them what cannot be let go of: a position for each chance move, until
// the secret is revealed, and the idempotency keys of moves.
func Verify(r io.Reader, resolve Resolver) (*Report, error) {
	return (&Verifier{Resolve: resolve}).Verify(r)
}

// Verifier verifies one record after the other, in memory of its own that it
// uses again. The zero value has no rules. Not for concurrent use.
type Verifier struct {
	Resolve Resolver
	in      *Reader
	report  *Report
	match   *referee.Match // nil: not played again
	used    *referee.Match // the match of an earlier record
}

// Verify is the function of that name. Reports share no memory with one another.
func (v *Verifier) Verify(r io.Reader) (*Report, error) {
	if v.in == nil {
		v.in = NewReader(r)
	} else {
		v.in.reset(r)
	}
	v.report, v.match = &Report{}, nil
	in, rep := v.in, v.report
	err := v.read(in)
	rep.Events, rep.Head, rep.Root = in.Count(), in.Head(), in.Root()
	var fault *LineError
	switch {
	case errors.As(err, &fault) && errors.Is(err, ErrTorn):
		rep.Torn, rep.Status = true, Unfinished
	case fault != nil:
		rep.Fault, rep.Result = fault, nil
	case err != nil:
		return nil, err
	case rep.End == nil:
		rep.Status = Unfinished
	case !rep.Rerun:
		rep.Status = NotRerun
	default:
		rep.Status = Valid
	}
	return rep, nil
}

func (v *Verifier) read(in *Reader) error {
	for line, err := range in.All() {
		if err != nil {
			return err
		}
		if line.Seal != nil {
			v.report.Seal = line.Seal
			continue
		}
		if err := v.event(&line.Event); err != nil {
			return at(line.Num, err)
		}
	}
	return nil
}

// at gives the fault of a line. That of a chance move shows at the end event
// only, which reveals the secret.
func at(num int64, err error) error {
	var host *hostError
	if errors.As(err, &host) {
		return host.err
	}
	var draw *referee.DrawError
	if errors.As(err, &draw) {
		num = draw.Event + 1
	}
	return &LineError{Line: num, Err: err}
}

// hostError is no fault of the record.
type hostError struct{ err error }

func (e *hostError) Error() string { return e.err.Error() }

func (v *Verifier) event(e *referee.Event) error {
	r := v.report
	switch {
	case e.Kind == referee.KindStart:
		if err := v.begin(e); err != nil {
			return err
		}
	case v.match == nil && e.Time < r.Last:
		return errors.New("time runs backwards")
	}
	if v.match != nil {
		if err := v.match.Fold(e); err != nil {
			return err
		}
	}
	r.Last = e.Time
	switch e.Kind {
	case referee.KindStart:
		r.Start, r.At = e.X.Start, e.Time
	case referee.KindEnd:
		return v.end(e.X.End)
	}
	r.Counts.add(e)
	return nil
}

// begin finds the rules and makes the match that follows the record.
func (v *Verifier) begin(e *referee.Event) (err error) {
	defer rulesPanicked(&err)
	s := e.X.Start
	table, err := find(v.Resolve, s)
	if err != nil || table == nil {
		return err
	}
	if v.used == nil {
		v.used = new(referee.Match)
	}
	if err := v.used.Follow(s.Setup(table), s.Commit); err != nil {
		return err
	}
	v.match, v.report.Rerun = v.used, true
	return nil
}

// end looks at the revealed secret, and takes the result. The match, where
// there is one, has judged the rest.
func (v *Verifier) end(e *referee.End) error {
	r := v.report
	if referee.Commit(e.Secret, e.Salt) != r.Start.Commit {
		return errors.New("secret and salt do not open the commitment of the start event")
	}
	r.Opened, r.End = true, e
	if v.match != nil {
		r.Result, _ = v.match.Result()
	}
	return nil
}

func (c *Counts) add(e *referee.Event) {
	switch e.Kind {
	case referee.KindMove:
		switch e.Seat {
		case game.Chance:
			c.Draws++
		case game.Host:
			c.HostMoves++
		default:
			c.Moves++
		}
	case referee.KindFault:
		c.Faults++
		if e.Action != "" {
			c.Moves++
		}
	case referee.KindClaim:
		c.Claims++
	case referee.KindRule:
		c.Rulings++
	case referee.KindResume:
		c.Resumes++
	}
}
