package agentarena

import (
	"crypto/subtle"
	"errors"
	"fmt"
	"strconv"
	"unicode/utf8"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/internal/jsontext"
	"github.com/matchreferee/arena/referee"
)

// Decode judges the reply to request r that was sent with this nonce: an
// answer, or the fault that it is, with a hint that the agent may read. body is what
// came after the headers, of which MaxReply+1 bytes are enough. An empty nonce
// matches none. The answer is addressed to r and shares no memory with body. Words
// that are a part of the action have been through r.Filter; the referee filters
// notes. r is used, and so must not be in use elsewhere.
func Decode(status int, body []byte, nonce string, r *referee.Request) referee.Answer {
	a := referee.Answer{To: referee.Address{By: referee.ByAsk, N: r.Ask}}
	fault := func(f referee.Fault, detail string) referee.Answer {
		a.Fault, a.Detail = f, detail
		return a
	}
	switch {
	case redirect(status):
		return fault(referee.BadProtocol, "redirect "+strconv.Itoa(status))
	case status != 200:
		return fault(referee.BadProtocol, "status "+strconv.Itoa(status))
	case len(body) > MaxReply:
		return fault(referee.Oversized, fmt.Sprintf("a reply has at most %d bytes", MaxReply))
	}
	members, err := parseObject(body)
	if err != nil {
		return fault(referee.Malformed, "the body is not one JSON object: "+err.Error())
	}
	move, err := members.Text("move")
	if err != nil {
		return fault(referee.Malformed, err.Error())
	}
	echo, err := members.Text("nonce")
	if err != nil {
		return fault(referee.BadNonce, err.Error())
	}
	if nonce == "" || subtle.ConstantTimeCompare([]byte(echo), []byte(nonce)) != 1 {
		return fault(referee.BadNonce, "the nonce is not that of this request")
	}
	listed, err := find(r, move)
	if err != nil {
		return fault(referee.Illegal, err.Error())
	}
	reason, _ := members.Text("reason")
	reason = clean(reason)
	if reason != "" {
		if form := r.Form(); form != nil {
			if _, ok := say(listed, form, reason); ok {
				a.Action, _ = say(listed, form, clean(r.Filter(reason)))
				return a
			}
		}
	}
	a.Action, a.Note = listed, reason
	return a
}

func redirect(status int) bool {
	switch status {
	case 301, 302, 303, 307, 308:
		return true
	}
	return false
}

// find gives the listed action whose text is exactly move.
func find(r *referee.Request, move string) (game.Action, error) {
	legal := r.Legal(make([]game.Action, 0, 16))
	found := -1
	for i, a := range legal {
		if r.Text(a) != move {
			continue
		}
		if found >= 0 && legal[found] != a {
			return "", fmt.Errorf("%s names two legal moves", jsontext.Quote(move))
		}
		found = i
	}
	if found >= 0 {
		return legal[found], nil
	}
	hint := jsontext.Quote(move) + " is not in legal:"
	for i, a := range legal {
		text := r.Text(a)
		if utf8.RuneCountInString(hint)+utf8.RuneCountInString(text) > referee.MaxDetail-8 {
			hint += " ..."
			break
		}
		if i > 0 {
			hint += ","
		}
		hint += " " + text
	}
	return "", errors.New(hint)
}

// clean makes one line of a reason, and cuts it.
func clean(s string) string { return jsontext.Line(s, MaxReason) }
