// Package web is what HTTP handlers of several packages answer alike: problem documents and entity tags.
package web

import (
	"encoding/json"
	"net/http"
	"strconv"
	"time"
)

// Problem is a problem document (RFC 9457) of the type about:blank. Code is stable, for programs.
type Problem struct {
	Title  string  `json:"title"` // by Write, of the status
	Status int     `json:"status"`
	Code   string  `json:"code"`
	Detail string  `json:"detail"`
	Errors []Field `json:"errors,omitempty"`

	Retry time.Duration `json:"-"` // for Retry-After, in seconds, rounded up; 0: not said
}

// Field is what is wrong with one member of a request.
type Field struct {
	Field  string `json:"field"`
	Detail string `json:"detail"`
}

// Add adds a member that is wrong.
func (p *Problem) Add(field, detail string) { p.Errors = append(p.Errors, Field{field, detail}) }

// Write answers with the problem, which nobody is to keep.
func (p *Problem) Write(w http.ResponseWriter) {
	p.Title = http.StatusText(p.Status)
	body, err := json.Marshal(p)
	if err != nil { // strings and numbers alone
		panic(err)
	}
	h := w.Header()
	h.Set("Content-Type", "application/problem+json")
	h.Set("Cache-Control", "no-store")
	if p.Retry > 0 {
		h.Set("Retry-After", strconv.FormatInt(int64((p.Retry+time.Second-1)/time.Second), 10))
	}
	w.WriteHeader(p.Status)
	w.Write(body)
}
