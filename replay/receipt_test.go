package replay_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/gowebpki/jcs"

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
	other := eventful(t, "another").record(false)
	for name, f := range map[string]func(r *replay.Receipt){
		"another match":  func(r *replay.Receipt) { r.Match = "m" },
		"another seat":   func(r *replay.Receipt) { r.Seat = 1 },
		"another ask":    func(r *replay.Receipt) { r.Ask++ },
		"another event":  func(r *replay.Receipt) { r.Event++ },
		"no such event":  func(r *replay.Receipt) { r.Event = 1000 },
		"refused":        func(r *replay.Receipt) { r.Fault = "late" },
		"came later":     func(r *replay.Receipt) { r.Arrived += 10_000 },
		"the first line": func(r *replay.Receipt) { r.Event = 0 },
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
