package gametest

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync/atomic"

	"github.com/matchreferee/arena/game"
)

// lenient is a host's wrapper that throws away names of the ruleset that it does not know.
type lenient struct{ game.Game }

func (l lenient) Table(ruleset []byte) (*game.Table, error) {
	var known struct {
		Pile *int `json:"pile,omitempty"`
	}
	if json.Unmarshal(ruleset, &known) != nil {
		return l.Game.Table(ruleset)
	}
	clean, err := json.Marshal(known)
	if err != nil {
		return nil, err
	}
	return l.Game.Table(clean)
}

// nimForgets has a rule whose zero, where it is not the default, is left out of the canonical ruleset.
type nimForgets struct {
	nim
	Extra int `json:"extra,omitempty"`
}

// nimRemembers is nimForgets repaired.
type nimRemembers struct {
	nim
	Extra int `json:"extra"`
}

// nimNearMiss has a default that New does not find.
type nimNearMiss struct{ nim }

func (nimNearMiss) Default(s nimState, seat game.Seat) nimMove { return nim{}.Default(&s, seat) }

// nimHides says that something is hidden and gives no Resample.
type nimHides struct{ nim }

func (g nimHides) Info() game.Info {
	info := g.nim.Info()
	info.Hidden = true
	return info
}

// nimMisspells is nimHides with a Resample that New does not find.
type nimMisspells struct{ nimHides }

func (nimMisspells) Resampel(s *nimState, _ game.Seat, _ *rand.Rand) nimState { return *s }

// nimFew has a rule of which nobody says what it may be: with 0 or fewer there is no move.
type nimFew struct {
	nim
	Most int `json:"most"` // stones that one move takes
}

func (g nimFew) Legal(dst []nimMove, s *nimState, seat game.Seat) []nimMove {
	for _, m := range g.nim.Legal(nil, s, seat) {
		if m.Take <= g.Most {
			dst = append(dst, m)
		}
	}
	return dst
}

// nimFewChecked is nimFew repaired.
type nimFewChecked struct{ nimFew }

func (g nimFewChecked) Validate() error {
	if g.Most < 1 {
		return errors.Join(g.nim.Validate(), errors.New("most: at least 1"))
	}
	return g.nim.Validate()
}

// nimTwins calls both seats the same.
type nimTwins struct{ nim }

func (nimTwins) Label(game.Seat) string { return "player" }

// nimShort promises to be over sooner than it can be.
type nimShort struct{ nim }

func (g nimShort) Info() game.Info {
	info := g.nim.Info()
	info.MaxSteps = 3
	return info
}

// nimPanics breaks down when somebody takes the middle heap whole.
type nimPanics struct{ nim }

func (g nimPanics) Apply(s *nimState, moves []game.Move[nimMove]) {
	if m := moves[0].Action; m.Heap == 1 && m.Take == g.Pile {
		panic("the middle heap is gone")
	}
	g.nim.Apply(s, moves)
}

// nimShouts has a phase that is no text for the wire.
type nimShouts struct{ nim }

func (g nimShouts) Turn(s *nimState) game.Turn {
	t := g.nim.Turn(s)
	if !t.Over() {
		t.Phase = "take\n"
	}
	return t
}

// nimCrowd lets a seat act that nobody sits on.
type nimCrowd struct{ nim }

func (g nimCrowd) Turn(s *nimState) game.Turn {
	t := g.nim.Turn(s)
	if s.heaps[0] == 0 && !t.Over() {
		t.Seats = game.Seats(2)
	}
	return t
}

// nimTwice lists the first move twice.
type nimTwice struct{ nim }

func (g nimTwice) Legal(dst []nimMove, s *nimState, seat game.Seat) []nimMove {
	moves := g.nim.Legal(nil, s, seat)
	return append(append(dst, moves...), moves[0])
}

// nimRefuses lists what its Check refuses: taking a whole heap.
type nimRefuses struct{ nim }

func (g nimRefuses) Check(s *nimState, seat game.Seat, a nimMove) (nimMove, error) {
	if a.Heap < 0 || a.Heap > 2 || a.Take < 1 || a.Take > s.heaps[a.Heap] {
		return a, errors.New("so many stones are not there")
	}
	if a.Take == s.heaps[a.Heap] && s.heaps[a.Heap] > 1 {
		return a, errors.New("leave one")
	}
	return a, nil
}

// nimChecks is nimRefuses repaired.
type nimChecks struct{ nim }

func (nimChecks) Check(s *nimState, _ game.Seat, a nimMove) (nimMove, error) {
	if a.Heap < 0 || a.Heap > 2 || a.Take < 1 || a.Take > s.heaps[a.Heap] {
		return a, errors.New("so many stones are not there")
	}
	return a, nil
}

// nimCrashes looks up the heap of a move before it knows that there is one.
type nimCrashes struct{ nimChecks }

