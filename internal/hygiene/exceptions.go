package hygiene

// Asleep are the tests that wait in real time, because what they wait for is another process or a socket of the system, and sleeps in
// bubbles that only an interface leads to. An entry that nothing needs is a failure.
var Asleep = []Exception{
	{"referee/mailbox_test.go", "slowLog.Append", "is a slow disk for matches in bubbles"},
	{"referee/handover_test.go", "slowEar.Tell", "is a player that takes its time, for matches in bubbles"},
	{"transport/polling/load_test.go", "BenchmarkPollUnderSearch", "measures how long requests take in real time, with a pause between them"},
	{"transport/transporttest/session_test.go", "sessions.Cut", "is a harness of the kit, which runs it in bubbles"},
	{"transport/websocket/server_hall_test.go", "slowLog.Append", "is a slow disk for matches in bubbles"},
	{"transport/websocket/server_ping_test.go", "slowKeys.Authenticate", "is a slow store of keys for connections in bubbles"},
	{"transport/websocket/server_leak_test.go", "soon", "waits for what sockets of the system bring"},
	{"transport/websocket/server_leak_test.go", "TestLeaks", "counts goroutines while sockets of the system close"},
}

// Stateful are the init functions and the package-level variables that change at run time. An entry that nothing needs is a failure.
var Stateful = []Exception{}
