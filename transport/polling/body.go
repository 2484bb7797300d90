package polling

import (
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"os"
	"time"

	"github.com/matchreferee/arena/protocol/gridarena"
)

// body reads the JSON of a request; none is an error unless it is optional.
func (t *Transport) body(c *call, optional bool) ([]byte, error) {
	if optional && c.r.ContentLength == 0 {
		return nil, nil
	}
	// A page of another site cannot send this type without asking first.
	if kind, _, err := mime.ParseMediaType(c.r.Header.Get("Content-Type")); err != nil || kind != gridarena.ContentType {
		return nil, gridarena.NewProblem(gridarena.CodeMediaType, "the content type is to be "+gridarena.ContentType)
	}
	if code := c.r.Header.Get("Content-Encoding"); code != "" && code != "identity" {
		return nil, gridarena.NewProblem(gridarena.CodeMediaType, "the body is not to be encoded")
	}
	large := gridarena.NewProblem(gridarena.CodeTooLarge, fmt.Sprintf("a body has at most %d bytes", gridarena.MaxBody))
	if c.r.ContentLength > gridarena.MaxBody {
		c.w.Header().Set("Connection", "close")
		return nil, large
	}
	// Some servers have no deadlines, such as a test's recorder. This one is also for
	// what the server itself reads after an answer.
	control := http.NewResponseController(c.w)
	_ = control.SetReadDeadline(time.Now().Add(t.o.BodyTime))
	body, err := readAll(io.LimitReader(c.r.Body, gridarena.MaxBody+1), c.r.ContentLength)
	if err == nil && len(body) <= gridarena.MaxBody {
		_ = control.SetReadDeadline(time.Time{}) // the server reads on, to see whether the client goes
		return body, nil
	}
	c.w.Header().Set("Connection", "close")
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, gridarena.NewProblem(gridarena.CodeSlowBody, fmt.Sprintf("the body did not come within %v", t.o.BodyTime))
	case err != nil:
		return nil, gridarena.NewProblem(gridarena.CodeMalformed, "the body cannot be read")
	}
	return nil, large
}

// readAll is io.ReadAll that believes an announced length of up to a kilobyte.
func readAll(r io.Reader, length int64) ([]byte, error) {
	b := make([]byte, 0, min(max(length, 511), 1023)+1)
	for {
		n, err := r.Read(b[len(b):cap(b)])
		b = b[:len(b)+n]
		if err == io.EOF {
			return b, nil
		}
		if err != nil {
			return nil, err
		}
		if len(b) == cap(b) {
			b = append(b, 0)[:len(b)]
		}
	}
}
