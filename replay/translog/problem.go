package translog

import (
	"net/http"

	"github.com/matchreferee/arena/internal/web"
)

// problem is what is answered in place of what was asked for.
type problem struct {
	status int
	code   string // stays the same from version to version
	detail string
}

// Error gives the detail.
func (p *problem) Error() string { return p.detail }

func (p *problem) write(w http.ResponseWriter) {
	(&web.Problem{Status: p.status, Code: p.code, Detail: p.detail}).Write(w)
}

var (
	errNotFound = &problem{http.StatusNotFound, "not_found", "there is nothing here"}
	errRunning  = &problem{http.StatusConflict, "running", "the match is not finished"}
	errMethod   = &problem{http.StatusMethodNotAllowed, "method_not_allowed", "only GET and HEAD are answered"}
	errNumber   = &problem{http.StatusBadRequest, "bad_number", "that is not a number that is asked for here"}
	errNoLog    = &problem{http.StatusNotFound, "no_log", "this host keeps no transparency log"}
	errInternal = &problem{http.StatusInternalServerError, "internal", "the host failed"}
)
