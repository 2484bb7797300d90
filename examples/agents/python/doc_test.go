// Package python_test runs the agent of this folder as the process that it is.
package python_test
