package referee

import (
	"github.com/matchreferee/arena/game"
)

type seat struct {
	info      *SeatInfo
	ask       int32 // of the latest request
	closedAsk int32 // of the request that Match.closed tells of
	nth       int32 // moves made
	turnNo    int32 // Request.Turn of the open request
	retry     int   // strikes in this turn
	notes     int   // refused answers recorded in this turn
	gones     int   // events of going away in this turn
	says      int   // things said in this turn
	strikes   int
	faults    [faultCount]int
	openAt    Time // when the request opens or opened
	sentAt    Time // AtSent: when it was sent; 0: not yet
	turnStart Time // when the turn's clock began; 0: not yet
	due       Time // deadline without grace; never: none
	used      Time
	gone      bool
	goneAt    Time
	warned    bool
	offered   int32 // nth+1 when it last offered a draw
	pend      game.Action
	keys      map[string]keyed
	rand      stream // for requests that do not outlive the call
}

type keyed struct {
	action game.Action
	raw    string
	event  int64
}
