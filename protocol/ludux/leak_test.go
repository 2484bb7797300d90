package ludux

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/werewolf"
	"github.com/matchreferee/arena/referee"
)

// canaries are what may be in no message of a live match: the secret and the salt in the forms in which bytes are written, and what agents
// said as commentary.
func canaries(s referee.Setup) (list []string) {
	for _, secret := range [][]byte{s.Secret[:], s.Salt[:]} {
		list = append(list, string(secret), hex.EncodeToString(secret), strings.Trim(strings.ReplaceAll(fmt.Sprint(secret), " ", ","), "[]"),
			base64.StdEncoding.EncodeToString(secret), base64.RawURLEncoding.EncodeToString(secret))
	}
	return append(list, "canary of a seat")
}

// leaks says what a message to a seat tells that the seat may not know.
func leaks(t tester, frame string, seat game.Seat, roles []werewolf.Role, secrets []string) (found []string) {
	for _, s := range secrets {
		if strings.Contains(frame, s) {
			found = append(found, fmt.Sprintf("%q", s))
		}
	}
	own := roles[seat]
	var walk func(path []string, v any)
	walk = func(path []string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for name, in := range v {
				switch holder, private := map[string]werewolf.Role{"packmates": werewolf.Werewolf, "kills": werewolf.Werewolf, "peeks": werewolf.Seer}[name]; {
				case private && holder != own:
					found = append(found, name)
				case name == "role" && v["alive"] != false:
					found = append(found, fmt.Sprint("role of living seat ", v["seat"]))
				case name == "your_role" && in != string(own):
					found = append(found, "another's role")
				case name != "role" && name != "your_role":
					walk(append(path, name), in)
				}
			}
		case []any:
			for _, in := range v {
				walk(path, in)
			}
		case string:
			for _, role := range []werewolf.Role{werewolf.Villager, werewolf.Seer, werewolf.Werewolf} {
				if strings.Contains(v, string(role)) && !slices.Contains(path, "game") {
					found = append(found, fmt.Sprintf("%s at %s", role, strings.Join(path, ".")))
				}
			}
		}
	}
	walk(nil, any(naive(t, []byte(frame))))
	slices.Sort(found)
	return found
}

// TestNoLeaks searches every byte that goes to any seat of a whole match of Werewolf, in every phase.
func TestNoLeaks(t *testing.T) {
	table, err := werewolf.New().Table(nil)
	if err != nil {
		t.Fatal(err)
	}
	policy, clock := Policy(9)
	s := referee.Setup{ID: "m-hidden", Table: table}
	s.Secret, s.Salt = referee.Secrets([]byte("a key of the host"), s.ID)
	for i := range 9 {
		s.Seats = append(s.Seats, referee.SeatInfo{Agent: referee.Agent{Slug: fmt.Sprint("agent-", i), Name: fmt.Sprint("Agent ", i)}, Policy: policy, Clock: clock})
	}
	m, err := referee.New(s)
	if err != nil {
		t.Fatal(err)
	}
	m.Start(began)
	roles := make([]werewolf.Role, 9)
	secrets, phases, frames, now := canaries(s), map[string]int{}, 0, began
	send := func(seat game.Seat, frame []byte) {
		frames++
		if found := leaks(t, string(frame), seat, roles, secrets); found != nil {
			t.Errorf("to seat %v, %s: %q\n%s", seat, roles[seat], found, frame)
		}
	}
	for turn := 0; ; turn++ {
		list := requests(m)
		if turn == 0 {
			learnRoles(t, m, roles)
		}
		if len(list) == 0 {
			break
		}
		for _, r := range list {
			phases[r.Phase]++
			send(r.Seat, []byte(write(t, r)))
			send(r.Seat, StartOf(r.Card(), moveFor).Append(nil))
			send(r.Seat, WarningOf(r, now).Append(nil))
		}
		r := list[turn%len(list)]
		legal := r.Legal(nil)
		body := respond(r, fmt.Sprintf(`"action":%s,"commentary":"canary of a seat"`, legal[turn%len(legal)]))
		switch turn % 5 {
		case 3:
			body = respond(r, `"action":{"type":"kill","target":99},"commentary":"canary of a seat"`)
		case 4:
			body = respond(r, `"action":{"type":"say","text":"I am who I am"},"commentary":"canary of a seat"`)
		}
		now += 100
		v := hand(m, now, r, body)
		if e, bad := ErrorOf(v, r.Match(), int64(r.Ask)); bad {
			send(r.Seat, e.Append(nil))
		}
	}
	if phases["night_action"] == 0 || phases["day_discussion"] == 0 || phases["day_vote"] == 0 || frames < 100 {
		t.Errorf("only %v, %d frames", phases, frames)
	}
	res, over := m.Result()
	if !over {
		t.Fatal("not over")
	}
	for seat := range game.Seat(9) {
		for _, secret := range secrets {
			if frame := EndOf(s.ID, seat, res).Append(nil); strings.Contains(string(frame), secret) {
				t.Errorf("at the end: %q in %s", secret, frame)
			}
		}
	}
}

