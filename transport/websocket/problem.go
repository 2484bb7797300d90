package websocket

import (
	"net/http"

	"github.com/matchreferee/arena/internal/web"
)

// problem is why an upgrade is refused.
type problem struct {
	web.Problem
	reason Reason
	err    error // for the host
}

func (p *problem) write(w http.ResponseWriter) {
	switch h := w.Header(); p.Status {
	case http.StatusUnauthorized:
		h.Set("WWW-Authenticate", "Bearer")
	case http.StatusUpgradeRequired:
		h.Set("Connection", "Upgrade")
		h.Set("Upgrade", "websocket")
	}
	p.Write(w)
}
