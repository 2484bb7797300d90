package clienttest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// check looks at what every request has to be, and tells its kind.
func (s *Server) check(r *http.Request, body []byte) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if auth := r.Header.Values("Authorization"); len(auth) != 1 || auth[0] != "Bearer "+Key {
		s.wrong("%s %s: authorization %q", r.Method, r.URL, auth)
	}
	if strings.Contains(r.URL.String(), "canary") || bytes.Contains(body, []byte("canary")) {
		s.wrong("%s %s: the key is in it", r.Method, r.URL)
	}
	for name := range r.Header {
		if name != "Authorization" && strings.Contains(r.Header.Get(name), "canary") {
			s.wrong("%s %s: the key is in %s", r.Method, r.URL, name)
		}
	}
	kind := ""
	switch {
	case r.Method == http.MethodPost && r.URL.Path == prefix:
		kind = "create"
	case r.Method == http.MethodGet && r.URL.Path == prefix+"/m1":
		kind = "observe"
	case r.Method == http.MethodPost && r.URL.Path == prefix+"/m1/moves":
		kind = "move"
	default:
		s.wrong("%s %s: no such thing", r.Method, r.URL)
	}
	if r.URL.RawQuery != "" {
		s.wrong("%s: a query %q", kind, r.URL.RawQuery)
	}
	if kind == "create" || kind == "move" {
		if c := r.Header.Get("Content-Type"); c != "application/json" {
			s.wrong("%s: content-type %q", kind, c)
		}
	} else if len(body) > 0 {
		s.wrong("%s: a body", kind)
	}
	if p := r.Header.Get("Prefer"); p != "" {
		if n, err := strconv.Atoi(strings.TrimPrefix(p, "wait=")); err != nil || n < 1 || n > 60 || kind != "observe" {
			s.wrong("%s: prefer %q", kind, p)
		}
	}
	return kind
}

func problem(status int, code string) (int, []byte) {
	return status, fmt.Appendf(nil, `{"type":"about:blank","title":"%s","status":%d,"code":"%s","detail":"so says the server"}`, http.StatusText(status), status, code)
}

// strict decodes a payload that has these members and no others.
func strict(body []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(body))
	d.DisallowUnknownFields()
	return d.Decode(into)
}

// repeated sees to it that a payload comes again as it was, whether or not it was answered before, and gives what it is for. The lock is held.
func (s *Server) repeated(kind string, body []byte) (purpose string) {
	if kind == "observe" {
		return ""
	}
	var m struct{ Revision int }
	_ = json.Unmarshal(body, &m) // what is wrong with it is told elsewhere
	purpose = fmt.Sprint(kind, m.Revision)
	if before, ok := s.sent[purpose]; ok && before != string(body) {
		s.wrong("%s: not what came before\n%s\n%s", kind, before, body)
	}
	s.sent[purpose] = string(body)
	return purpose
}

// forget lets another payload come.
func (s *Server) forget(purpose string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.sent, purpose)
}
