package replay

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/referee"
)

// Playback is a record opened for looking at: it stands at one step of the match
// and goes to any other. Steps are counted as in [game.State.Steps]: after step
// 0 nothing has been played; each Apply is one, a joint turn as a whole.
//
// While a match with secrets runs, its record holds what most may not know.
// Until the end event is there, a Playback of it shows public views alone, and
// of steps that there are so many, unless it was opened with Reveal.
//
// It holds the events of the record and some positions. Not for concurrent use.
type Playback struct {
	opts    PlaybackOptions
	resolve Resolver
	chain   chain
	half    []byte // a line whose end has not come yet
	lines   int64
	err     error // of a line: final

	begun  referee.Event
	table  *game.Table
	info   game.Info
	steps  []Played
	marks  []*game.State // after each mark steps, the start first
	last   *game.State   // after all steps
	joint  game.Step     // moves of a joint turn that is not complete
	events []referee.Event
	end    *referee.End
	seal   *Seal

	at  int
	now *game.State // after at steps
}

// PlaybackOptions set up [Open]. The zero value is good.
type PlaybackOptions struct {
	// Reveal shows everything also of a match with secrets that still runs. It is
	// for the host's own eyes.
	Reveal bool
}

// Played is one step of a match, with what was recorded on the way to it.
type Played struct {
	Moves  game.Step       // by seat; nil where they are not to be seen yet
	Text   []string        // of the moves, as the game writes them in the position where they were played
	Events []referee.Event // since the step before, the moves' own among them, in the order of the record; nil as Moves
	Time   referee.Time    // when the step was complete, Unix milliseconds; 0 as Moves: how long anybody took is a secret too
}

// maxIdle is how often a reader may give neither bytes nor an error.
const maxIdle = 100

// mark is how many steps lie between two positions that are kept.
const mark = 16

// ErrSeek says that a match has no such step.
var ErrSeek = errors.New("replay: there is no such step")

// Open reads a record, however far it goes, and stands at step 0. The rules are
// what resolve finds; without them nothing can be shown, which is
// [ErrUnknownRules]. Other errors are the reader's, or a [*LineError] of a line
// that is wrong; lines are checked as [Reader] does it, and moves by the rules.
// What only the referee decides is taken as recorded: [Verify] judges that.
func Open(r io.Reader, resolve Resolver, o PlaybackOptions) (*Playback, error) {
	p := &Playback{opts: o, resolve: resolve}
	if err := p.Extend(r); err != nil {
		return nil, err
	}
	if p.lines == 0 {
		return nil, fmt.Errorf("%w: it has no line yet", ErrUnfinished)
	}
	return p, nil
}

// Extend reads on: what has been added to the record since, from where the bytes
// ended that were read before. Half a line is kept until its other half comes.
// The position stays. Errors are as those of [Open]; that of a line is final.
func (p *Playback) Extend(r io.Reader) error {
	if p.err != nil {
		return p.err
	}
	size := 32 << 10
	if left, ok := r.(interface{ Len() int }); ok { // as of bytes.Reader
		size = min(size, left.Len()+1)
	}
	buf := make([]byte, size)
	for idle := 0; ; {
		n, err := r.Read(buf)
		if idle++; n > 0 || err != nil {
			idle = 0
		} else if idle == maxIdle {
			return fmt.Errorf("replay: reading line %d: %w", p.lines+1, io.ErrNoProgress)
		}
		if e := p.feed(buf[:n]); e != nil {
			p.err = e
			return e
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("replay: reading line %d: %w", p.lines+1, err)
		}
	}
}

func (p *Playback) feed(b []byte) error {
	for {
		i := bytes.IndexByte(b, '\n')
		if i < 0 {
			p.half = append(p.half, b...)
			if len(p.half) > referee.MaxLine {
				return &LineError{Line: p.lines + 1, Err: fmt.Errorf("%w: more than %d bytes", ErrTooLong, referee.MaxLine)}
			}
			return nil
		}
		line := b[:i]
		if len(p.half) > 0 {
			p.half = append(p.half, line...)
			line = p.half
		}
		if p.lines == MaxLines {
			return &LineError{Line: p.lines + 1, Err: fmt.Errorf("%w: more than %d lines", ErrTooLong, MaxLines)}
		}
		l := Line{Num: p.lines + 1, Bytes: line}
		if err := p.chain.take(&l); err != nil {
			return err
		}
		if l.Seal != nil {
			p.seal = l.Seal
		} else if err := p.event(&l.Event); err != nil {
			return at(l.Num, err)
		}
		p.lines++
		p.half = p.half[:0]
		b = b[i+1:]
	}
}

