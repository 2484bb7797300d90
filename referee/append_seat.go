package referee

import (
	"maps"
	"slices"
)

func appendSeatInfo(dst []byte, s *SeatInfo) []byte {
	dst = append(dst, `{"agent":{`...)
	n := len(dst)
	a := &s.Agent
	dst = appendText(dst, `,"slug":`, a.Slug)
	dst = appendText(dst, `,"name":`, a.Name)
	dst = appendText(dst, `,"version":`, a.Version)
	dst = appendText(dst, `,"owner":`, a.Owner)
	dst = appendText(dst, `,"framework":`, a.Framework)
	dst = appendText(dst, `,"model":`, a.Model)
	if a.House {
		dst = append(dst, `,"house":true`...)
	}
	if a.Rating != 0 {
		dst = appendFloat(append(dst, `,"rating":`...), a.Rating)
	}
	dst = appendLabels(dst, a.Labels)
	dst = append(dropComma(dst, n), '}')
	dst = appendText(dst, `,"transport":`, s.Transport)
	dst = appendPolicy(append(dst, `,"policy":`...), &s.Policy)
	dst = appendClock(append(dst, `,"clock":`...), &s.Clock)
	return append(dst, '}')
}

func appendPolicy(dst []byte, p *Policy) []byte {
	dst = append(dst, '{')
	n := len(dst)
	dst = appendText(dst, `,"name":`, p.Name)
	for _, f := range policyFaults {
		if do := p.of(f); do != DoForfeit {
			dst = append(append(append(dst, `,"`...), faultNames[f]...), `":`...)
			dst = appendString(dst, do.String())
		}
	}
	dst = appendInt(dst, `,"strikes":`, int64(p.Strikes))
	if p.Out != DoForfeit {
		dst = appendText(dst, `,"out":`, p.Out.String())
	}
	dst = appendMillis(dst, `,"pause":`, p.Pause)
	dst = appendMillis(dst, `,"pause_max":`, p.PauseMax)
	if p.Reask {
		dst = append(dst, `,"reask":true`...)
	}
	dst = appendInt(dst, `,"notes":`, int64(p.Notes))
	return append(dropComma(dst, n), '}')
}

func appendClock(dst []byte, c *Clock) []byte {
	dst = append(dst, '{')
	n := len(dst)
	dst = appendMillis(dst, `,"move":`, c.Move)
	dst = appendMillis(dst, `,"base":`, c.Base)
	dst = appendMillis(dst, `,"increment":`, c.Increment)
	dst = appendMillis(dst, `,"grace":`, c.Grace)
	dst = appendMillis(dst, `,"expiry":`, c.Expiry)
	if c.Starts == AtSent {
		dst = append(dst, `,"starts":"sent"`...)
	}
	dst = appendMillis(dst, `,"warn":`, c.Warn)
	dst = appendMillis(dst, `,"warn_from":`, c.WarnFrom)
	dst = appendMillis(dst, `,"back":`, c.Back)
	return append(dropComma(dst, n), '}')
}

func appendLabels(dst []byte, labels map[string]string) []byte {
	if len(labels) == 0 {
		return dst
	}
	dst = append(dst, `,"labels":{`...)
	for i, k := range slices.Sorted(maps.Keys(labels)) {
		dst = appendString(comma(dst, i), k)
		dst = appendString(append(dst, ':'), labels[k])
	}
	return append(dst, '}')
}
