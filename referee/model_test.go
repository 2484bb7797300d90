package referee_test

import (
	"fmt"
	"slices"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/referee"
)

// model is the referee once more, naive and slow: a list of what has been recorded, from whose beginning every question is answered anew.
type model struct {
	setup   referee.Setup
	history []entry
	now     referee.Time
	shown   map[game.Seat]int32 // what the seats have been told of, since the start or the last resume
	paused  map[game.Seat]int32 // requests whose pause ended in the step at hand
	warned  map[game.Seat]int32
	asked   map[int64]bool
	limited bool
	told    []string // what the step at hand has told, as effectText writes it
}

const none = referee.Time(-1)

// entry is one recorded event.
type entry struct {
	at     referee.Time
	kind   referee.Kind
	seat   game.Seat
	ask    int32
	used   referee.Time
	action game.Action
	sentAs game.Action // move: before the rules made it canonical
	key    string
	ref    bool
	fault  referee.Fault
	do     referee.Do
	claim  referee.Claim
	ruling referee.Ruling
	end    *ending
}

type ending struct {
	cause   referee.Cause
	reason  string
	by      string
	outcome *game.Outcome
	out     game.SeatSet
}

// world is what the history amounts to.
type world struct {
	m       *model
	state   *game.State
	sealed  map[game.Seat]game.Action
	seats   []chair
	steps   int
	moves   int32
	start   referee.Time
	limitAt referee.Time
	offer   game.Seat // Spectator: none
	yes     game.SeatSet
	decided *ending // by an event, not yet recorded as the end
	end     *ending // recorded
}

type chair struct {
	info       referee.SeatInfo
	ask, nth   int32
	request    *request
	strikes    int
	faults     [11]int
	used       referee.Time
	notes      int
	gones      int
	says       int
	gone       bool
	goneSince  referee.Time
	out        bool
	offeredNth int32
}

type request struct {
	turn      int32
	opens     referee.Time
	sent      referee.Time
	turnBegan referee.Time
	retries   int
}

// world computes everything from the history.
func (m *model) world() *world {
	state, err := m.setup.Table.Start(game.Setup{Seats: len(m.setup.Seats)})
	if err != nil {
		panic(err)
	}
	w := &world{m: m, state: state, sealed: map[game.Seat]game.Action{}, limitAt: none, offer: game.Spectator}
	for _, info := range m.setup.Seats {
		w.seats = append(w.seats, chair{info: info, offeredNth: -1})
	}
	for i := range m.history {
		w.happened(&m.history[i])
	}
	return w
}

func (w *world) happened(e *entry) {
	switch e.kind {
	case referee.KindStart:
		w.start = e.at
		w.enter(game.Turn{}, e.at)
	case referee.KindSent:
		r := w.seats[e.seat].request
		r.sent = e.at
		if r.turnBegan == none {
			r.turnBegan = e.at
		}
	case referee.KindMove:
		w.moved(e)
	case referee.KindFault:
		w.faulted(e)
	case referee.KindGone:
		c := &w.seats[e.seat]
		c.gone, c.goneSince, c.gones = true, e.at, c.gones+1
	case referee.KindBack:
		w.seats[e.seat].gone = false
	case referee.KindClaim:
		w.claimed(e)
	case referee.KindRule:
		w.decided = w.ruled(e.ruling)
	case referee.KindSay:
		w.seats[e.seat].says++
	case referee.KindResume:
		w.resumed(e.at)
	case referee.KindEnd:
		w.end, w.decided = e.end, nil
		for i := range w.seats {
			w.seats[i].request = nil
		}
	}
}

// enter looks at a new turn: in a turn of the same kind that goes on, open requests stay; all others close; who is to move and has none gets one.
func (w *world) enter(before game.Turn, at referee.Time) {
	turn := w.state.Turn()
	goesOn := turn.Mode != game.Joint && turn.Mode == before.Mode && turn.Phase == before.Phase && w.limitAt == none
	for i := range w.seats {
		c := &w.seats[i]
		if !goesOn || !turn.Seats.Has(game.Seat(i)) {
			c.request = nil
		}
		if turn.Seats.Has(game.Seat(i)) && c.request == nil && !c.out && w.limitAt == none {
			c.ask++
			c.notes, c.gones, c.says = 0, 0, 0
			c.request = &request{opens: at, sent: none, turnBegan: none, turn: w.moves}
			if w.m.setup.Table.Info().Hidden {
				c.request.turn = c.nth
			}
			if c.info.Clock.Starts == referee.AtOpen {
				c.request.turnBegan = at
			}
		}
	}
}

