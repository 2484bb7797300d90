package gametest

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/matchreferee/arena/game"
	"pgregory.net/rapid"
)

// replayChecks are about playing recorded moves again: after a restart, beside another match, a year later.
func replayChecks() []check {
	return []check{
		{name: "resume", needs: []string{"determinism"}, game: checkResume},
		{name: "interleave", needs: []string{"resume"}, game: checkInterleave},
		{name: "transcript", needs: []string{"determinism"}, when: func(k *kit) bool { return !k.opts.NoTranscripts }, once: checkTranscript},
	}
}

// checkResume: the setup and the steps, saved as JSON, give back the state at every ply on another table, and the game goes on from there as it did.
func checkResume(k *kit, _ *rapid.T, tr *trace) error {
	probes := tr.probes(8)
	data, err := json.Marshal(tr.steps)
	if err != nil {
		return err
	}
	var saved []game.Step
	if err := json.Unmarshal(data, &saved); err != nil {
		return err
	}
	table, err := k.g.Table(tr.table.Ruleset())
	if err != nil {
		return err
	}
	for _, i := range tr.look {
		s, err := table.Replay(tr.setup, saved[:i])
		if err != nil {
			return at(i, "the saved game cannot be resumed here: %v", err)
		}
		if d := tr.lookAll(tr.states[i], probes).diff(tr.lookAll(s, probes)); d != "" {
			return at(i, "the game that is resumed here is another: %s", d)
		}
		for n := i; n < len(saved); n++ {
			if err := s.Apply(saved[n]); err != nil {
				return at(n, "the game that was resumed after %d steps refuses the step that followed here: %v", i, err)
			}
		}
		if d := tr.lookAll(tr.last(), nil).diff(tr.lookAll(s, nil)); d != "" {
			return at(len(tr.steps), "the game that was resumed after %d steps ends otherwise: %s", i, d)
		}
	}
	return nil
}

// checkInterleave: two matches of one table, in goroutines, come out as they do one after the other: first taking turns ply by ply,
// then as they like (which is for the race detector).
func checkInterleave(k *kit, t *rapid.T, tr *trace) error {
	other := &trace{ground: tr.ground}
	other.setup.Names = make([]string, tr.setup.Seats)
	for i := range other.setup.Names {
		other.setup.Names[i] = fmt.Sprintf("other %d", i)
	}
	if err := k.play(t, other, false); err != nil {
		return err
	}
	free := func(int) {}
	var alone [2][]string
	for i, x := range []*trace{tr, other} {
		var err error
		if alone[i], err = x.watch(free); err != nil {
			return err
		}
	}
	for _, how := range []struct {
		name string
		wait [2]func(ply int)
	}{{"ply by ply", alternate()}, {"at the same time", [2]func(int){free, free}}} {
		var wg sync.WaitGroup
		var together [2][]string
		var errs [2]error
		for i, x := range []*trace{tr, other} {
			wg.Go(func() {
				defer how.wait[i](-1)
				errs[i] = guarded(func() (err error) {
					together[i], err = x.watch(how.wait[i])
					return err
				})
			})
		}
		wg.Wait()
		if err := errors.Join(errs[:]...); err != nil {
			return fmt.Errorf("beside another match of its table, %s: %w", how.name, err)
		}
		for i := range alone {
			for ply := range alone[i] {
				if alone[i][ply] != together[i][ply] {
					return at(min(ply, len(tr.steps)), "beside another match of its table, %s, the match is not what it is alone: after %d steps of\n%s",
						how.name, ply, movesText([]*trace{tr, other}[i].steps))
				}
			}
		}
	}
	return nil
}

// watch plays the game of a trace again and gives a digest of each ply that is looked at. It calls wait before each ply.
func (tr *trace) watch(wait func(ply int)) ([]string, error) {
	digests := make([]string, len(tr.states))
	wait(0)
	s, err := tr.table.Start(tr.setup)
	if err != nil {
		return nil, err
	}
	for i, next := 0, 0; i < len(tr.states); i++ {
		wait(i)
		if i == tr.look[next] {
			next++
			digests[i] = tr.lookAll(s, nil).digest()
		}
		if i < len(tr.steps) {
			if err := s.Apply(tr.steps[i]); err != nil {
				return nil, at(i, "the next step is refused: %v", err)
			}
		}
	}
	return digests, nil
}

// digest is short and tells looks apart.
func (l look) digest() string {
	h := sha256.New()
	for _, p := range l {
		fmt.Fprintf(h, "%d %s %d %s\n", len(p.name), p.name, len(p.text), p.text)
	}
	return hex.EncodeToString(h.Sum(nil)[:6])
}

// alternate gives two goroutines a baton each to wait for: they run in turns until one of them says -1, and the other then runs on.
func alternate() [2]func(ply int) {
	batons := [2]chan struct{}{make(chan struct{}, 1), make(chan struct{}, 1)}
	batons[0] <- struct{}{}
	var side [2]func(int)
	started := [2]bool{}
	for i := range side {
		mine, theirs := batons[i], batons[1-i]
		side[i] = func(ply int) {
			if started[i] {
				select {
				case theirs <- struct{}{}:
				default: // the other is done and takes no more
				}
			}
			started[i] = true
			if ply >= 0 {
				<-mine
				return
			}
			close(theirs)
		}
	}
	return side
}
