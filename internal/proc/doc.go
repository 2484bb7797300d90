// Package proc is what all who run programs of others need: to end them with whatever they started, and to keep their last words.
package proc
