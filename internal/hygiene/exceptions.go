package hygiene

// Asleep are the tests that wait in real time, because what they wait for is another process. An entry that nothing needs is a failure.
var Asleep = []Exception{
	{"examples/quickstart/quickstart_test.go", "TestKilled", "watches the file that another process writes until it has moved four times"},
}

// Stateful are the init functions and the package-level variables that change at run time. An entry that nothing needs is a failure.
var Stateful = []Exception{}
