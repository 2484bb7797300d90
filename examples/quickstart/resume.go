package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/replay/filelog"
	"github.com/matchreferee/arena/transport/callback"
)

// resume goes on with the match of a file. Nothing is made or changed before it
// is clear that this can be done.
func resume(ctx context.Context, o options, show *screen) error {
	start, err := unfinished(ctx, o.resume)
	if err != nil {
		return err
	}
	key, err := filelog.ExistingKey(o.resume + ".key")
	if err != nil {
		return fmt.Errorf("the key of the match: %w", err)
	}
	t, err := newTable(ctx, o, &files{first: o.resume, ids: map[string]string{start.ID: o.resume}}, key, show)
	if err != nil {
		return err
	}
	defer t.close()
	hs, err := t.arena.Recover(ctx)
	if errors.Is(err, callback.ErrUnknown) {
		return fmt.Errorf("%w: the match was played with agents of yours: give -x and -o as before", err)
	}
	if err != nil {
		return err
	}
	first := 0
	if start.Seats[0].Agent.Slug == "o" {
		first = 1
	}
	_, err = t.watch(ctx, hs[0], o.resume, [2]string{start.Seats[0].Agent.Name, start.Seats[1].Agent.Name}, first)
	return err
}

// unfinished gives what the match of a file started from.
func unfinished(ctx context.Context, path string) (*referee.Start, error) {
	if info, err := os.Stat(path); err != nil {
		return nil, err
	} else if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no file", path)
	}
	log, err := filelog.OpenFile(ctx, path, filelog.Options{})
	if err != nil {
		return nil, err
	}
	var start *referee.Start
	for e, err := range referee.Events(ctx, log) {
		switch {
		case err != nil:
			return nil, err
		case e.Kind == referee.KindStart:
			start = e.X.Start
		case e.Kind == referee.KindEnd:
			return nil, fmt.Errorf("the match of %s has ended", path)
		}
	}
	if start == nil || len(start.Seats) != 2 {
		return nil, fmt.Errorf("%s holds no match of this program", path)
	}
	return start, nil
}

// again gives the flags that a resumed match needs.
func (o options) again() string {
	var b strings.Builder
	if o.x != "" {
		fmt.Fprintf(&b, " -x %s", o.x)
	}
	if o.o != "" {
		fmt.Fprintf(&b, " -o %s", o.o)
	}
	if o.allowLoopback {
		b.WriteString(" -allow-loopback")
	}
	return b.String()
}
