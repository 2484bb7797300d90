package websocket

import "context"

// attendance is whether the match knows that the agent of a seat is there. The
// match may stand still for a while, and agents come and go meanwhile: it is told
// what is so when it listens, one thing after another.
type attendance struct {
	here    bool
	why     string // it is not
	told    int8   // what the match was told last: hereTold, goneTold; 0: nothing
	telling bool
}

const (
	hereTold = 1
	goneTold = 2
)

// presence notes whether the agent is there. Under agent.mu.
func (m *mailbox) presence(here bool, why string) {
	m.here, m.why = here, why
	if !m.telling {
		m.telling = true
		m.box.Go(m.attend)
	}
}

func (m *mailbox) attend(context.Context) {
	a := m.a
	a.mu.Lock()
	defer a.mu.Unlock()
	for {
		want, why := int8(goneTold), m.why
		if m.here {
			want = hereTold
		}
		if m.told == want {
			break
		}
		m.told = want
		a.mu.Unlock()
		if want == hereTold {
			m.box.Back()
		} else {
			m.box.Gone(why)
		}
		a.mu.Lock()
	}
	m.telling = false
}
