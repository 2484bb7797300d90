package callback

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"mime"
	"net/http"
	"slices"
	"strings"

	"github.com/matchreferee/arena/game"
)

// maxPractice bounds the bytes of a practice request.
const maxPractice = 8 << 10

// practiceRequest is what somebody wants to practise.
type practiceRequest struct {
	url, game, house string
	seat             int
}

// read reads a request and checks all but where the URL leads.
func (h *practiceHandler) read(w http.ResponseWriter, r *http.Request) (p practiceRequest, bad *problem) {
	limitBody(w)
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", "POST")
		return p, &problem{Status: http.StatusMethodNotAllowed, Code: "method", Detail: "POST a practice request"}
	}
	// A page of another site cannot send this type without asking first.
	if t, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || t != "application/json" {
		return p, &problem{Status: http.StatusUnsupportedMediaType, Code: "content_type", Detail: "the content type is to be application/json"}
	}
	body, status := readRequest(w, r, maxPractice)
	switch status {
	case http.StatusOK:
	case http.StatusRequestTimeout:
		return p, &problem{Status: status, Code: "timeout", Detail: "the body took too long to come"}
	case http.StatusRequestEntityTooLarge:
		return p, &problem{Status: status, Code: "too_large", Detail: fmt.Sprintf("at most %d bytes", maxPractice)}
	default:
		return p, malformed("the body cannot be read")
	}
	p, bad = decodePractice(body)
	if bad != nil && bad.Code != invalid {
		return p, bad
	}
	return p, h.known(p, bad)
}

// invalid is the code of a problem with members.
const invalid = "invalid"

func wrongMembers() *problem {
	return &problem{Status: http.StatusUnprocessableEntity, Code: invalid, Detail: "some members are not right"}
}

// decodePractice reads the JSON. An unknown member is an error: it is a
// misspelt one, as a rule. Where some are wrong, the others are there all the same.
func decodePractice(body []byte) (p practiceRequest, bad *problem) {
	canonical, err := game.Canonical(body)
	if err != nil {
		return p, malformed("the body is not one well-formed JSON value")
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal([]byte(canonical), &members); err != nil || members == nil {
		return p, malformed("the body is not a JSON object")
	}
	bad = wrongMembers()
	text := func(name string, to *string) {
		raw, ok := members[name]
		if !ok {
			bad.add(name, "required")
		} else if json.Unmarshal(raw, to) != nil || raw[0] != '"' {
			bad.add(name, "not a string")
		} else if *to == "" {
			bad.add(name, "required")
		}
		delete(members, name)
	}
	text("url", &p.url)
	text("game", &p.game)
	text("house", &p.house)
	if raw, ok := members["seat"]; ok {
		if json.Unmarshal(raw, &p.seat) != nil || raw[0] == 'n' {
			bad.add("seat", "not a whole number")
		}
		delete(members, "seat")
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		bad.add(name, "unknown; there are url, game, house and seat")
	}
	if len(bad.Errors) > 0 {
		return p, bad
	}
	return p, nil
}

// known checks the URL's form, the names and the seat, where nothing is wrong
// with them yet; other says what is wrong so far, nil for nothing.
func (h *practiceHandler) known(p practiceRequest, other *problem) *problem {
	bad := wrongMembers()
	good := func(field string) bool {
		return other == nil || !slices.ContainsFunc(other.Errors, func(e problemField) bool { return e.Field == field })
	}
	if good("url") {
		if _, err := h.o.Transport.parseURL(p.url); err != nil {
			bad = urlProblem(err)
		}
	}
	if g := h.o.Games[p.game]; g == nil {
		if good("game") {
			bad.add("game", "unknown; there are "+strings.Join(slices.Sorted(maps.Keys(h.o.Games)), ", "))
		}
	} else {
		if good("house") {
			if _, ok := h.o.House(p.game, p.house); !ok {
				bad.add("house", "unknown for this game")
			}
		}
		if n := practiceSeats(g.Info()); good("seat") && (p.seat < 0 || p.seat >= n) {
			bad.add("seat", fmt.Sprintf("not in 0 to %d", n-1))
		}
	}
	if other != nil {
		bad.Errors = append(bad.Errors, other.Errors...)
	}
	if len(bad.Errors) > 0 {
		return bad
	}
	return nil
}

// urlProblem says why an agent may not have a URL, without the addresses that
// its name has.
func urlProblem(err error) *problem {
	p := wrongMembers()
	switch {
	case errors.Is(err, ErrURL):
		p.add("url", strings.TrimPrefix(err.Error(), ErrURL.Error()+": "))
	case errors.Is(err, ErrAddress):
		p.add("url", "it leads to an address that is not public")
	case errors.Is(err, ErrResolve):
		p.add("url", "its name cannot be resolved")
	default:
		return &problem{Status: http.StatusServiceUnavailable, Code: "unavailable", Detail: "names cannot be resolved at the moment", retry: 30}
	}
	return p
}
