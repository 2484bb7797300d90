package callback

import (
	"bytes"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/matchreferee/arena/protocol/ludux"
)

var (
	// ErrSignature is wrapped where nobody who has a secret has signed a request:
	// headers are missing or badly written, or no signature is right.
	ErrSignature = errors.New("callback: not signed")
	// ErrTimestamp is wrapped where a request was signed too long ago, or is from
	// the future.
	ErrTimestamp = errors.New("callback: signed at another time")
	// ErrReplay is wrapped where the very same request has come before.
	ErrReplay = errors.New("callback: this request has come before")
)

// maxID bounds the bytes of a webhook-id.
const maxID = 256

// VerifierOptions configure a Verifier. Only Secrets has no default.
type VerifierOptions struct {
	// Secrets are those that may have signed, 1 to 8: while they change, the old
	// and the new one. Required.
	Secrets []Secret
	// Tolerance is how far a timestamp may be from now, either way. 0: 5 minutes.
	Tolerance time.Duration
	// MaxBody bounds the bytes of a body. 0: ludux.MaxFrame.
	MaxBody int
	// Remember is how many requests are remembered, so that they do not count
	// again: the newest ones, and none for longer than its timestamp is good for.
	// Only those that are signed are. Where more come in that time, the oldest is
	// forgotten early. 0: 16,384, which take up to 2 MiB.
	Remember int
	// Now gives the time. nil: time.Now.
	Now func() time.Time
}

func (o *VerifierOptions) validate() error {
	var errs []error
	bad := func(field, format string, args ...any) {
		errs = append(errs, fmt.Errorf("callback: %s: %s", field, fmt.Sprintf(format, args...)))
	}
	if err := checkSecrets(o.Secrets); err != nil {
		bad("Secrets", "%v", err)
	}
	if o.Tolerance < 0 {
		bad("Tolerance", "%v is negative", o.Tolerance)
	}
	if o.MaxBody < 0 {
		bad("MaxBody", "%d is negative", o.MaxBody)
	}
	if o.Remember < 0 {
		bad("Remember", "%d is negative", o.Remember)
	}
	return errors.Join(errs...)
}

// Verifier tells requests of an arena from those of others, by Standard
// Webhooks. Safe for concurrent use.
type Verifier struct {
	o    VerifierOptions
	seen window
}

// NewVerifier makes one. Errors name the bad options.
func NewVerifier(o VerifierOptions) (*Verifier, error) {
	if err := o.validate(); err != nil {
		return nil, err
	}
	o.Secrets = append([]Secret(nil), o.Secrets...)
	if o.Tolerance == 0 {
		o.Tolerance = 5 * time.Minute
	}
	if o.MaxBody == 0 {
		o.MaxBody = ludux.MaxFrame
	}
	if o.Remember == 0 {
		o.Remember = 16384
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Verifier{o: o, seen: window{max: o.Remember}}, nil
}

// Verify says whether a request with these headers and this body, all of it, is
// an arena's and has not come before. The error wraps ErrSignature,
// ErrTimestamp or ErrReplay.
//
// An arena sends a message again, if it gets no answer that counts, with the same
// id and a timestamp and signature of that moment. That is another request, which
// is as good as the first one: answer it alike. A replay is the same in id,
// timestamp and body. Signatures are compared in constant time, all secrets with
// the first eight signatures of version v1; other versions are passed over.
func (v *Verifier) Verify(h http.Header, body []byte) error {
	id, at, signatures, err := readSignature(h)
	if err != nil {
		return err
	}
	now := v.o.Now()
	switch away := now.Sub(at); {
	case away > v.o.Tolerance:
		return fmt.Errorf("%w: too old", ErrTimestamp)
	case away < -v.o.Tolerance:
		return fmt.Errorf("%w: in the future", ErrTimestamp)
	}
	signed := appendSigned(make([]byte, 0, len(id)+16), id, at.Unix())
	right := 0
	var first mac
	for i, s := range v.o.Secrets {
		m := s.mac(signed, body)
		if i == 0 {
			first = m
		}
		var want [base64Mac]byte
		base64.StdEncoding.Encode(want[:], m[:])
		for _, have := range signatures {
			right |= subtle.ConstantTimeCompare(want[:], []byte(have))
		}
	}
	if right == 0 {
		return fmt.Errorf("%w: no signature is right", ErrSignature)
	}
	// Remembered under one secret's name for it, whichever signed: who takes one
	// of several signatures away has the same request still.
	if !v.seen.add(first, at.Add(v.o.Tolerance), now) {
		return ErrReplay
	}
	return nil
}

// base64Mac is the length of a mac in base64.
const base64Mac = 44

// readSignature reads the three headers. The signatures are those of version
// v1, at most maxSignatures, without that.
func readSignature(h http.Header) (id string, at time.Time, signatures []string, err error) {
	bad := func(what string) (string, time.Time, []string, error) {
		return "", time.Time{}, nil, fmt.Errorf("%w: %s", ErrSignature, what)
	}
	var values [3]string
	for i, name := range [...]string{HeaderID, HeaderTimestamp, HeaderSignature} {
		list := h[name]
		if len(list) != 1 || list[0] == "" {
			return bad("one header " + strings.ToLower(name) + " is wanted")
		}
		values[i] = list[0]
	}
	id = values[0]
	// A full stop would let it be read as a shorter id with another timestamp.
	if len(id) > maxID || strings.Contains(id, ".") {
		return bad("its id is too long, or has a full stop")
	}
	unix, err := strconv.ParseInt(values[1], 10, 64)
	if err != nil || unix < 0 || unix > 1<<40 || values[1] != strconv.FormatInt(unix, 10) {
		return bad("its timestamp is no whole number of seconds")
	}
	for s := range strings.SplitSeq(values[2], " ") {
		if have, ok := strings.CutPrefix(s, signatureVersion); ok && len(have) == base64Mac && len(signatures) < maxSignatures {
			signatures = append(signatures, have)
		}
	}
	if len(signatures) == 0 {
		return bad("there is no signature of version v1")
	}
	return id, time.Unix(unix, 0), signatures, nil
}

// Handler lets those requests through to next that Verify is content with. next
// reads the body as ever. Others get status 401, 409 where they have come before,
// 413 where the body is too long, 408 where it takes more than 10 s, and a line
// that says why.
func (v *Verifier) Handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		limitBody(w)
		body, status := readRequest(w, r, v.o.MaxBody)
		if status != http.StatusOK {
			http.Error(w, "the request cannot be read", status)
			return
		}
		if err := v.Verify(r.Header, body); err != nil {
			status := http.StatusUnauthorized
			if errors.Is(err, ErrReplay) {
				status = http.StatusConflict
			}
			http.Error(w, err.Error(), status)
			return
		}
		r = r.WithContext(r.Context())
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		next.ServeHTTP(w, r)
	})
}
