package referee

import "github.com/matchreferee/arena/game"

// maxGones and maxSays bound what a seat can add to a record in one turn.
const (
	maxGones = 16
	maxSays  = 64
)

// Gone says that the agent of a seat cannot be reached any more. What follows
// is its policy's: Clock.Back is how long it may stay away. Beyond a bounded
// number of times in one turn it is ignored, and the seat's clock runs on.
func (m *Match) Gone(now Time, i game.Seat, why string) Output {
	m.begin(now)
	if m.mayGo(i) {
		e := Event{Kind: KindGone, Seat: i}
		if why != "" {
			e.X = &Extra{Detail: clean(why, MaxDetail)}
		}
		m.record(e)
	}
	return m.output()
}

func (m *Match) mayGo(i game.Seat) bool {
	return m.seated(i) && !m.seats[i].gone && m.seats[i].gones < maxGones
}

// Back says that it can be reached again. Exactly at the end of Clock.Back it
// is too late, as for answers.
func (m *Match) Back(now Time, i game.Seat) Output {
	m.begin(now)
	if m.seated(i) && m.goneFor(i, m.last) {
		m.timeFault(i, Disconnected)
	}
	if m.mayReturn(i) {
		m.record(Event{Kind: KindBack, Seat: i})
	}
	return m.output()
}

func (m *Match) mayReturn(i game.Seat) bool { return m.seated(i) && m.seats[i].gone }

// seated reports whether i is a seat of a match that goes on.
func (m *Match) seated(i game.Seat) bool {
	return m.result == nil && i >= 0 && int(i) < len(m.seats)
}

// Say records what a seat tells others; an empty set means everybody. The text
// is cut at [MaxText] code points. It is refused with [ErrClaim] when there is
// nothing to say, or too much was said in this turn.
func (m *Match) Say(now Time, i game.Seat, to game.SeatSet, text string) (Output, error) {
	m.begin(now)
	if m.result != nil {
		return m.output(), ErrOver
	}
	text = clean(text, MaxText)
	if err := m.sayable(i, to, text); err != nil {
		return m.output(), err
	}
	m.record(Event{Kind: KindSay, Seat: i, X: &Extra{To: to, Text: text}})
	m.effects = append(m.effects, Effect{Kind: EffectSaid, Seat: i, To: to, Text: text})
	return m.output(), nil
}

func (m *Match) sayable(i game.Seat, to game.SeatSet, text string) error {
	switch {
	case !m.seated(i):
		return claimError("there is no such seat")
	case text == "":
		return claimError("there is nothing to say")
	case to&^game.FirstSeats(len(m.seats)) != 0:
		return claimError("said to a seat that is not there")
	case m.seats[i].says >= maxSays:
		return claimError("too much said in one turn")
	}
	return nil
}
