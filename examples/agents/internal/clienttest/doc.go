// Package clienttest runs clients of the Grid arena, whatever language they are written in, as the processes that they are: against a server of
// its own that takes every word of the protocol strictly and fails on purpose, and against the real one.
package clienttest
