// Package transporttest is the kit that a [transport.Transport] has to pass. A
// transport's own test calls [Run] once, with a [Harness] that says how the
// transport is made and how agents of its format are brought to life:
//
//	func TestKit(t *testing.T) {
//		transporttest.Run(t, func(t *testing.T) transporttest.Harness {
//			tr := mine.New()
//			return transporttest.Harness{
//				Transport: tr,
//				Agent: func(a referee.Agent, play transporttest.Play) {
//					tr.Register(a.Slug, serve(t, play)) // an agent in the transport's own format
//				},
//			}
//		}, transporttest.Options{})
//	}
//
// Each check is a subtest that plays matches under a real referee, over a
// transport of its own, and looks at what the referee recorded and at what the
// agents were asked. It asks for what [transport.Transport], [referee.Player] and
// [referee.Seat] say must be, and for nothing else:
//
//	answers     the moves of a match are those that the agents answered, and nothing is a fault
//	late        what comes after the deadline is never a move, of that turn or a later one
//	duplicate   a second answer, the same or another, changes nothing
//	illegal     an action that the rules refuse is that fault, and the next answer counts
//	malformed   bytes that are no answer are that fault, and the next answer counts
//	oversized   an answer of too many bytes is that fault, however good its beginning
//	rejected    after a refusal that leaves the request open, the agent answers it again
//	cancel      an agent that is thinking hears that its request was closed
//	deaf        an agent that never answers holds up nobody else, in its match or another, and Tell returns at once
//	concurrent  two agents play many matches at once, seated at the same time, and no answer strays
//	table       all seats of a match of seven are of this transport, hidden moves and joint turns among them
//	itself      an agent plays on both seats of a match
//	stop        a match that its host stops while agents think is left without waiting for them
//	resume      a second referee takes a match over, and its agents play on
//	reconnect   where a connection breaks, the open request comes again, the same, with the time that is left
//	unknown     an agent that nobody made known gets no player
//	close       Close returns while a request is open, and leaves no player to be had
//
// After each check nothing that it started may be running: goroutines that were
// not there before it are listed and fail it. So the caller's tests that run at
// the same time must start none.
//
// What does not apply to a transport is named in [Options.Skip], with the reason,
// which go test -v shows. Nothing is left out silently: a check whose means the
// Harness does not have fails unless it is named there.
package transporttest
