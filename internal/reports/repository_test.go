package reports

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/matchreferee/arena/internal/repo"
)

func TestRepository(t *testing.T) {
	root, err := repo.Root()
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(root, "testdata", "reports.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	reports, err := Read(data)
	if err != nil {
		t.Fatal(err)
	}
	if len(reports) < 18 {
		t.Errorf("%d reports; a promise was taken back", len(reports))
	}
	dirs, err := repo.Dirs(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range Check(reports, dirs) {
		t.Error(line)
	}
}
