package referee

import "github.com/matchreferee/arena/game"

// rare reads the members of all events but start, sent and move.
func (p *cursor) rare(e *Event) {
	x := &Extra{}
	e.X = x
	switch e.Kind {
	case KindFault:
		p.fault(e, x)
	case KindGone:
		x.Detail = p.text(`,"detail":`)
	case KindClaim:
		if p.must(`,"claim":`) {
			named(p, &x.Claim, claimNames[:], "claim")
		}
	case KindRule:
		if p.must(`,"what":`) {
			named(p, &x.Rule, ruleNames[:], "ruling")
		}
		x.By, x.Reason = p.text(`,"by":`), p.text(`,"reason":`)
		x.Win = p.set(`,"win":[`)
		x.Ret = p.floats(`,"ret":[`)
	case KindSay:
		x.To = p.set(`,"to":[`)
		x.Text = p.text(`,"text":`)
	case KindResume:
		x.At = Time(p.positive(`,"at":`))
	case KindEnd:
		x.End = p.end()
	}
}

func (p *cursor) fault(e *Event, x *Extra) {
	e.Ask = p.ask()
	if p.must(`,"fault":`) {
		named(p, &x.Fault, faultNames[:], "fault")
	}
	if p.must(`,"do":`) {
		named(p, &x.Do, doNames[:], "consequence")
	}
	if x.Fault == NoFault {
		p.fail("fault: there is none")
	}
	if p.member(`,"a":`) {
		e.Action = p.action()
	}
	e.Used = p.used()
	x.Note = p.text(`,"note":`)
	if p.member(`,"meta":`) {
		x.Meta = []byte(p.action())
	}
	x.Detail = p.text(`,"detail":`)
	if !p.member(`,"got":{`) {
		return
	}
	p.first = true
	for by, name := range byNames {
		if name != "" && p.key(name) {
			n := p.signed()
			if n != int64(int32(n)) {
				p.fail("got: out of range")
			}
			x.Got = Address{By: By(by), N: int32(n)}
		}
	}
	p.close()
}

func (p *cursor) end() *End {
	end := &End{}
	if p.must(`,"cause":`) {
		named(p, &end.Cause, causeNames[:], "cause")
	}
	end.Reason = p.text(`,"reason":`)
	end.Ret = p.floats(`,"ret":[`)
	end.Scores = integers[int64](p, `,"scores":[`)
	end.Places = integers[int](p, `,"places":[`)
	end.Strikes = integers[int](p, `,"strikes":[`)
	if p.member(`,"faults":[`) {
		end.Faults = make([][faultCount]int, 0, 2)
		for p.more(len(end.Faults)) {
			end.Faults = append(end.Faults, [faultCount]int{})
			counts := &end.Faults[len(end.Faults)-1]
			p.open()
			for f := Late; f < faultCount; f++ {
				if p.key(faultNames[f]) {
					counts[f] = int(p.signed())
				}
			}
			p.close()
		}
	}
	p.hash(`,"secret":"`, (*[32]byte)(&end.Secret))
	p.hash(`,"salt":"`, &end.Salt)
	return end
}

// set reads a list of seats; the empty set where the member is not there.
func (p *cursor) set(name string) (set game.SeatSet) {
	for _, s := range integers[int64](p, name) {
		if s < 0 || s >= game.MaxSeats {
			p.fail("a seat is out of range")
			return 0
		}
		set = set.With(game.Seat(s))
	}
	return set
}

// integers reads a list; nil where the member is not there.
func integers[T int | int64](p *cursor, name string) []T {
	if !p.member(name) {
		return nil
	}
	list := make([]T, 0, 2)
	for p.more(len(list)) {
		list = append(list, T(p.signed()))
	}
	return list
}

func (p *cursor) floats(name string) []float64 {
	if !p.member(name) {
		return nil
	}
	list := make([]float64, 0, 2)
	for p.more(len(list)) {
		list = append(list, p.float())
	}
	return list
}
