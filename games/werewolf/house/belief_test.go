package house_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/werewolf"
	"github.com/matchreferee/arena/games/werewolf/house"
)

// deals gives every way to deal n seats, a letter a seat.
func deals(n int) (all []string) {
	var fill func(roles string, wolves, seers int)
	fill = func(roles string, wolves, seers int) {
		if len(roles) == n {
			if wolves == 0 && seers == 0 {
				all = append(all, roles)
			}
			return
		}
		fill(roles+"v", wolves, seers)
		if wolves > 0 {
			fill(roles+"w", wolves-1, seers)
		}
		if seers > 0 {
			fill(roles+"s", wolves, seers-1)
		}
	}
	fill("", werewolf.Werewolves(n), 1)
	return all
}

// weigh is how likely a deal makes what a seat has seen, in whole words: 0 if it cannot be. public: as one who has no role.
func weigh(v werewolf.View, roles string, public bool) float64 {
	letter := map[werewolf.Role]byte{"werewolf": 'w', "seer": 's', "villager": 'v'}
	wolves, others := 0, 0
	for i, p := range v.Players {
		if p.Role != "" && roles[i] != letter[p.Role] {
			return 0
		}
		if p.Alive && roles[i] == 'w' {
			wolves++
		} else if p.Alive {
			others++
		}
	}
	if wolves == 0 || wolves >= others {
		return 0 // it would be over
	}
	if !public {
		me, _ := v.YouAre.Get()
		mine, _ := v.YourRole.Get()
		if roles[me] != letter[mine] {
			return 0
		}
		for _, mate := range v.Private.Packmates {
			if roles[mate] != 'w' {
				return 0
			}
		}
		for _, p := range v.Private.Peeks {
			if (roles[p.Target] == 'w') != p.IsWerewolf {
				return 0
			}
		}
	}
	w := 1.0
	alive := map[game.Seat]bool{}
	for _, p := range v.Players {
		alive[p.Seat] = true
	}
	said := map[game.Seat][]string{}
	for i, e := range v.PublicLog {
		seat, _ := e.Seat.Get()
		switch e.Type {
		case "death":
			if roles[seat] == 'w' {
				return 0
			}
			delete(alive, seat)
		case "eliminated":
			delete(alive, seat)
		case "say":
			text, _ := e.Text.Get()
			if house.Hear(text, len(roles)).OK {
				said[seat] = append(said[seat], text)
			}
		case "vote":
			target, cast := v.PublicLog[i].Target.Get()
			if !cast || roles[seat] != 'w' {
				break
			}
			// A werewolf's vote, of all it could have cast.
			sum, share := 0.0, 1.0
			for other := range alive {
				switch {
				case other == seat:
				case roles[other] == 'w':
					sum += house.PackVote
				default:
					sum++
				}
			}
			if roles[target] == 'w' {
				share = house.PackVote
			}
			w *= share / sum * float64(len(alive)-1) // as a multiple of any vote
		}
	}
	for seat := range game.Seat(len(roles)) {
		claims := said[seat]
		switch roles[seat] {
		case 'w':
			if claims != nil {
				w *= house.WolfClaims
			}
		case 'v':
			if claims != nil {
				w *= house.VillagerLies
			}
		case 's':
			if claims == nil {
				w *= 1 - house.SeerClaims
				break
			}
			right := true
			for _, text := range claims {
				c := house.Hear(text, len(roles))
				for other := range c.Wolves.All() {
					right = right && roles[other] == 'w'
				}
				for other := range c.Cleared.All() {
					right = right && roles[other] != 'w'
				}
			}
			if right {
				w *= house.SeerClaims
			} else {
				w *= house.SeerErrs
			}
		}
	}
	return w
}

// TestBelief holds what the reasoner believes against all deals one by one, in matches with false claims and random votes.
func TestBelief(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(5, 9).Draw(t, "seats")
		ruleset := rapid.SampledFrom([]string{"", `{"reveal_roles":false}`}).Draw(t, "ruleset")
		s := scene(t, ruleset, rapid.SampledFrom(deals(n)).Draw(t, "deal"))
		days := rapid.SampledFrom([]int{1, 2, 3}).Draw(t, "days") // drawn alike: small numbers would come too often
		for steps := rapid.IntRange(0, 2*n+2).Draw(t, "steps"); s.View(0).(werewolf.View).Day < days || steps > 0; {
			if s.Turn().Over() {
				return
			}
			if s.View(0).(werewolf.View).Day >= days {
				steps--
			}
			s.random(t)
		}
		if s.Turn().Over() || s.Turn().Chance {
			return
		}
		seat := game.Seat(rapid.IntRange(0, n-1).Draw(t, "seat"))
		public := rapid.Bool().Draw(t, "public")
		v := s.View(seat).(werewolf.View)
		wolf, seer := house.Believe(v, public)
		var wantWolf, wantSeer [werewolf.MaxSeats]float64
		total := 0.0
		for _, roles := range deals(n) {
			w := weigh(v, roles, public)
			total += w
			for i := range roles {
				switch roles[i] {
				case 'w':
					wantWolf[i] += w
				case 's':
					wantSeer[i] += w
				}
			}
		}
		if total == 0 {
			t.Fatalf("no deal is possible: %+v", v)
		}
		for i := range n {
			if w := 1e6 * wantWolf[i] / total; w-float64(wolf[i]) > 1 || float64(wolf[i])-w > 1 {
				t.Errorf("seat %d is a werewolf with %d millionths, not %.1f", i, wolf[i], w)
			}
			if w := 1e6 * wantSeer[i] / total; w-float64(seer[i]) > 1 || float64(seer[i])-w > 1 {
				t.Errorf("seat %d is the seer with %d millionths, not %.1f", i, seer[i], w)
			}
		}
		// Whatever is believed, what is done about it is legal.
		if s.Turn().May(seat) {
			a := house.Choose(v)
			text, err := s.Check(seat, game.Action(marshal(t, a)))
			if err != nil || strings.Contains(string(text), "\ufffd") {
				t.Errorf("%+v: %v", a, err)
			}
		}
	})
}
