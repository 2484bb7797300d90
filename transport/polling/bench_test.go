package polling_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport/polling"
)

// benchClient sends one request after the other over one connection.
type benchClient struct {
	b    *testing.B
	http *http.Client
	url  string
}

func newBenchClient(b *testing.B, h http.Handler) *benchClient {
	server := httptest.NewServer(h)
	b.Cleanup(server.Close)
	return &benchClient{b, server.Client(), server.URL + prefix}
}

func (c *benchClient) post(path, body string) (int, []byte) {
	r, err := http.NewRequest("POST", c.url+path, strings.NewReader(body))
	if err != nil {
		c.b.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer lcb_ann")
	r.Header.Set("Content-Type", "application/json")
	resp, err := c.http.Do(r)
	if err != nil {
		c.b.Fatal(err)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		c.b.Fatal(err)
	}
	return resp.StatusCode, answer
}

const (
	moves = 40 // of a match are measured: seat 0 makes 41
	turns = 64 // matches take turns, so that the opponents have moved when it is an agent's turn again
)

// BenchmarkMove is a move: its request over a socket, judged, recorded in memory, and answered, and the move of the
// opponent, who takes the first empty cell at once.
func BenchmarkMove(b *testing.B) {
	h := newHost(b, nil, func(o *polling.Options) {
		o.Opponents["light"] = polling.Opponent{Light: true, Player: referee.Inline(func(r *referee.Request) referee.Answer { return referee.Answer{Action: r.Listed()[0]} })}
	})
	c := newBenchClient(b, h.polls)
	var bytes, early int
	var paths [turns]string
	for n := range b.N {
		match, i := n%turns, n/turns%moves
		if n%(turns*moves) == 0 {
			b.StopTimer()
			for k := range paths {
				if n > 0 {
					c.post(paths[k]+"/abandon", "{}")
				}
				status, body := c.post("/matches", fmt.Sprintf(`{"opponent":"light","requestId":%q}`, uuid(n+k)))
				var o observation
				if err := json.Unmarshal(body, &o); err != nil || status != 201 {
					b.Fatal(status, string(body))
				}
				paths[k] = "/matches/" + o.MatchID
			}
			b.StartTimer()
		}
		body := `{"revision":` + strconv.Itoa(2*i) + `,"moveId":"` + uuid(i) + `","row":` + strconv.Itoa((80-i)/9) + `,"col":` + strconv.Itoa((80-i)%9) + `}`
		status, answer := c.post(paths[match]+"/moves", body)
		for status == 409 { // the opponent has not moved yet
			early++
			status, answer = c.post(paths[match]+"/moves", body)
		}
		if status != 200 {
			b.Fatal(status, string(answer))
		}
		bytes += len(answer)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "requests/s")
	b.ReportMetric(float64(bytes)/float64(b.N), "B/answer")
	b.ReportMetric(float64(early)/float64(b.N), "early/op")
}

// bare is an observation as a handler without rules, referee and record would keep it.
type bare struct {
	MatchID    string     `json:"matchId"`
	Rules      string     `json:"rulesVersion"`
	Size       int        `json:"size"`
	Board      [9][9]int  `json:"board"`
	Seat       int        `json:"seat"`
	Revision   int        `json:"revision"`
	Remaining  int        `json:"remainingMs"`
	ExpiresAt  string     `json:"expiresAt"`
	ServerTime string     `json:"serverTime"`
	History    []bareMove `json:"history"`
	Status     string     `json:"status"`
}

type bareMove struct {
	Seat    int    `json:"seat"`
	Row     int    `json:"row"`
	Col     int    `json:"col"`
	At      string `json:"timestamp"`
	Scoring struct {
		Offence int `json:"offence"`
		Area    int `json:"area"`
		Defence int `json:"defence"`
		Total   int `json:"total"`
	} `json:"scoring"`
}

// BenchmarkFloor is what a bare JSON handler takes for the same: it decodes the same request and encodes as many bytes of the same
// kind, and that is all it does.
func BenchmarkFloor(b *testing.B) {
	answer := bare{MatchID: uuid(1), Rules: "grid-arena-2.0", Size: 9, Status: "ai", ExpiresAt: "2026-11-30T16:30:08.455+00:00", ServerTime: "2026-11-30T16:30:08.455+00:00"}
	for i := range 42 {
		answer.History = append(answer.History, bareMove{Seat: i % 2, Row: i / 9, Col: i % 9, At: answer.ServerTime})
	}
	floor(b, func(w http.ResponseWriter) { json.NewEncoder(w).Encode(&answer) })
}

// BenchmarkFloorBytes is the same without encoding anything.
func BenchmarkFloorBytes(b *testing.B) {
	answer := []byte(`{"text":"` + strings.Repeat("x", 5700) + `"}`)
	floor(b, func(w http.ResponseWriter) { w.Write(answer) })
}

func floor(b *testing.B, answer func(http.ResponseWriter)) {
	c := newBenchClient(b, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var m struct {
			Revision, Row, Col int
			MoveID             string
		}
		if err := json.NewDecoder(r.Body).Decode(&m); err != nil || m.MoveID == "" {
			http.Error(w, "bad", 400)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		answer(w)
	}))
	var bytes int
	for n := range b.N {
		i := n % moves
		body := `{"revision":` + strconv.Itoa(2*i) + `,"moveId":"` + uuid(i) + `","row":` + strconv.Itoa((80-i)/9) + `,"col":` + strconv.Itoa((80-i)%9) + `}`
		status, answer := c.post("/matches/x/moves", body)
		if status != 200 {
			b.Fatal(status)
		}
		bytes += len(answer)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "requests/s")
	b.ReportMetric(float64(bytes)/float64(b.N), "B/answer")
}
