package ludux

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/internal/jsontext"
	"github.com/matchreferee/arena/referee"
)

// ActionRequest asks a seat for an action. What other agents chose is in State
// and Opponents, and untrusted.
type ActionRequest struct {
	MatchID      string
	Game         string          // "connect-four"
	GameVersion  string          // of the rules
	Ruleset      json.RawMessage // an object, move_time_ms among its members
	Agent        Identity        // who is asked
	Seat         game.Seat
	Seq          int64         // to be echoed; from 1, the same in a re-delivery
	Phase        string        // "": the game has none
	Deadline     time.Duration // time left, in whole milliseconds; this is what counts
	DeadlineAt   time.Time     // UTC, rounded down to seconds
	IssuedAt     time.Time     // UTC, rounded down to seconds
	State        json.RawMessage
	LegalActions []game.Action   // each accepted as it is
	ActionSchema json.RawMessage // JSON Schema of what else is; nil: nothing
	Opponents    []Opponent      // by seat
	Truncated    *Truncation     // nil: State is whole
}

// Truncation tells which member of a state lacks how many of its oldest entries.
type Truncation struct {
	Member  string
	Omitted int
}

// Delivery is what a request does not know of its own sending.
type Delivery struct {
	Now      referee.Time  // when the message is written, by the referee's clock: [referee.Seat.Now]
	MoveTime time.Duration // [referee.Clock].Move of the seat; 0: none
}

// ErrTooLarge says that a message does not fit [MaxFrame] bytes.
var ErrTooLarge = errors.New("ludux: over 32,768 bytes")

// AppendRequest appends the message that asks for an action, r being the open
// request. The same r at a later time is a re-delivery. r.Deadline is taken for
// the deadline; where it does not run yet, that of a clock that starts now. On
// error, which wraps [ErrTooLarge] or is that of a view that does not marshal, dst
// is as it was: the host's fault and not the agent's. r is used, and so must not
// be in use elsewhere.
func AppendRequest(dst []byte, r *referee.Request, d Delivery) ([]byte, error) {
	m, err := requestOf(r, d)
	if err != nil {
		return dst, err
	}
	out := m.Append(dst)
	if over := len(out) - len(dst) - MaxFrame; over > 0 {
		if m.State, m.Truncated = cutHistory(m.State, over); m.Truncated == nil {
			return dst, fmt.Errorf("%w: request %d of seat %v", ErrTooLarge, r.Ask, r.Seat)
		}
		out = m.Append(dst)
	}
	return out, nil
}

func requestOf(r *referee.Request, d Delivery) (m ActionRequest, err error) {
	state, err := appendView(make([]byte, 0, 1024), r.View())
	if err != nil {
		return m, fmt.Errorf("ludux: view of seat %v: %w", r.Seat, err)
	}
	info := r.Info()
	deadline := r.Deadline
	if deadline == 0 {
		limit := r.Limit
		if limit <= 0 {
			limit = matchTime
		}
		deadline = d.Now + referee.Time(limit/time.Millisecond)
	}
	m = ActionRequest{
		MatchID: r.Match(), Game: info.Name, GameVersion: info.Version, Ruleset: withMoveTime(r.Ruleset(), d.MoveTime),
		Agent: identityOf(r.Agents(r.Seat)), Seat: r.Seat, Seq: int64(r.Ask), Phase: r.Phase,
		Deadline: durationOf(deadline - d.Now), DeadlineAt: timeOf(deadline), IssuedAt: timeOf(d.Now), State: state,
		LegalActions: r.Legal(make([]game.Action, 0, 16)), ActionSchema: r.Form(), Opponents: opponentsOf(r.Card()),
	}
	if len(m.LegalActions) == 0 && m.ActionSchema != nil {
		if a, ok := r.Default(); ok {
			m.LegalActions = append(m.LegalActions, a)
		}
	}
	if m.ActionSchema != nil {
		var compact bytes.Buffer
		if err := json.Compact(&compact, m.ActionSchema); err != nil {
			return m, fmt.Errorf("ludux: form of seat %v: %w", r.Seat, err)
		}
		m.ActionSchema = bytes.ToValidUTF8(compact.Bytes(), []byte(string(utf8.RuneError)))
	}
	return m, nil
}

// Kind is [KindActionRequest].
func (*ActionRequest) Kind() Kind { return KindActionRequest }

