package rating

import (
	"fmt"
	"strconv"

	"github.com/matchreferee/arena/internal/jsontext"
)

// StatementFormat names the format of Statement, and stands in it.
const StatementFormat = "arena/leaderboard/1"

// Statement gives the leaderboard as bytes that a host can sign: one JSON
// object in the canonical form of RFC 8785, so that who has the same numbers has
// the same bytes. at is when, in seconds since 1970 by the host's clock, not
// negative; report says which games the ratings come of. The object's members:
//
//	at         at
//	format     StatementFormat
//	name       LeaderboardOptions.Name
//	options    caution, decimals, min_games, provisional_deviation, provisional_games
//	report     the counts of Report
//	rows       in order; each with deviation, draws, losses, player, provisional,
//	           rank (null for none), rating, value, wins
//	system     LeaderboardOptions.System
//
// The error wraps ErrInput. A Leaderboard that the caller has changed is signed
// as it is, if its names are one line, its numbers finite, and its counts and
// those of the report 0 to 2^50.
func (b *Leaderboard) Statement(at int64, report Report) ([]byte, error) {
	if at < 0 || at > 1<<53 {
		return nil, fmt.Errorf("%w: at", ErrInput)
	}
	if err := b.Options.validate(); err != nil {
		return nil, err
	}
	if !counts(report.Games, report.Rated, report.Void, report.Expired, report.Forfeits, report.TimeLosses, report.Abandonments,
		report.Adjudications, report.Skipped, report.Draws) {
		return nil, fmt.Errorf("%w: report", ErrInput)
	}
	o := &b.Options
	out := append([]byte(`{"at":`), strconv.FormatInt(at, 10)...)
	out = text(out, `,"format":`, StatementFormat)
	out = text(out, `,"name":`, o.Name)
	out = number(out, `,"options":{"caution":`, o.Caution)
	out = integer(out, `,"decimals":`, o.Decimals)
	out = integer(out, `,"min_games":`, o.MinGames)
	out = number(out, `,"provisional_deviation":`, o.ProvisionalDeviation)
	out = integer(out, `,"provisional_games":`, o.ProvisionalGames)
	out = integer(out, `},"report":{"abandonments":`, report.Abandonments)
	out = integer(out, `,"adjudications":`, report.Adjudications)
	out = integer(out, `,"draws":`, report.Draws)
	out = integer(out, `,"expired":`, report.Expired)
	out = integer(out, `,"forfeits":`, report.Forfeits)
	out = integer(out, `,"games":`, report.Games)
	out = integer(out, `,"rated":`, report.Rated)
	out = integer(out, `,"skipped":`, report.Skipped)
	out = integer(out, `,"time_losses":`, report.TimeLosses)
	out = integer(out, `,"void":`, report.Void)
	out = append(out, `},"rows":[`...)
	for i := range b.Rows {
		r := &b.Rows[i]
		if !finite(r.Deviation) || !finite(r.Rating) || !finite(r.Value) {
			return nil, fmt.Errorf("%w: Rows[%d] has a number that is not finite", ErrInput, i)
		}
		if !counts(r.Rank, r.Tally.Wins, r.Tally.Draws, r.Tally.Losses) {
			return nil, fmt.Errorf("%w: Rows[%d] has a count out of range", ErrInput, i)
		}
		if err := checkID(r.Player); err != nil {
			return nil, fmt.Errorf("%w: Rows[%d].Player %w", ErrInput, i, err)
		}
		if i > 0 {
			out = append(out, ',')
		}
		out = number(out, `{"deviation":`, r.Deviation)
		out = integer(out, `,"draws":`, r.Tally.Draws)
		out = integer(out, `,"losses":`, r.Tally.Losses)
		out = text(out, `,"player":`, r.Player)
		out = strconv.AppendBool(append(out, `,"provisional":`...), r.Provisional)
		if r.Rank > 0 {
			out = integer(out, `,"rank":`, r.Rank)
		} else {
			out = append(out, `,"rank":null`...)
		}
		out = number(out, `,"rating":`, r.Rating)
		out = number(out, `,"value":`, r.Value)
		out = append(integer(out, `,"wins":`, r.Tally.Wins), '}')
	}
	return append(text(out, `],"system":`, o.System), '}'), nil
}

func text(dst []byte, name, s string) []byte {
	return jsontext.AppendString(append(dst, name...), s)
}

func number(dst []byte, name string, x float64) []byte {
	return jsontext.AppendNumber(append(dst, name...), x)
}

// integer goes the way of all numbers of RFC 8785, which are float64 values.
func integer(dst []byte, name string, n int) []byte { return number(dst, name, float64(n)) }
