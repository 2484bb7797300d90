// Package callback reaches agents over HTTP: the referee POSTs a request to the
// agent's URL, and the agent's answer is the body of the reply. The format is
// agentarena/1 (package [github.com/matchreferee/arena/protocol/agentarena]) or,
// with [Options].Signed, ludux/1 (package [github.com/matchreferee/arena/protocol/ludux]).
// Agents in Go are handlers: [Agent] for the one, [SignedAgent] for the other.
//
// # The way of a request of agentarena/1
//
// A request waits until the agent has no other one open, in any match of this
// Transport, and nor has anybody else at the same endpoint; waiting costs no time
// of its clock. Those of matches go before those of people who practise. Then it gets a fresh nonce,
// [referee.Seat.Sent] starts the clock, and it goes out. Looking up the name and
// connecting are on the clock; connections are kept alive, one an agent, so that
// they happen once. How long an agent may take is the referee's business: it closes
// the request at its deadline, and the transport then cuts the connection.
//
// A kept connection on which anything came while nobody had asked, be it its
// end, is not used again. When one turns out to be closed before any byte of a
// reply, or with status 408, the request is written again, to a new connection,
// with a new nonce and on the same clock: agents answer a repeated request alike,
// as the document asks.
//
// # The way of a request of ludux/1
//
// Its clock has started as it opened, so it waits for nothing: requests of all the
// seats of an agent are out at the same time. An answer that is malformed, stale,
// too long or has another status than 200 is recorded, and so is a connection that
// fails; then the request goes out again, after 250 ms, 500 ms, 1 s, 2 s and from
// then on every 4 s, until its deadline: with the same seq and the time that is
// left. One without a deadline goes out again after 1 s first: before that it
// would be the same to the byte, and a replay to who is posted to. Where a policy of the host's does something else about such a fault than
// ludux.Policy, which refuses it, that is the end of the request.
//
// Every attempt is signed by Standard Webhooks for its own moment; the id of a
// message stays, even if another process of the host sends it again. [Sign] and
// [Verifier] are good for any webhooks.
//
// An agent is told of the start of its matches, again where a referee takes one
// over, and of their end. Nobody waits for that: a message has 5 s and is sent
// once, to each agent one after another. Where 64 of them wait, more are dropped.
// There is neither timeout_warning nor error: what became of an answer shows in
// the next request, or in the end.
//
// How many seats an agent has at once is bounded, see [Options.Seats].
//
// # Where a request may go
//
// An agent's URL is https, without user information and fragment, its port 443
// or at least 1024. Its host is a name whose addresses are all public, or a
// public address. That is checked at registration, before each connection, and
// once more on the address that the socket connects to. Only
// [Options.AllowHTTP] and [Options.AllowLoopback] make exceptions. There are no
// redirects, cookies, compression or proxies from the environment.
//
// # Faults
//
//	unreachable   resolve, refused_address, connect, tls
//	disconnected  write, first_byte, body: what was waited for when the connection broke
//	bad_protocol  http (no HTTP/1 reply, or headers that are too long); a status other than 200
//	internal      the host itself could not look up or connect: the match is void;
//	              secrets, request: it has no secrets of the agent, or the request does not fit a message
//
// The rest is judged by agentarena.Decode and ludux.DecodeReply. A failed lookup, or a network without
// a way to the agent's addresses, is our own where the host's canary fails as well,
// see [Options.Healthy]: an agent that breaks its name servers while it is losing,
// or has addresses that this machine cannot reach, does not get a void match for it.
package callback