func (w *world) moved(e *entry) {
	if e.seat < 0 {
		w.play(e.seat, e.action, e.at)
		return
	}
	c := &w.seats[e.seat]
	c.used += e.used
	c.nth++
	if !c.out && w.offer != game.Spectator && w.offer != e.seat && !w.yes.Has(e.seat) {
		w.offer = game.Spectator
	}
	w.put(e.seat, e.action, e.at)
}

// put makes the move of a seat: sealed until the turn is complete, where the turn is joint.
func (w *world) put(s game.Seat, a game.Action, at referee.Time) {
	w.seats[s].request = nil
	turn := w.state.Turn()
	if turn.Mode != game.Joint || turn.Seats.Len() == 1 {
		w.moves++
		w.play(s, a, at)
		return
	}
	w.sealed[s] = a
	if len(w.sealed) < turn.Seats.Len() {
		return
	}
	var step game.Step
	for s := range turn.Seats.All() {
		step = append(step, game.Move[game.Action]{Seat: s, Action: w.sealed[s]})
	}
	w.moves++
	clear(w.sealed)
	if err := w.state.Apply(step); err != nil {
		panic(err)
	}
	w.stepped(turn, at)
}

func (w *world) play(s game.Seat, a game.Action, at referee.Time) {
	turn := w.state.Turn()
	if _, err := w.state.Play(s, a); err != nil {
		panic(fmt.Sprintf("the model plays %v for %v: %v", a, s, err))
	}
	w.stepped(turn, at)
}

func (w *world) stepped(before game.Turn, at referee.Time) {
	w.steps++
	if most := w.m.setup.MaxSteps; most > 0 && w.steps >= most && !w.state.Turn().Over() {
		w.limitAt = at
	}
	w.enter(before, at)
}

func (w *world) faulted(e *entry) {
	if e.seat == game.Host {
		w.decided = &ending{cause: referee.CauseVoid, reason: "internal"}
		return
	}
	c := &w.seats[e.seat]
	c.faults[e.fault]++
	c.used += e.used
	if do := planned(c.info.Policy, e.fault); do == referee.DoStrike || do == referee.DoDefault {
		c.strikes++
	}
	if e.fault == referee.Disconnected && c.gone {
		c.goneSince = e.at
	}
	switch e.do {
	case referee.DoReject:
		c.notes++
	case referee.DoStrike:
		if r := c.request; r != nil {
			c.ask++
			r.retries++
			r.opens, r.sent = e.at+pause(c.info.Policy, r.retries), none
		}
	case referee.DoDefault:
		if c.request != nil {
			c.nth++
			if w.offer != game.Spectator && w.offer != e.seat && !w.yes.Has(e.seat) {
				w.offer = game.Spectator
			}
			w.put(e.seat, e.action, e.at)
		}
	case referee.DoEliminate:
		w.eliminate(e.seat)
	case referee.DoForfeit:
		w.lost(referee.CauseForfeit, e.fault.String(), e.seat)
	case referee.DoVoid:
		w.decided = &ending{cause: referee.CauseVoid, reason: e.fault.String()}
	}
}

func planned(p referee.Policy, f referee.Fault) referee.Do {
	return map[referee.Fault]referee.Do{
		referee.Late: p.Late, referee.Malformed: p.Malformed, referee.BadNonce: p.BadNonce, referee.Illegal: p.Illegal,
		referee.Oversized: p.Oversized, referee.Unreachable: p.Unreachable, referee.Disconnected: p.Disconnected,
		referee.BadProtocol: p.BadProtocol, referee.Stale: referee.DoReject, referee.Internal: referee.DoVoid,
	}[f]
}

// pause before retry n: the policy's pause doubled n-1 times, at most its bound.
func pause(p referee.Policy, n int) referee.Time {
	d := p.Pause << (n - 1)
	if p.PauseMax > 0 && d > p.PauseMax {
		d = p.PauseMax
	}
	return referee.Time(d.Milliseconds())
}

func (w *world) eliminate(s game.Seat) {
	w.seats[s].out, w.seats[s].request = true, nil
	if w.offer == s {
		w.offer = game.Spectator
	}
	w.agree()
}

// agree: a draw is agreed when somebody and everybody in play but the one who offered has accepted.
func (w *world) agree() {
	if w.offer == game.Spectator {
		return
	}
	accepted := 0
	for i := range w.seats {
		if !w.seats[i].out && game.Seat(i) != w.offer {
			if !w.yes.Has(game.Seat(i)) {
				return
			}
			accepted++
		}
	}
	if accepted > 0 {
		w.decided = &ending{cause: referee.CauseAdjudication, reason: "agreement", outcome: w.drawn()}
	}
}

func (w *world) drawn() *game.Outcome {
	info := w.m.setup.Table.Info()
	var o game.Outcome
	for range w.seats {
		o.Returns = append(o.Returns, (info.MinReturn+info.MaxReturn)/2)
	}
	return &o
}

