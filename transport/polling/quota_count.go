package polling

import (
	"time"

	"github.com/matchreferee/arena/protocol/gridarena"
)

const (
	// pauseRetry and heavyRetry are told where nobody knows when the host changes
	// its mind.
	pauseRetry = 5 * time.Minute
	heavyRetry = time.Hour
	// slotRetry is how soon it is worth asking for a place again: a match may end any
	// time before it expires.
	slotRetry = time.Minute
	// overdue is how long after its expiry a match still counts that nobody has
	// said to be over.
	overdue = time.Minute
)

// day counts the matches that began on one day of UTC.
type day struct {
	begins       time.Time // zero: nothing was counted yet
	starts       map[string]int
	total, heavy int
}

// count adds n for a match, if it began on that day.
func (d *day) count(i *item, n int) {
	if d.begins.IsZero() || !midnight(i.Created).Equal(d.begins) {
		return
	}
	if d.starts[i.Account] += n; d.starts[i.Account] <= 0 {
		delete(d.starts, i.Account)
	}
	d.total += n
	if i.Heavy {
		d.heavy += n
	}
}

// midnight gives when the day of a time began.
func midnight(t time.Time) time.Time { return t.UTC().Truncate(24 * time.Hour) }

// turn counts anew where another day has begun; under mu.
func (a *Admission) turn(now time.Time) {
	begins := midnight(now)
	if a.today.begins.Equal(begins) {
		return
	}
	a.today = day{begins: begins, starts: map[string]int{}}
	for _, i := range a.matches {
		a.today.count(i, 1)
	}
}

// refuse says why a match may not begin now, nil where it may; under mu.
func (a *Admission) refuse(want Entry, gated bool) *gridarena.Problem {
	now := want.Created
	a.turn(now)
	l := &a.limits
	tomorrow := a.today.begins.Add(24 * time.Hour).Sub(now)
	no := func(code gridarena.Code, detail string, retry time.Duration) *gridarena.Problem {
		p := gridarena.NewProblem(code, detail)
		p.RetryAfter = retry
		return p
	}
	switch {
	case a.paused:
		return no(gridarena.CodePaused, "no matches begin for now", a.pauseLeft(now))
	case gated && (l.Gate == nil || !l.Gate(want.Account, want.Opponent)):
		return no(gridarena.CodeGated, "this account may not play against that opponent", 0)
	case want.Heavy && !a.heavy:
		return no(gridarena.CodeHeavyOff, "no matches against heavy opponents begin for now", heavyRetry)
	case a.today.starts[want.Account] >= l.Starts:
		return no(gridarena.CodeQuotaAccount, "this account has begun as many matches today as it may (days are those of UTC)", tomorrow)
	case a.today.total >= l.StartsTotal:
		return no(gridarena.CodeQuotaGlobal, "as many matches as may begin in a day have begun (days are those of UTC)", tomorrow)
	case want.Heavy && a.today.heavy >= l.HeavyTotal:
		return no(gridarena.CodeQuotaHeavy, "as many matches against heavy opponents as may begin in a day have begun (days are those of UTC)", tomorrow)
	}
	if n, free := a.playing(now, want.Account); n >= l.Active {
		return no(gridarena.CodeActiveAccount, "this account plays as many matches as it may at a time", free)
	}
	if n, free := a.playing(now, ""); n >= l.ActiveTotal {
		return no(gridarena.CodeFull, "as many matches are played as there is room for", free)
	}
	return nil
}

// pauseLeft says when a pause is probably over.
func (a *Admission) pauseLeft(now time.Time) time.Duration {
	if left := a.until.Sub(now); left > 0 {
		return left
	}
	return pauseRetry
}

// playing counts the matches of an account, or of all for "", and says when to
// ask again for the place of one.
func (a *Admission) playing(now time.Time, account string) (n int, free time.Duration) {
	free = slotRetry
	for _, i := range a.active {
		left := i.Expires.Sub(now)
		if account != "" && i.Account != account || left <= -overdue || !i.Ended.IsZero() { // its agent has left
			continue
		}
		n++
		free = min(free, max(left, time.Second))
	}
	return n, free
}
