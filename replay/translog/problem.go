package translog

import (
	"encoding/json"
	"net/http"
)

// problem is a problem document of RFC 9457.
type problem struct {
	Type   string `json:"type"`
	Title  string `json:"title"`
	Status int    `json:"status"`
	Code   string `json:"code"` // stays the same from version to version
}

// Error gives the title.
func (p *problem) Error() string { return p.Title }

func (p *problem) write(w http.ResponseWriter) {
	b, err := json.Marshal(p)
	if err != nil {
		b = nil
	}
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(p.Status)
	_, _ = w.Write(b)
}

func newProblem(status int, code, title string) *problem {
	return &problem{Type: "about:blank", Title: title, Status: status, Code: code}
}

var (
	errNotFound = newProblem(http.StatusNotFound, "not_found", "There is nothing here.")
	errRunning  = newProblem(http.StatusConflict, "running", "The match is not finished.")
	errMethod   = newProblem(http.StatusMethodNotAllowed, "method_not_allowed", "Only GET and HEAD are answered.")
	errNumber   = newProblem(http.StatusBadRequest, "bad_number", "That is not a number that is asked for here.")
	errNoLog    = newProblem(http.StatusNotFound, "no_log", "This host keeps no transparency log.")
	errInternal = newProblem(http.StatusInternalServerError, "internal", "The host failed.")
)
