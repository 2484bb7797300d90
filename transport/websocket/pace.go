package websocket

import (
	"maps"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/matchreferee/arena/transport"
)

// mostTokens is what the largest message costs of [Options].Messages.
const mostTokens = 1 + mostWire/bytesPerToken

const bytesPerToken = 4096

// maxSources bounds the sources that are remembered for their failures.
const maxSources = 1 << 14

// paces are the limits of pace: of keys, whose number the host bounds, and of
// sources, whose number nobody does.
type paces struct {
	connects, messages, failures Pace

	mu      sync.Mutex
	keys    map[string]*keyPace
	sources map[string]*rate.Limiter
}

// keyPace is what connections of one key share.
type keyPace struct{ connects, messages *rate.Limiter }

func (p *paces) init(o *Options) {
	p.connects, p.messages, p.failures = o.Connects, o.Messages, o.Failures
	p.keys, p.sources = map[string]*keyPace{}, map[string]*rate.Limiter{}
}

func (p Pace) limiter() *rate.Limiter { return rate.NewLimiter(rate.Limit(p.PerSecond), p.Burst) }

// wait is how long n things take.
func (p Pace) wait(n float64) time.Duration {
	return time.Duration(n / p.PerSecond * float64(time.Second))
}

// of gives the limits of the key of a grant.
func (p *paces) of(g *transport.Grant) *keyPace {
	name := "key " + g.Key
	if g.Key == "" {
		name = "agent " + g.Agent.Slug
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	k := p.keys[name]
	if k == nil {
		k = &keyPace{p.connects.limiter(), p.messages.limiter()}
		p.keys[name] = k
	}
	return k
}

// blocked reports whether a source has failed too often, and for how long it is
// to stay away.
func (p *paces) blocked(source string, now time.Time) (time.Duration, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	l := p.sources[source]
	if l == nil {
		return 0, false
	}
	have := l.TokensAt(now)
	return p.failures.wait(1 - have), have < 1
}

// failed counts a failed attempt of a source.
func (p *paces) failed(source string, now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	l := p.sources[source]
	if l == nil {
		if len(p.sources) >= maxSources {
			for other := range p.sources { // any one
				delete(p.sources, other)
				break
			}
		}
		l = p.failures.limiter()
		p.sources[source] = l
	}
	l.AllowN(now, 1)
}

// sweep forgets who has all that it may have again.
func (p *paces) sweep(now time.Time) {
	full := func(l *rate.Limiter) bool { return l.TokensAt(now) >= float64(l.Burst()) }
	p.mu.Lock()
	defer p.mu.Unlock()
	maps.DeleteFunc(p.keys, func(_ string, k *keyPace) bool { return full(k.connects) && full(k.messages) })
	maps.DeleteFunc(p.sources, func(_ string, l *rate.Limiter) bool { return full(l) })
}
