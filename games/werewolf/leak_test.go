package werewolf_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/werewolf"
	"github.com/matchreferee/arena/protocol/agentarena"
	"github.com/matchreferee/arena/referee"
)

// message is all that a request can make reach an agent: the agentarena message and what other protocols make theirs of.
func message(t tester, r *referee.Request) string {
	var b strings.Builder
	board, _ := r.Board()
	fmt.Fprintf(&b, "%d %d %d %q %v %v\n", r.Ask, r.Turn, r.Nth, r.Phase, r.Limit, r.Strikes)
	fmt.Fprintf(&b, "%s\n%s\n%s\n%s\n", asJSON(t, r.View()), r.Listed(), r.Form(), board)
	b.Write(agentarena.AppendRequest(nil, r, "nonce", "https://example.org/replay"))
	return b.String()
}

// secretDealing gives a secret under which the roles of 8 seats are dealt so, and a lot after it falls on seat 7.
func secretDealing(t tester, roles string) game.Seed {
	table, err := werewolf.New().Table(nil)
	if err != nil {
		t.Fatal(err)
	}
	for n := range 100_000 {
		var seed game.Seed
		copy(seed[:], "canary of the secret in a match ")
		seed[30], seed[31] = byte(n>>8), byte(n)
		s, err := table.Start(game.Setup{Seats: 8})
		if err != nil {
			t.Fatal(err)
		}
		if deal, _ := s.Chance(seed); deal != game.Action(`{"roles":"`+roles+`","type":"deal"}`) {
			continue
		} else if _, err := s.Play(game.Chance, deal); err != nil {
			t.Fatal(err)
		}
		x := round{t, s}
		wolf := strings.IndexByte(roles, 'w')
		x.act(fmt.Sprintf("%d:kill 7", wolf), fmt.Sprintf("%d:kill 0", strings.LastIndexByte(roles, 'w')))
		if lot, _ := s.Chance(seed); lot == `{"target":7,"type":"lot"}` {
			return seed
		}
	}
	t.Fatalf("no secret deals %s", roles)
	return game.Seed{}
}

// script plays a fixed public course of three days without a winner, in which seat 7 dies in the first night, by a lot if tie is set.
func script(r *referee.Request, roles string, tie bool) string {
	v := r.View().(werewolf.View)
	switch {
	case v.Phase == "day_discussion":
		return fmt.Sprintf("say day %d, seat %d", v.Day, r.Seat)
	case v.Phase == "day_vote" && v.Day == 2 && r.Seat < 4: // a tie
		return fmt.Sprint("vote ", 5+r.Seat%2)
	case v.Phase == "day_vote":
		return "abstain"
	case roles[r.Seat] == 's':
		return fmt.Sprintf("peek %d", (int(r.Seat)+v.Day)%5)
	case v.Day > 1:
		return "no kill"
	case tie && int(r.Seat) == strings.LastIndexByte(roles, 'w'):
		return "kill 0"
	}
	return "kill 7"
}

// leaked is what left a match towards each seat, and towards spectators before its end.
type leaked struct {
	messages [8][]string
	public   []string
	secret   game.Seed
	salt     [32]byte
}

func playScript(t *testing.T, ruleset, roles string, tie bool) (l leaked) {
	t.Helper()
	table, err := werewolf.New().Table([]byte(ruleset))
	if err != nil {
		t.Fatal(err)
	}
	l.secret = secretDealing(t, roles)
	copy(l.salt[:], "canary of the salt in this match")
	setup := referee.Setup{ID: "script", Table: table, Secret: l.secret, Salt: l.salt, Seats: make([]referee.SeatInfo, 8)}
	players := make([]referee.Player, 8)
	for i := range players {
		players[i] = referee.Inline(func(r *referee.Request) referee.Answer {
			l.messages[i] = append(l.messages[i], message(t, r))
			a, err := r.Parse(script(r, roles, tie))
			if err != nil {
				t.Error(err)
			}
			return referee.Answer{Action: a}
		})
	}
	local := &referee.Local{Config: referee.Config{Now: func() referee.Time { return 1 }}}
	live, err := local.Live(t.Context(), setup, players...)
	if err != nil {
		t.Fatal(err)
	}
	watch := live.Watch(t.Context())
	read := make(chan struct{})
	go func() {
		defer close(read)
		for p := range watch {
			if p.Result == nil {
				l.public = append(l.public, fmt.Sprintf("%d %s %v %s %s", p.Turn, p.Phase, p.Seats, asJSON(t, p.View), p.Board))
			}
		}
	}()
	result, err := live.Run(t.Context())
	<-read
	if err != nil || result.Cause != referee.CausePlay || result.Reason != "day_limit" {
		t.Fatalf("%+v %v", result, err)
	}
	return l
}

func TestReportsOfSecrets(t *testing.T) {
	const one, other = "vwwsvvvv", "vvvvwwsv" // seats 0 and 7 are villagers in both
	t.Run("B41", func(t *testing.T) {         // who is a villager gets the same bytes whatever the others are, lots and the seer's looks among them
		for _, ruleset := range []string{`{"max_days":3}`, `{"max_days":3,"reveal_roles":false}`} {
			a, b := playScript(t, ruleset, one, false), playScript(t, ruleset, other, true)
			if len(a.messages[0]) != 9 || len(a.public) < 10 {
				t.Errorf("%d messages to seat 0 and %d to spectators", len(a.messages[0]), len(a.public))
			}
			if d := cmp.Diff(a.messages[0], b.messages[0]); d != "" {
				t.Errorf("%s: to seat 0:\n%s", ruleset, d)
			}
			if d := cmp.Diff(a.public, b.public); d != "" {
				t.Errorf("%s: to spectators:\n%s", ruleset, d)
			}
			if slices.Equal(a.messages[1], b.messages[1]) {
				t.Error("a werewolf cannot tell that it is one")
			}
			for _, m := range a.messages[0] {
				for _, word := range []string{"packmates", "peeks", "kills", `"role":"werewolf"`, `"role":"seer"`} {
					if strings.Contains(m, word) {
						t.Errorf("%s: %s in a message to a villager:\n%s", ruleset, word, m)
					}
				}
			}
			for _, m := range a.messages[1] {
				if !strings.Contains(m, `"packmates":[2]`) {
					t.Errorf("a werewolf does not see its packmate:\n%s", m)
				}
			}
		}
	})
	t.Run("B43", func(t *testing.T) { // neither secret nor salt nor deal leaves before the end
		l := playScript(t, `{"max_days":3}`, one, true)
		var all []string
		for _, m := range l.messages {
			all = append(all, m...)
		}
		all = append(all, l.public...)
		var canaries []string
		for _, secret := range [][]byte{l.secret[:], l.salt[:]} {
			canaries = append(canaries, string(secret[:12]), hex.EncodeToString(secret[:12]),
				base64.StdEncoding.EncodeToString(secret[:12]), strings.Trim(fmt.Sprint(secret[:12]), "[]"))
		}
		canaries = append(canaries, one, `"roles"`, `"deal"`)
		if len(all) < 50 {
			t.Errorf("only %d messages", len(all))
		}
		for _, m := range all {
			for _, c := range canaries {
				if bytes.Contains([]byte(strings.ToLower(m)), []byte(strings.ToLower(c))) {
					t.Errorf("%q in\n%s", c, m)
				}
			}
		}
	})
}
