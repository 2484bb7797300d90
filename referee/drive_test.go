package referee_test

import (
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/referee"
)

// driveRandom plays a match of a parlour game with clumsy agents, and gives its lines.
func driveRandom(t testing.TB, s referee.Setup, seed uint64) [][]byte {
	t.Helper()
	m, err := referee.New(s)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(seed, 1))
	var c chain
	take := func(o referee.Output) {
		for i := range o.Events {
			c.add(&o.Events[i])
		}
	}
	now := epoch
	take(m.Start(now))
	for range 500 {
		if _, over := m.Result(); over {
			return c.lines
		}
		seat := game.Seat(r.IntN(len(s.Seats)))
		switch r.IntN(12) {
		case 0:
			if now = m.Wake(); now > 1<<61 {
				now = epoch + 1e7
			}
			take(m.Tick(now))
		case 1:
			take(m.Gone(now, seat, "x"))
		case 2:
			take(m.Back(now, seat))
		case 3:
			o, _ := m.Claim(now, seat, referee.Claim(r.IntN(5)))
			take(o)
		case 4:
			o, _ := m.Say(now, seat, 0, "hello")
			take(o)
		case 5, 6:
			for id := range int64(100) {
				take(m.HostAnswer(now, id, game.Action(strconv.FormatInt(10+id%10%9, 10))))
			}
		default:
			a := referee.Answer{Action: game.Action(strconv.Itoa(r.IntN(4)))}
			if r.IntN(4) == 0 {
				a.Key, a.Note = strconv.Itoa(r.IntN(5)), "because"
			}
			_, o := m.Answer(now, seat, &a)
			take(o)
		}
		now += referee.Time(r.IntN(2000))
	}
	return c.lines
}
