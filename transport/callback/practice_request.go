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
	"time"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/internal/web"
)

// maxPractice bounds the bytes of a practice request.
const maxPractice = 8 << 10

// practiceRequest is what somebody wants to practise.
type practiceRequest struct {
	url, game, house string
	seat             int
}

// read reads a request and checks all but where the URL leads.
func (h *practiceHandler) read(w http.ResponseWriter, r *http.Request) (p practiceRequest, bad *web.Problem) {
	limitBody(w)
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", "POST")
		return p, &web.Problem{Status: http.StatusMethodNotAllowed, Code: "method", Detail: "POST a practice request"}
	}
	// A page of another site cannot send this type without asking first.
	if t, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || t != "application/json" {
		return p, &web.Problem{Status: http.StatusUnsupportedMediaType, Code: "content_type", Detail: "the content type is to be application/json"}
	}
	body, status := readRequest(w, r, maxPractice)
	switch status {
	case http.StatusOK:
	case http.StatusRequestTimeout:
		return p, &web.Problem{Status: status, Code: "timeout", Detail: "the body took too long to come"}
	case http.StatusRequestEntityTooLarge:
		return p, &web.Problem{Status: status, Code: "too_large", Detail: fmt.Sprintf("at most %d bytes", maxPractice)}
	default:
		return p, malformed("the body cannot be read")
	}
	p, bad = decodePractice(body)
	if bad != nil && bad.Code != invalid {
		return p, bad
	}
	return p, h.known(p, bad)
}

func malformed(detail string) *web.Problem {
	return &web.Problem{Status: http.StatusBadRequest, Code: "malformed", Detail: detail}
}

// invalid is the code of a problem with members.
const invalid = "invalid"

func wrongMembers() *web.Problem {
	return &web.Problem{Status: http.StatusUnprocessableEntity, Code: invalid, Detail: "some members are not right"}
}

// decodePractice reads the JSON. An unknown member is an error: it is a
// misspelt one, as a rule. Where some are wrong, the others are there all the same.
func decodePractice(body []byte) (p practiceRequest, bad *web.Problem) {
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
			bad.Add(name, "required")
		} else if json.Unmarshal(raw, to) != nil || raw[0] != '"' {
			bad.Add(name, "not a string")
		} else if *to == "" {
			bad.Add(name, "required")
		}
		delete(members, name)
	}
	text("url", &p.url)
	text("game", &p.game)
	text("house", &p.house)
	if raw, ok := members["seat"]; ok {
		if json.Unmarshal(raw, &p.seat) != nil || raw[0] == 'n' {
			bad.Add("seat", "not a whole number")
		}
		delete(members, "seat")
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		bad.Add(name, "unknown; there are url, game, house and seat")
	}
	if len(bad.Errors) > 0 {
		return p, bad
	}
	return p, nil
}

// known checks the URL's form, the names and the seat, where nothing is wrong
// with them yet; other says what is wrong so far, nil for nothing.
func (h *practiceHandler) known(p practiceRequest, other *web.Problem) *web.Problem {
	bad := wrongMembers()
	good := func(field string) bool {
		return other == nil || !slices.ContainsFunc(other.Errors, func(e web.Field) bool { return e.Field == field })
	}
	if good("url") {
		if _, err := h.o.Transport.parseURL(p.url); err != nil {
			bad = urlProblem(err)
		}
	}
	if g := h.o.Games[p.game]; g == nil {
		if good("game") {
			bad.Add("game", "unknown; there are "+strings.Join(slices.Sorted(maps.Keys(h.o.Games)), ", "))
		}
	} else {
		if good("house") {
			if _, ok := h.o.House(p.game, p.house); !ok {
				bad.Add("house", "unknown for this game")
			}
		}
		if n := practiceSeats(g.Info()); good("seat") && (p.seat < 0 || p.seat >= n) {
			bad.Add("seat", fmt.Sprintf("not in 0 to %d", n-1))
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
func urlProblem(err error) *web.Problem {
	p := wrongMembers()
	switch {
	case errors.Is(err, ErrURL):
		p.Add("url", strings.TrimPrefix(err.Error(), ErrURL.Error()+": "))
	case errors.Is(err, ErrAddress):
		p.Add("url", "it leads to an address that is not public")
	case errors.Is(err, ErrResolve):
		p.Add("url", "its name cannot be resolved")
	default:
		return &web.Problem{Status: http.StatusServiceUnavailable, Code: "unavailable", Detail: "names cannot be resolved at the moment", Retry: 30 * time.Second}
	}
	return p
}
