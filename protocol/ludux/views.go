package ludux

import (
	"bytes"
	"encoding/json"
	"strconv"
	"unicode/utf8"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/games/werewolf"
	"github.com/matchreferee/arena/internal/jsontext"
)

// appendView appends a view in JSON. Only what JSON needs to be escaped is. The
// two views of the document that have the most members are written by hand, four
// times as fast as encoding/json would, and to the same effect.
func appendView(dst []byte, view any) ([]byte, error) {
	switch v := view.(type) {
	case connectfour.View:
		return appendDiscs(dst, &v), nil
	case werewolf.View:
		return appendVillage(dst, &v), nil
	}
	w := bytes.NewBuffer(dst)
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(view); err != nil {
		return dst, err
	}
	out := bytes.TrimSuffix(w.Bytes(), []byte("\n"))
	if !utf8.Valid(out[len(dst):]) { // a json.RawMessage goes through as it is
		out = append(dst, bytes.ToValidUTF8(out[len(dst):], []byte(string(utf8.RuneError)))...)
	}
	return out, nil
}

func appendDiscs(dst []byte, v *connectfour.View) []byte {
	dst = append(dst, `{"board":`...)
	dst = jsontext.AppendList(dst, v.Board, func(dst []byte, row []game.Opt[game.Seat]) []byte { return jsontext.AppendList(dst, row, appendSeat) })
	dst = append(dst, `,"you_are":`...)
	dst = appendSeat(dst, v.YouAre)
	dst = append(dst, `,"to_move":`...)
	dst = appendSeat(dst, v.ToMove)
	dst = append(dst, `,"ply":`...)
	dst = jsontext.AppendInt(dst, v.Ply)
	dst = append(dst, `,"last_move":`...)
	if m := v.LastMove; m == nil {
		dst = append(dst, "null"...)
	} else {
		dst = append(dst, `{"seat":`...)
		dst = jsontext.AppendInt(dst, m.Seat)
		dst = append(dst, `,"column":`...)
		dst = jsontext.AppendInt(dst, m.Column)
		dst = append(dst, `,"row":`...)
		dst = append(jsontext.AppendInt(dst, m.Row), '}')
	}
	dst = append(dst, `,"move_history":`...)
	return append(jsontext.AppendList(dst, v.MoveHistory, jsontext.AppendInt), '}')
}

func appendVillage(dst []byte, v *werewolf.View) []byte {
	dst = append(dst, `{"your_role":`...)
	if role, ok := v.YourRole.Get(); ok {
		dst = jsontext.AppendString(dst, string(role))
	} else {
		dst = append(dst, "null"...)
	}
	dst = append(dst, `,"day":`...)
	dst = jsontext.AppendInt(dst, v.Day)
	dst = append(dst, `,"phase":`...)
	dst = jsontext.AppendString(dst, v.Phase)
	dst = append(dst, `,"players":`...)
	dst = jsontext.AppendList(dst, v.Players, appendPlayer)
	dst = append(dst, `,"you_are":`...)
	dst = appendSeat(dst, v.YouAre)
	dst = append(dst, `,"public_log":`...)
	dst = jsontext.AppendList(dst, v.PublicLog, appendEntry)
	dst = append(dst, `,"private":{`...)
	from := len(dst)
	if v.Private.Packmates != nil {
		dst = append(dst, `"packmates":`...)
		dst = append(jsontext.AppendList(dst, v.Private.Packmates, jsontext.AppendInt), ',')
	}
	if v.Private.Kills != nil {
		dst = append(dst, `"kills":`...)
		dst = append(jsontext.AppendList(dst, v.Private.Kills, func(dst []byte, k werewolf.KillResult) []byte {
			return append(appendNight(dst, k.Day, k.Target), '}')
		}), ',')
	}
	if v.Private.Peeks != nil {
		dst = append(dst, `"peeks":`...)
		dst = append(jsontext.AppendList(dst, v.Private.Peeks, func(dst []byte, p werewolf.PeekResult) []byte {
			dst = append(appendNight(dst, p.Day, p.Target), `,"is_werewolf":`...)
			return append(strconv.AppendBool(dst, p.IsWerewolf), '}')
		}), ',')
	}
	if len(dst) > from {
		dst = dst[:len(dst)-1]
	}
	return append(dst, '}', '}')
}

// appendNight begins an object about what was done to a seat in a night.
func appendNight(dst []byte, day int, target game.Seat) []byte {
	dst = append(dst, `{"day":`...)
	dst = jsontext.AppendInt(dst, day)
	dst = append(dst, `,"target":`...)
	return jsontext.AppendInt(dst, target)
}

func appendPlayer(dst []byte, p werewolf.Player) []byte {
	dst = append(dst, `{"seat":`...)
	dst = jsontext.AppendInt(dst, p.Seat)
	dst = append(dst, `,"name":`...)
	dst = jsontext.AppendString(dst, p.Name)
	dst = append(dst, `,"alive":`...)
	dst = strconv.AppendBool(dst, p.Alive)
	if p.Role != "" {
		dst = append(dst, `,"role":`...)
		dst = jsontext.AppendString(dst, string(p.Role))
	}
	return append(dst, '}')
}

func appendEntry(dst []byte, e werewolf.Entry) []byte {
	dst = append(dst, `{"day":`...)
	dst = jsontext.AppendInt(dst, e.Day)
	dst = append(dst, `,"phase":`...)
	dst = jsontext.AppendString(dst, e.Phase)
	dst = append(dst, `,"type":`...)
	dst = jsontext.AppendString(dst, e.Type)
	if !e.Seat.IsZero() {
		dst = append(dst, `,"seat":`...)
		dst = appendSeat(dst, e.Seat)
	}
	if text, ok := e.Text.Get(); ok {
		dst = append(dst, `,"text":`...)
		dst = jsontext.AppendString(dst, text)
	}
	if !e.Target.IsZero() {
		dst = append(dst, `,"target":`...)
		dst = appendSeat(dst, e.Target)
	}
	return append(dst, '}')
}

// appendSeat appends a seat, null if there is none.
func appendSeat(dst []byte, s game.Opt[game.Seat]) []byte {
	if seat, ok := s.Get(); ok {
		return jsontext.AppendInt(dst, seat)
	}
	return append(dst, "null"...)
}
