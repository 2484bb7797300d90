package callback

import (
	"net"
	"net/netip"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/matchreferee/arena/protocol/agentarena"
)

// target is where an agent's requests go.
type target struct {
	url  string
	tls  bool
	host string
	port string
	head string // of a request, up to the headers that differ

	// The same for every way to write a URL: host and port, the path in lower
	// case, and the path with the query.
	site, path, endpoint string
}

func newTarget(u *url.URL) *target {
	t := &target{url: u.String(), tls: u.Scheme == "https", host: u.Hostname(), port: u.Port()}
	if t.port == "" {
		t.port = "80"
		if t.tls {
			t.port = "443"
		}
	}
	t.head = "POST " + u.RequestURI() + " HTTP/1.1\r\nhost: " + u.Host + "\r\ncontent-type: " + agentarena.ContentType + "\r\n"

	host, port := t.host, t.port
	if a, err := netip.ParseAddr(host); err == nil {
		host = a.String()
	}
	if n, err := strconv.ParseUint(port, 10, 16); err == nil {
		port = strconv.FormatUint(n, 10) // 0443 is 443
	}
	t.site = net.JoinHostPort(host, port)
	t.endpoint = path.Clean("/" + u.Path)
	t.path = strings.ToLower(t.endpoint)
	query := u.RawQuery
	if values, err := url.ParseQuery(query); err == nil {
		query = values.Encode()
	}
	if query != "" {
		t.endpoint += "?" + query
	}
	return t
}

// appendRequest appends a whole request; headers are more lines, each ended.
func (t *target) appendRequest(dst []byte, headers, body []byte) []byte {
	dst = slices.Grow(dst, len(t.head)+len(headers)+len(body)+32)
	dst = append(append(dst, t.head...), headers...)
	dst = append(dst, "content-length: "...)
	dst = strconv.AppendInt(dst, int64(len(body)), 10)
	dst = append(dst, "\r\n\r\n"...)
	return append(dst, body...)
}
