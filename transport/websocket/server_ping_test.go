package websocket_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matchreferee/arena/protocol/ludux"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport"
	"github.com/matchreferee/arena/transport/websocket"
)

func TestPing(t *testing.T) {
	// A peer that vanished without a word is found by its silence: within three pings, two of which it missed.
	t.Run("B79", func(t *testing.T) {
		for _, after := range []time.Duration{time.Second, 14 * time.Second, 31 * time.Second} {
			virtual(t, websocket.Options{}, func(t *testing.T, h *hall) {
				b := h.start("m-1", connectFour, "", noClock, "ann", "house")
				synctest.Wait() // that it is not there yet is told
				ann := h.join("ann")
				time.Sleep(after)
				ann.silent.Store(true)
				vanished := time.Now()
				for h.tr.Connected("ann") {
					time.Sleep(10 * time.Millisecond)
				}
				synctest.Wait()
				if d := time.Since(vanished); d < 28*time.Second || d > 45*time.Second+10*time.Millisecond {
					t.Errorf("gone %v after %v", d, after)
				}
				if e := h.lastClosed(); e.Reason != websocket.ReasonPing || e.Code != 0 || e.Agent != "ann" {
					t.Errorf("%+v", e)
				}
				if got := fmt.Sprint(b.recorded(referee.KindGone)); got != "[gone 0 not connected gone 0 ping]" {
					t.Error(got)
				}
			})
		}
	})
}

// TestPingAnswered: an agent that thinks for an hour is only pinged, 4 times a minute, and stays.
func TestPingAnswered(t *testing.T) {
	virtual(t, websocket.Options{}, func(t *testing.T, h *hall) {
		b := h.start("m-1", connectFour, "", noClock, "ann", "house")
		ann := h.join("ann")
		r := until[*ludux.ActionRequest](t, ann)
		asked := h.keys.count()
		time.Sleep(time.Hour - time.Second)
		if n := h.keys.count() - asked; n != 239 {
			t.Errorf("the key was looked up %d times", n)
		}
		ann.send(r.Respond("3", ""))
		expect[*ludux.ActionRequest](t, ann)
		if len(h.told(websocket.Closed)) != 0 {
			t.Error("closed")
		}
		b.stop()
	})
}

// TestRevoked: a key that was revoked is out with the next ping. That the host cannot look it up costs nobody anything.
func TestRevoked(t *testing.T) {
	virtual(t, websocket.Options{}, func(t *testing.T, h *hall) {
		ann, bob := h.join("ann"), h.join("bob")
		h.keys.fail(errors.New("the database is away"))
		time.Sleep(time.Minute)
		if !h.tr.Connected("ann") || !h.tr.Connected("bob") {
			t.Error("out because of the host")
		}
		h.keys.fail(nil)
		h.keys.revoke("key-ann")
		revoked := time.Now()
		code, e := ann.closed()
		if d := time.Since(revoked); d > 15*time.Second || code != 1008 || e == nil || e.Code != ludux.CodeUnauthorized {
			t.Errorf("after %v: %d %+v", d, code, e)
		}
		synctest.Wait()
		if e := h.lastClosed(); e.Reason != websocket.ReasonUnauthorized || e.Agent != "ann" {
			t.Errorf("%+v", e)
		}
		if h.tr.Connected("ann") || !h.tr.Connected("bob") {
			t.Error("who is there")
		}
		bob.bye()
	})
}

// changed gives what a key stands for from now on.
type changed struct {
	keyring
	change atomic.Pointer[func(*transport.Grant)]
}

func (k *changed) Authenticate(ctx context.Context, key string) (*transport.Grant, error) {
	g, err := k.keyring.Authenticate(ctx, key)
	if f := k.change.Load(); f != nil && err == nil {
		(*f)(g)
	}
	return g, err
}

// TestChanged: a key that does not play any more, or for another agent, is as good as revoked.
func TestChanged(t *testing.T) {
	for _, c := range []struct {
		change func(*transport.Grant)
		reason websocket.Reason
	}{
		{func(g *transport.Grant) { g.Scopes = []string{transport.ScopeWatch} }, websocket.ReasonScope},
		{func(g *transport.Grant) { g.Agent.Slug = "bob" }, websocket.ReasonUnauthorized},
		{func(g *transport.Grant) { g.Agent.Version = "4" }, ""},
	} {
		keys := new(changed)
		virtual(t, websocket.Options{Auth: keys}, func(t *testing.T, h *hall) {
			ann := h.join("ann")
			keys.change.Store(&c.change)
			time.Sleep(14 * time.Second)
			if c.reason == "" {
				time.Sleep(10 * time.Second)
				if !h.tr.Connected("ann") {
					t.Errorf("%+v", h.lastClosed())
				}
				return
			}
			if code, e := ann.closed(); code != 1008 || e == nil || e.Code != ludux.CodeUnauthorized {
				t.Errorf("%d %+v", code, e)
			}
			synctest.Wait()
			if e := h.lastClosed(); e.Reason != c.reason {
				t.Errorf("%+v", e)
			}
		})
	}
}

// slowKeys is a keyring that takes its time, and does not look at its context.
type slowKeys struct {
	keyring
	takes atomic.Int64
}

func (k *slowKeys) Authenticate(ctx context.Context, key string) (*transport.Grant, error) {
	time.Sleep(time.Duration(k.takes.Load()))
	return k.keyring.Authenticate(ctx, key)
}

// TestSlowKeys: while keys are looked up slowly, agents that are there stay, and those that vanish are found.
func TestSlowKeys(t *testing.T) {
	keys := new(slowKeys)
	virtual(t, websocket.Options{Auth: keys}, func(t *testing.T, h *hall) {
		h.join("ann")
		bob := h.join("bob")
		keys.takes.Store(int64(2 * time.Minute))
		bob.silent.Store(true)
		time.Sleep(100 * time.Second)
		if !h.tr.Connected("ann") || h.tr.Connected("bob") {
			t.Errorf("%+v", h.told(websocket.Closed))
		}
		keys.takes.Store(0)
		keys.revoke("key-ann")
		time.Sleep(time.Minute)
		if e := h.lastClosed(); e.Agent != "ann" || e.Reason != websocket.ReasonUnauthorized {
			t.Errorf("%+v", e)
		}
		time.Sleep(2 * time.Minute) // of the last look-ups
	})
}
