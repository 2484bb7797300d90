package gametest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/matchreferee/arena/game"
)

// Options tune [Run]; the zero value tries the default ruleset with the fewest and with the most seats.
type Options struct {
	// Rulesets are tried beside the default one, each as JSON for [game.Game.Table].
	Rulesets []string

	// Setups are tried with each ruleset. None: the fewest and the most seats that the ruleset allows.
	Setups []game.Setup

	// Games is how many random games each check plays, at most rapid's -rapid.checks (a fifth of it under -short). 0: as many as that.
	Games int

	// Every makes costly checks look at each Every-th ply, starting from a drawn one, and at the last. 0: at about 16 plies a game.
	Every int

	// Open makes up a legal move that seat's legal list does not hold (words to say), from r alone; false: none now.
	// Without it, moves of open games are varied by changing words and numbers in listed ones. s may be kept and moved.
	Open func(r *rand.Rand, s *game.State, seat game.Seat) (game.Action, bool)

	// Host answers an ask, from r alone. Games whose host moves are all listed in Legal(Host) need none.
	Host func(r *rand.Rand, ask game.Ask) game.Action

	// Transcripts is the folder of golden transcripts; "" is testdata/transcripts. Run with GAMETEST_UPDATE=1 in the
	// environment to write them anew, and read the difference before committing it.
	Transcripts string

	// NoTranscripts leaves golden transcripts out, for games that a host loads at run time. Nothing else can be left out.
	NoTranscripts bool
}

func (o *Options) validate() error {
	var errs []error
	if o.Games < 0 {
		errs = append(errs, fmt.Errorf("gametest: Options.Games is %d, below 0", o.Games))
	}
	if o.Every < 0 {
		errs = append(errs, fmt.Errorf("gametest: Options.Every is %d, below 0", o.Every))
	}
	if o.NoTranscripts && o.Transcripts != "" {
		errs = append(errs, errors.New("gametest: Options.NoTranscripts is set, and so is Options.Transcripts"))
	}
	return errors.Join(errs...)
}

// Run checks g against everything that package game asks of rules. Each check is a subtest; which of them apply is told by
// Info and by the optional interfaces of the rules. One that builds on a check that failed is skipped, so the first
// failure is the one to mend. It draws random games with rapid, whose flags (-rapid.checks, -rapid.seed) apply.
func Run(t *testing.T, g game.Game, opts Options) {
	t.Helper()
	run(realTB{t}, g, opts, nil)
}