// learnRoles fills in the deal, from what the seats themselves are shown.
func learnRoles(t tester, m *referee.Match, roles []werewolf.Role) {
	for i := range roles {
		roles[i] = werewolf.Villager
	}
	for _, r := range requests(m) {
		role, ok := r.View().(werewolf.View).YourRole.Get()
		if !ok {
			t.Fatalf("seat %v has no role", r.Seat)
		}
		roles[r.Seat] = role
	}
}

// TestLeaksAreFound: the search above finds what it looks for.
func TestLeaksAreFound(t *testing.T) {
	m := village(t)
	roles := make([]werewolf.Role, 9)
	learnRoles(t, m, roles)
	r := first(t, discussion(t))
	if roles[r.Seat] != werewolf.Villager {
		t.Fatalf("seat %v, who speaks first, is a %s", r.Seat, roles[r.Seat])
	}
	frame := write(t, r)
	secrets := canaries(m.Setup())
	if found := leaks(t, frame, r.Seat, roles, secrets); found != nil {
		t.Fatalf("%q", found)
	}
	secret := m.Setup().Secret
	for _, spoil := range []string{
		`"private":{"peeks":[]}`, `"private":{"packmates":[3]}`, `"private":{"x":"seat 3 is the seer"}`, `"private":{},"seed":"` + hex.EncodeToString(secret[:]) + `"`,
		`"private":{"role":"werewolf"}`, `"private":{"your_role":"werewolf"}`, `"private":{"note":"canary of a seat"}`,
	} {
		bad := strings.Replace(frame, `"private":{}`, spoil, 1)
		if found := leaks(t, bad, r.Seat, roles, secrets); len(found) != 1 || bad == frame {
			t.Errorf("%s: found %q", spoil, found)
		}
	}
}

// TestDealUnseen plays two deals that a villager cannot tell apart, with the same public events: every byte that it gets is the same, though
// who is asked at night, how often, and who answers too late is not.
func TestDealUnseen(t *testing.T) {
	var told []string
	deals := map[string]bool{}
	for seed := range uint64(40) {
		s := newMatch(t, werewolf.New(), "", "", 9).Setup()
		s.Secret = game.SeedFrom(seed)
		m, err := referee.New(s)
		if err != nil {
			t.Fatal(err)
		}
		m.Start(began)
		roles := make([]werewolf.Role, 9)
		learnRoles(t, m, roles)
		if roles[0] != werewolf.Villager || roles[1] != werewolf.Villager {
			continue
		}
		deals[fmt.Sprint(roles)] = true
		var frames []string
		now := began
		for range 200 {
			list := requests(m)
			if len(list) == 0 {
				break
			}
			if list[0].Phase == "night_action" {
				if list[0].Seat < 2 {
					t.Fatal("a villager is asked at night")
				}
				// Malformed, illegal and missing answers of those who act; the night ends for everybody at the same moment.
				hand(m, now, list[0], "{")
				hand(m, now, list[0], respond(list[0], `"action":7,"commentary":"canary"`))
				now += referee.Time(moveFor.Milliseconds())
				m.Tick(now)
				continue
			}
			r := list[0]
			if r.Seat < 2 {
				b, err := AppendRequest(nil, r, at(now))
				if err != nil {
					t.Fatal(err)
				}
				frames = append(frames, string(b), string(WarningOf(r, now).Append(nil)), string(StartOf(r.Card(), moveFor).Append(nil)))
				v := hand(m, now, r, respond(r, `"action":{"type":"kill","target":3}`))
				e, _ := ErrorOf(v, r.Match(), int64(r.Ask))
				frames = append(frames, string(e.Append(nil)))
				continue
			}
			a, _ := r.Default()
			play(t, m, now, r, a)
		}
		if len(frames) < 20 {
			t.Fatalf("seed %d: %d frames", seed, len(frames))
		}
		told = append(told, strings.Join(frames, "\n"))
	}
	if len(deals) < 5 {
		t.Fatalf("only %d deals", len(deals))
	}
	for _, frames := range told[1:] {
		if diff := cmp.Diff(told[0], frames); diff != "" {
			t.Fatal(diff)
		}
	}
}