// Append appends the message; see [Message].
func (m *ActionRequest) Append(dst []byte) []byte {
	dst = head(dst, KindActionRequest)
	dst = append(dst, `,"match_id":`...)
	dst = jsontext.AppendString(dst, m.MatchID)
	dst = appendGame(dst, m.Game, m.GameVersion, m.Ruleset)
	dst = m.Agent.append(dst)
	dst = append(dst, `,"seat":`...)
	dst = jsontext.AppendInt(dst, m.Seat)
	dst = append(dst, `,"seq":`...)
	dst = jsontext.AppendInt(dst, m.Seq)
	dst = append(dst, `,"phase":`...)
	if m.Phase == "" {
		dst = append(dst, "null"...)
	} else {
		dst = jsontext.AppendString(dst, m.Phase)
	}
	dst = append(dst, `,"deadline_ms":`...)
	dst = appendMS(dst, m.Deadline)
	dst = append(dst, `,"deadline_at":`...)
	dst = appendTime(dst, m.DeadlineAt)
	dst = append(dst, `,"issued_at":`...)
	dst = appendTime(dst, m.IssuedAt)
	dst = append(dst, `,"state":`...)
	dst = jsontext.AppendRaw(dst, m.State)
	dst = append(dst, `,"legal_actions":[`...)
	for i, a := range m.LegalActions {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, a...)
	}
	dst = append(dst, ']')
	if m.ActionSchema != nil {
		dst = append(dst, `,"action_schema":`...)
		dst = append(dst, m.ActionSchema...)
	}
	dst = appendOpponents(dst, m.Opponents)
	return append(appendTruncation(dst, m.Truncated), '}')
}

func (m *ActionRequest) read(r *reader) {
	m.MatchID = r.text("match_id", true)
	m.Game, m.GameVersion, m.Ruleset = r.text("game", false), r.text("game_version", false), r.object("ruleset")
	m.Agent, m.Seat = r.identity(), r.seat(true)
	m.Seq = r.int("seq", true, math.MaxInt32)
	m.Phase = r.text("phase", false)
	m.Deadline, m.DeadlineAt, m.IssuedAt = r.ms("deadline_ms", true), r.time("deadline_at"), r.time("issued_at")
	if s, err := r.Get("state"); err == nil {
		m.State = json.RawMessage(s.Raw)
	}
	items := r.list("legal_actions", true)
	m.LegalActions = make([]game.Action, len(items))
	for i := range items {
		m.LegalActions[i] = game.Action(items[i].Raw)
	}
	m.ActionSchema = r.object("action_schema")
	m.Opponents = r.opponents()
	m.Truncated = r.truncation()
}

// appendTruncation appends the member, if there is one.
func appendTruncation(dst []byte, t *Truncation) []byte {
	if t == nil {
		return dst
	}
	dst = append(dst, `,"truncated":{"member":`...)
	dst = jsontext.AppendString(dst, t.Member)
	dst = append(dst, `,"omitted":`...)
	return append(jsontext.AppendInt(dst, t.Omitted), '}')
}

func (r *reader) truncation() (t *Truncation) {
	if r.Has("truncated") {
		r.inside("truncated", r.json("truncated"), func(in *reader) {
			t = &Truncation{in.text("member", true), int(in.int("omitted", true, math.MaxInt32))}
		})
	}
	return t
}

// Respond makes the response to the request. action is JSON, one of
// LegalActions or what ActionSchema allows; commentary is shown to people, and may
// be "". The response names its seat where the agent is among its own Opponents.
func (m *ActionRequest) Respond(action game.Action, commentary string) *ActionResponse {
	r := &ActionResponse{MatchID: m.MatchID, Seq: m.Seq, Action: action, Commentary: commentary}
	if m.Agent.Slug != "" && slices.ContainsFunc(m.Opponents, func(o Opponent) bool { return o.Slug == m.Agent.Slug }) {
		r.Seat = new(m.Seat)
	}
	return r
}

// appendGame appends the members that say what is played.
func appendGame(dst []byte, name, version string, ruleset json.RawMessage) []byte {
	dst = append(dst, `,"game":`...)
	dst = jsontext.AppendString(dst, name)
	dst = append(dst, `,"game_version":`...)
	dst = jsontext.AppendString(dst, version)
	dst = append(dst, `,"ruleset":`...)
	if ruleset == nil {
		return append(dst, "{}"...)
	}
	return append(dst, ruleset...)
}
