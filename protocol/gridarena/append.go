package gridarena

import (
	"bytes"
	"encoding/json"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/internal/jsontext"
	"github.com/matchreferee/arena/referee"
)

func appendStrings(dst []byte, list []string) []byte {
	return jsontext.AppendList(dst, list, jsontext.AppendString)
}

// appendSeat appends a seat, null for what is none.
func appendSeat(dst []byte, s game.Seat) []byte {
	if !s.Valid() {
		return append(dst, "null"...)
	}
	return jsontext.AppendInt(dst, s)
}

func appendScores(dst []byte, scores []int64) []byte {
	if scores == nil {
		return append(dst, "null"...)
	}
	return jsontext.AppendList(dst, scores, jsontext.AppendInt)
}

func appendMS(dst []byte, d time.Duration) []byte {
	return strconv.AppendInt(dst, int64(max(d, 0)/time.Millisecond), 10)
}

// Moments that RFC 3339 can write: the years 0 to 9999.
const (
	firstMoment = referee.Time(-62167219200_000)
	lastMoment  = referee.Time(253402300799_999)
	day         = 24 * 60 * 60 * 1000
)

// calendar appends moments; most of a match are on one day, whose date it remembers.
type calendar struct {
	day  int64
	date [11]byte // "2026-11-30T"
}

// append appends a moment as RFC 3339 in UTC with milliseconds. What is out of the
// years that this can write is put at their edge.
func (c *calendar) append(dst []byte, t referee.Time) []byte {
	ms := int64(min(max(t, firstMoment), lastMoment))
	days := ms / day
	if ms%day < 0 {
		days--
	}
	if c.date[0] == 0 || c.day != days {
		c.day = days
		time.UnixMilli(ms).UTC().AppendFormat(c.date[:0], "2006-01-02T")
	}
	ms -= days * day
	dst = append(dst, '"')
	dst = append(dst, c.date[:]...)
	dst = appendTwo(dst, ms/3_600_000)
	dst = append(dst, ':')
	dst = appendTwo(dst, ms/60_000%60)
	dst = append(dst, ':')
	dst = appendTwo(dst, ms/1000%60)
	dst = append(dst, '.', '0'+byte(ms/100%10))
	dst = appendTwo(dst, ms%100)
	return append(dst, `+00:00"`...)
}

func appendTwo(dst []byte, n int64) []byte { return append(dst, '0'+byte(n/10), '0'+byte(n%10)) }

// marshal gives the JSON of a view. Only what JSON needs to be escaped is.
func marshal(view any) (json.RawMessage, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(view); err != nil {
		return nil, err
	}
	return bytes.ToValidUTF8(bytes.TrimSuffix(b.Bytes(), []byte("\n")), []byte(string(utf8.RuneError))), nil
}

// compact gives JSON without white space between its parts.
func compact(raw json.RawMessage) (json.RawMessage, error) {
	var b bytes.Buffer
	if err := json.Compact(&b, raw); err != nil {
		return nil, err
	}
	return bytes.ToValidUTF8(b.Bytes(), []byte(string(utf8.RuneError))), nil
}
