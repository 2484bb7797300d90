package ludux

import (
	"strconv"
	"time"

	"github.com/matchreferee/arena/referee"
)

// appendTime appends a moment as RFC 3339 in UTC with whole seconds, rounded
// down. Years beyond 9999 have no such form, and stay at its end; the zero time is null.
func appendTime(dst []byte, t time.Time) []byte {
	if t.IsZero() {
		return append(dst, "null"...)
	}
	t = t.UTC()
	switch {
	case t.Year() > 9999:
		t = time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC)
	case t.Year() < 0:
		t = time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	dst = append(dst, '"')
	dst = t.AppendFormat(dst, "2006-01-02T15:04:05")
	return append(dst, `+00:00"`...)
}

func appendMS(dst []byte, d time.Duration) []byte {
	return strconv.AppendInt(dst, int64(max(d, 0)/time.Millisecond), 10)
}

func timeOf(t referee.Time) time.Time { return time.UnixMilli(int64(t)).UTC() }

// durationOf gives a span in milliseconds, at most what a Duration holds.
func durationOf(ms referee.Time) time.Duration {
	const most = referee.Time(1<<63-1) / referee.Time(time.Millisecond)
	return time.Duration(min(max(ms, 0), most)) * time.Millisecond
}
