package connect4agent_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// turn is a move request as the agent may get it; the zero values are put in by ask.
type turn struct {
	Protocol   string   `json:"protocol"`
	Type       string   `json:"type"`
	MatchID    string   `json:"match_id"`
	Game       string   `json:"game"`
	You        string   `json:"you"`
	Opponent   string   `json:"opponent"`
	MoveNumber int      `json:"move_number"`
	Board      string   `json:"board"`
	Legal      []string `json:"legal"`
	Strikes    int      `json:"strikes"`
	DeadlineMS int      `json:"deadline_ms"`
	Nonce      string   `json:"nonce"`
	ReplayURL  string   `json:"replay_url"`
}

// position gives a request for side X, whose board has these lowest rows, top one first, and is 7 wide and 6 high.
func position(match string, rows ...string) turn {
	empty := make([]string, 6-len(rows))
	for i := range empty {
		empty[i] = "......."
	}
	return turn{
		Protocol: "agentarena/1", Type: "move_request", MatchID: match, Game: "connect4", You: "X", Opponent: "somebody", MoveNumber: 7,
		Board: board(append(empty, rows...), "abcdefg"), Legal: strings.Split("abcdefg", ""), DeadlineMS: 10_000, Nonce: "nonce of " + match,
		ReplayURL: "https://arena.example/" + match,
	}
}

func board(rows []string, letters string) string {
	return "```\n " + strings.Join(rows, "\n ") + "\n " + letters + "\n```"
}

type reply struct{ Move, Nonce, Reason, Error string }

func client(t *testing.T) *http.Client {
	tr := &http.Transport{}
	t.Cleanup(tr.CloseIdleConnections)
	return &http.Client{Transport: tr, Timeout: patience}
}

// send sends a request as it is, and reads the JSON that comes back.
func send(t *testing.T, c *http.Client, method, url, body string) (*http.Response, reply) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	res, err := c.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(io.LimitReader(res.Body, 16<<10))
	if err != nil {
		t.Fatal(err)
	}
	var r reply
	if err := json.Unmarshal(b, &r); err != nil {
		t.Fatalf("%s: %q: %v", res.Status, b, err)
	}
	if kind := res.Header.Get("Content-Type"); kind != "application/json" {
		t.Errorf("content-type %q", kind)
	}
	return res, r
}

// ask asks for a move.
func ask(t *testing.T, c *http.Client, url string, q turn) reply {
	t.Helper()
	body, err := json.Marshal(q)
	if err != nil {
		t.Fatal(err)
	}
	res, r := send(t, c, http.MethodPost, url, string(body))
	if res.StatusCode != http.StatusOK || r.Nonce != q.Nonce || r.Reason == "" || len(r.Reason) > 280 {
		t.Fatalf("%s: %+v", res.Status, r)
	}
	return r
}

func TestMoves(t *testing.T) {
	url, c := start(t), client(t)
	wide := position("wide", "XXX.OOO")
	wide.Board = board([]string{"................", "................", "................", "............OOO.", "..........XXXOOO"}, "abcdefghijklmnop")
	wide.Legal = strings.Split("abcdefghijklmnop", "")
	as := func(q turn, you string) turn { q.You = you; return q }
	only := func(q turn, legal ...string) turn { q.Legal = legal; return q }
	tests := []struct {
		name string
		q    turn
		want string // letters, any of them
	}{
		{"an empty board", position("empty"), "d"},
		{"a win before a block", position("both", "XXX.OOO"), "d"},
		{"a win upward", position("up", "X......", "X.....O", "X.O...O"), "a"},
		{"a win on a diagonal", position("diagonal", "..XO...", ".XOO...", "XOOX..X"), "d"},
		{"a win for O", as(position("o", "O......", "O.....X", "OXX...X"), "O"), "a"},
		{"a block", position("block", "..X....", "..XOOO."), "bg"},
		{"a block of an open pair", as(position("pair", "..XX..."), "O"), "be"},
		{"no help for a win above", position("above", ".OOO...", ".XXO.OX"), "bcdfg"},
		{"only what is legal", only(position("legal", "XXX.OOO"), "a", "g"), "ag"},
		{"a wide board", wide, "jn"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if r := ask(t, c, url, tt.q); !strings.Contains(tt.want, r.Move) || r.Move == "" {
				t.Errorf("%+v, not %s", r, tt.want)
			}
		})
	}
}

