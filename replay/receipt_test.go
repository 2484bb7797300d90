package replay_test

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/gowebpki/jcs"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/replay"
)

// TestReceipt takes receipts of the answers of a match, and holds them against its record.
func TestReceipt(t *testing.T) {
	signer := signerOf("key-1", 7, 50)
	keys := keysOf(t, signer.Public())
	x := begin(t, setup(t, connectfour.New(), "receipts"))
	var signed [][]byte
	take := func(after referee.Time, a referee.Answer) {
		x.now += after
		a.Arrived = x.now
		req, open := x.m.Open(0)
		if !open {
			t.Fatal("no request")
		}
		v, o := x.m.Answer(x.now, 0, &a)
		x.did(o)
		raw, err := signer.Receipt(replay.ReceiptOf(&req, &a, v))
		if err != nil {
			t.Fatal(err)
		}
		signed = append(signed, raw)
	}
	take(100, referee.Answer{Action: "3"})
	x.move(100, 1, "3")
	take(200, referee.Answer{Action: "77"})
	x.tick(250)
	take(300, referee.Answer{Action: "3", To: referee.Address{By: referee.ByAsk, N: 1}}) // stale: it names no event
	take(400, referee.Answer{Action: "2"})
	record := x.record(false)
	var got []*replay.Receipt
	for i, raw := range signed {
		r, err := keys.Receipt(raw)
		if err != nil {
			t.Fatalf("%s: %v", raw, err)
		}
		if err := r.Confirm(bytes.NewReader(record)); err != nil {
			t.Errorf("receipt %d: %v", i, err)
		}
		got = append(got, r)
		for bit := range 8 * len(raw) {
			flipped := bytes.Clone(raw)
			flipped[bit/8] ^= 1 << (bit % 8)
			if r, err := keys.Receipt(flipped); err == nil {
				t.Fatalf("bit %d: %+v", bit, r)
			}
		}
	}
	if got[0].Code != "ok" || got[0].Arrived != start+100 || got[0].Deadline == 0 || got[1].Fault != "illegal" || got[2].Code != "stale" || got[3].Ask != got[1].Ask+1 {
		t.Errorf("%+v %+v %+v %+v", got[0], got[1], got[2], got[3])
	}
	for name, f := range map[string]func(r *replay.Receipt){
		"another fault": func(r *replay.Receipt) { r.Fault = "late" },
		"no fault":      func(r *replay.Receipt) { r.Code, r.Fault = "ok", "" },
		"came later":    func(r *replay.Receipt) { r.Arrived += 10_000 },
	} {
		r := *got[1]
		f(&r)
		if err := r.Confirm(bytes.NewReader(record)); !errors.Is(err, replay.ErrReceipt) {
			t.Errorf("a refused answer, %s: %v", name, err)
		}
	}
	other := eventful(t, "another").record(false)
	for name, f := range map[string]func(r *replay.Receipt){
		"another match":                          func(r *replay.Receipt) { r.Match = "m" },
		"another seat":                           func(r *replay.Receipt) { r.Seat = 1 },
		"another ask":                            func(r *replay.Receipt) { r.Ask++ },
		"another event":                          func(r *replay.Receipt) { r.Event++ },
		"no such event":                          func(r *replay.Receipt) { r.Event = 1000 },
		"refused":                                func(r *replay.Receipt) { r.Fault = "late" },
		"came later":                             func(r *replay.Receipt) { r.Arrived += 10_000 },
		"the first line":                         func(r *replay.Receipt) { r.Event = 0 },
		"no event that may be told, another ask": func(r *replay.Receipt) { r.Event, r.Ask = -1, 77 },
	} {
		r := *got[0]
		f(&r)
		if err := r.Confirm(bytes.NewReader(record)); !errors.Is(err, replay.ErrReceipt) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := got[0].Confirm(bytes.NewReader(other)); !errors.Is(err, replay.ErrReceipt) {
		t.Errorf("another record: %v", err)
	}
	if _, err := keysOf(t).Receipt(signed[0]); !errors.Is(err, replay.ErrKeyUnknown) {
		t.Errorf("no keys: %v", err)
	}
	attestation, err := signer.Sign("receipts", &replay.Seal{Count: 3})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := keys.Receipt(attestation); !errors.Is(err, replay.ErrReceipt) {
		t.Errorf("an attestation as a receipt: %v", err)
	}
	if _, err := replay.ParseAttestation(signed[0]); !errors.Is(err, replay.ErrAttestation) {
		t.Errorf("a receipt as an attestation: %v", err)
	}
}

// TestReceiptOfMove: a receipt convicts a record that has another move, and no other record.
func TestReceiptOfMove(t *testing.T) {
	x := begin(t, setup(t, connectfour.New(), "moves"))
	var newest [2]referee.Request
	answer := func(seat game.Seat, a referee.Answer) *replay.Receipt {
		x.now += 100
		a.Arrived = x.now
		if req, open := x.m.Open(seat); open {
			newest[seat] = req
		}
		req := newest[seat]
		v, o := x.m.Answer(x.now, seat, &a)
		x.did(o)
		r := replay.ReceiptOf(&req, &a, v)
		return &r
	}
	plain := answer(0, referee.Answer{Action: "3"})
	keyed := answer(1, referee.Answer{Action: "3", Key: "k-1"})
	loose := answer(0, referee.Answer{Action: " 2"})
	looseKeyed := answer(1, referee.Answer{Action: " 3", Key: "k-2"})
	again := answer(1, referee.Answer{Action: " 3", Key: "k-2"}) // while the next one is not asked for
	answer(0, referee.Answer{Action: "0"})
	later := answer(1, referee.Answer{Action: "3", Key: "k-1"}) // to a request that is open
	reused := answer(1, referee.Answer{Action: "4", Key: "k-1"})
	if again.Code != "duplicate" || later.Code != "duplicate" || reused.Code != "key_reused" || later.Event != keyed.Event {
		t.Fatalf("%+v %+v %+v", again, later, reused)
	}
	record := x.record(false)
	events, _ := read(t, record)
	played := func(event int64, a game.Action, f func(*referee.Event)) []byte { // another move there, chained anew
		all := slices.Clone(events)
		e := all[event]
		e.Action = a
		if f != nil {
			x := *e.X
			e.X = &x
			f(&e)
		}
		all[event] = e
		return write(t, all, false)
	}
	hidden, hiddenKeyed := *plain, *keyed
	hidden.Event, hiddenKeyed.Event = -1, -1
	for _, c := range []struct {
		name   string
		r      *replay.Receipt
		record []byte
		want   error
	}{
		{"plain", plain, record, nil}, {"with a key", keyed, record, nil}, {"in other words, with a key", looseKeyed, record, nil},
		{"a duplicate", again, record, nil}, {"a duplicate much later", later, record, nil}, {"a key that was used", reused, record, nil},
		{"hidden", &hidden, record, nil}, {"hidden, the other seat", &hiddenKeyed, record, nil},
		{"hidden, with a key, another move", &hiddenKeyed, played(keyed.Event, "4", nil), replay.ErrReceipt},
		{"in other words", loose, record, replay.ErrReworded},
		{"plain, another move", plain, played(plain.Event, "4", nil), replay.ErrReworded},
		{"hidden, another move", &hidden, played(plain.Event, "4", nil), replay.ErrReworded},
		{"with a key, another move", keyed, played(keyed.Event, "4", nil), replay.ErrReceipt},
		{"a duplicate, another move", later, played(keyed.Event, "4", nil), replay.ErrReceipt},
		{"in other words, with a key, another digest", looseKeyed, played(looseKeyed.Event, "3", func(e *referee.Event) { e.X.Raw = "AAAAAAAAAAAAAAAA" }), replay.ErrReceipt},
		{"in other words, with a key, no digest", looseKeyed, played(looseKeyed.Event, "4", func(e *referee.Event) { e.X.Raw = "" }), replay.ErrReceipt},
		{"hidden, cut before it", &hidden, []byte(lines(record)[0]), replay.ErrReceipt},
	} {
		if err := c.r.Confirm(bytes.NewReader(c.record)); !errors.Is(err, c.want) || (c.want == nil) != (err == nil) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
}

// TestReceiptRefused: what could not be read again is not signed.
func TestReceiptRefused(t *testing.T) {
	signer := signerOf("key-1", 7, 50)
	keys := keysOf(t, signer.Public())
	good := replay.Receipt{Match: "m", Seat: 1, Ask: 3, Arrived: 5, Deadline: 9, Code: "refused", Fault: "illegal", Event: 2}
	raw, err := signer.Receipt(good)
	if err != nil {
		t.Fatal(err)
	}
	good.SignedAt, good.KeyID = 50, "key-1"
	if back, err := keys.Receipt(raw); err != nil || *back != good {
		t.Errorf("%+v, %v", back, err)
	}
	for name, f := range map[string]func(*replay.Receipt){
		"no arrival": func(r *replay.Receipt) { r.Arrived = 0 }, "before all time": func(r *replay.Receipt) { r.Arrived = -1 }, "after all time": func(r *replay.Receipt) { r.Arrived = 1 << 54 },
		"no match": func(r *replay.Receipt) { r.Match = "" }, "no id": func(r *replay.Receipt) { r.Match = "a/b" }, "host": func(r *replay.Receipt) { r.Seat = game.Host },
		"seat": func(r *replay.Receipt) { r.Seat = game.MaxSeats }, "ask": func(r *replay.Receipt) { r.Ask = -1 }, "deadline": func(r *replay.Receipt) { r.Deadline = -5 },
	} {
		r := good
		f(&r)
		if raw, err := signer.Receipt(r); !errors.Is(err, replay.ErrReceipt) || raw != nil {
			t.Errorf("%s: %s, %v", name, raw, err)
		}
	}
	none := replay.ReceiptOf(new(referee.Request), &referee.Answer{Arrived: 5}, referee.Verdict{})
	if _, err := signer.Receipt(none); !errors.Is(err, replay.ErrReceipt) {
		t.Errorf("of no request: %v", err)
	}
	if _, err := signerOf("key-1", 7, -1).Receipt(good); err == nil || !strings.Contains(err.Error(), "Now") {
		t.Errorf("a clock before 1970: %v", err)
	}
}

// FuzzReceipt: what is not signed is refused, canonical or not, and nothing panics.
func FuzzReceipt(f *testing.F) {
	signer := signerOf("key-1", 7, 50)
	raw, err := signer.Receipt(replay.Receipt{Match: "m", Ask: 3, Arrived: 5, Code: "ok", Event: 2})
	if err != nil {
		f.Fatal(err)
	}
	seeds := [][]byte{raw, []byte(`{}`), []byte(`{"signature":"ed25519:00"}`)}
	for _, s := range seeds {
		f.Add(s)
	}
	if len(seeds) == 0 {
		f.Fatal("an empty corpus")
	}
	keys := keysOf(f, signer.Public())
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := keys.Receipt(b)
		if err != nil {
			return
		}
		if canon, err := jcs.Transform(b); err != nil || !bytes.Equal(canon, b) || r.Match != "m" {
			t.Fatalf("%s: %+v", b, r)
		}
	})
}
