package referee

import (
	"encoding/json"
	"fmt"
	"time"
)

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