// TestSameAgain asks the same again, with a fresh nonce and one strike more, as a referee does.
func TestSameAgain(t *testing.T) {
	url, c := start(t), client(t)
	q := position("again", "..XXO..")
	first := ask(t, c, url, q)
	q.Nonce, q.Strikes = "another", 1
	second := ask(t, c, url, q)
	first.Nonce = q.Nonce
	if d := cmp.Diff(first, second); d != "" {
		t.Errorf("the same request again (-first +second):\n%s", d)
	}
	q.Board, q.Nonce = position("", "X......", "X.....O", "X.O...O").Board, "a third"
	if third := ask(t, c, url, q); third.Move != "a" {
		t.Errorf("another board under the same number: %+v", third)
	}
	for i := range 1200 { // more than it remembers
		other := position(fmt.Sprint("other ", i), "XXX.OOO")
		if r := ask(t, c, url, other); r.Move != "d" {
			t.Fatalf("match %d: %+v", i, r)
		}
	}
	q = position("again", "..XXO..")
	if last := ask(t, c, url, q); last.Move != first.Move {
		t.Errorf("after many other matches: %+v, first %+v", last, first)
	}
}

// TestStrangers lets somebody else ask first about a move of a match: with less
// time to think, another side, other legal moves or another opponent. The move
// that the referee gets is the one that it would have got.
func TestStrangers(t *testing.T) {
	url, c := start(t), client(t)
	honest := func(match string) turn { return position(match, "X......", "X.....O", "X.O...O") } // a wins
	for name, change := range map[string]func(*turn){
		"time":  func(q *turn) { q.DeadlineMS = 1 },
		"legal": func(q *turn) { q.Legal = []string{"g"} },
		"side":  func(q *turn) { q.You, q.Legal = "O", []string{"b", "c"} },
		"board": func(q *turn) { q.Board = position("", "XXX.OOO").Board },
	} {
		q := honest(name)
		change(&q)
		ask(t, c, url, q)
		if r := ask(t, c, url, honest(name)); r.Move != "a" {
			t.Errorf("after a stranger's %s: %+v", name, r)
		}
	}
	quiet := ask(t, c, url, position("reference", "..XXO.."))
	for name, change := range map[string]func(*turn){
		"hurry":    func(q *turn) { q.DeadlineMS = 1 },
		"opponent": func(q *turn) { q.Opponent, q.DeadlineMS = "nobody", 1 },
	} {
		q := position(name, "..XXO..")
		change(&q)
		ask(t, c, url, q)
		if r := ask(t, c, url, position(name, "..XXO..")); r.Move != quiet.Move || r.Reason != quiet.Reason {
			t.Errorf("after a stranger's %s: %+v, not %+v", name, r, quiet)
		}
	}
	q := honest("shape")
	q.Strikes, q.Nonce, q.ReplayURL = 2, "another", ""
	first := ask(t, c, url, q)
	if r := ask(t, c, url, honest("shape")); r.Move != first.Move || r.Reason != first.Reason {
		t.Errorf("the same but for strikes and nonce: %+v, not %+v", r, first)
	}
}

// TestHalf sends half a request and waits: the connection is closed.
func TestHalf(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes ten seconds")
	}
	url := start(t)
	address := strings.TrimSuffix(strings.TrimPrefix(url, "http://"), "/play")
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	conn.SetReadDeadline(time.Now().Add(patience))
	io.WriteString(conn, "POST /play HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{")
	b, err := io.ReadAll(conn)
	if err != nil || !strings.HasPrefix(string(b), "HTTP/1.1 408 ") {
		t.Errorf("%q, %v", b, err)
	}
}

