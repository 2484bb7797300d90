package transport

import (
	"net/http"
	"strings"
	"testing"

	"github.com/matchreferee/arena/referee"
)

func TestBearer(t *testing.T) {
	for value, want := range map[string]string{
		"Bearer abc":                            "abc",
		"bearer  abc ":                          "abc",
		"BEARER a-b._~+/=":                      "a-b._~+/=",
		"Bearer":                                "",
		"Bearer ":                               "",
		"Basic abc":                             "",
		"abc":                                   "",
		"Bearer a b":                            "",
		"Bearer a,b":                            "",
		"Bearer " + strings.Repeat("k", MaxKey): strings.Repeat("k", MaxKey),
		"Bearer " + strings.Repeat("k", MaxKey+1): "",
	} {
		if got := Bearer(http.Header{"Authorization": {value}}); got != want {
			t.Errorf("%q: %q, want %q", value, got, want)
		}
	}
	if got := Bearer(http.Header{"Authorization": {"Bearer a", "Bearer a"}}); got != "" {
		t.Errorf("two headers: %q", got)
	}
	if got := Bearer(nil); got != "" {
		t.Errorf("no header: %q", got)
	}
}

func TestGrant(t *testing.T) {
	g := &Grant{Agent: referee.Agent{Slug: "ann"}, Scopes: []string{ScopePlay}}
	if g.Owner() != "ann" || !g.May(ScopePlay) || g.May(ScopeWatch) {
		t.Errorf("%q %v %v", g.Owner(), g.May(ScopePlay), g.May(ScopeWatch))
	}
	if g.Account = "team"; g.Owner() != "team" {
		t.Errorf("%q", g.Owner())
	}
}
