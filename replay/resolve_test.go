package replay_test

import (
	"errors"
	"sync"
	"testing"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/replay"
)

func TestRules(t *testing.T) {
	resolve := replay.Rules(game.New(kuhn{}), connectfour.New())
	usual, err := resolve("connect-four", "1.0.0", nil)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := resolve("connect-four", "1.0.0", nil); err != nil || again != usual {
		t.Fatal("the same ruleset gives another table", err)
	}
	wide := []byte(`{"columns":9,"connect":4,"rows":6}`)
	other, err := resolve("connect-four", "1.0.0", wide)
	if err != nil || string(other.Ruleset()) != string(wide) {
		t.Fatal(err)
	}
	if again, err := resolve("connect-four", "1.0.0", nil); err != nil || string(again.Ruleset()) != string(usual.Ruleset()) {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, version, ruleset string
		want                   error
	}{
		{"connect-four", "1.0.1", "", replay.ErrUnknownRules},
		{"connect-four", "", "", replay.ErrUnknownRules},
		{"chess", "1.0.0", "", replay.ErrUnknownRules},
		{"", "", "", replay.ErrUnknownRules},
		{"connect-four", "1.0.0", `{"columns":3}`, game.ErrRuleset},
		{"connect-four", "1.0.0", `{"colums":7}`, game.ErrRuleset},
	} {
		if table, err := resolve(c.name, c.version, []byte(c.ruleset)); table != nil || !errors.Is(err, c.want) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

func TestRulesConcurrently(t *testing.T) {
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for range 50 {
				want := []string{`{"columns":7,"connect":4,"rows":6}`, `{"columns":8,"connect":4,"rows":6}`}[i%2]
				if table, err := rules("connect-four", "1.0.0", []byte(want)); err != nil || string(table.Ruleset()) != want {
					t.Error(want, err)
				}
			}
		})
	}
	wg.Wait()
}
