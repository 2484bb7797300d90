// Command gallery writes one HTML page with pictures of every game: positions as a seat or a spectator sees them, light and dark, large and 240
// pixels wide, and what the same positions look like on a terminal.
//
//	go run . > gallery.html
//	go run . chess > gallery.html
//
// With a word it shows only scenes that have it in their titles.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
)

func main() {
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: gallery [WORD] > gallery.html\n\nWith a word it shows only scenes that have it in their titles.")
	}
	flag.Parse()
	shots, err := shots(flag.Arg(0))
	if err != nil {
		log.Fatal(err)
	}
	if _, err := os.Stdout.Write(page(shots)); err != nil {
		log.Fatal(err)
	}
}
