package polling

import (
	"context"
	"sync"
	"time"
)

// refusal is why a request is not served, for its sender.
type refusal struct {
	status int           // of the HTTP answer: 403, 409, 429 or 503
	code   string        // stable, for programs
	detail string        // for people
	retry  time.Duration // Retry-After of 429 and 503, over 0; 0: none
}

// The codes of refusals.
const (
	codeReused  = "id_reused"        // 409: the request's id came with another payload before
	codeGated   = "opponent_gated"   // 403
	codePaused  = "admission_paused" // 503
	codeHeavy   = "heavy_paused"     // 503
	codeActive  = "active_limit"     // 429: as many matches as the account may have
	codeStarts  = "start_quota"      // 429: as many as it may begin in a day
	codeFull    = "full"             // 503: as many matches as the host has room for
	codeDay     = "day_full"         // 503: as many as the host begins in a day
	codeHeavies = "heavy_full"       // 503: as many heavy ones
	codeRate    = "rate_limit"       // 429: requests of an account or a source
	codePace    = "pace"             // 429: looks at a match while the opponent thinks
)

// Admission decides who may begin a match, and counts. Safe for concurrent use.
type Admission struct {
	limits Limits
	store  Store
	now    func() time.Time

	mu sync.Mutex
}

// newAdmission reads the store. The limits are validated and filled.
func newAdmission(ctx context.Context, l Limits, s Store, now func() time.Time) (*Admission, error) {
	panic("not yet")
}

// settle asks of each match that is not over what has become of it, after a
// restart and before anything is reserved. look gives the state that its record
// tells: [Reserved] where it never began, whose place and quota are then given
// back, [Begun] where it goes on, [Over] with the moment and the outcome.
func (a *Admission) settle(ctx context.Context, look func(context.Context, Entry) (s State, ended time.Time, outcome string, err error)) error {
	panic("not yet")
}

// reserve takes a place for a match, with the quota that it costs, or gives the
// match that the same request has begun before. Of want all is set but State,
// Ended and Outcome. Where the same request is being served right now it waits
// for what becomes of that. Exactly one of the three results is set, but that
// the error can be the context's or the store's.
//
// A repeated request is judged first of all, so that neither a pause nor a quota
// keeps anybody from the answer to a request that was granted.
func (a *Admission) reserve(ctx context.Context, want Entry, gated bool) (*reservation, *refusal, error) {
	panic("not yet")
}

// reservation is a place that was taken. commit or cancel is called once, on a
// context that does not end with the request.
type reservation struct {
	Entry
	again bool // the match has begun before: neither commit nor cancel is needed
	a     *Admission
}

// commit says that the match has begun. After an error it has a place all the
// same; a later restart settles it.
func (r *reservation) commit(ctx context.Context) error { panic("not yet") }

// cancel gives the place and the quota back: no match was begun.
func (r *reservation) cancel(ctx context.Context) error { panic("not yet") }

// ended frees the place of a match. It does nothing for one that is over or unknown.
func (a *Admission) ended(ctx context.Context, match, outcome string) error { panic("not yet") }

// entry gives what is known of a match.
func (a *Admission) entry(match string) (Entry, bool) { panic("not yet") }

// recent gives up to n matches that are over, the latest first.
func (a *Admission) recent(n int) []Entry { panic("not yet") }

// sweep forgets matches whose retention is over, and gives how many. Before that
// it calls forget for each, which removes the record; one whose record could not
// be removed is kept, and its error is among those joined.
func (a *Admission) sweep(ctx context.Context, forget func(context.Context, Entry) error) (int, error) {
	panic("not yet")
}

// Pause lets no match begin from now on; those that have begun go on. Agents are
// told to come back at until; the zero time: in five minutes.
func (a *Admission) Pause(until time.Time) { panic("not yet") }

// Resume ends a pause.
func (a *Admission) Resume() { panic("not yet") }

// AllowHeavy lets matches against heavy opponents begin from now on, or not.
func (a *Admission) AllowHeavy(allowed bool) { panic("not yet") }
