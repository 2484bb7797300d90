package referee

import (
	"bytes"
	"encoding/json"
)

func (p *cursor) start(e *Event) {
	if v := p.positive(`,"v":`); v != Format {
		p.fail("format of a record: not one that is known here")
	}
	e.Time = Time(p.positive(`,"at":`))
	s := &Start{ID: p.text(`,"id":`), Game: p.text(`,"game":`), Version: p.text(`,"version":`)}
	e.X = &Extra{Start: s}
	if p.member(`,"ruleset":`) {
		s.Ruleset = p.raw()
	}
	s.Position = p.text(`,"position":`)
	if p.member(`,"names":`) {
		p.lit("[")
		s.Names = []string{}
		for p.more(len(s.Names)) {
			s.Names = append(s.Names, p.string())
		}
	}
	if !p.member(`,"seats":[`) {
		p.fail("seats: not there, or not in its place")
	}
	s.Seats = make([]SeatInfo, 0, 2)
	for p.more(len(s.Seats)) {
		s.Seats = append(s.Seats, SeatInfo{})
		p.seatInfo(&s.Seats[len(s.Seats)-1])
	}
	s.Max = int(p.integer(`,"max":`))
	p.hash(`,"commit":"`, &s.Commit)
	s.Lib = p.text(`,"lib":`)
}

// raw reads a JSON value whose canonical form is its author's business.
func (p *cursor) raw() json.RawMessage {
	end := valueEnd(p.b, p.i)
	if end < 0 || !json.Valid(p.b[p.i:end]) {
		p.fail("no JSON value")
		return nil
	}
	from := p.i
	p.i = end
	return bytes.Clone(p.b[from:end])
}

func (p *cursor) seatInfo(s *SeatInfo) {
	p.open()
	if p.member(`,"agent":`) {
		p.agent(&s.Agent)
	}
	s.Transport = p.text(`,"transport":`)
	if p.member(`,"policy":`) {
		p.policy(&s.Policy)
	}
	if p.member(`,"clock":`) {
		p.clock(&s.Clock)
	}
	p.close()
}

func (p *cursor) agent(a *Agent) {
	p.open()
	a.Slug, a.Name, a.Version = p.text(`,"slug":`), p.text(`,"name":`), p.text(`,"version":`)
	a.Owner, a.Framework, a.Model = p.text(`,"owner":`), p.text(`,"framework":`), p.text(`,"model":`)
	a.House = p.member(`,"house":true`)
	if p.member(`,"rating":`) {
		a.Rating = p.float()
	}
	if p.member(`,"labels":`) {
		p.labels(a)
	}
	p.close()
}

func (p *cursor) labels(a *Agent) {
	a.Labels = map[string]string{}
	for p.open(); p.bad == "" && !p.lit("}"); {
		if len(a.Labels) > 0 && !p.lit(",") || len(a.Labels) == maxLabels {
			p.fail("labels: too many, or not an object")
			return
		}
		name := p.string()
		if !p.lit(":") {
			p.fail("labels: no value")
		}
		a.Labels[name] = p.string()
	}
	p.first = false
}

func (p *cursor) policy(y *Policy) {
	p.open()
	y.Name = p.text(`,"name":`)
	for _, f := range [...]struct {
		f  Fault
		do *Do
	}{
		{Late, &y.Late}, {Malformed, &y.Malformed}, {BadNonce, &y.BadNonce}, {Illegal, &y.Illegal}, {Oversized, &y.Oversized},
		{Unreachable, &y.Unreachable}, {Disconnected, &y.Disconnected}, {BadProtocol, &y.BadProtocol},
	} {
		if p.key(faultNames[f.f]) {
			named(p, f.do, doNames[:], "consequence")
		}
	}
	y.Strikes = int(p.integer(`,"strikes":`))
	if p.member(`,"out":`) {
		named(p, &y.Out, doNames[:], "consequence")
	}
	y.Pause, y.PauseMax = millis(p.integer(`,"pause":`)), millis(p.integer(`,"pause_max":`))
	y.Reask = p.member(`,"reask":true`)
	y.Notes = int(p.integer(`,"notes":`))
	p.close()
}

func (p *cursor) clock(c *Clock) {
	p.open()
	c.Move, c.Base, c.Increment = millis(p.integer(`,"move":`)), millis(p.integer(`,"base":`)), millis(p.integer(`,"increment":`))
	c.Grace, c.Expiry = millis(p.integer(`,"grace":`)), millis(p.integer(`,"expiry":`))
	if p.member(`,"starts":"sent"`) {
		c.Starts = AtSent
	}
	c.Warn, c.WarnFrom, c.Back = millis(p.integer(`,"warn":`)), millis(p.integer(`,"warn_from":`)), millis(p.integer(`,"back":`))
	p.close()
}
