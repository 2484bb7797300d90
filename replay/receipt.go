package replay

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/internal/jsontext"
	"github.com/matchreferee/arena/referee"
)

// Receipt is what the referee says of one answer: which request it was for, when
// it came, when it was due, and what became of it. Signed, it is for the agent to
// keep: a record that says something else later convicts whoever signed both.
type Receipt struct {
	Match    string
	Seat     game.Seat
	Ask      int32        // the request's number, as in the record
	Arrived  referee.Time // of the answer's last byte, Unix milliseconds
	Deadline referee.Time // when it was due, grace not counted; 0: at no time
	Action   [32]byte     // SHA-256 of the action as it was sent
	Code     string       // what became of it: the names of referee.Code
	Fault    string       // why it was refused; "" where it was not
	Event    int64        // position in the record, from 0; -1: none, or none that may be told
	SignedAt int64        // Unix seconds
	KeyID    string
}

// ErrReceipt is wrapped where something is no receipt, or a record contradicts one.
var ErrReceipt = errors.New("replay: not a receipt of this record")

// ReceiptOf gives the receipt of an answer, still to be signed: of the request
// as it was when the answer came, of the answer with its moment of arrival, and of
// the verdict on it.
func ReceiptOf(r *referee.Request, a *referee.Answer, v referee.Verdict) Receipt {
	fault := ""
	if v.Fault != referee.NoFault {
		fault = v.Fault.String()
	}
	return Receipt{Match: r.Match(), Seat: r.Seat, Ask: r.Ask, Arrived: a.Arrived, Deadline: r.Deadline,
		Action: sha256.Sum256([]byte(a.Action)), Code: v.Code.String(), Fault: fault, Event: v.Event}
}

// Receipt signs a receipt, SignedAt and KeyID being the signer's own.
func (k *KeySigner) Receipt(r Receipt) ([]byte, error) {
	if err := k.Validate(); err != nil {
		return nil, err
	}
	var st statement
	st.text("type", receiptType)
	st.text("match", r.Match)
	st.int("seat", int64(r.Seat))
	st.int("ask", int64(r.Ask))
	st.int("arrived_ms", int64(r.Arrived))
	if r.Deadline != 0 {
		st.int("deadline_ms", int64(r.Deadline))
	}
	st.text("action", sha256Prefix+hex.EncodeToString(r.Action[:]))
	st.text("verdict", r.Code)
	if r.Fault != "" {
		st.text("fault", r.Fault)
	}
	if r.Event >= 0 {
		st.int("event", r.Event)
	}
	st.int("signed_at", k.Now().Unix())
	st.text("public_key_id", k.ID)
	return st.sign(k.Key)
}

const receiptType = "receipt"

// Receipt reads a signed receipt and judges its signature. Errors wrap
// [ErrReceipt], ErrKeyUnknown, ErrKeyRevoked, ErrKeyPeriod or ErrSignature.
func (s *Keys) Receipt(raw []byte) (*Receipt, error) {
	members, text, signature, err := unsigned(raw)
	var r *Receipt
	if err == nil {
		r, err = readReceipt(members)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrReceipt, err)
	}
	if err := s.verify(r.KeyID, r.SignedAt, text, signature[:ed25519.SignatureSize]); err != nil {
		return nil, err
	}
	return r, nil
}

func readReceipt(o jsontext.Members) (*Receipt, error) {
	r := &Receipt{Event: -1}
	var errs []error
	text := func(name string, to *string) {
		s, err := o.Text(name)
		*to, errs = s, append(errs, err)
	}
	number := func(name string, most int64) int64 {
		n, err := o.Int(name, most)
		errs = append(errs, err)
		return n
	}
	var kind string
	text("type", &kind)
	if kind != receiptType {
		errs = append(errs, errors.New("type: not a receipt"))
	}
	text("match", &r.Match)
	r.Seat = game.Seat(number("seat", game.MaxSeats-1))
	r.Ask = int32(number("ask", 1<<31-1))
	r.Arrived = referee.Time(number("arrived_ms", 1<<53))
	if o.Has("deadline_ms") {
		r.Deadline = referee.Time(number("deadline_ms", 1<<53))
	}
	action, err := hash(o, "action")
	r.Action, errs = action, append(errs, err)
	text("verdict", &r.Code)
	if o.Has("fault") {
		text("fault", &r.Fault)
	}
	if o.Has("event") {
		r.Event = number("event", MaxLines)
	}
	r.SignedAt = number("signed_at", maxSeconds)
	text("public_key_id", &r.KeyID)
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return r, nil
}

// Confirm reports whether the record agrees with the receipt: the event that it
// names is that seat's, for that request, as accepted or as refused as the receipt
// says, and not recorded before the answer came. A receipt that names no event
// is confirmed by any record of its match. The error wraps [ErrReceipt] where they contradict
// one another; else it is the reader's.
func (r *Receipt) Confirm(record io.Reader) error {
	wrong := func(format string, args ...any) error {
		return fmt.Errorf("%w: %s", ErrReceipt, fmt.Sprintf(format, args...))
	}
	in := NewReader(record)
	for line, err := range in.All() {
		switch {
		case err != nil:
			return err
		case line.Seal != nil:
			continue
		case line.Num == 1 && line.Event.X.Start.ID != r.Match:
			return wrong("it is of match %s", jsontext.Quote(line.Event.X.Start.ID))
		case r.Event < 0:
			return nil
		case line.Num != r.Event+1:
			continue
		}
		e := &line.Event
		switch {
		case e.Kind != referee.KindMove && e.Kind != referee.KindFault:
			return wrong("event %d is no answer", r.Event)
		case e.Seat != r.Seat || e.Ask != r.Ask:
			return wrong("event %d answers request %d of seat %v", r.Event, e.Ask, e.Seat)
		case e.Time < r.Arrived:
			return wrong("event %d was recorded before the answer came", r.Event)
		case e.Kind == referee.KindMove && r.Fault != "" || e.Kind == referee.KindFault && e.X.Fault.String() != r.Fault:
			return wrong("event %d is not the verdict", r.Event)
		}
		return nil
	}
	return wrong("the record has no event %d", r.Event)
}
