package ludux

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/internal/jsontext"
)

// scraps is a chronicle whose view and form hold bytes that are no UTF-8, which encoding/json lets through.
type scraps struct{ chronicle }

func (s scraps) View(*chronicleState, game.Seat) any {
	return map[string]any{"a": json.RawMessage("\"\xff\xfe-\xff\""), "said_log": make([]string, s.Entries)}
}

func (scraps) Form(*chronicleState, game.Seat) json.RawMessage {
	return json.RawMessage("{\"title\":\"\xff\"}")
}

// TestViewNoText: a message is UTF-8 whatever a game's view holds, and is cut in the right place then too.
func TestViewNoText(t *testing.T) {
	for _, entries := range []int{3, 12_000} {
		frame := write(t, first(t, newMatch(t, game.New(scraps{}), fmt.Sprintf(`{"entries":%d}`, entries), "", 2)))
		m := read(t, frame)
		var state struct {
			A    string   `json:"a"`
			Said []string `json:"said_log"`
		}
		if err := json.Unmarshal(m.State, &state); err != nil {
			t.Fatal(err)
		}
		cut := 0
		if m.Truncated != nil {
			cut = m.Truncated.Omitted
		}
		if state.A != "\ufffd-\ufffd" || len(state.Said)+cut != entries || string(m.ActionSchema) != "{\"title\":\"\ufffd\"}" || strings.Contains(frame, "\xff") {
			t.Errorf("%d entries: %.300s", entries, frame)
		}
	}
}

// TestExactFrame: a message of just so many bytes as a frame has goes out whole; of one more, none does where nothing may be cut.
func TestExactFrame(t *testing.T) {
	ask := func(rest int) ([]byte, error) {
		return AppendRequest(nil, first(t, newMatch(t, game.New(chronicle{}), fmt.Sprintf(`{"rest":%d}`, rest), "", 2)), at(began))
	}
	b, err := ask(20_000)
	if err != nil {
		t.Fatal(err)
	}
	full := 20_000 + MaxFrame - len(b)
	if b, err = ask(full); err != nil || len(b) != MaxFrame {
		t.Errorf("%d bytes, %v", len(b), err)
	}
	if b, err = ask(full + 1); !errors.Is(err, ErrTooLarge) || b != nil {
		t.Errorf("%d bytes, %v", len(b), err)
	}
}

// TestHistories: which members of a state may lose entries.
func TestHistories(t *testing.T) {
	members, err := jsontext.ParseObject([]byte(`{"move_history_uci":[],"History":[],"public_log":[],"Log":[],"catalogue":[],"logs":[],"log":"x","history":{}}`), jsontext.Refuse)
	if err != nil {
		t.Fatal(err)
	}
	var may []string
	for i := range members {
		if history(&members[i]) {
			may = append(may, members[i].Name)
		}
	}
	if diff := cmp.Diff([]string{"move_history_uci", "History", "public_log", "Log"}, may); diff != "" {
		t.Error(diff)
	}
}
