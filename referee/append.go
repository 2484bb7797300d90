package referee

import (
	"crypto/sha256"
	"strconv"
)

// Format is the version of the record format, in the first line of a record.
const Format = 1

// LeafHash is the RFC 6962 leaf hash of a line without its newline:
// SHA-256(0x00 || line). It chains the lines and is the leaf of their tree.
func LeafHash(line []byte) [32]byte {
	if len(line) < 256 {
		var buf [256]byte
		return leafHash(buf[:1+copy(buf[1:], line)])
	}
	var buf [usualLine]byte
	return leafHash(append(append(buf[:0], 0), line...))
}

// leafHash is LeafHash of a line that already stands behind its zero byte.
func leafHash(prefixed []byte) [32]byte { return sha256.Sum256(prefixed) }

// AppendLine appends the line of an event, without a newline. start is the
// time of the start event, prev the [LeafHash] of the line before, zero in the
// first line. Members stand in a fixed order and zero ones are left out.
func AppendLine(dst []byte, e *Event, start Time, prev *[32]byte) []byte {
	dst = append(dst, `{"k":"`...)
	dst = append(dst, kindNames[e.Kind]...)
	dst = append(dst, '"')
	x := e.x()
	switch e.Kind {
	case KindStart:
		dst = appendStart(dst, x.Start, e.Time)
	default:
		if t := e.Time - start; t != 0 {
			dst = strconv.AppendInt(append(dst, `,"t":`...), int64(t), 10)
		}
	}
	switch e.Kind {
	case KindSent, KindMove, KindFault, KindGone, KindBack, KindClaim, KindSay:
		dst = appendSeat(append(dst, `,"s":`...), e.Seat)
	}
	switch e.Kind {
	case KindSent:
		dst = appendInt(dst, `,"ask":`, int64(e.Ask))
	case KindMove:
		dst = appendInt(dst, `,"ask":`, int64(e.Ask))
		dst = append(append(dst, `,"a":`...), e.Action...)
		dst = appendInt(dst, `,"used":`, int64(e.Used))
		if e.X != nil {
			if x.Ref {
				dst = append(dst, `,"ref":true`...)
			}
			dst = appendText(dst, `,"note":`, x.Note)
			if len(x.Meta) > 0 {
				dst = append(append(dst, `,"meta":`...), x.Meta...)
			}
			dst = appendText(dst, `,"key":`, x.Key)
			dst = appendText(dst, `,"raw":`, x.Raw)
		}
	case KindFault:
		dst = appendInt(dst, `,"ask":`, int64(e.Ask))
		dst = appendText(dst, `,"fault":`, x.Fault.String())
		dst = appendText(dst, `,"do":`, x.Do.String())
		if e.Action != "" {
			dst = append(append(dst, `,"a":`...), e.Action...)
		}
		dst = appendInt(dst, `,"used":`, int64(e.Used))
		dst = appendText(dst, `,"note":`, x.Note)
		if len(x.Meta) > 0 {
			dst = append(append(dst, `,"meta":`...), x.Meta...)
		}
		dst = appendText(dst, `,"detail":`, x.Detail)
		if x.Got.By != ByOpen {
			dst = append(dst, `,"got":{"`...)
			dst = append(dst, byNames[x.Got.By]...)
			dst = append(strconv.AppendInt(append(dst, `":`...), int64(x.Got.N), 10), '}')
		}
	case KindGone:
		dst = appendText(dst, `,"detail":`, x.Detail)
	case KindClaim:
		dst = appendText(dst, `,"claim":`, x.Claim.String())
	case KindRule:
		dst = appendText(dst, `,"what":`, x.Rule.String())
		dst = appendText(dst, `,"by":`, x.By)
		dst = appendText(dst, `,"reason":`, x.Reason)
		dst = appendSet(dst, `,"win":`, x.Win)
		dst = appendFloats(dst, `,"ret":`, x.Ret)
	case KindSay:
		dst = appendSet(dst, `,"to":`, x.To)
		dst = appendText(dst, `,"text":`, x.Text)
	case KindResume:
		dst = appendInt(dst, `,"at":`, int64(x.At))
	case KindEnd:
		dst = appendEnd(dst, x.End)
	}
	dst = appendB64(append(dst, `,"prev":"`...), prev)
	return append(dst, '"', '}')
}

var byNames = [...]string{ByOpen: "", ByAsk: "ask", ByTurn: "turn", ByNth: "nth"}

func appendStart(dst []byte, s *Start, at Time) []byte {
	dst = appendInt(dst, `,"v":`, Format)
	dst = appendInt(dst, `,"at":`, int64(at))
	dst = appendText(dst, `,"id":`, s.ID)
	dst = appendText(dst, `,"game":`, s.Game)
	dst = appendText(dst, `,"version":`, s.Version)
	if len(s.Ruleset) > 0 {
		dst = append(append(dst, `,"ruleset":`...), s.Ruleset...)
	}
	dst = appendText(dst, `,"position":`, s.Position)
	if s.Names != nil {
		dst = append(dst, `,"names":[`...)
		for i, n := range s.Names {
			dst = appendString(comma(dst, i), n)
		}
		dst = append(dst, ']')
	}
	dst = append(dst, `,"seats":[`...)
	for i := range s.Seats {
		dst = appendSeatInfo(comma(dst, i), &s.Seats[i])
	}
	dst = append(dst, ']')
	dst = appendInt(dst, `,"max":`, int64(s.Max))
	dst = append(appendB64(append(dst, `,"commit":"`...), &s.Commit), '"')
	return appendText(dst, `,"lib":`, s.Lib)
}

func appendEnd(dst []byte, e *End) []byte {
	dst = appendText(dst, `,"cause":`, e.Cause.String())
	dst = appendText(dst, `,"reason":`, e.Reason)
	dst = appendFloats(dst, `,"ret":`, e.Ret)
	dst = appendInts(dst, `,"scores":`, e.Scores)
	dst = appendInts(dst, `,"places":`, e.Places)
	dst = appendInts(dst, `,"strikes":`, e.Strikes)
	if e.Faults != nil {
		dst = append(dst, `,"faults":[`...)
		for i := range e.Faults {
			dst = append(comma(dst, i), '{')
			k := 0
			for f, n := range e.Faults[i] {
				if n > 0 {
					dst = appendString(comma(dst, k), Fault(f).String())
					dst = strconv.AppendInt(append(dst, ':'), int64(n), 10)
					k++
				}
			}
			dst = append(dst, '}')
		}
		dst = append(dst, ']')
	}
	dst = append(appendB64(append(dst, `,"secret":"`...), (*[32]byte)(&e.Secret)), '"')
	return append(appendB64(append(dst, `,"salt":"`...), &e.Salt), '"')
}
