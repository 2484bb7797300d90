package referee

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/matchreferee/arena/game"
)

// Request asks one seat for an answer. Its methods show what that seat may
// know and nothing else; the position behind it does not change while the
// request is held, except that an [Inline] player may use its request only
// until it returns. Not for concurrent use.
type Request struct {
	Seat    game.Seat
	Ask     int32 // number of the request among those of its seat, from 1; being asked again counts too
	Turn    int32 // steps of seats so far, a joint turn counted once; where information is hidden, this seat's own moves
	Nth     int32 // which move of the seat it is for, from 1
	Strikes int   // the seat's so far
	Phase   string
	Limit   time.Duration // time for this request; 0: none
	// Deadline is when the answer must have arrived, grace not counted; 0: there
	// is none, or it does not run yet (AtSent).
	Deadline Time

	// What the methods go by; the fields above are copies for reading.
	seat   game.Seat
	ask    int32
	match  *Match
	state  *game.State
	rand   *stream
	listed []game.Action
	filter func(string) string
}

// rulesPanic is what a panic of the rules becomes on its way through a method
// of a request, so that it is told from the player's own.
type rulesPanic struct{ value any }

func (p rulesPanic) String() string { return fmt.Sprint(p.value) }

// rules marks a panic as the rules'; it is deferred around calls of them.
func rules() {
	if p := recover(); p != nil {
		panic(rulesPanic{p})
	}
}

// View gives what the seat sees, in the type that the game's package exports for
// it, so that a Go player can assert that. The caller owns it.
func (r *Request) View() any {
	defer rules()
	return r.state.View(r.seat)
}

// Legal appends the listed legal actions, each accepted as it is.
func (r *Request) Legal(dst []game.Action) []game.Action {
	defer rules()
	return r.state.Legal(dst, r.seat)
}

// Listed gives the listed legal actions in memory of the request's own: it is
// for reading, and only until the next call or, in an [Inline] player, its return.
func (r *Request) Listed() []game.Action {
	r.listed = r.Legal(r.listed[:0])
	return r.listed
}

// Form gives the JSON Schema of actions beyond the listed ones; nil: there are none.
func (r *Request) Form() json.RawMessage {
	defer rules()
	return r.state.Form(r.seat)
}

// Board draws what the seat sees as text; false where the game has no drawing.
func (r *Request) Board() (string, bool) {
	defer rules()
	return r.state.Board(r.seat)
}

// Text writes an action for people and language models.
func (r *Request) Text(a game.Action) string {
	defer rules()
	return r.state.Text(a)
}

// Parse reads the text of an action: that of a listed one first, exactly.
func (r *Request) Parse(text string) (game.Action, error) {
	defer rules()
	return r.state.Parse(r.seat, text)
}

// Default gives the game's safe default; false where it has none.
func (r *Request) Default() (game.Action, bool) {
	defer rules()
	return r.state.Default(r.seat)
}

// Card tells what is played and by whom.
func (r *Request) Card() Card { return Card{Seat: r.Seat, match: r.match} }

// Info describes the game.
func (r *Request) Info() game.Info { return r.Card().Info() }

// Ruleset gives the game's ruleset, which is public; it is read only.
func (r *Request) Ruleset() []byte { return r.Card().Ruleset() }

// Match gives the match's id.
func (r *Request) Match() string { return r.Card().Match() }

// Agents gives who sits on a seat; see [Card.Agents].
func (r *Request) Agents(s game.Seat) Agent { return r.Card().Agents(s) }

// Label gives what players call a seat; see [Card.Label].
func (r *Request) Label(s game.Seat) string { return r.Card().Label(s) }

// Filter gives what the host's filter makes of a text of the agent's: for
// protocols whose actions hold words, which nobody else could filter before
// they are played.
func (r *Request) Filter(text string) string {
	if r.filter == nil {
		return text
	}
	return r.filter(text)
}

// Seats is how many seats the match has.
func (r *Request) Seats() int { return r.Card().Seats() }

// Rand is a random stream for this request alone: a function of the match's
// secret, the seat and Ask, so that neither other matches nor a resume change
// it. Not for concurrent use.
func (r *Request) Rand() *rand.Rand {
	switch {
	case r.rand == nil:
		r.rand = new(stream)
		key := streamKeys(&r.match.s.Secret, r.seat)
		r.rand.key(key[16*(r.seat&1):])
	case !r.rand.keyed:
		r.match.keyStreams(r.seat)
	}
	return r.rand.at(r.ask)
}

// stream is a reusable random stream of one seat.
type stream struct {
	hi, lo uint64
	ask    int32 // that it is seeded for; 0: none
	keyed  bool
	pcg    rand.PCG
	rand   rand.Rand
}

// streamKeys gives the seats' parts of the seeds, two seats at a time: the
// halves of SHA-256(secret || "player" || seat/2).
func streamKeys(secret *game.Seed, seat game.Seat) [32]byte {
	var b [39]byte
	copy(b[:], secret[:])
	copy(b[32:], "player")
	b[38] = byte(seat / 2)
	return sha256.Sum256(b[:])
}

// keyStreams keys the streams of a seat and of its neighbour.
func (m *Match) keyStreams(seat game.Seat) {
	keys := streamKeys(&m.s.Secret, seat)
	even := seat &^ 1
	m.seats[even].rand.key(keys[:16])
	if odd := int(even) + 1; odd < len(m.seats) {
		m.seats[odd].rand.key(keys[16:])
	}
}

func (s *stream) key(half []byte) {
	s.hi, s.lo = binary.BigEndian.Uint64(half), binary.BigEndian.Uint64(half[8:])
	s.rand = *rand.New(&s.pcg)
	s.keyed = true
}

func (s *stream) at(ask int32) *rand.Rand {
	if s.ask != ask {
		s.ask = ask
		s.pcg.Seed(splitmix(s.hi+uint64(ask)), splitmix(s.lo^uint64(ask)))
	}
	return &s.rand
}

// splitmix is the finalizer of SplitMix64 (Steele, Lea and Flood 2014).
func splitmix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
