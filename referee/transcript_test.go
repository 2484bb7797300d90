package referee_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write testdata/*.txt anew")

// TestTranscripts plays the scenarios of testdata/*.txt. A file is a list of blocks: lines of input, ----, what came out, an empty line.
// Input is one step a line, its time in milliseconds first; see [table].run. go test -update writes the outputs anew.
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) < 12 {
		t.Fatalf("%d transcripts: %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got := replayed(t, string(data))
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(strings.Split(string(data), "\n"), strings.Split(got, "\n")); diff != "" {
				t.Errorf("(-file +now)\n%s", diff)
			}
		})
	}
}

// replayed runs a transcript's inputs and writes it with the outputs of now.
func replayed(t *testing.T, text string) string {
	var out strings.Builder
	stage := &stage{t: t}
	for block := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		input, _, ok := strings.Cut(block+"\n", "----\n")
		if !ok {
			out.WriteString(strings.TrimSpace(block) + "\n\n") // a comment
			continue
		}
		out.WriteString(input + "----\n")
		for line := range strings.SplitSeq(strings.TrimSpace(input), "\n") {
			if line != "" && line[0] != '#' {
				stage.run(&out, line)
			}
		}
		out.WriteString("\n")
	}
	if stage.m == nil {
		t.Fatal("the transcript has no match")
	}
	return strings.TrimRight(out.String(), "\n") + "\n"
}
