package callback

import (
	"encoding/json"
	"net/http"
	"strconv"
)

// problem is a problem document (RFC 9457) of the type about:blank. Code is
// stable, for programs.
type problem struct {
	Title  string         `json:"title"`
	Status int            `json:"status"`
	Code   string         `json:"code"`
	Detail string         `json:"detail"`
	Errors []problemField `json:"errors,omitempty"`

	retry int // seconds; 0: not said
}

type problemField struct {
	Field  string `json:"field"`
	Detail string `json:"detail"`
}

func (p *problem) add(field, detail string) {
	p.Errors = append(p.Errors, problemField{field, detail})
}

func malformed(detail string) *problem {
	return &problem{Status: http.StatusBadRequest, Code: "malformed", Detail: detail}
}

func (p *problem) write(w http.ResponseWriter) {
	p.Title = http.StatusText(p.Status)
	body, err := json.Marshal(p)
	if err != nil { // strings and numbers alone
		panic(err)
	}
	h := w.Header()
	h.Set("Content-Type", "application/problem+json")
	h.Set("Cache-Control", "no-store")
	if p.retry > 0 {
		h.Set("Retry-After", strconv.Itoa(p.retry))
	}
	w.WriteHeader(p.Status)
	w.Write(body)
}
