package referee

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
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
	Ask     int32 // counts this seat's requests from 1; a new one also after a strike
	Turn    int32 // steps of seats so far, a joint turn counted once; where information is hidden, this seat's own moves
	Nth     int32 // this seat's moves so far, plus one
	Strikes int   // the seat's so far
	Phase   string
	Limit   time.Duration // time for this request; 0: none
	// Deadline is when the answer must have arrived, grace not counted; 0: there
	// is none, or it does not run yet (AtSent).
	Deadline Time

	match  *Match
	listed []game.Action
	state  *game.State
	rand   *stream
	busy   bool // set while the rules run, so that their panics are told from the player's
}

// View gives the author's View type for this seat: a Go player asserts it. The
// caller owns it.
func (r *Request) View() any {
	r.busy = true
	v := r.state.View(r.Seat)
	r.busy = false
	return v
}

// Legal appends the listed legal actions, each accepted as it is.
func (r *Request) Legal(dst []game.Action) []game.Action {
	r.busy = true
	dst = r.state.Legal(dst, r.Seat)
	r.busy = false
	return dst
}

// Listed gives the listed legal actions in memory of the request's own: it is
// for reading, and only until the next call or, in an [Inline] player, its return.
func (r *Request) Listed() []game.Action {
	r.listed = r.Legal(r.listed[:0])
	return r.listed
}

// Form gives the JSON Schema of actions beyond the listed ones; nil: there are none.
func (r *Request) Form() json.RawMessage {
	r.busy = true
	f := r.state.Form(r.Seat)
	r.busy = false
	return f
}

// Board draws what the seat sees as text; false where the game has no drawing.
func (r *Request) Board() (string, bool) {
	r.busy = true
	b, ok := r.state.Board(r.Seat)
	r.busy = false
	return b, ok
}

// Text writes an action for people and language models.
func (r *Request) Text(a game.Action) string {
	r.busy = true
	t := r.state.Text(a)
	r.busy = false
	return t
}

// Parse reads the text of an action: that of a listed one first, exactly.
func (r *Request) Parse(text string) (game.Action, error) {
	r.busy = true
	a, err := r.state.Parse(r.Seat, text)
	r.busy = false
	return a, err
}

// Default gives the game's safe default; false where it has none.
func (r *Request) Default() (game.Action, bool) {
	r.busy = true
	a, ok := r.state.Default(r.Seat)
	r.busy = false
	return a, ok
}

// Info describes the game.
func (r *Request) Info() game.Info { return r.match.info }

// Ruleset gives the game's ruleset, which is public; it is read only.
func (r *Request) Ruleset() []byte { return r.match.ruleset }

// Match gives the match's id.
func (r *Request) Match() string { return r.match.s.ID }

// Agents gives who sits on a seat, itself included. The caller must not change
// the labels in it.
func (r *Request) Agents(s game.Seat) Agent {
	if s < 0 || int(s) >= len(r.match.s.Seats) {
		return Agent{}
	}
	return r.match.s.Seats[s].Agent
}

// Label gives what players call a seat: the game's word for it ("X", "white"),
// else the name under which the rules know it, unless that is empty or another
// seat has the same one; else "seat 2".
func (r *Request) Label(s game.Seat) string {
	r.busy = true
	label := r.match.s.Table.Label(s)
	r.busy = false
	if label != "" || !s.Valid() {
		return label
	}
	names := r.match.s.Start.Names
	if int(s) >= len(names) || names[s] == "" {
		return "seat " + s.String()
	}
	for i, n := range names {
		if i != int(s) && n == names[s] {
			return "seat " + s.String()
		}
	}
	return names[s]
}

// Seats is how many seats the match has.
func (r *Request) Seats() int { return len(r.match.s.Seats) }

// Rand is a random stream for this request alone: a function of the match's
// secret, the seat and Ask, so that neither other matches nor a resume change
// it. Not for concurrent use.
func (r *Request) Rand() *rand.Rand {
	if r.rand == nil {
		r.rand = new(stream)
	}
	if !r.rand.keyed {
		r.rand.key(&r.match.s.Secret, r.Seat)
	}
	return r.rand.at(r.Ask)
}

// stream is a reusable random stream of one seat.
type stream struct {
	hi, lo uint64
	ask    int32 // that it is seeded for; 0: none
	keyed  bool
	pcg    rand.PCG
	rand   rand.Rand
}

// key sets the seat's part of the seeds: the first sixteen bytes of
// SHA-256(secret || "player" || seat).
func (s *stream) key(secret *game.Seed, seat game.Seat) {
	var b [39]byte
	copy(b[:], secret[:])
	copy(b[32:], "player")
	b[38] = byte(seat)
	h := sha256.Sum256(b[:])
	s.hi, s.lo = binary.BigEndian.Uint64(h[:]), binary.BigEndian.Uint64(h[8:])
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
