package websocket

import (
	"encoding/json"
	"net/http"
	"strconv"
	"time"
)

// problem is a problem document (RFC 9457) of the type about:blank. Code is
// stable, for programs.
type problem struct {
	Title  string `json:"title"`
	Status int    `json:"status"`
	Code   string `json:"code"`
	Detail string `json:"detail"`

	reason Reason
	retry  time.Duration // 0: not said
	err    error         // for the host
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
	switch {
	case p.Status == http.StatusUnauthorized:
		h.Set("WWW-Authenticate", "Bearer")
	case p.Status == http.StatusUpgradeRequired:
		h.Set("Connection", "Upgrade")
		h.Set("Upgrade", "websocket")
	}
	if p.retry > 0 {
		h.Set("Retry-After", strconv.FormatInt(int64((p.retry+time.Second-1)/time.Second), 10))
	}
	w.WriteHeader(p.Status)
	w.Write(body)
}
