package gridarena

import (
	"crypto/sha256"
	"encoding/json"
	"strings"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/internal/jsontext"
)

// Create is the body of POST matches: it asks for a match.
type Create struct {
	Opponent  string // one of the host's, at most 64 bytes; whether it is known is not looked at
	Name      string // of the agent, self-reported: one line; "": the key's
	AgentSeat game.Seat
	Control   Control
	RequestID string          // in lower case
	Game      string          // as in game.Info.Name; "": the host's first
	Ruleset   json.RawMessage // an object in canonical form; nil: the game's own
}

// maxShort bounds what names an opponent or a game, in bytes.
const maxShort = 64

// DecodeCreate reads a body of at most [MaxBody] bytes. The problem is nil where
// it is one. The result shares no memory with body.
func DecodeCreate(body []byte) (*Create, *Problem) {
	r, p := open(body)
	if p != nil {
		return nil, p
	}
	c := &Create{
		Opponent: r.short("opponent", true), Name: cleanName(r.text("name", false)), AgentSeat: game.Seat(r.int("agentSeat", false, 0, game.MaxSeats-1)),
		Control: Production, RequestID: r.uuid("requestId"), Game: r.short("game", false),
	}
	if s := r.text("control", false); s != "" {
		c.Control = Control(s)
		if c.Control.Validate() != nil {
			r.fail("control", "%s is neither %q nor %q", jsontext.Quote(s), Production, Untimed)
		}
	}
	if v, ok := r.of("ruleset", jsontext.Object, false); ok {
		if len(v.Raw) > MaxRuleset {
			r.fail("ruleset", "has over %d bytes", MaxRuleset)
		} else {
			c.Ruleset = v.AppendCanonical(nil)
		}
	}
	r.diagnostics()
	if p := r.problem(); p != nil {
		return nil, p
	}
	return c, nil
}

// short gives a name that a host has to know.
func (r *reader) short(name string, needed bool) string {
	v, ok := r.of(name, jsontext.String, needed)
	switch {
	case !ok:
		return ""
	case needed && v.Text == "":
		r.fail(name, "is empty")
	case len(v.Text) > maxShort:
		r.fail(name, "has over %d bytes", maxShort)
	}
	return v.Text
}

func cleanName(s string) string {
	return strings.TrimSpace(jsontext.Line(strings.TrimSpace(strings.ReplaceAll(s, "\r", " ")), MaxName))
}

// Hash is the same for two requests of one id that ask for the same: SHA-256 of
// the canonical form that the package comment describes.
func (c *Create) Hash() [32]byte {
	dst := make([]byte, 0, 256+len(c.Ruleset))
	dst = append(dst, `{"agentSeat":`...)
	dst = jsontext.AppendInt(dst, c.AgentSeat)
	dst = append(dst, `,"control":`...)
	dst = jsontext.AppendString(dst, string(c.Control))
	if c.Game != "" {
		dst = append(dst, `,"game":`...)
		dst = jsontext.AppendString(dst, c.Game)
	}
	dst = append(dst, `,"name":`...)
	dst = jsontext.AppendString(dst, c.Name)
	dst = append(dst, `,"opponent":`...)
	dst = jsontext.AppendString(dst, c.Opponent)
	dst = append(dst, `,"requestId":`...)
	dst = jsontext.AppendString(dst, c.RequestID)
	if c.Ruleset != nil {
		dst = append(dst, `,"ruleset":`...)
		dst = append(dst, c.Ruleset...)
	}
	return sha256.Sum256(append(dst, '}'))
}

// DecodeAbandon reads the body of POST abandon, in which nothing is needed: it may
// be empty. The problem is nil where it is one.
func DecodeAbandon(body []byte) *Problem {
	if len(body) == 0 {
		return nil
	}
	_, p := open(body)
	return p
}
