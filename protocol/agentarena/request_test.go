package agentarena

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/referee"
	"pgregory.net/rapid"
)

// sampleBoard is the board of the format's own sample, as it stands in JSON.
const sampleBoard = "\"```\\n .......\\n .......\\n .......\\n ...O...\\n ...X...\\n ..XOX..\\n abcdefg\\n```\""

// TestAppendRequest compares every byte. The position is that of the format's sample, which five moves reach.
func TestAppendRequest(t *testing.T) {
	r := connectFour(t, "c", "d", "d", "d", "e")
	const want = `{"protocol":"agentarena/1","type":"move_request","match_id":"m1","game":"connect4","you":"O","opponent":"Ann","move_number":6,"board":` +
		sampleBoard + `,"legal":["a","b","c","d","e","f","g"],"strikes":0,"deadline_ms":10000,"nonce":"` + nonce + `","replay_url":"` + replayURL + `"}`
	got := AppendRequest([]byte("before"), r, nonce, replayURL)
	if diff := cmp.Diff("before"+want, string(got)); diff != "" {
		t.Error(diff)
	}
}

func TestLegalLeavesFullColumnsOut(t *testing.T) {
	r := connectFour(t, "b", "b", "b", "b", "b", "b")
	m := mustRequest(t, r)
	if diff := cmp.Diff([]string{"a", "c", "d", "e", "f", "g"}, m.Legal); diff != "" {
		t.Error(diff)
	}
	if m.MoveNumber != 7 || m.You != "X" {
		t.Errorf("%+v", m)
	}
}

// mustRequest is what an agent reads of a request.
func mustRequest(t testing.TB, r *referee.Request) MoveRequest {
	t.Helper()
	m, err := DecodeRequest(AppendRequest(nil, r, nonce, replayURL))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestResend: after a strike the same position comes again, with the strike counted and all of the time.
func TestResend(t *testing.T) {
	m := newMatch(t, connectfour.New(), two...)
	before := mustRequest(t, openRequest(t, m))
	if v := answer(t, m, "{}"); v.Do != referee.DoStrike || v.Strikes != 1 {
		t.Fatalf("%+v", v)
	}
	m.Tick(m.Wake())
	after := mustRequest(t, openRequest(t, m))
	before.Strikes = 1
	if diff := cmp.Diff(before, after); diff != "" {
		t.Error(diff)
	}
	if after.Deadline != 10*time.Second || after.MoveNumber != 1 {
		t.Errorf("%+v", after)
	}
}

func TestNames(t *testing.T) {
	parley := game.New(parley{})
	tests := []struct {
		name          string
		game          game.Game
		agents        []string
		you, opponent string
		wire          string
	}{
		{"labels of the game", connectfour.New(), two, "X", "GREMLIN-9", "connect4"},
		{"labels of the game, nameless", connectfour.New(), []string{"", ""}, "X", "O", "connect4"},
		{"names of the seats", parley, []string{"Ann", "Bob", "Cy"}, "Ann", "Bob, Cy", "parley"},
		{"numbers of the seats where names do not tell them apart", parley, []string{"Ann", "Ann", "Cy"}, "seat 0", "Ann, Cy", "parley"},
		{"nameless", parley, []string{"", "", ""}, "seat 0", "seat 1, seat 2", "parley"},
		{"alone", parley, []string{"Ann"}, "Ann", "", "parley"},
		{"names that need escapes", parley, []string{"A", `"\<é>`}, "A", `"\<é>`, "parley"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := mustRequest(t, requestAfter(t, tt.game, tt.agents))
			if diff := cmp.Diff([]string{tt.you, tt.opponent, tt.wire}, []string{m.You, m.Opponent, m.Game}); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestViewForBoard: a game that draws no board is shown as its view.
func TestViewForBoard(t *testing.T) {
	m := newMatch(t, game.New(parley{}), "Ann", "Bob")
	if v := answer(t, m, withNonce(`{"move":"say","nonce":"NONCE","reason":"<hi> `+"````"+`"}`)); v.Code != referee.OK {
		t.Fatalf("%+v", v)
	}
	got := mustRequest(t, openRequest(t, m)).Board
	want := "`````json\n{\n  \"players\": [\n    \"Ann\",\n    \"Bob\"\n  ],\n  \"said\": [\n    \"<hi> ````\"\n  ]\n}\n`````"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// boarded draws what it is made of, as its board.
type boarded struct{ parley }

func (boarded) Board(s *parleyState, _ game.Seat) string { return s.names.At(0) }

// unseen has views that are no JSON.
type unseen struct{ parley }

func (unseen) View(*parleyState, game.Seat) any { return func() {} }

func TestBoards(t *testing.T) {
	tests := []struct {
		name        string
		game        game.Game
		board, want string
	}{
		{"without a fence", game.New(boarded{}), " x|o", "```\n x|o\n```"},
		{"with a fence", game.New(boarded{}), "```text x ```", "```text x ```"},
		{"with backticks", game.New(boarded{}), "a ```` b", "`````\na ```` b\n`````"},
		{"empty", game.New(boarded{}), "", "```\n\n```"},
		{"neither board nor view", game.New(unseen{}), "", "```\n\n```"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, mustRequest(t, requestAfter(t, tt.game, []string{tt.board})).Board); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestLabel: whoever sits on no seat has no label.
func TestLabel(t *testing.T) {
	four, open := connectFour(t), requestAfter(t, game.New(parley{}), []string{"Ann", "Bob"})
	for _, tt := range []struct {
		r    *referee.Request
		seat game.Seat
		want string
	}{
		{four, 0, "X"}, {four, 1, "O"}, {four, game.Spectator, ""}, {four, game.Chance, ""}, {four, game.Host, ""},
		{open, 0, "Ann"}, {open, 1, "Bob"}, {open, 2, "seat 2"}, {open, game.Spectator, ""},
	} {
		if got := tt.r.Label(tt.seat); got != tt.want {
			t.Errorf("label of seat %v of %s is %q, want %q", tt.seat, tt.r.Info().Name, got, tt.want)
		}
	}
}

// TestFenced: nothing inside a fence closes it.
func TestFenced(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching("[`ab\n]{0,40}").Draw(t, "text")
		lines := strings.Split(fenced("", text), "\n")
		first, last := lines[0], lines[len(lines)-1]
		if first != last || len(first) < 3 || strings.Trim(first, "`") != "" {
			t.Fatalf("fences %q and %q", first, last)
		}
		inside := lines[1 : len(lines)-1]
		if got := strings.Join(inside, "\n"); got != strings.TrimRight(text, "\n") {
			t.Fatalf("%q inside", got)
		}
		for _, line := range inside {
			if strings.Contains(line, first) {
				t.Fatalf("%q closes the fence", line)
			}
		}
	})
}

func TestDeadline(t *testing.T) {
	r := connectFour(t)
	tests := []struct {
		limit, want time.Duration
	}{
		{10 * time.Second, 10 * time.Second},
		{1500 * time.Millisecond, 1500 * time.Millisecond},
		{0, time.Hour},
	}
	for _, tt := range tests {
		r.Limit = tt.limit
		if got := mustRequest(t, r).Deadline; got != tt.want {
			t.Errorf("limit %v: deadline %v, want %v", tt.limit, got, tt.want)
		}
	}
}
