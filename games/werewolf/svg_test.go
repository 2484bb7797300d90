package werewolf

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/game/draw"
)

// village is a view of five seats on the second day.
func village(you game.Seat, role Role, private Private) View {
	v := View{Day: 2, Phase: "day_vote", YouAre: game.Null[game.Seat](), YourRole: game.Null[Role](), Private: private}
	if you.Valid() {
		v.YouAre, v.YourRole = game.Some(you), game.Some(role)
	}
	for i, name := range []string{"Ann", "<Bob>", "Cy", "Di\x1b[2J", "Ed"} {
		v.Players = append(v.Players, Player{Seat: game.Seat(i), Name: name, Alive: i != 2})
	}
	v.Players[2].Role = Villager
	return v
}

// TestPicture: each seat finds what it knows of the others, and nothing else.
func TestPicture(t *testing.T) {
	tests := []struct {
		name  string
		view  View
		known []string // of seats 0 to 4; what the card says
		want  string
	}{
		{"spectator", village(game.Spectator, "", Private{}), []string{"alive", "alive", "villager", "alive", "alive"}, "What everybody knows"},
		{"villager", village(0, Villager, Private{}), []string{"you", "alive", "villager", "alive", "alive"}, "You are seat 0, a villager"},
		{"seer", village(1, Seer, Private{Peeks: []PeekResult{{1, 3, true}, {2, 4, false}}}),
			[]string{"alive", "you", "villager", "a werewolf", "no werewolf"}, "You are seat 1, the seer"},
		{"werewolf", village(3, Werewolf, Private{Packmates: []game.Seat{4}}), []string{"alive", "alive", "villager", "you", "of your pack"}, "You are seat 3, a werewolf"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			svg := string(draw.View(nil, tt.view, draw.Options{}))
			var got []string
			for _, text := range strings.Split(svg, "</text>") {
				_, text, _ = strings.Cut(text[strings.LastIndex(text, "<text"):][1:], ">")
				got = append(got, text)
				if len(got) == 2+3*len(tt.known) {
					break
				}
			}
			want := []string{"Day 2 · vote", tt.want}
			names := []string{"Ann", "&lt;Bob&gt;", "Cy", "Di\ufffd[2J", "Ed"}
			for i, known := range tt.known {
				want = append(want, fmt.Sprint(i), names[i], known)
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Error(d)
			}
			terminal := draw.TerminalView(tt.view, draw.Options{})
			for i, known := range tt.known {
				if known != "alive" && !strings.Contains(terminal, "("+known+")\n") {
					t.Errorf("seat %d is not %q:\n%s", i, known, terminal)
				}
			}
		})
	}
}

// TestPictureLog: the log is told in words, the votes of a day at once, and the newest of it is drawn.
func TestPictureLog(t *testing.T) {
	long := "a <long> tale " + strings.Repeat("and so on ", 20)
	seat, nobody, text := game.Some[game.Seat], game.Null[game.Seat](), game.Some[string]
	v := village(0, Villager, Private{})
	v.PublicLog = []Entry{
		{Day: 1, Type: "no_kill"},
		{Day: 1, Type: "say", Seat: seat(4), Text: text(long)},
		{Day: 1, Type: "say", Seat: seat(3), Text: text("")},
		{Day: 1, Type: "vote", Seat: seat(0), Target: seat(2)},
		{Day: 1, Type: "vote", Seat: seat(1), Target: nobody},
		{Day: 1, Type: "vote", Seat: seat(3), Target: seat(2)},
		{Day: 1, Type: "eliminated", Seat: seat(2)},
		{Day: 2, Type: "death", Seat: seat(4)},
	}
	want := []string{
		"Night 1: nobody was killed", "4: " + long, "3 is silent", "Votes: 0 3 for 2; 1 for nobody", "Day 1: 2 was voted out", "Night 2: 4 was killed",
	}
	if d := cmp.Diff(want, v.logText(10)); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(want[4:], v.logText(2)); d != "" {
		t.Error(d)
	}
	lines := v.wrapped()
	if len(lines) > logLines || !strings.HasSuffix(lines[len(lines)-1], "4 was killed") {
		t.Errorf("%q", lines)
	}
	svg := string(draw.View(nil, v, draw.Options{}))
	for _, line := range lines[1:] {
		if !strings.Contains(svg, ">"+strings.NewReplacer("<", "&lt;", ">", "&gt;").Replace(line)+"</text>") {
			t.Errorf("the picture lacks %q", line)
		}
	}
}

// TestPictureEnds: every reason has its words.
func TestPictureEnds(t *testing.T) {
	for end, reason := range map[ending]string{villagersWin: "villagers_win", werewolvesWin: "werewolves_win"} {
		s := State{n: 5, end: end}
		if got := (Rules{}).Outcome(&s).Reason; got != reason || ends[got] == "" {
			t.Errorf("%s: %q", got, ends[got])
		}
	}
	v := village(game.Spectator, "", Private{})
	for reason, want := range map[string]string{"day_limit": "A draw: the last day is over", "no_response": "The game is over, no response"} {
		o := draw.Options{Outcome: &game.Outcome{Reason: reason}}
		if svg := string(draw.View(nil, v, o)); !strings.Contains(svg, ">"+want+"</text>") {
			t.Errorf("%.2000s", svg)
		}
		if text := draw.TerminalView(v, o); !strings.HasSuffix(text, "\n"+want+"\n") {
			t.Error(text)
		}
	}
}

// FuzzView draws views from outside: nothing panics, all is well-formed.
func FuzzView(f *testing.F) {
	seeds := []string{`{}`, `{"players":[{"seat":-7}],"public_log":[{"type":"vote"},{"type":"vote","target":null},{"type":"say"}]}`, `{"phase":"no such","you_are":99,"your_role":"x"}`}
	for _, role := range []Role{Villager, Seer, Werewolf} {
		text, err := json.Marshal(village(1, role, Private{Packmates: []game.Seat{3}, Peeks: []PeekResult{{1, 0, true}}}))
		if err != nil {
			f.Fatal(err)
		}
		seeds = append(seeds, string(text))
	}
	if len(seeds) != 6 {
		f.Fatal("the seeds are gone")
	}
	for _, seed := range seeds {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var v View
		if len(data) > 1<<14 || json.Unmarshal(data, &v) != nil {
			return
		}
		d := xml.NewDecoder(strings.NewReader(string(draw.View(nil, v, draw.Options{}))))
		var names []string
		for {
			token, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			if e, ok := token.(xml.StartElement); ok {
				names = append(names, e.Name.Local)
			}
		}
		if !slices.Contains(names, "text") || draw.TerminalView(v, draw.Options{}) == "" {
			t.Fatalf("nothing is drawn of %q", data)
		}
	})
}
