package websocket_test

import (
	"context"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport/websocket"
)

// TestOptions: each bad field is an error of its own, and the zero value of all but Auth is good.
func TestOptions(t *testing.T) {
	for _, c := range []struct {
		change func(*websocket.Options)
		want   []string
	}{
		{func(o *websocket.Options) {}, nil},
		{func(o *websocket.Options) { o.Auth = nil }, []string{"Auth"}},
		{func(o *websocket.Options) { o.Origins = []string{"example.com", "[", ""} }, []string{"Origins[1]", "Origins[2]"}},
		{func(o *websocket.Options) { o.Ping = time.Second }, nil},
		{func(o *websocket.Options) { o.Ping = time.Second - 1 }, []string{"Ping"}},
		{func(o *websocket.Options) { o.Ping, o.WriteTimeout = 6*time.Minute, -1 }, []string{"Ping", "WriteTimeout"}},
		{func(o *websocket.Options) { o.HelloTimeout = 2 * time.Minute }, []string{"HelloTimeout"}},
		{func(o *websocket.Options) { o.Seats, o.Connections, o.Strangers, o.StrangersPerSource = -1, -1, -1, -1 }, []string{"Seats", "Connections", "Strangers", "StrangersPerSource"}},
		{func(o *websocket.Options) { o.Connects = websocket.Pace{PerSecond: 1} }, []string{"Connects"}},
		{func(o *websocket.Options) { o.Messages = websocket.Pace{PerSecond: 100, Burst: 10} }, []string{"Messages"}},
		{func(o *websocket.Options) { o.Failures = websocket.Pace{PerSecond: math.NaN(), Burst: 1} }, []string{"Failures"}},
		{func(o *websocket.Options) { o.Failures = websocket.Pace{PerSecond: math.Inf(1), Burst: 1} }, []string{"Failures"}},
	} {
		o := websocket.Options{Auth: new(keyring)}
		c.change(&o)
		tr, err := websocket.New(o)
		if err == nil {
			tr.Close()
		}
		wrong(t, err, c.want)
	}
}

// TestWatchOptions is the same of what spectators see.
func TestWatchOptions(t *testing.T) {
	tr, err := websocket.New(websocket.Options{Auth: new(keyring)})
	if err != nil {
		t.Fatal(err)
	}
	defer tr.Close()
	views := func(context.Context, string) (<-chan referee.Public, error) { return nil, websocket.ErrNoMatch }
	_, err = tr.Watch(websocket.WatchOptions{Views: views, Delay: time.Hour})
	wrong(t, err, nil)
	_, err = tr.Watch(websocket.WatchOptions{Delay: -1, PerKey: -1})
	wrong(t, err, []string{"Views", "Delay", "PerKey"})
	_, err = tr.Watch(websocket.WatchOptions{Views: views, Delay: time.Hour + 1})
	wrong(t, err, []string{"Delay"})
}

// wrong holds an error against the fields that it must name, one a line.
func wrong(t *testing.T, err error, fields []string) {
	t.Helper()
	if len(fields) == 0 {
		if err != nil {
			t.Error(err)
		}
		return
	}
	if err == nil {
		t.Errorf("no error about %v", fields)
		return
	}
	lines := strings.Split(err.Error(), "\n")
	if len(lines) != len(fields) {
		t.Errorf("%v: %q", fields, lines)
		return
	}
	for i, line := range lines {
		if !strings.HasPrefix(line, "websocket: "+fields[i]+": ") {
			t.Errorf("%q is not about %s", line, fields[i])
		}
	}
}
