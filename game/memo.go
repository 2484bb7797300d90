package game

import (
	"maps"
	"sync"
	"sync/atomic"
)

// maxMemo bounds the moves that a table remembers the text of.
const maxMemo = 1 << 14

// memo remembers the text of moves, both ways. Readers take no lock for what has been there a while. Safe for concurrent use.
type memo[A comparable] struct {
	settled atomic.Pointer[memoMaps[A]] // never changed once stored
	mu      sync.Mutex
	growing *memoMaps[A] // settled and what came since; nil: nothing did
	misses  int          // of settled since growing began
}

type memoMaps[A comparable] struct {
	text map[A]Action
	move map[Action]A
}

// textOf gives the remembered text of a.
func (m *memo[A]) textOf(a A) (t Action, ok bool) {
	if s := m.settled.Load(); s != nil {
		if t, ok = s.text[a]; ok {
			return t, true
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.growing != nil {
		if t, ok = m.growing.text[a]; ok {
			m.missed()
		}
	} else if s := m.settled.Load(); s != nil {
		t, ok = s.text[a] // it was settled in between
	}
	return t, ok
}

// moveOf gives the remembered move of t.
func (m *memo[A]) moveOf(t Action) (a A, ok bool) {
	if s := m.settled.Load(); s != nil {
		if a, ok = s.move[t]; ok {
			return a, true
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.growing != nil {
		if a, ok = m.growing.move[t]; ok {
			m.missed()
		}
	} else if s := m.settled.Load(); s != nil {
		a, ok = s.move[t] // it was settled in between
	}
	return a, ok
}

// missed counts a look-up that settled could not answer; enough of them settle what came since.
func (m *memo[A]) missed() {
	if m.misses++; m.misses >= len(m.growing.text) {
		m.settled.Store(m.growing)
		m.growing, m.misses = nil, 0
	}
}

// put remembers that t is the text of a, if there is room.
func (m *memo[A]) put(a A, t Action) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.growing == nil {
		m.growing, m.misses = &memoMaps[A]{}, 0
		if s := m.settled.Load(); s != nil {
			if len(s.text) >= maxMemo {
				m.growing = nil
				return
			}
			m.growing.text, m.growing.move = maps.Clone(s.text), maps.Clone(s.move)
		} else {
			m.growing.text, m.growing.move = map[A]Action{}, map[Action]A{}
		}
	}
	if len(m.growing.text) < maxMemo {
		m.growing.text[a], m.growing.move[t] = t, a
	}
}

// size counts the moves remembered.
func (m *memo[A]) size() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.growing != nil {
		return len(m.growing.text)
	}
	if s := m.settled.Load(); s != nil {
		return len(s.text)
	}
	return 0
}
