package gametest

import (
	"slices"
	"strings"

	"github.com/matchreferee/arena/game"
	"pgregory.net/rapid"
)

// kit is one run over one game.
type kit struct {
	g         game.Game
	opts      Options
	grounds   []ground
	groundErr error           // why there are none
	open      bool            // some ruleset has moves that cannot be listed
	hidden    bool            // some ruleset hides something
	failed    map[string]bool // checks that failed, or were skipped for one that did

	resampled, different int // states that Resample gave, and those among them that were not the real one again
}

// check is one promise.
type check struct {
	name   string
	needs  []string                                  // checks without which this one says nothing new
	when   func(k *kit) bool                         // nil: always
	once   func(k *kit) error                        // without a random game
	prints bool                                      // game wants trace.prints
	game   func(k *kit, t *rapid.T, tr *trace) error // about one random game
	after  func(k *kit) error                        // about all of them together
}

// checks are in the order in which they run: what a check needs comes before it.
func checks() []check {
	return slices.Concat(basicChecks(), moveChecks(), stateChecks(), endChecks(), viewChecks(), whoChecks(), replayChecks(), valueChecks())
}

// run makes the checks that apply to g; only, if not nil, names those to make.
func run(t tb, g game.Game, opts Options, only map[string]bool) {
	t.Helper()
	if err := opts.validate(); err != nil {
		t.Fatalf("%v", err)
	}
	k := &kit{g: g, opts: opts, failed: map[string]bool{}}
	k.groundErr = guarded(k.prepare)
	for _, c := range checks() {
		if c.when != nil && k.groundErr == nil && !c.when(k) {
			continue
		}
		if only != nil && !only[c.name] {
			continue
		}
		t.Run(c.name, func(t tb) {
			t.Helper()
			k.check(t, &c)
		})
	}
}

// check runs c unless it builds on one that failed.
func (k *kit) check(t tb, c *check) {
	t.Helper()
	for _, name := range c.needs {
		if k.failed[name] {
			k.failed[c.name] = true // what builds on c is skipped too
			t.Skipf("builds on %q, which failed", name)
		}
	}
	done := false
	defer func() { k.failed[c.name] = !done }()
	if c.once != nil {
		if err := guarded(func() error { return c.once(k) }); err != nil {
			t.Fatalf("%v\nrun it again: %s", err, again(t.Name(), ""))
		}
	}
	if c.game != nil {
		if k.groundErr != nil {
			t.Fatalf("%v\nrun it again: %s", k.groundErr, again(t.Name(), ""))
		}
		k.games(t, c)
	}
	if c.after != nil {
		if err := c.after(k); err != nil {
			t.Fatalf("%v\nrun it again: %s", err, again(t.Name(), ""))
		}
	}
	done = true
}

// games has rapid draw games and put each before c.
func (k *kit) games(t tb, c *check) {
	t.Helper()
	played, g := 0, &guide{TB: t}
	defer g.finish()
	rapid.Check(g, func(t *rapid.T) {
		if k.opts.Games > 0 && played >= k.opts.Games && g.said == "" {
			return // enough; once something is broken rapid repeats and shrinks it
		}
		played++
		gr := rapid.SampledFrom(k.grounds).Draw(t, "ground")
		tr := &trace{ground: gr}
		err := guarded(func() error { return k.play(t, tr, c.prints) })
		if err == nil {
			err = guarded(func() error { return c.game(k, t, tr) })
		}
		if err == nil {
			return
		}
		g.said = tr.report(err)
		t.Fatalf("%s", g.said)
	})
}

// prepare fixes every ruleset and pairs it with every setup.
func (k *kit) prepare() error {
	for i := -1; i < len(k.opts.Rulesets); i++ {
		var ruleset []byte
		if i >= 0 {
			ruleset = []byte(k.opts.Rulesets[i])
		}
		table, err := k.g.Table(ruleset)
		if err != nil {
			return err
		}
		info := table.Info()
		k.open, k.hidden = k.open || info.Open, k.hidden || info.Hidden
		setups := k.opts.Setups
		if len(setups) == 0 {
			setups = []game.Setup{{Seats: info.MinSeats}}
			if info.MaxSeats > info.MinSeats {
				setups = append(setups, game.Setup{Seats: info.MaxSeats})
			}
			setups = append(setups, game.Setup{Seats: info.MaxSeats, Names: names(info.MaxSeats)})
		}
		for _, setup := range setups {
			k.grounds = append(k.grounds, ground{table, setup})
		}
	}
	return nil
}

// names are display names such as hosts let through: not all of them plain.
func names(n int) []string {
	all := make([]string, max(n, 0))
	for i := range all {
		all[i] = []string{"Ann", "Bo <b>", "C\u00e9line", "D \"d\" D", "\u00c9lo\u00efse", "F{}"}[i%6] + strings.Repeat("'", i/6)
	}
	return all
}
