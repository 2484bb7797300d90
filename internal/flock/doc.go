// Package flock lets one process at a time write to a file: by a lock that ends
// with the process, or not at all where the system has none.
package flock
