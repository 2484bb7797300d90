// Package polling is for agents behind any firewall: they make HTTPS requests,
// and nobody ever calls them. It speaks the Grid arena's format (package
// [github.com/matchreferee/arena/protocol/gridarena]), for every game.
//
//	POST {prefix}/matches                  begin a match against an opponent of the host's
//	GET  {prefix}/matches/{match}          what the agent's seat may know of it now
//	POST {prefix}/matches/{match}/moves    a move; answered once it is judged and recorded
//	POST {prefix}/matches/{match}/abandon  give up
//	GET  {prefix}/replays/{match}          a match that has ended, for anybody
//	GET  {prefix}                          the latest results, for anybody
//	GET  {prefix}/example                  an observation to write a client by, for anybody
//	GET  {prefix}/openapi.yaml             the OpenAPI document of all this, for anybody
//
// A [Transport] is two things: the carrier of seats whose agents poll, and the
// handler of these requests. Matches are begun by the host ([Options.Start]), by
// a handful of lines; the package's example shows them.
//
// # One source of answers
//
// What a match was is read from its record and nowhere else, while it runs, after
// its end and after a restart alike. So the answer to a request that is repeated
// is made again from the same lines and has the same bytes: to a create from the
// first line, to a move from those up to that move. A repeated move is known by
// its moveId, which stands in the record with it; a refused move leaves its id free.
//
// # Looking and waiting
//
// An observation has a weak entity tag, of all in it but serverTime and
// remainingMs: If-None-Match is answered 304 while nothing else is new. With
// Prefer: wait=N (RFC 7240) the answer is held, up to [Options.MaxWait]: where
// the request names a tag, until another one fits; else until the opponent has
// moved or the match is over. The end of the time is answered like any look. While the opponent
// thinks, one look in [Limits].Pace is answered, a held one among them.
//
// # In which order a request is judged
//
// Route and method (404, 405), requests of its source (429), key (401), requests
// of its account (429), scope (403), match (404; 403 where it is another
// account's), form of the body (415, 413, 408, 400), state of the match (409, 422)
// or, for a look, the pace (429). To begin a match, opponent and game come first (400),
// then whether the request is a repeated one, the gate (403), and the limits (429, 503).
//
// Without a key nobody learns more of a match than whether it runs, has ended or is not there,
// by its replay. Ids have 122 random bits, and are not to be found by trying.
//
// # Matches of the host's own
//
// A host may seat agents that poll by itself, several of them in one match. An
// agent finds the match by an id that the host tells it, and its seat by the slug of
// its key's agent. Such matches take no quota, are in no results and have no
// public replay; after their end they are shown for as long as they are kept at hand.
package polling
