package polling

// maxPast is how many matches that are not at play are kept at hand.
const maxPast = 32

// shelf keeps the matches that were used last.
type shelf struct {
	m     map[string]*match
	order []string // the one that was put there first in front
}

func (s *shelf) get(id string) *match { return s.m[id] }

func (s *shelf) put(m *match) {
	if s.m == nil {
		s.m = map[string]*match{}
	}
	if s.m[m.id] == nil {
		s.order = append(s.order, m.id)
	}
	s.m[m.id] = m
	for len(s.order) > maxPast {
		delete(s.m, s.order[0])
		s.order = s.order[1:]
	}
}

func (s *shelf) drop(id string) {
	if s.m[id] == nil {
		return
	}
	delete(s.m, id)
	for i, other := range s.order {
		if other == id {
			s.order = append(s.order[:i:i], s.order[i+1:]...)
			return
		}
	}
}
