package hygiene

// Asleep are the tests that wait in real time, because what they wait for is another process. An entry that nothing needs is a failure.
var Asleep = []Exception{}

// Stateful are the init functions and the package-level variables that change at run time. An entry that nothing needs is a failure.
var Stateful = []Exception{}