func TestRefusals(t *testing.T) {
	url, c := start(t), client(t)
	changed := func(change func(*turn)) string {
		q := position("refused", "..XXO..")
		change(&q)
		b, err := json.Marshal(q)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	tests := []struct {
		name, method, path, body string
		status                   int
	}{
		{"another path", http.MethodPost, "/elsewhere", "{}", http.StatusNotFound},
		{"another method", http.MethodGet, "/play", "", http.StatusMethodNotAllowed},
		{"no body", http.MethodPost, "/play", "", http.StatusBadRequest},
		{"no JSON", http.MethodPost, "/play", "move, please", http.StatusBadRequest},
		{"no UTF-8", http.MethodPost, "/play", "\"\xff\"", http.StatusBadRequest},
		{"too long", http.MethodPost, "/play", strings.Repeat(" ", 200<<10), http.StatusRequestEntityTooLarge},
		{"a list", http.MethodPost, "/play", "[]", http.StatusUnprocessableEntity},
		{"null", http.MethodPost, "/play", "null", http.StatusUnprocessableEntity},
		{"nothing in it", http.MethodPost, "/play", "{}", http.StatusUnprocessableEntity},
		{"another protocol", http.MethodPost, "/play", changed(func(q *turn) { q.Protocol = "agentarena/2" }), http.StatusUnprocessableEntity},
		{"another message", http.MethodPost, "/play", changed(func(q *turn) { q.Type = "match_end" }), http.StatusUnprocessableEntity},
		{"another game", http.MethodPost, "/play", changed(func(q *turn) { q.Game = "chess" }), http.StatusUnprocessableEntity},
		{"no side", http.MethodPost, "/play", changed(func(q *turn) { q.You = "white" }), http.StatusUnprocessableEntity},
		{"no nonce", http.MethodPost, "/play", changed(func(q *turn) { q.Nonce = "" }), http.StatusUnprocessableEntity},
		{"no number", http.MethodPost, "/play", changed(func(q *turn) { q.MoveNumber = 0 }), http.StatusUnprocessableEntity},
		{"nothing legal", http.MethodPost, "/play", changed(func(q *turn) { q.Legal = nil }), http.StatusUnprocessableEntity},
		{"legal is no column", http.MethodPost, "/play", changed(func(q *turn) { q.Legal = []string{"h", "0"} }), http.StatusUnprocessableEntity},
		{"no board", http.MethodPost, "/play", changed(func(q *turn) { q.Board = "a board" }), http.StatusUnprocessableEntity},
		{"a floating disc", http.MethodPost, "/play", changed(func(q *turn) { q.Board = strings.Replace(q.Board, ".......", "X......", 1) }), http.StatusUnprocessableEntity},
		{"a third side", http.MethodPost, "/play", changed(func(q *turn) { q.Board = strings.Replace(q.Board, "O", "Q", 1) }), http.StatusUnprocessableEntity},
		{"a short row", http.MethodPost, "/play", changed(func(q *turn) { q.Board = strings.Replace(q.Board, "XXO..", "XXO.", 1) }), http.StatusUnprocessableEntity},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			res, r := send(t, c, tt.method, strings.TrimSuffix(url, "/play")+tt.path, tt.body)
			if res.StatusCode != tt.status || r.Error == "" || r.Move != "" {
				t.Errorf("%s, not %d: %+v", res.Status, tt.status, r)
			}
			if allow := res.Header.Get("Allow"); (allow == "POST") != (tt.status == http.StatusMethodNotAllowed) {
				t.Errorf("allow: %q", allow)
			}
		})
	}
	if r := ask(t, c, url, position("after", "XXX.OOO")); r.Move != "d" {
		t.Errorf("after all these: %+v", r)
	}
}