func (g nimCrashes) Check(s *nimState, seat game.Seat, a nimMove) (nimMove, error) {
	if a.Take < 1 || a.Take > s.heaps[a.Heap] {
		return a, errors.New("so many stones are not there")
	}
	return a, nil
}

// nimLists leaves out of its list that a heap may be taken whole, and accepts it.
type nimLists struct{ nimChecks }

func (g nimLists) Legal(dst []nimMove, s *nimState, seat game.Seat) []nimMove {
	for _, m := range g.nim.Legal(nil, s, seat) {
		if m.Take == 1 || m.Take < s.heaps[m.Heap] {
			dst = append(dst, m)
		}
	}
	return dst
}

// nimVague has one text for all moves of a heap.
type nimVague struct{ nim }

func (nimVague) Text(_ *nimState, a nimMove) string { return string(rune('a' + a.Heap)) }

// nimGuesses panics on a text that is too short.
type nimGuesses struct{ nim }

func (nimGuesses) Parse(_ *nimState, _ game.Seat, text string) (nimMove, error) {
	return nimMove{int(text[0]) - 'a', int(text[1]) - '0'}, nil
}

// nimShuffles lists its moves in the order of a map.
type nimShuffles struct{ nim }

func (g nimShuffles) Legal(dst []nimMove, s *nimState, seat game.Seat) []nimMove {
	set := map[nimMove]bool{}
	for _, m := range g.nim.Legal(nil, s, seat) {
		set[m] = true
	}
	for m := range set {
		dst = append(dst, m)
	}
	return dst
}

// nimUnfair returns a win to both.
type nimUnfair struct{ nim }

func (g nimUnfair) Outcome(s *nimState) game.Outcome {
	out := g.nim.Outcome(s)
	if s.moves.Len()%2 == 0 {
		out.Returns[0], out.Returns[1] = 1, 1
	}
	return out
}

// nimMute gives no reason.
type nimMute struct{ nim }

func (g nimMute) Outcome(s *nimState) game.Outcome {
	out := g.nim.Outcome(s)
	out.Reason = "The last stone was taken."
	return out
}

// nimCoward lets whoever leaves win.
type nimCoward struct{ nim }

func (nimCoward) Forfeit(_ *nimState, out game.SeatSet) game.Outcome {
	o := game.Outcome{Returns: []float64{-1, -1}, Reason: "forfeit"}
	o.Returns[out.First()] = 1
	return o
}

// nimLost forgets in its notation whose turn it is.
type nimLost struct{ nim }

func (g nimLost) Position(s *nimState) string {
	return fmt.Sprintf("%d-%d-%d:0", s.heaps[0], s.heaps[1], s.heaps[2])
}

// nimGreedy takes a stone by default that may be gone.
type nimGreedy struct{ nim }

func (nimGreedy) Default(*nimState, game.Seat) nimMove { return nimMove{0, 1} }

// nimNull has a view with a list that is null until somebody moves.
type nimNull struct{ nim }

func (g nimNull) View(s *nimState, seat game.Seat) any {
	v := g.nim.View(s, seat).(nimView)
	v.Moves = nil
	for m := range s.moves.All() {
		v.Moves = append(v.Moves, m)
	}
	return v
}

// nimRaw writes names into its picture as they are.
type nimRaw struct{ nim }

func (nimRaw) SVG(dst []byte, s *nimState, _ game.Seat) []byte {
	return fmt.Appendf(dst, "<svg><title>%s</title></svg>", strings.Join(s.names[:], " and "))
}

// nimForms describes moves that it would not take.
type nimForms struct{ nim }

func (nimForms) Form(*nimState, game.Seat) json.RawMessage {
	return json.RawMessage(`{"type":"object"}`)
}

// nimSerial makes each table another game.
type nimSerial struct {
	nim
	serial int64
	tables *atomic.Int64
}

func (g *nimSerial) Validate() error {
	g.serial = g.tables.Add(1)
	return g.nim.Validate()
}

func (g *nimSerial) Turn(s *nimState) game.Turn {
	t := g.nim.Turn(s)
	if !t.Over() {
		t.Phase = fmt.Sprint("table ", g.serial)
	}
	return t
}

// nimCached keeps the views of positions, and forgets at the start of a game that two may be played at once.
type nimCached struct {
	nim
	views *atomic.Pointer[map[string]nimView]
}

func (g nimCached) Start(setup game.Setup) (nimState, error) {
	g.views.Store(&map[string]nimView{})
	return g.nim.Start(setup)
}

func (g nimCached) View(s *nimState, seat game.Seat) any {
	old := *g.views.Load()
	key := fmt.Sprint(s.heaps, s.turn, s.moves.Clip(s.moves.Len()))
	if v, ok := old[key]; ok {
		return v
	}
	v := g.nim.View(s, seat).(nimView)
	grown := map[string]nimView{key: v}
	for k, v := range old {
		grown[k] = v
	}
	g.views.Store(&grown)
	return v
}
