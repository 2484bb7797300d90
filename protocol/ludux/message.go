package ludux

import (
	"errors"
	"fmt"

	"github.com/matchreferee/arena/internal/jsontext"
)

// Kind is the type member of a message.
type Kind string

// The kinds of messages.
const (
	KindActionRequest  Kind = "action_request"
	KindActionResponse Kind = "action_response"
	KindHello          Kind = "hello"
	KindWelcome        Kind = "welcome"
	KindMatchStart     Kind = "match_start"
	KindMatchEnd       Kind = "match_end"
	KindTimeoutWarning Kind = "timeout_warning"
	KindError          Kind = "error"
	KindPublicState    Kind = "public_state"
)

// Message is one of the nine types of this package that are messages, as a
// pointer: [*ActionRequest], [*ActionResponse], [*Hello], [*Welcome],
// [*MatchStart], [*MatchEnd], [*TimeoutWarning], [*Error], [*PublicState].
type Message interface {
	// Kind is its type member.
	Kind() Kind
	// Append appends it as it goes over the wire. Strings that are no UTF-8 get
	// U+FFFD; members that are JSON already go out as they are, and so must be valid.
	Append(dst []byte) []byte
}

// ErrMessage is wrapped by every error of [DecodeFromArena].
var ErrMessage = errors.New("ludux: not a message")

// ErrUnknownKind is wrapped besides where only the type member is unknown: an
// agent may pass over such a message.
var ErrUnknownKind = errors.New("unknown type")

// DecodeFromArena reads a message that an arena sends, of at most [MaxFrame]
// bytes. Members that an agent can do without may be absent and are then zero;
// unknown ones are ignored; unknown values of an enumeration are errors. The
// message shares no memory with frame.
func DecodeFromArena(frame []byte) (Message, error) {
	m, err := decodeFromArena(frame)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrMessage, err)
	}
	return m, nil
}

func decodeFromArena(frame []byte) (Message, error) {
	if len(frame) > MaxFrame {
		return nil, fmt.Errorf("over %d bytes", MaxFrame)
	}
	r, err := open(frame)
	if err != nil {
		return nil, err
	}
	kind, err := r.kind()
	if err != nil {
		return nil, err
	}
	var m interface {
		Message
		read(*reader)
	}
	switch kind {
	case KindActionRequest:
		m = new(ActionRequest)
	case KindWelcome:
		m = new(Welcome)
	case KindMatchStart:
		m = new(MatchStart)
	case KindMatchEnd:
		m = new(MatchEnd)
	case KindTimeoutWarning:
		m = new(TimeoutWarning)
	case KindError:
		m = new(Error)
	case KindPublicState:
		m = new(PublicState)
	case KindHello, KindActionResponse:
		return nil, fmt.Errorf("%s is what agents send", kind)
	default:
		return nil, fmt.Errorf("%w %s", ErrUnknownKind, jsontext.Quote(string(kind)))
	}
	m.read(r)
	return m, errors.Join(r.errs...)
}

// head appends the beginning of every message.
func head(dst []byte, k Kind) []byte {
	dst = append(dst, `{"protocol":"`+Protocol+`","type":"`...)
	return append(append(dst, k...), '"')
}
