package polling

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"slices"
	"sync"

	"github.com/matchreferee/arena/protocol/gridarena"
)

// public makes an answer for everybody, with the strong tag of its very bytes.
func public(kind string, body []byte, cache string) *reply {
	sum := sha256.Sum256(body)
	return &reply{status: http.StatusOK, kind: kind, body: body, cache: cache, tag: `"` + hex.EncodeToString(sum[:16]) + `"`}
}

// replay shows a match that is over.
func (t *Transport) replay(c *call) (*reply, error) {
	m, e, ok := t.find(c.r.PathValue("match"))
	if !ok || e.Match == "" {
		return nil, gridarena.NewProblem(gridarena.CodeNotFound, "there is no such match")
	}
	var body []byte
	err := m.story.read(c.r.Context(), func() error {
		if m.story.play.End() == nil && !m.isOver() {
			return gridarena.NewProblem(gridarena.CodeRunning, "the match is not over")
		}
		r, err := m.story.replay(e)
		if err == nil {
			body = r.Append(nil)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return public(gridarena.ContentType, body, stays), nil
}

// latest shows the latest results.
func (t *Transport) latest(*call) (*reply, error) {
	r := gridarena.Recent{Results: t.recent.all()}
	return public(gridarena.ContentType, r.Append(nil), soon), nil
}

func (t *Transport) example(*call) (*reply, error) {
	return public(gridarena.ContentType, gridarena.Example(), stays), nil
}

func (t *Transport) description(*call) (*reply, error) {
	return public(gridarena.OpenAPIType, t.openAPI, soon), nil
}

// results are the latest ones.
type results struct {
	max int

	mu   sync.Mutex
	list []gridarena.Result // the latest first
}

func (l *results) add(r gridarena.Result) {
	l.mu.Lock()
	defer l.mu.Unlock()
	i := 0
	for i < len(l.list) && l.list[i].EndedAt > r.EndedAt {
		i++
	}
	l.list = slices.Insert(l.list, i, r)
	l.list = l.list[:min(len(l.list), l.max)]
}

func (l *results) drop(match string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.list = slices.DeleteFunc(l.list, func(r gridarena.Result) bool { return r.MatchID == match })
}

func (l *results) all() []gridarena.Result {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.list)
}

// remember reads the latest results from their records.
func (t *Transport) remember(ctx context.Context) {
	for _, e := range t.admission.recent(t.o.Recent) {
		s := newStory(e.Match, t.o.Records, t.rules)
		err := s.read(ctx, func() error {
			r, err := s.outline(e)
			if err == nil {
				t.recent.add(r)
			}
			return err
		})
		if err != nil {
			t.o.Failed(fmt.Errorf("polling: the result of match %s: %w", e.Match, err))
		}
	}
}
