package agentarena

import (
	"strconv"
	"time"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/internal/jsontext"
	"github.com/matchreferee/arena/referee"
)

// AppendRequest appends the body of the POST that asks for a move. nonce is to
// be fresh for every send, at least 128 random bits; replayURL is where the
// match can be watched. Neither is checked. r is used, and so must not be in use
// elsewhere.
func AppendRequest(dst []byte, r *referee.Request, nonce, replayURL string) []byte {
	info := r.Info()
	dst = append(dst, `{"protocol":"`+Protocol+`","type":"move_request","match_id":`...)
	dst = jsontext.AppendString(dst, r.Match())
	dst = append(dst, `,"game":`...)
	dst = jsontext.AppendString(dst, gameName(info.Name))
	dst = append(dst, `,"you":`...)
	dst = jsontext.AppendString(dst, r.Label(r.Seat))
	dst = append(dst, `,"opponent":`...)
	dst = jsontext.AppendString(dst, opponents(r))
	dst = append(dst, `,"move_number":`...)
	dst = strconv.AppendInt(dst, int64(r.Turn)+1, 10)
	dst = append(dst, `,"board":`...)
	dst = jsontext.AppendString(dst, board(r))
	dst = append(dst, `,"legal":[`...)
	for i, a := range r.Legal(make([]game.Action, 0, 16)) {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = jsontext.AppendString(dst, r.Text(a))
	}
	dst = append(dst, `],"strikes":`...)
	dst = strconv.AppendInt(dst, int64(r.Strikes), 10)
	dst = append(dst, `,"deadline_ms":`...)
	limit := r.Limit
	if limit <= 0 {
		limit = matchTime
	}
	dst = strconv.AppendInt(dst, int64(limit/time.Millisecond), 10)
	dst = append(dst, `,"nonce":`...)
	dst = jsontext.AppendString(dst, nonce)
	dst = append(dst, `,"replay_url":`...)
	return append(jsontext.AppendString(dst, replayURL), '}')
}

// gameName is what this format calls a game.
func gameName(name string) string {
	if name == "connect-four" {
		return "connect4"
	}
	return name
}

// opponents names the other seats' agents.
func opponents(r *referee.Request) string {
	names := ""
	for s := range game.Seat(r.Seats()) {
		if s == r.Seat {
			continue
		}
		a := r.Agents(s)
		name := a.Name
		if name == "" {
			name = a.Slug
		}
		if name == "" {
			name = r.Label(s)
		}
		if names != "" {
			names += ", "
		}
		names += name
	}
	return names
}
