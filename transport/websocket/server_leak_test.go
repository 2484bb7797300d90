package websocket_test

import (
	"fmt"
	"net"
	"net/http"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matchreferee/arena/protocol/ludux"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport/websocket"
)

// narrow is a listener whose connections hold little on their way.
type narrow struct{ net.Listener }

func (l narrow) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if c, ok := c.(*net.TCPConn); ok {
		c.SetWriteBuffer(4096)
	}
	return c, err
}

// wired is a hall on loopback sockets, in real time.
func wired(t *testing.T, o websocket.Options) (h *hall, dial func() net.Conn) {
	t.Helper()
	h = newHall(t, o)
	h.most = time.Minute // the machine may be busy
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: h.mux}
	go server.Serve(narrow{l})
	t.Cleanup(func() { h.close(); server.Close() })
	return h, func() net.Conn {
		t.Helper()
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
}

// meet upgrades a connection of an agent.
func (h *hall) meet(c net.Conn, slug string) *peer {
	h.Helper()
	br, resp := upgrade(h, c, "/agents", "Authorization: Bearer key-"+slug)
	if resp.StatusCode != http.StatusSwitchingProtocols {
		h.Fatal(resp.Status)
	}
	return &peer{t: h.T, Conn: c, br: br}
}

// soon waits for something that sockets bring about.
func soon(t *testing.T, what string, f func() bool) {
	t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); !f(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("not within two minutes: %s", what)
		}
	}
}

func TestLeaks(t *testing.T) {
	// A goroutine was left after Close: after a thousand connections, of all ways to end, there are as many as before.
	t.Run("B75", func(t *testing.T) {
		cycles := 1000
		if testing.Short() {
			cycles = 100
		}
		before := runtime.NumGoroutine()
		h, dial := wired(t, websocket.Options{Connects: websocket.Pace{PerSecond: 1e6, Burst: 1e6}})
		var group sync.WaitGroup
		for w := range 4 {
			group.Go(func() {
				slug := fmt.Sprint("agent-", w)
				for i := range cycles / 4 {
					c := dial()
					p := h.meet(c, slug).listen()
					p.message()
					switch i % 4 {
					case 0:
						p.bye()
					case 1:
						c.(*net.TCPConn).SetLinger(0)
					case 2:
						p.write(fin|opText, []byte("nonsense"))
					case 3: // replaced by the next one, half the time
						if i%8 == 3 {
							p = h.meet(dial(), slug).listen()
							p.message()
							p.Conn.Close()
						}
					}
					c.Close()
				}
			})
		}
		group.Wait()
		soon(t, "all connections are told of", func() bool { return len(h.told(websocket.Closed)) == len(h.told(websocket.Opened)) })
		if n := len(h.told(websocket.Opened)); n < cycles {
			t.Errorf("only %d connections", n)
		}
		h.close()
		began := time.Now()
		for runtime.NumGoroutine() > before+2 { // the two servers
			if time.Since(began) > time.Minute {
				t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
			}
			time.Sleep(time.Millisecond)
		}
	})
	// A write without a deadline blocked for ever when the peer was gone: it ends, and the seat is gone.
	t.Run("B77", func(t *testing.T) {
		h, dial := wired(t, websocket.Options{WriteTimeout: 300 * time.Millisecond})
		var all []*bout
		for i := range 500 { // what is to be written is far more than sockets hold here
			all = append(all, h.start(fmt.Sprint("m-", i), connectFour, `{"columns":16,"rows":7,"connect":7}`, noClock, "ann", "house"))
		}
		soon(t, "that it is not there yet is told", func() bool { return len(all[0].recorded(referee.KindGone)) == 1 })
		c := dial()
		c.(*net.TCPConn).SetReadBuffer(4096)
		p := h.meet(c, "ann") // and reads nothing from now on
		soon(t, "the seat is gone", func() bool {
			return !h.tr.Connected("ann") && len(all[0].recorded(referee.KindGone)) == 2
		})
		soon(t, "why", func() bool { return len(h.told(websocket.Closed)) == 1 })
		if e := h.lastClosed(); e.Reason != websocket.ReasonWrite || e.Lasted > time.Minute || e.Err == nil {
			t.Errorf("%+v", e)
		}
		if got := fmt.Sprint(all[0].recorded(referee.KindGone)); got != "[gone 0 not connected gone 0 write]" {
			t.Error(got)
		}
		p.Conn.Close()
	})
}

