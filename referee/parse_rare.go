package referee

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"time"

	"github.com/matchreferee/arena/game"
)

// Rare lines are read by encoding/json and compared with what AppendLine makes
// of them, so these shapes need not be strict by themselves.

type policyJSON struct {
	Name         string `json:"name"`
	Late         Do     `json:"late"`
	Malformed    Do     `json:"malformed"`
	BadNonce     Do     `json:"bad_nonce"`
	Illegal      Do     `json:"illegal"`
	Oversized    Do     `json:"oversized"`
	Unreachable  Do     `json:"unreachable"`
	Disconnected Do     `json:"disconnected"`
	BadProtocol  Do     `json:"bad_protocol"`
	Strikes      int    `json:"strikes"`
	Out          Do     `json:"out"`
	Pause        int64  `json:"pause"`
	PauseMax     int64  `json:"pause_max"`
	Reask        bool   `json:"reask"`
	Notes        int    `json:"notes"`
}

// MarshalJSON writes a policy as it stands in a record: durations in
// milliseconds, zero members left out.
func (p Policy) MarshalJSON() ([]byte, error) { return appendPolicy(nil, &p), nil }

// UnmarshalJSON reads what MarshalJSON writes.
func (p *Policy) UnmarshalJSON(b []byte) error {
	var j policyJSON
	if err := json.Unmarshal(b, &j); err != nil {
		return err
	}
	*p = Policy{Name: j.Name, Late: j.Late, Malformed: j.Malformed, BadNonce: j.BadNonce, Illegal: j.Illegal, Oversized: j.Oversized,
		Unreachable: j.Unreachable, Disconnected: j.Disconnected, BadProtocol: j.BadProtocol, Strikes: j.Strikes, Out: j.Out,
		Pause: millis(j.Pause), PauseMax: millis(j.PauseMax), Reask: j.Reask, Notes: j.Notes}
	return nil
}

type clockJSON struct {
	Move      int64  `json:"move"`
	Base      int64  `json:"base"`
	Increment int64  `json:"increment"`
	Grace     int64  `json:"grace"`
	Expiry    int64  `json:"expiry"`
	Starts    string `json:"starts"`
	Warn      int64  `json:"warn"`
	WarnFrom  int64  `json:"warn_from"`
	Back      int64  `json:"back"`
}

// MarshalJSON writes a clock as it stands in a record: durations in
// milliseconds, zero members left out.
func (c Clock) MarshalJSON() ([]byte, error) { return appendClock(nil, &c), nil }

// UnmarshalJSON reads what MarshalJSON writes.
func (c *Clock) UnmarshalJSON(b []byte) error {
	var j clockJSON
	if err := json.Unmarshal(b, &j); err != nil {
		return err
	}
	*c = Clock{Move: millis(j.Move), Base: millis(j.Base), Increment: millis(j.Increment), Grace: millis(j.Grace), Expiry: millis(j.Expiry),
		Warn: millis(j.Warn), WarnFrom: millis(j.WarnFrom), Back: millis(j.Back)}
	switch j.Starts {
	case "":
	case "sent":
		c.Starts = AtSent
	default:
		return fmt.Errorf("starts: %q is unknown", j.Starts)
	}
	return nil
}

func millis(n int64) time.Duration {
	const most = int64(1<<63-1) / int64(time.Millisecond)
	return time.Duration(min(max(n, -most), most)) * time.Millisecond
}

// few is a list by seat: at most 64, and the line has it once, so that decoding
// a hostile line takes no more memory than an honest one of its length.
type few[T any] []T

func (l *few[T]) UnmarshalJSON(b []byte) error {
	if *l != nil {
		return fmt.Errorf("a list twice")
	}
	d := json.NewDecoder(bytes.NewReader(b))
	if t, err := d.Token(); err != nil || t != json.Delim('[') {
		return fmt.Errorf("not a list")
	}
	list := []T{}
	for d.More() {
		if len(list) == game.MaxSeats {
			return fmt.Errorf("a list of more than %d", game.MaxSeats)
		}
		var t T
		if err := d.Decode(&t); err != nil {
			return err
		}
		list = append(list, t)
	}
	*l = list
	return nil
}

type startJSON struct {
	V        int             `json:"v"`
	At       int64           `json:"at"`
	ID       string          `json:"id"`
	Game     string          `json:"game"`
	Version  string          `json:"version"`
	Ruleset  json.RawMessage `json:"ruleset"`
	Position string          `json:"position"`
	Names    few[string]     `json:"names"`
	Seats    few[SeatInfo]   `json:"seats"`
	Max      int             `json:"max"`
	Commit   string          `json:"commit"`
	Lib      string          `json:"lib"`
}