// lost: the rules' word, if they have one; else who is out comes last, and the others share.
func (w *world) lost(cause referee.Cause, reason string, s game.Seat) {
	out := game.Seats(s)
	for i := range w.seats {
		if w.seats[i].out {
			out = out.With(game.Seat(i))
		}
	}
	o, ok := w.state.Forfeit(out)
	if !ok {
		o = *w.shared(out)
	}
	w.decided = &ending{cause: cause, reason: reason, outcome: &o, out: out}
}

func (w *world) shared(last game.SeatSet) *game.Outcome {
	info, n := w.m.setup.Table.Info(), len(w.seats)
	if last.Len() == n {
		return w.drawn()
	}
	best := info.MaxReturn
	if info.ZeroSum {
		best = min(best, -info.MinReturn*float64(last.Len())/float64(n-last.Len()))
	}
	var o game.Outcome
	for i := range n {
		if last.Has(game.Seat(i)) {
			o.Returns = append(o.Returns, info.MinReturn)
		} else {
			o.Returns = append(o.Returns, best)
		}
	}
	return &o
}

func (w *world) claimed(e *entry) {
	switch e.claim {
	case referee.Resign, referee.Abandon:
		if len(w.seats) > 2 && w.m.setup.Table.Features().Defaulter {
			w.eliminate(e.seat)
		} else if e.claim == referee.Resign {
			w.lost(referee.CauseAdjudication, "resignation", e.seat)
		} else {
			w.lost(referee.CauseAbandonment, "abandoned", e.seat)
		}
	case referee.OfferDraw:
		w.offer, w.yes, w.seats[e.seat].offeredNth = e.seat, 0, w.seats[e.seat].nth
	case referee.AcceptDraw:
		w.yes = w.yes.With(e.seat)
		w.agree()
	case referee.DeclineDraw:
		w.offer = game.Spectator
	}
}

func (w *world) ruled(r referee.Ruling) *ending {
	end := &ending{cause: referee.CauseAdjudication, reason: r.Reason, by: r.By}
	switch r.What {
	case referee.RuleVoid:
		end.cause = referee.CauseVoid
	case referee.RuleDraw:
		end.outcome = w.drawn()
	case referee.RuleWin:
		end.outcome = w.shared(game.FirstSeats(len(w.seats)) &^ r.Win)
	case referee.RuleReturns:
		end.outcome = &game.Outcome{Returns: r.Returns}
	}
	return end
}

// resumed: every request is open anew, every clock and every absence begins again.
func (w *world) resumed(at referee.Time) {
	for i := range w.seats {
		c := &w.seats[i]
		if r := c.request; r != nil {
			r.opens, r.sent, r.turnBegan = at, none, none
			if c.info.Clock.Starts == referee.AtOpen {
				r.turnBegan = at
			}
		}
		c.goneSince = at
	}
	if w.limitAt != none {
		w.limitAt = at
	}
}

// deadline is when the answer must have arrived, grace not counted; none: there is no limit, or it does not run yet.
func (c *chair) deadline() referee.Time {
	r, clock := c.request, &c.info.Clock
	begun := c.begun()
	if begun == none {
		return none
	}
	var limits []referee.Time
	if move := referee.Time(clock.Move.Milliseconds()); move > 0 {
		if c.info.Policy.Reask {
			limits = append(limits, begun+move)
		} else {
			limits = append(limits, r.turnBegan+move)
		}
	}
	if clock.Base > 0 {
		left := referee.Time(clock.Base.Milliseconds()+clock.Increment.Milliseconds()*int64(c.nth)) - c.used
		limits = append(limits, begun+max(0, left))
	}
	if len(limits) == 0 {
		return none
	}
	return slices.Min(limits)
}

// begun is when the clock of the open request began to run.
func (c *chair) begun() referee.Time {
	switch {
	case c.request == nil:
		return none
	case c.info.Clock.Starts == referee.AtSent:
		return c.request.sent
	}
	return c.request.opens
}

// late tells whether something that came at t came too late for the open request.
func (c *chair) late(t referee.Time) bool {
	due := c.deadline()
	return due != none && t >= due+referee.Time(c.info.Clock.Grace.Milliseconds())
}

// thought is the time charged for an answer that came at t.
func (c *chair) thought(t referee.Time) referee.Time {
	begun := c.begun()
	if begun == none {
		return 0
	}
	if due := c.deadline(); due != none {
		t = min(t, due)
	}
	return max(0, t-begun)
}

func (w *world) expiry() referee.Time {
	first := none
	for i := range w.seats {
		if x := referee.Time(w.seats[i].info.Clock.Expiry.Milliseconds()); x > 0 && (first == none || w.start+x < first) {
			first = w.start + x
		}
	}
	return first
}
