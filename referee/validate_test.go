package referee_test

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/referee"
)

// TestValidate breaks one field of a good setup after the other: the error names that field, and no other.
func TestValidate(t *testing.T) {
	const ms = time.Millisecond
	for _, test := range []struct {
		field string // as the error names it
		spoil func(*referee.Setup)
	}{
		{"id", func(s *referee.Setup) { s.ID = "" }},
		{"id", func(s *referee.Setup) { s.ID = "a/b" }},
		{"id", func(s *referee.Setup) { s.ID = ".." }},
		{"id", func(s *referee.Setup) { s.ID = strings.Repeat("x", 129) }},
		{"table", func(s *referee.Setup) { s.Table = nil }},
		{"seats", func(s *referee.Setup) { s.Seats = nil }},
		{"seats", func(s *referee.Setup) { s.Seats = append(make([]referee.SeatInfo, 7), s.Seats...) }},
		{"start.seats", func(s *referee.Setup) { s.Start.Seats = 3 }},
		{"start", func(s *referee.Setup) { s.Start.Position = "8/8 w" }},
		{"start.names", func(s *referee.Setup) { s.Start.Names = []string{"a", "b", "c"} }},
		{"start.names", func(s *referee.Setup) { s.Start.Names = []string{"a"} }},
		{"seats", func(s *referee.Setup) {
			s.Seats[1].Agent.Labels = manyLabels()
			s.Seats = slices.Repeat(s.Seats[1:], 8)
		}},
		{"start.names[1]", func(s *referee.Setup) { s.Start.Names = []string{"a", "b\nc"} }},
		{"start.names[1]", func(s *referee.Setup) { s.Start.Names = []string{"a", "b\u2028c"} }},
		{"maxSteps", func(s *referee.Setup) { s.MaxSteps = -1 }},
		{"seats[1].transport", func(s *referee.Setup) { s.Seats[1].Transport = strings.Repeat("x", 65) }},

		{"seats[0].agent.slug", func(s *referee.Setup) { s.Seats[0].Agent.Slug = "Ann" }},
		{"seats[0].agent.slug", func(s *referee.Setup) { s.Seats[0].Agent.Slug = strings.Repeat("a", 65) }},
		{"seats[0].agent.name", func(s *referee.Setup) { s.Seats[0].Agent.Name = "two\nlines" }},
		{"seats[0].agent.name", func(s *referee.Setup) { s.Seats[0].Agent.Name = "two\u2028lines" }},
		{"seats[0].agent.name", func(s *referee.Setup) { s.Seats[0].Agent.Name = "two\u2029lines" }},
		{"seats[0].agent.name", func(s *referee.Setup) { s.Seats[0].Agent.Name = strings.Repeat("é", 65) }},
		{"seats[0].agent.name", func(s *referee.Setup) { s.Seats[0].Agent.Name = "\xff" }},
		{"seats[0].agent.version", func(s *referee.Setup) { s.Seats[0].Agent.Version = "\x00" }},
		{"seats[0].agent.owner", func(s *referee.Setup) { s.Seats[0].Agent.Owner = strings.Repeat("x", 65) }},
		{"seats[0].agent.framework", func(s *referee.Setup) { s.Seats[0].Agent.Framework = "\t" }},
		{"seats[0].agent.model", func(s *referee.Setup) { s.Seats[0].Agent.Model = strings.Repeat("x", 129) }},
		{"seats[0].agent.rating", func(s *referee.Setup) { s.Seats[0].Agent.Rating = math.NaN() }},
		{"seats[0].agent.rating", func(s *referee.Setup) { s.Seats[0].Agent.Rating = math.Inf(-1) }},
		{"seats[0].agent.labels", func(s *referee.Setup) {
			s.Seats[0].Agent.Labels = map[string]string{}
			for i := range 17 {
				s.Seats[0].Agent.Labels[string(rune('a'+i))] = ""
			}
		}},
		{"seats[0].agent.labels", func(s *referee.Setup) {
			s.Seats[0].Agent.Labels = map[string]string{"k": strings.Repeat("x", 257)}
		}},

		{"seats[1].policy.name", func(s *referee.Setup) { s.Seats[1].Policy.Name = strings.Repeat("x", 65) }},
		{"seats[1].policy.late", func(s *referee.Setup) { s.Seats[1].Policy.Late = referee.DoReject }},
		{"seats[1].policy.late", func(s *referee.Setup) { s.Seats[1].Policy.Late = 77 }},
		{"seats[1].policy.malformed", func(s *referee.Setup) { s.Seats[1].Policy.Malformed = referee.DoStrike }},
		{"seats[1].policy.bad_nonce", func(s *referee.Setup) { s.Seats[1].Policy.BadNonce = referee.DoStrike }},
		{"seats[1].policy.illegal", func(s *referee.Setup) { s.Seats[1].Policy.Illegal = referee.DoDefault; s.Table = unsafeTable(t) }},
		{"seats[1].policy.oversized", func(s *referee.Setup) {
			s.Seats[1].Policy.Oversized = referee.DoEliminate
			s.Table = unsafeTable(t)
		}},
		{"seats[1].policy.unreachable", func(s *referee.Setup) { s.Seats[1].Policy.Unreachable = 6 }},
		{"seats[1].policy.disconnected", func(s *referee.Setup) {
			s.Seats[1].Policy.Disconnected, s.Seats[1].Clock.Back = referee.DoReject, time.Second
		}},
		{"seats[1].policy.bad_protocol", func(s *referee.Setup) { s.Seats[1].Policy.BadProtocol = referee.DoStrike }},
		{"seats[1].policy.strikes", func(s *referee.Setup) { s.Seats[1].Policy.Strikes = -1 }},
		{"seats[1].policy.out", func(s *referee.Setup) { s.Seats[1].Policy.Out = referee.DoVoid }},
		{"seats[1].policy.out", func(s *referee.Setup) { s.Seats[1].Policy.Out = referee.DoEliminate; s.Table = unsafeTable(t) }},
		{"seats[1].policy.pause", func(s *referee.Setup) { s.Seats[1].Policy.Pause = -ms }},
		{"seats[1].policy.pause_max", func(s *referee.Setup) { s.Seats[1].Policy.PauseMax = time.Microsecond }},
		{"seats[1].policy.notes", func(s *referee.Setup) { s.Seats[1].Policy.Notes = -1 }},
		{"seats[1].policy.notes", func(s *referee.Setup) { s.Seats[1].Policy.Notes = 1001 }},

		{"seats[0].clock.move", func(s *referee.Setup) { s.Seats[0].Clock.Move = -ms }},
		{"seats[0].clock.base", func(s *referee.Setup) { s.Seats[0].Clock.Base = 1 }},
		{"seats[0].clock.increment", func(s *referee.Setup) { s.Seats[0].Clock.Increment = ms }},
		{"seats[0].clock.grace", func(s *referee.Setup) { s.Seats[0].Clock.Grace = -ms }},
		{"seats[0].clock.expiry", func(s *referee.Setup) { s.Seats[0].Clock.Expiry = 1 }},
		{"seats[0].clock.expiry", func(s *referee.Setup) { s.Seats[0].Clock = referee.Clock{Starts: referee.AtSent, Move: ms} }},
		{"seats[0].clock.starts", func(s *referee.Setup) { s.Seats[0].Clock.Starts = 2 }},
		{"seats[0].clock.warn", func(s *referee.Setup) { s.Seats[0].Clock.Warn = -ms }},
		{"seats[0].clock.warn_from", func(s *referee.Setup) { s.Seats[0].Clock.WarnFrom = -ms }},
		{"seats[0].clock.back", func(s *referee.Setup) { s.Seats[0].Clock.Back = -ms }},
	} {
		s := parlourSetup(t, "safe", "o", 2, referee.Policy{}, referee.Clock{})
		if _, err := referee.New(s); err != nil {
			t.Fatalf("the good setup: %v", err)
		}
		test.spoil(&s)
		_, err := referee.New(s)
		if err == nil {
			t.Errorf("%s: accepted", test.field)
			continue
		}
		text := strings.TrimPrefix(err.Error(), "referee: bad setup: ")
		if !strings.HasPrefix(text, test.field+": ") || strings.Contains(text, "\n") {
			t.Errorf("%s: the error says %q", test.field, err)
		}
	}
}

