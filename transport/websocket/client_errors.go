package websocket

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	ws "github.com/coder/websocket"

	"github.com/matchreferee/arena/protocol/ludux"
	"github.com/matchreferee/arena/transport"
)

// What ends [Client.Run], besides its context and a [RefusedError].
var (
	ErrReplaced = errors.New("websocket: a newer connection of this agent has taken over")
	ErrGaveUp   = errors.New("websocket: gave up")              // as DialOptions.Attempts or GiveUp says; the last error is wrapped, too
	ErrClosed   = errors.New("websocket: the client is closed") // by Client.Close
)

// ErrWithdrawn is the cause (see [context.Cause]) with which the context of a
// request ends that is not open any more: the seat was asked for another action, or
// the match has ended.
var ErrWithdrawn = errors.New("websocket: the request is not open any more")

// RefusedError says that the arena does not let this key play. Where the key stands
// for nobody, it wraps [transport.ErrKey].
type RefusedError struct {
	Status  int    // of the upgrade, 401 or 403; 0: said in a message
	Message string // the arena's; "" with a Status
}

// Error has no key in it.
func (e *RefusedError) Error() string {
	if e.Status != 0 {
		return fmt.Sprintf("websocket: the arena refuses the key: %d %s", e.Status, http.StatusText(e.Status))
	}
	return fmt.Sprintf("websocket: the arena refuses the key: %q", e.Message)
}

// Unwrap gives [transport.ErrKey], but nil where the key is known and may not play.
func (e *RefusedError) Unwrap() error {
	if e.Status == http.StatusForbidden {
		return nil
	}
	return transport.ErrKey
}

// LostError says that a connection was lost, or could not be made.
type LostError struct {
	Err     error
	Attempt int           // the next one, counted from 1 since a connection was last in use
	Pause   time.Duration // until then
}

// Error tells the pause, too.
func (e *LostError) Error() string {
	return fmt.Sprintf("%v; attempt %d follows in %v", e.Err, e.Attempt, e.Pause.Round(time.Millisecond))
}

// Unwrap gives Err.
func (e *LostError) Unwrap() error { return e.Err }

// PlayError says why a request has no answer: the play function failed or panicked,
// what it returned cannot be sent, or there are too many matches. Comes the request
// again, so will the function be called again.
type PlayError struct {
	Request *ludux.ActionRequest
	Err     error
}

// Error names the match and the request.
func (e *PlayError) Error() string {
	return fmt.Sprintf("websocket: %s, request %d: %v", e.Request.MatchID, e.Request.Seq, e.Err)
}

// Unwrap gives Err.
func (e *PlayError) Unwrap() error { return e.Err }

// busyError says that an arena wants to be left alone for a while.
type busyError struct {
	what  string
	after time.Duration // 0: it does not say
}

func (e *busyError) Error() string { return "websocket: the arena says " + e.what }

// refusedUpgrade makes an error of the answer to an upgrade that was not let through.
func refusedUpgrade(resp *http.Response) error {
	switch resp.StatusCode {
	case http.StatusUnauthorized, http.StatusForbidden:
		return &RefusedError{Status: resp.StatusCode}
	}
	return &busyError{what: fmt.Sprintf("%d %s", resp.StatusCode, http.StatusText(resp.StatusCode)), after: retryAfter(resp.Header.Get("Retry-After"))}
}

// retryAfter reads a header of that name: seconds or a date (RFC 9110, 10.2.3).
func retryAfter(v string) time.Duration {
	if n, err := strconv.ParseUint(v, 10, 31); err == nil {
		return time.Duration(n) * time.Second
	}
	if at, err := http.ParseTime(v); err == nil {
		return max(0, time.Until(at))
	}
	return 0
}

// ended says how the peer closed a connection, in fewer words than the library.
func ended(err error) error {
	var closed ws.CloseError
	if errors.As(err, &closed) {
		return &closeError{closed}
	}
	return err
}

type closeError struct{ ws.CloseError }

func (e *closeError) Error() string {
	return fmt.Sprintf("closed by the arena with %d %q", int(e.Code), e.Reason)
}

func (e *closeError) Unwrap() error { return e.CloseError }
