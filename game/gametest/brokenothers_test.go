package gametest

import (
	"encoding/json"
	"errors"
	"html"
	"math/rand/v2"
	"sync/atomic"

	"github.com/matchreferee/arena/game"
)

// kuhnLeaks shows the other's card, in one betting phase out of four.
type kuhnLeaks struct{ kuhn }

func (g kuhnLeaks) View(s *kuhnState, seat game.Seat) any {
	v := g.kuhn.View(s, seat).(kuhnView)
	if s.bets == "kb" && seat == 0 {
		v.Cards = append(v.Cards, s.deal[1:])
	}
	return v
}

// kuhnShows shows a card to spectators while it is live.
type kuhnShows struct{ kuhn }

func (g kuhnShows) View(s *kuhnState, seat game.Seat) any {
	if seat == game.Spectator && s.deal != "" {
		return g.kuhn.View(s, 0)
	}
	return g.kuhn.View(s, seat)
}

// kuhnPhases tells in the name of the phase whether the king is out.
type kuhnPhases struct{ kuhn }

func (g kuhnPhases) Turn(s *kuhnState) game.Turn {
	t := g.kuhn.Turn(s)
	if t.Seats != 0 && (s.deal == "QJ" || s.deal == "JQ") {
		t.Phase = "bet_without_king"
	}
	return t
}

// kuhnHints tells in the refusal of a move what the other holds.
type kuhnHints struct{ kuhn }

func (g kuhnHints) Check(s *kuhnState, seat game.Seat, a string) (string, error) {
	for _, b := range g.Legal(nil, s, seat) {
		if a == b {
			return a, nil
		}
	}
	if seat.Valid() {
		return a, errors.New("no such move against " + s.deal[1-seat:][:1])
	}
	return a, errors.New("no such deal")
}

// kuhnStill resamples nothing.
type kuhnStill struct{ kuhn }

func (kuhnStill) Resample(s *kuhnState, _ game.Seat, _ *rand.Rand) kuhnState { return *s }

// kuhnStrict knows the deals that there are.
type kuhnStrict struct{ kuhn }

func (g kuhnStrict) Outcome(s *kuhnState) game.Outcome {
	if s.deal[0] == s.deal[1] {
		panic("no such deal: " + s.deal)
	}
	return g.kuhn.Outcome(s)
}

// kuhnDoubles resamples deals that there are not.
type kuhnDoubles struct{ kuhnStrict }

func (kuhnDoubles) Resample(s *kuhnState, seat game.Seat, _ *rand.Rand) kuhnState {
	out := *s
	if s.deal != "" {
		out.deal = s.deal[seat:][:1] + s.deal[seat:][:1]
	}
	return out
}

// kuhnOpenly hides cards and does not say so.
type kuhnOpenly struct{ kuhn }

func (g kuhnOpenly) Info() game.Info {
	info := g.kuhn.Info()
	info.Hidden = false
	return info
}

// kuhnDraws draws with a source of its own.
type kuhnDraws struct {
	kuhn
	drawn *atomic.Int64
}

func (g kuhnDraws) Chance(*kuhnState, *rand.Rand) string { return kuhnDeals[g.drawn.Add(1)%6] }

// kuhnCheats draws deals that there are not.
type kuhnCheats struct{ kuhn }

func (kuhnCheats) Chance(_ *kuhnState, r *rand.Rand) string {
	return []string{"KQ", "QK", "KK"}[r.IntN(3)]
}

// kuhnLots draws as it should: the king is twice as likely for seat 0.
type kuhnLots struct{ kuhn }

func (kuhnLots) Chance(_ *kuhnState, r *rand.Rand) string {
	return append([]string{"KQ", "KJ"}, kuhnDeals...)[r.IntN(8)]
}

// questTickets numbers what it asks in the order in which it comes up.
type questTickets struct{ quest }

func (questTickets) Asks(dst []game.Ask, s *questState) []game.Ask {
	for i := range s.seats {
		if q := &s.seats[i]; q.waits() {
			dst = append(dst, game.Ask{ID: q.ticket, Seat: game.Seat(i), Kind: "oracle", Body: json.RawMessage(`{}`)})
		}
	}
	return dst
}

