// Package keys issues API keys and tells whose they are: a [Ring] is a
// [transport.Authenticator] for every protocol.
//
// # What a key is
//
// A key is a prefix that a host chooses ("lcb_"), 40 characters that hold 200 random
// bits, and 8 that are a checksum of all before them, so that a mistyped key is known
// for one without a look at the store. Characters are the 32 of 0-9 and a-z
// without i, l, o and u. It is shown once, by [Ring.Issue]; the store has its
// SHA-256 hash. That needs no salt and no slow hash, for nobody guesses 200
// bits. It is found by that hash, so how long a look-up takes says nothing
// about any key.
//
// Every key has an id, which is no secret and by which lists, logs and [Ring.Revoke]
// name it; scopes, which say what it is good for; and an end, 30 days from its
// beginning unless the host says otherwise.
//
// # Where keys are kept
//
// [Memory] keeps them as long as the process lasts; [File] in a file that several
// processes of one machine may use at once: a key that one revokes is refused by all
// from then on. A host with a database implements [Store].
//
// How many wrong keys somebody may try is for the carrier to limit.
package keys