func unsafeTable(t *testing.T) *game.Table { return parlourTable(t, "parlour", "o", false) }

// TestValidateAll: every bad field has its error at once, and a policy can be asked by itself.
func TestValidateAll(t *testing.T) {
	s := parlourSetup(t, "parlour", "o", 2, referee.Policy{Late: referee.DoStrike, Illegal: referee.DoDefault, Out: referee.DoReject, Notes: -1}, referee.Clock{Move: -1})
	_, err := referee.New(s)
	if err == nil {
		t.Fatal("accepted")
	}
	for _, seat := range []string{"seats[0]", "seats[1]"} {
		for _, field := range []string{"policy.late", "policy.illegal", "policy.out", "policy.notes", "clock.move"} {
			if !strings.Contains(err.Error(), seat+"."+field+": ") {
				t.Errorf("nothing about %s.%s in %q", seat, field, err)
			}
		}
	}
	for name, p := range policies {
		c := clocks[strings.TrimSuffix(strings.TrimSuffix(name, "-2"), "-3")]
		if err := p.Validate(&c, true); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	bad := referee.Policy{Late: referee.DoDefault}
	if err := bad.Validate(new(referee.Clock), false); err == nil || !strings.Contains(err.Error(), "policy.late: ") {
		t.Errorf("a default in a game without: %v", err)
	}
}

// TestRulings: each bad field of a ruling is named.
func TestRulings(t *testing.T) {
	m, err := referee.New(parlourSetup(t, "safe", "o", 2, referee.Policy{}, referee.Clock{}))
	if err != nil {
		t.Fatal(err)
	}
	m.Start(epoch)
	for _, test := range []struct {
		field  string
		ruling referee.Ruling
	}{
		{"by", referee.Ruling{Reason: "r"}},
		{"by", referee.Ruling{By: "a\nb", Reason: "r"}},
		{"reason", referee.Ruling{By: "b", Reason: strings.Repeat("r", 65)}},
		{"what", referee.Ruling{By: "b", Reason: "r", What: 9}},
		{"win", referee.Ruling{By: "b", Reason: "r", What: referee.RuleWin}},
		{"win", referee.Ruling{By: "b", Reason: "r", What: referee.RuleWin, Win: game.Seats(2)}},
		{"win", referee.Ruling{By: "b", Reason: "r", What: referee.RuleDraw, Win: game.Seats(1)}},
		{"returns", referee.Ruling{By: "b", Reason: "r", What: referee.RuleReturns, Returns: []float64{1}}},
		{"returns", referee.Ruling{By: "b", Reason: "r", Returns: []float64{1, 1}}},
		{"returns[1]", referee.Ruling{By: "b", Reason: "r", What: referee.RuleReturns, Returns: []float64{1, 1.5}}},
		{"returns[0]", referee.Ruling{By: "b", Reason: "r", What: referee.RuleReturns, Returns: []float64{math.NaN(), 0}}},
	} {
		if _, err := m.Rule(epoch, test.ruling); err == nil || !strings.Contains(err.Error(), "ruling."+test.field+": ") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", test.field, err)
		}
	}
	if _, err := m.Rule(epoch, referee.Ruling{By: "b", Reason: "r", What: referee.RuleReturns, Returns: []float64{0.25, 1}}); err != nil {
		t.Fatal(err)
	}
	if r, over := m.Result(); !over || r.Places[1] != 1 || r.By != "b" {
		t.Errorf("%+v", r)
	}
}

// manyLabels are as much text as one agent may have.
func manyLabels() map[string]string {
	labels := map[string]string{}
	for i := range 16 {
		labels[string(rune('a'+i))] = strings.Repeat("\U0001F600", 256)
	}
	return labels
}