// TestSlowReader: who does not read holds up neither its match nor its own later connections, and who lets answers pile up is closed.
func TestSlowReader(t *testing.T) {
	virtual(t, websocket.Options{WriteTimeout: time.Minute}, func(t *testing.T, h *hall) {
		deaf := h.open("/agents", "Authorization: Bearer key-ann") // never listens
		b := h.start("m-1", connectFour, "", noClock, "ann", "bob")
		bob := h.join("bob")
		synctest.Wait()
		began := time.Now()
		for range 40 { // laid to the one open request
			deaf.write(fin|opText, []byte("nonsense"))
			synctest.Wait()
		}
		time.Sleep(2 * time.Second)
		if e := h.lastClosed(); e.Reason != websocket.ReasonSlow || e.Agent != "ann" || e.Code != 1008 {
			t.Errorf("%+v", e)
		}
		deaf = h.open("/agents", "Authorization: Bearer key-ann")
		for range 100 { // laid to nobody
			deaf.write(fin|opText, []byte(`{"protocol":"ludux/1","type":"action_response","match_id":"m-9","seq":1,"action":1}`))
		}
		time.Sleep(2 * time.Second)
		if e := h.lastClosed(); e.Reason != websocket.ReasonSlow || len(h.told(websocket.Closed)) != 2 {
			t.Errorf("%+v", e)
		}
		ann := h.join("ann")
		expect[*ludux.MatchStart](t, ann)
		r := expect[*ludux.ActionRequest](t, ann)
		ann.send(r.Respond("3", ""))
		if r := until[*ludux.ActionRequest](t, bob); r.Seq != 1 || time.Since(began) > 10*time.Second {
			t.Errorf("%+v after %v", r, time.Since(began))
		}
		b.stop()
	})
	virtual(t, websocket.Options{}, func(t *testing.T, h *hall) {
		h.open("/agents", "Authorization: Bearer key-ann")
		began := time.Now()
		b := h.four("m-1", "bob", "ann") // bob first
		bob := h.join("bob")
		bob.send(until[*ludux.ActionRequest](t, bob).Respond("3", ""))
		if r := b.end(); r.Reason != "late" || time.Since(began) != 15*time.Second { // ann's fault, and on time
			t.Errorf("%+v after %v", r, time.Since(began))
		}
		if e := h.lastClosed(); e.Reason != websocket.ReasonWrite || e.Agent != "ann" {
			t.Errorf("%+v", e)
		}
	})
}

// TestClose: Close says 1001 to all, waits for nobody who does not answer, and lets nothing new in.
func TestClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHall(t, websocket.Options{})
		b := h.start("m-1", connectFour, "", noClock, "ann", "house")
		ann := h.join("ann")
		until[*ludux.ActionRequest](t, ann)
		stranger := h.open("/agents").listen()
		h.open("/agents", "Authorization: Bearer key-deaf")
		h.open("/agents", "Authorization: Bearer key-mute").listen() // reads, and answers no close
		half := h.join("half")
		half.Conn.Write([]byte{fin | opText, 0xfe}) // in the midst of a frame
		began := time.Now()
		codes := make(chan int, 2)
		for _, p := range []*peer{ann, stranger} {
			go func() { code, _ := p.closed(); codes <- code }()
		}
		h.close()
		if d := time.Since(began); d > 1500*time.Millisecond {
			t.Errorf("Close took %v", d)
		}
		for range 2 {
			if code := <-codes; code != 1001 {
				t.Error(code)
			}
		}
		for _, e := range h.told(websocket.Closed) {
			if e.Reason != websocket.ReasonShutdown || e.Code != 1001 {
				t.Errorf("%+v", e)
			}
		}
		if n := len(h.told(websocket.Closed)); n != 5 {
			t.Errorf("%d were closed", n)
		}
		if _, err := h.tr.Player(t.Context(), referee.Agent{Slug: "ann"}); err != websocket.ErrTransportClosed {
			t.Error(err)
		}
		b.Rule(referee.Ruling{What: referee.RuleVoid, By: "host", Reason: "over"})
		<-b.done
		if err := h.tr.Close(); err != nil {
			t.Error(err)
		}
	})
}

// TestCloseSlowStore: what waits for a store when the transport is closed is not waited for, but what the store is at.
func TestCloseSlowStore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHall(t, websocket.Options{})
		log := new(slowLog)
		b := h.start("m-1", connectFour, "", func(s *referee.Setup, c *referee.Config) {
			noClock(s, c)
			c.Log = log
		}, "ann", "house")
		ann := h.join("ann")
		until[*ludux.ActionRequest](t, ann)
		time.Sleep(time.Second)
		log.set(1500 * time.Millisecond)
		for range 5 {
			ann.write(fin|opText, []byte("nonsense"))
		}
		synctest.Wait()
		h.close()
		log.set(0)
		b.stop()
	})
}

// TestClosed: an upgrade that comes after Close is answered with 503.
func TestClosed(t *testing.T) {
	virtual(t, websocket.Options{}, func(t *testing.T, h *hall) {
		h.tr.Close()
		if resp, body := h.refused("/agents", "Authorization: Bearer key-ann"); resp.StatusCode != 503 || resp.Header.Get("Retry-After") == "" {
			t.Errorf("%s %s", resp.Status, body)
		}
	})
}
