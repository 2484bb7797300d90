package rating

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/gowebpki/jcs"
	"pgregory.net/rapid"

	"github.com/matchreferee/arena/internal/jsontext"
)

func TestLeaderboard(t *testing.T) {
	games := func(n int) Tally { return Tally{Wins: n} }
	standings := []Standing{
		{"kim@1", 1600.4, 30, games(50)},
		{"kim@2", 1700, 200, games(5)},
		{"ann", 1500.49, 30, games(50)},
		{"bob", 1499.5, 10, games(50)},
		{"new", 2000, 350, games(1)},
		{"low", -0.3, 20, games(9)},
	}
	type line struct {
		Rank        int
		Player      string
		Value       float64
		Provisional bool
	}
	for _, c := range []struct {
		name string
		o    LeaderboardOptions
		want []line
	}{
		{"zero", LeaderboardOptions{}, []line{
			{1, "new", 2000, false}, {2, "kim@2", 1700, false}, {3, "kim@1", 1600, false}, {4, "ann", 1500, false}, {4, "bob", 1500, false}, {6, "low", 0, false},
		}},
		{"minimum", LeaderboardOptions{MinGames: 5, ProvisionalGames: 10}, []line{
			{1, "kim@2", 1700, true}, {2, "kim@1", 1600, false}, {3, "ann", 1500, false}, {3, "bob", 1500, false}, {5, "low", 0, true}, {0, "new", 2000, true},
		}},
		{"caution", LeaderboardOptions{Caution: 2, Decimals: 2, ProvisionalDeviation: 200}, []line{
			{1, "kim@1", 1540.4, false}, {2, "bob", 1479.5, false}, {3, "ann", 1440.49, false}, {4, "kim@2", 1300, false}, {4, "new", 1300, true}, {6, "low", -40.3, false},
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b, err := NewLeaderboard(c.o, standings)
			if err != nil {
				t.Fatal(err)
			}
			var got []line
			for _, r := range b.Rows {
				got = append(got, line{r.Rank, r.Player, r.Value, r.Provisional})
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
			if math.Signbit(b.Rows[len(b.Rows)-1].Rating) && b.Rows[len(b.Rows)-1].Rating == 0 {
				t.Error("minus zero")
			}
		})
	}
}

func TestLeaderboardRefuses(t *testing.T) {
	fine := Standing{Player: "a", Rating: 1500}
	for _, c := range []struct {
		name string
		o    LeaderboardOptions
		s    []Standing
	}{
		{"LeaderboardOptions.Name", LeaderboardOptions{Name: "a\nb"}, nil},
		{"LeaderboardOptions.System", LeaderboardOptions{System: strings.Repeat("x", 129)}, nil},
		{"LeaderboardOptions.MinGames", LeaderboardOptions{MinGames: -1}, nil},
		{"LeaderboardOptions.ProvisionalGames", LeaderboardOptions{ProvisionalGames: -1}, nil},
		{"LeaderboardOptions.ProvisionalDeviation", LeaderboardOptions{ProvisionalDeviation: math.NaN()}, nil},
		{"LeaderboardOptions.Caution", LeaderboardOptions{Caution: 11}, nil},
		{"LeaderboardOptions.Decimals", LeaderboardOptions{Decimals: 7}, nil},
		{"Standing.Player", LeaderboardOptions{}, []Standing{fine, {}}},
		{"Standing.Rating", LeaderboardOptions{}, []Standing{fine, {Player: "b", Rating: math.NaN()}}},
		{"Standing.Deviation", LeaderboardOptions{}, []Standing{fine, {Player: "b", Deviation: math.Inf(1)}}},
		{"Standing.Tally", LeaderboardOptions{}, []Standing{fine, {Player: "b", Tally: Tally{Losses: -1}}}},
		{`"a" stands twice`, LeaderboardOptions{}, []Standing{fine, {Player: "b"}, fine}},
		{"more than 100000", LeaderboardOptions{}, make([]Standing, MaxStandings+1)},
	} {
		if b, err := NewLeaderboard(c.o, c.s); b != nil || !errors.Is(err, ErrInput) || !strings.Contains(err.Error(), c.name) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestStatement(t *testing.T) {
	b, err := NewLeaderboard(
		LeaderboardOptions{Name: "chess \"blitz\" é", System: "glicko2 tau 0.5", MinGames: 2, Decimals: 1, Caution: 0.5},
		[]Standing{{"kim@1.0", 1623.25, 40.06, Tally{5, 3, 2}}, {"ann", 1500, 350, Tally{0, 0, 1}}},
	)
	if err != nil {
		t.Fatal(err)
	}
	got, err := b.Statement(1796000000, Report{Games: 12, Rated: 10, Void: 1, Forfeits: 3, TimeLosses: 2, Skipped: 1, Draws: 3})
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"at":1796000000,"format":"arena/leaderboard/1","name":"chess \"blitz\" é",` +
		`"options":{"caution":0.5,"decimals":1,"min_games":2,"provisional_deviation":0,"provisional_games":0},` +
		`"report":{"abandonments":0,"adjudications":0,"draws":3,"expired":0,"forfeits":3,"games":12,"rated":10,"skipped":1,"time_losses":2,"void":1},` +
		`"rows":[{"deviation":40.1,"draws":3,"losses":2,"player":"kim@1.0","provisional":false,"rank":1,"rating":1623.3,"value":1603.2,"wins":5},` +
		`{"deviation":350,"draws":0,"losses":1,"player":"ann","provisional":false,"rank":null,"rating":1500,"value":1325,"wins":0}],"system":"glicko2 tau 0.5"}`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Error(diff)
	}
	for _, at := range []int64{-1, 1<<53 + 1} {
		if _, err := b.Statement(at, Report{}); !errors.Is(err, ErrInput) {
			t.Errorf("at %d: %v", at, err)
		}
	}
	if math.MaxInt > 1<<50 { // such a number would be another one as a float64
		if _, err := NewLeaderboard(LeaderboardOptions{MinGames: math.MaxInt}, nil); !errors.Is(err, ErrInput) {
			t.Errorf("a minimum that is not exact in JSON: %v", err)
		}
	}
	for name, change := range map[string]func(*Leaderboard, *Report){
		"report":              func(_ *Leaderboard, r *Report) { r.Skipped = -1 },
		"Rows[1] has a count": func(b *Leaderboard, _ *Report) { b.Rows[1].Tally.Draws = -1 },
		"Rows[0].Player":      func(b *Leaderboard, _ *Report) { b.Rows[0].Player = "\xff" },
		"Rows[0] has a count": func(b *Leaderboard, _ *Report) { b.Rows[0].Rank = -1 },
	} {
		changed, r := &Leaderboard{Options: b.Options, Rows: slices.Clone(b.Rows)}, Report{}
		change(changed, &r)
		if s, err := changed.Statement(0, r); s != nil || !errors.Is(err, ErrInput) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %s, %v", name, s, err)
		}
	}
	b.Rows[1].Value = math.NaN()
	if _, err := b.Statement(0, Report{}); !errors.Is(err, ErrInput) || !strings.Contains(err.Error(), "Rows[1]") {
		t.Errorf("NaN: %v", err)
	}
	b.Options.Decimals = -1
	if _, err := b.Statement(0, Report{}); !errors.Is(err, ErrInput) || !strings.Contains(err.Error(), "Decimals") {
		t.Errorf("options: %v", err)
	}
}

// TestStatementIsCanonical: whatever stands on a leaderboard, its statement is
// JSON in canonical form, by our reader and by another's, and the order of the
// standings changes no byte of it.
func TestStatementIsCanonical(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringMatching(`[a-zA-Zé"\\/<>&@.\x{FEFF}\x{1F600}-]{1,12}`)
		standings := rapid.SliceOfNDistinct(rapid.Custom(func(t *rapid.T) Standing {
			return Standing{
				Player: name.Draw(t, "player"), Rating: rapid.Float64Range(-MaxSkill, MaxSkill).Draw(t, "rating"), Deviation: rapid.Float64Range(0, 500).Draw(t, "deviation"),
				Tally: Tally{rapid.IntRange(0, 9).Draw(t, "wins"), rapid.IntRange(0, 9).Draw(t, "draws"), rapid.IntRange(0, 9).Draw(t, "losses")},
			}
		}), 0, 8, func(s Standing) string { return s.Player }).Draw(t, "standings")
		o := LeaderboardOptions{
			Name: name.Draw(t, "name"), Decimals: rapid.IntRange(0, 6).Draw(t, "decimals"), MinGames: rapid.IntRange(0, 10).Draw(t, "minimum"),
			Caution: rapid.Float64Range(0, 10).Draw(t, "caution"),
		}
		b, err := NewLeaderboard(o, standings)
		if err != nil {
			t.Fatal(err)
		}
		got, err := b.Statement(7, Report{})
		if err != nil {
			t.Fatal(err)
		}
		other, err := jcs.Transform(got)
		if err != nil || !bytes.Equal(other, got) {
			t.Fatalf("%s is canonically %s (%v)", got, other, err)
		}
		v, err := jsontext.Parse(got, jsontext.Refuse)
		if err != nil || !bytes.Equal(v.AppendCanonical(nil), got) {
			t.Fatalf("%s: %v", got, err)
		}
		var read struct {
			Rows []struct {
				Rank   *int
				Player string
				Value  float64
			}
		}
		if err := json.Unmarshal(got, &read); err != nil || len(read.Rows) != len(standings) {
			t.Fatalf("%d rows, %v", len(read.Rows), err)
		}
		for i, r := range read.Rows {
			if (r.Rank == nil) != (b.Rows[i].Rank == 0) || r.Player != b.Rows[i].Player || r.Value != b.Rows[i].Value {
				t.Fatalf("row %d reads %+v, not %+v", i, r, b.Rows[i])
			}
			if r.Rank == nil {
				continue
			}
			above := 0
			for _, o := range b.Rows {
				if o.Rank > 0 && o.Value > r.Value {
					above++
				}
			}
			if *r.Rank != above+1 {
				t.Fatalf("%s has rank %d with %d above", r.Player, *r.Rank, above)
			}
		}
		again, err := NewLeaderboard(o, rapid.Permutation(standings).Draw(t, "order"))
		if err != nil {
			t.Fatal(err)
		}
		if bytes2, err := again.Statement(7, Report{}); err != nil || !bytes.Equal(bytes2, got) {
			t.Fatalf("in another order %s, not %s (%v)", bytes2, got, err)
		}
	})
}
