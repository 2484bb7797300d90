package callback_test

import (
	"encoding/base64"
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/matchreferee/arena/transport/callback"
)

func encode(b []byte) string { return base64.StdEncoding.EncodeToString(b) }

func encodeSecret(key string) string { return "whsec_" + encode([]byte(key)) }

// newVerifier makes one whose clock stands still.
func newVerifier(t testing.TB, now time.Time, secrets ...callback.Secret) *callback.Verifier {
	t.Helper()
	v, err := callback.NewVerifier(callback.VerifierOptions{Secrets: secrets, Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func signedHeader(id string, at time.Time, signature string) http.Header {
	h := http.Header{}
	h.Set("webhook-id", id)
	h.Set("webhook-timestamp", strconv.FormatInt(at.Unix(), 10))
	h.Set("webhook-signature", signature)
	return h
}

// flip changes one character of a signature.
func flip(signature string) string {
	b := []byte(signature)
	if b[5] == 'A' {
		b[5] = 'B'
	} else {
		b[5] = 'A'
	}
	return string(b)
}

// malleate writes a signature in another way that lenient readers take for the
// same: 32 bytes leave two bits of the last character over.
func malleate(signature string) string {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	b := []byte(signature)
	for i := range alphabet {
		if alphabet[i] == b[len(b)-2] {
			b[len(b)-2] = alphabet[i^1]
			break
		}
	}
	return string(b)
}
