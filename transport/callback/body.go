package callback

import (
	"errors"
	"io"
	"net/http"
	"os"
	"time"
)

// bodyTime is how long the body of a request may take to come, however long the
// server would wait.
const bodyTime = 10 * time.Second

// limitBody lets no later read of the body wait for more than bodyTime, those
// that the server does by itself after an answer among them.
func limitBody(w http.ResponseWriter) {
	http.NewResponseController(w).SetReadDeadline(time.Now().Add(bodyTime)) // some servers have none
}

// readRequest reads the body of a request after limitBody. A status other than
// 200 says what is wrong; then the connection is not used again.
func readRequest(w http.ResponseWriter, r *http.Request, limit int) (body []byte, status int) {
	body, err := readBody(r.Body, r.ContentLength, limit)
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		status = http.StatusRequestTimeout
	case err != nil:
		status = http.StatusBadRequest
	case len(body) > limit:
		status = http.StatusRequestEntityTooLarge
	default:
		// From here on the server reads to see whether the client goes.
		http.NewResponseController(w).SetReadDeadline(time.Time{})
		return body, http.StatusOK
	}
	w.Header().Set("Connection", "close")
	return nil, status
}

// readBody reads a body up to its end, or to one byte more than limit. length is
// what the header says, below 0 where it says nothing.
func readBody(r io.Reader, length int64, limit int) ([]byte, error) {
	size := 512
	if length >= 0 {
		size = int(min(length, 16<<10)) + 1 // what is announced need not come
	}
	b := make([]byte, 0, min(size, limit+1))
	for len(b) <= limit {
		if len(b) == cap(b) {
			b = append(make([]byte, 0, min(2*cap(b), limit+1)), b...)
		}
		n, err := r.Read(b[len(b):cap(b)])
		b = b[:len(b)+n]
		if err == io.EOF {
			return b, nil
		}
		if err != nil {
			return nil, err
		}
	}
	return b, nil
}