func (p *cursor) start(e *Event) error {
	var j startJSON
	if err := json.Unmarshal(p.b, &j); err != nil {
		return err
	}
	if j.V != Format {
		return fmt.Errorf("format %d of a record is not known here", j.V)
	}
	if e.Time = Time(j.At); e.Time < 0 || e.Time > maxTime {
		return fmt.Errorf("at: out of range")
	}
	s := &Start{ID: j.ID, Game: j.Game, Version: j.Version, Ruleset: j.Ruleset, Position: j.Position, Names: j.Names, Seats: j.Seats, Max: j.Max, Lib: j.Lib}
	e.X = &Extra{Start: s}
	p.toPrev()
	return hash32(&s.Commit, j.Commit)
}

type rareJSON struct {
	Ask     int32               `json:"ask"`
	Fault   Fault               `json:"fault"`
	Do      *Do                 `json:"do"`
	A       json.RawMessage     `json:"a"`
	Used    int64               `json:"used"`
	Note    string              `json:"note"`
	Meta    json.RawMessage     `json:"meta"`
	Detail  string              `json:"detail"`
	Got     map[string]int32    `json:"got"`
	Claim   string              `json:"claim"`
	What    string              `json:"what"`
	By      string              `json:"by"`
	Reason  string              `json:"reason"`
	Win     few[int]            `json:"win"`
	Ret     few[float64]        `json:"ret"`
	To      few[int]            `json:"to"`
	Text    string              `json:"text"`
	At      int64               `json:"at"`
	Cause   *Cause              `json:"cause"`
	Scores  few[int64]          `json:"scores"`
	Places  few[int]            `json:"places"`
	Strikes few[int]            `json:"strikes"`
	Faults  few[map[string]int] `json:"faults"`
	Secret  string              `json:"secret"`
	Salt    string              `json:"salt"`
}

func (p *cursor) rare(e *Event) error {
	if p.bad != "" {
		return nil // reported by the caller
	}
	var j rareJSON
	if err := json.Unmarshal(p.b, &j); err != nil {
		return err
	}
	x := &Extra{Note: j.Note, Meta: j.Meta, Fault: j.Fault, Detail: j.Detail, By: j.By, Reason: j.Reason, Ret: j.Ret, Text: j.Text, At: Time(j.At)}
	e.Ask, e.Action, e.Used = j.Ask, game.Action(j.A), Time(j.Used)
	if j.Do != nil {
		x.Do = *j.Do
	}
	for by, name := range byNames {
		if n, ok := j.Got[name]; ok && name != "" {
			x.Got = Address{By: By(by), N: n}
		}
	}
	if e.Ask < 0 || e.Used < 0 {
		return fmt.Errorf("ask or used is negative")
	}
	if x.At < 0 || x.At > maxTime {
		return fmt.Errorf("at: out of range")
	}
	if e.Kind == KindFault {
		if x.Fault == NoFault || x.Fault >= faultCount {
			return fmt.Errorf("fault: there is none")
		}
		for _, a := range []json.RawMessage{j.A, j.Meta} {
			if c, err := game.Canonical(a); len(a) > 0 && (err != nil || string(c) != string(a)) {
				return fmt.Errorf("a or meta is not canonical JSON")
			}
		}
	}
	var err error
	if e.Kind == KindClaim {
		err = parseName(&x.Claim, claimNames[:], []byte(j.Claim), "claim")
	}
	if e.Kind == KindRule {
		err = parseName(&x.Rule, ruleNames[:], []byte(j.What), "ruling")
	}
	for _, set := range []struct {
		to   *game.SeatSet
		list []int
	}{{&x.Win, j.Win}, {&x.To, j.To}} {
		for _, s := range set.list {
			if s < 0 || s > 63 {
				return fmt.Errorf("seat %d is out of range", s)
			}
			*set.to = set.to.With(game.Seat(s))
		}
	}
	if e.Kind == KindEnd {
		x, err = j.end()
	}
	e.X = x
	p.toPrev()
	return err
}

func (j *rareJSON) end() (*Extra, error) {
	if j.Cause == nil {
		return nil, fmt.Errorf("cause: there is none")
	}
	end := &End{Cause: *j.Cause, Reason: j.Reason, Ret: j.Ret, Scores: j.Scores, Places: j.Places, Strikes: j.Strikes}
	if j.Faults != nil {
		end.Faults = make([][faultCount]int, len(j.Faults))
	}
	for i, m := range j.Faults {
		for f := Late; f < faultCount; f++ {
			end.Faults[i][f] = m[f.String()]
		}
	}
	err := hash32((*[32]byte)(&end.Secret), j.Secret)
	if err == nil {
		err = hash32(&end.Salt, j.Salt)
	}
	return &Extra{End: end}, err
}

// toPrev moves to the last member, which every line has.
func (p *cursor) toPrev() {
	if n := len(p.b) - len(`,"prev":"`) - 45; n > p.i {
		p.i = n
	}
}

func hash32(to *[32]byte, s string) error {
	n, err := base64.RawURLEncoding.Strict().Decode(to[:], []byte(s)[:min(len(s), 43)])
	if err != nil || n != 32 || len(s) != 43 {
		return fmt.Errorf("not base64url of 32 bytes")
	}
	return nil
}