func (g questTickets) Legal(dst []questMove, s *questState, seat game.Seat) []questMove {
	if seat != game.Host {
		return g.quest.Legal(dst, s, seat)
	}
	for _, ask := range g.Asks(nil, s) {
		dst = append(dst, questMove{Do: "tell", ID: ask.ID, Num: 1})
	}
	return dst
}

func (g questTickets) Apply(s *questState, moves []game.Move[questMove]) {
	m := moves[0]
	if m.Seat == game.Host {
		for i := range s.seats {
			if q := &s.seats[i]; q.waits() && q.ticket == m.Action.ID {
				m.Action.ID = questID(i, 0)
			}
		}
	} else if m.Action.Do == "ask" {
		s.tickets++
		s.seats[m.Seat].ticket = s.tickets
	}
	g.quest.Apply(s, []game.Move[questMove]{m})
}

// kuhnHosted has the host deal, and asks for nothing.
type kuhnHosted struct{ kuhn }

func (g kuhnHosted) Turn(s *kuhnState) game.Turn {
	if s.deal == "" {
		return game.Turn{Host: true, Phase: "deal"}
	}
	return g.kuhn.Turn(s)
}

func (g kuhnHosted) Legal(dst []string, s *kuhnState, seat game.Seat) []string {
	if seat == game.Host {
		seat = game.Chance
	}
	return g.kuhn.Legal(dst, s, seat)
}

// questRepeats gives both asks of a seat one number.
type questRepeats struct{ quest }

func (g questRepeats) Asks(dst []game.Ask, s *questState) []game.Ask {
	dst = g.quest.Asks(dst, s)
	for i := range dst {
		dst[i].ID = questID(int(dst[i].Seat), 1)
	}
	return dst
}

func (g questRepeats) Legal(dst []questMove, s *questState, seat game.Seat) []questMove {
	from := len(dst)
	dst = g.quest.Legal(dst, s, seat)
	for i := range dst[from:] {
		if m := &dst[from+i]; m.Do == "tell" {
			m.ID = questID(int(m.ID/100), 1)
		}
	}
	return dst
}

// questWatches shows one seat that the other is done.
type questWatches struct{ quest }

func (g questWatches) View(s *questState, seat game.Seat) any {
	v := g.quest.View(s, seat).(questView)
	if seat.Valid() {
		v.Waiting = v.Waiting || s.seats[1-seat].done
	}
	return v
}

// questHurry gives whoever answers first the victory.
type questHurry struct{ quest }

func (g questHurry) Apply(s *questState, moves []game.Move[questMove]) {
	if m := moves[0]; m.Action.Do == "answer" {
		if s.answers == 0 {
			s.first = m.Seat
		}
		s.answers++
	}
	g.quest.Apply(s, moves)
}

func (questHurry) Outcome(s *questState) game.Outcome {
	out := game.Outcome{Returns: []float64{-1, -1}, Reason: "first"}
	out.Returns[s.first] = 1
	return out
}

// talkSwallows lets a seat set the topic, which is Chance's to draw.
type talkSwallows struct{ talk }

func (g talkSwallows) Check(s *talkState, seat game.Seat, a talkMove) (talkMove, error) {
	if a.Do == "topic" {
		return a, nil
	}
	return g.talk.Check(s, seat, a)
}

// talkEscapes escapes words for a web page, and what is escaped again.
type talkEscapes struct{ talk }

func (g talkEscapes) Check(s *talkState, seat game.Seat, a talkMove) (talkMove, error) {
	a, err := g.talk.Check(s, seat, a)
	a.Text = html.EscapeString(a.Text)
	return a, err
}

// talkSilent never says what may be said.
type talkSilent struct{ talk }

func (talkSilent) Form(*talkState, game.Seat) json.RawMessage { return nil }

// talkGarbled describes moves in what is no JSON.
type talkGarbled struct{ talk }

func (talkGarbled) Form(*talkState, game.Seat) json.RawMessage {
	return json.RawMessage(`{type: object}`)
}

// talkStuck offers a seat nothing once the other has passed.
type talkStuck struct{ talk }

func (g talkStuck) Legal(dst []talkMove, s *talkState, seat game.Seat) []talkMove {
	if seat.Valid() && s.passed.Len() > 0 {
		return dst
	}
	return g.talk.Legal(dst, s, seat)
}
