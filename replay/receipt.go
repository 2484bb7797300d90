package replay

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
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
// keep: a record that says something else later convicts whoever signed both; see
// [Receipt.Confirm].
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

var (
	// ErrReceipt is wrapped where something is no receipt, or a record contradicts one.
	ErrReceipt = errors.New("replay: not a receipt of this record")
	// ErrReworded is wrapped where a record has the move that a receipt is about as
	// the rules write it, the agent sent it in other words, and only the rules
	// can say whether they mean the same. It says nothing against the record.
	ErrReworded = errors.New("replay: the move was sent in other words than those of the record")
)

// ReceiptOf gives the receipt of an answer, still to be signed, for a transport to
// hand to the agent; those of this module hand out none. It is made of the request
// as it was when the answer came, of the answer with its moment of arrival, and of
// the verdict on it. The request is the seat's newest one where none is open any
// more; of the zero Request there is no receipt that could be signed.
func ReceiptOf(r *referee.Request, a *referee.Answer, v referee.Verdict) Receipt {
	fault := ""
	if v.Fault != referee.NoFault {
		fault = v.Fault.String()
	}
	match := ""
	if r.Ask > 0 {
		match = r.Match()
	}
	return Receipt{Match: match, Seat: r.Seat, Ask: r.Ask, Arrived: a.Arrived, Deadline: r.Deadline,
		Action: sha256.Sum256([]byte(a.Action)), Code: v.Code.String(), Fault: fault, Event: v.Event}
}

// Receipt signs a receipt, SignedAt and KeyID being the signer's own. What could
// not be read again is not signed, such as one without a moment of arrival:
// errors wrap [ErrReceipt], or are the key's.
func (k *KeySigner) Receipt(r Receipt) ([]byte, error) {
	if err := k.Validate(); err != nil {
		return nil, err
	}
	at, err := k.time()
	if err != nil {
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
	st.int("signed_at", at)
	st.text("public_key_id", k.ID)
	members, err := jsontext.ParseObject(st.append(nil), jsontext.Refuse)
	if err == nil {
		_, err = readReceipt(members)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrReceipt, err)
	}
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
	if !referee.ValidID(r.Match) {
		errs = append(errs, errors.New("match: not an id"))
	}
	r.Seat = game.Seat(number("seat", game.MaxSeats-1))
	r.Ask = int32(number("ask", 1<<31-1))
	if r.Arrived = referee.Time(number("arrived_ms", 1<<53)); r.Arrived == 0 {
		errs = append(errs, errors.New("arrived_ms: no moment"))
	}
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

// Confirm reports whether the record agrees with the receipt. Of a move that was
// accepted the record has to hold just that move, as the answer to that request of
// the seat, recorded no earlier than it came, where the receipt says if it says
// where. Of what was refused, or came again, it has to hold the event that the
// receipt names; if it names none, any record of its match will do.
//
// The error wraps [ErrReceipt] where they contradict one another, and [ErrReworded]
// where only the rules can tell; else it is the reader's. Whether the record is
// good in itself, and whose, is for [Verify] and [Keys.Check] to say: it is read
// no further than to the event.
func (r *Receipt) Confirm(record io.Reader) error {
	accepted := r.Code == referee.OK.String()
	in := NewReader(record)
	for line, err := range in.All() {
		e := &line.Event
		switch {
		case err != nil:
			return err
		case line.Num == 1 && e.X.Start.ID != r.Match:
			return contradicts("it is of match %s", jsontext.Quote(e.X.Start.ID))
		case r.Event < 0 && !accepted:
			return nil
		case line.Seal != nil:
			continue
		case r.Event < 0 && e.Kind == referee.KindMove && e.Seat == r.Seat && e.Ask == r.Ask, line.Num == r.Event+1:
			return r.holds(line.Num-1, e)
		}
	}
	if r.Event < 0 {
		return contradicts("the record has no move of seat %v for request %d", r.Seat, r.Ask)
	}
	return contradicts("the record has no event %d", r.Event)
}

func contradicts(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrReceipt, fmt.Sprintf(format, args...))
}

// holds compares an event with what the receipt says of it.
func (r *Receipt) holds(event int64, e *referee.Event) error {
	again := r.Code == referee.Duplicate.String() || r.Code == referee.KeyReused.String() // the event is that of the first time
	switch {
	case e.Kind != referee.KindMove && e.Kind != referee.KindFault:
		return contradicts("event %d is no answer", event)
	case e.Seat != r.Seat || e.Ask != r.Ask && !again:
		return contradicts("event %d answers request %d of seat %v", event, e.Ask, e.Seat)
	case e.Time < r.Arrived && !again:
		return contradicts("event %d was recorded before the answer came", event)
	case e.Kind == referee.KindMove && r.Fault != "" || e.Kind == referee.KindFault && e.X.Fault.String() != r.Fault:
		return contradicts("event %d is not the verdict", event)
	case e.Kind == referee.KindFault || r.Code == referee.KeyReused.String():
		return nil
	}
	return r.sent(event, e)
}

// sent compares what was recorded as a move with what was sent.
func (r *Receipt) sent(event int64, e *referee.Event) error {
	raw, key := "", ""
	if e.X != nil {
		raw, key = e.X.Raw, e.X.Key
	}
	switch {
	case raw == "" && sha256.Sum256([]byte(e.Action)) == r.Action,
		raw != "" && raw == base64.RawURLEncoding.EncodeToString(r.Action[:12]):
		return nil
	case key != "": // with a key the record says what was sent
		return contradicts("event %d is another move", event)
	}
	return fmt.Errorf("%w: event %d", ErrReworded, event)
}