// event takes the next event of the record.
func (p *Playback) event(e *referee.Event) error {
	switch {
	case e.Kind == referee.KindStart:
		return p.begin(e)
	case e.Kind == referee.KindEnd:
		p.end = e.X.End
	}
	p.events = append(p.events, *e)
	if e.Kind != referee.KindMove && (e.Kind != referee.KindFault || e.Action == "") {
		return nil
	}
	return p.move(game.Move[game.Action]{Seat: e.Seat, Action: e.Action}, e.Time)
}

func (p *Playback) begin(e *referee.Event) (err error) {
	defer rulesPanicked(&err)
	p.begun = *e
	s := e.X.Start
	table, err := find(p.resolve, s)
	if err != nil {
		return err
	}
	if table == nil {
		return &hostError{fmt.Errorf("%w: %s %s", ErrUnknownRules, word(s.Game), word(s.Version))}
	}
	p.table, p.info = table, table.Info()
	setup := s.Setup(table).Start
	if setup.Names == nil { // as the referee fills it in: views show them
		for i := range s.Seats {
			setup.Names = append(setup.Names, s.Seats[i].Agent.Name)
		}
	}
	p.last, err = table.Start(setup)
	if err != nil {
		return err
	}
	p.now = p.last.Clone()
	p.marks = []*game.State{p.last.Clone()}
	return nil
}

// move plays a move, or keeps it until its joint turn is complete.
func (p *Playback) move(m game.Move[game.Action], t referee.Time) (err error) {
	defer rulesPanicked(&err)
	turn := p.last.Turn()
	p.joint = append(p.joint, m)
	if m.Seat >= 0 && turn.Mode == game.Joint && turn.Seats.Len() > len(p.joint) {
		return nil
	}
	played := Played{Moves: p.joint, Events: p.events, Time: t}
	sortBySeat(played.Moves)
	for _, m := range played.Moves {
		played.Text = append(played.Text, p.last.Text(m.Action))
	}
	if err := p.last.Apply(played.Moves); err != nil {
		return err
	}
	p.steps = append(p.steps, played)
	p.joint, p.events = nil, nil
	if len(p.steps)%mark == 0 {
		p.marks = append(p.marks, p.last.Clone())
	}
	return nil
}

func sortBySeat(s game.Step) {
	for i := range s { // few, and almost sorted
		for j := i; j > 0 && s[j].Seat < s[j-1].Seat; j-- {
			s[j], s[j-1] = s[j-1], s[j]
		}
	}
}

// rulesPanicked makes an error of a panic of the rules.
func rulesPanicked(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("the rules panicked: %v", p)
	}
}

// Len is how many steps there are so far.
func (p *Playback) Len() int { return len(p.steps) }

// At is the step at which the playback stands, from 0 to Len.
func (p *Playback) At() int { return p.at }

// Seek goes to a step, forwards or back, replaying at most a few. The error is
// [ErrSeek], and the position stays.
func (p *Playback) Seek(step int) error {
	if step < 0 || step > len(p.steps) {
		return fmt.Errorf("%w: %d, they are 0 to %d", ErrSeek, step, len(p.steps))
	}
	if m := step / mark; step < p.at || m > p.at/mark {
		p.now.Set(p.marks[m])
		p.at = m * mark
	}
	for ; p.at < step; p.at++ {
		if err := p.now.Apply(p.steps[p.at].Moves); err != nil {
			panic(fmt.Sprintf("replay: the rules refuse a step that they took: %v", err))
		}
	}
	return nil
}

// Next goes one step on; false at the end.
func (p *Playback) Next() bool { return p.Seek(p.at+1) == nil }

// Prev goes one step back; false at the beginning.
func (p *Playback) Prev() bool { return p.Seek(p.at-1) == nil }

// All goes through the steps from the beginning, standing after each when it is
// given with its number, from 1.
func (p *Playback) All() iter.Seq2[int, Played] {
	return func(yield func(int, Played) bool) {
		for k := 1; k <= len(p.steps); k++ {
			if p.Seek(k) != nil || !yield(k, p.Step(k)) {
				return
			}
		}
	}
}

// Step gives step k, from 1 to Len: what led from the position after k-1 steps
// to that after k. It panics outside. Read only.
func (p *Playback) Step(k int) Played {
	s := p.steps[k-1]
	if p.secret() {
		return Played{}
	}
	return s
}

// secret tells whether what seats know is kept back.
func (p *Playback) secret() bool { return p.info.Hidden && p.end == nil && !p.opts.Reveal }
