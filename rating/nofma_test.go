package rating

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// fused finds the instructions of arm64 that multiply and add with one rounding.
var fused = regexp.MustCompile(`\tF(?:N?MADD|N?MSUB|MLA|MLS)[DS]?\t`)

// fusedFunctions compiles a package for arm64 and gives the functions in which the compiler fused a product with a sum, each with its
// first such line. functions counts all that were compiled.
func fusedFunctions(t *testing.T, pkg string) (found []string, functions int) {
	t.Helper()
	cmd := exec.Command("go", "build", "-gcflags=-S", pkg)
	cmd.Env = append(cmd.Environ(), "GOARCH=arm64", "GOOS=linux", "CGO_ENABLED=0")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%.2000s", cmd, err, out)
	}
	name := ""
	for line := range bytes.Lines(out) {
		if s := string(line); s[0] != '\t' {
			name, _, _ = strings.Cut(s, " ")
			if strings.Contains(s, "STEXT") {
				functions++
			}
		} else if fused.MatchString(s) && (len(found) == 0 || !strings.HasPrefix(found[len(found)-1], name+": ")) {
			found = append(found, name+": "+strings.TrimSpace(s))
		}
	}
	return found, functions
}

// TestNoFusedProducts holds the package to what makes its numbers the same on amd64 and arm64.
func TestNoFusedProducts(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the package for arm64")
	}
	found, functions := fusedFunctions(t, ".")
	if functions < 50 {
		t.Errorf("only %d functions were compiled", functions)
	}
	for _, f := range found {
		t.Errorf("a fused product in %s", f)
	}
}

// TestFusedProductsAreFound shows that the check catches a product that is fused, also across statements, and leaves rounded ones alone.
func TestFusedProductsAreFound(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a package for arm64")
	}
	found, functions := fusedFunctions(t, "./"+filepath.Join("testdata", "fused"))
	var names []string
	for _, f := range found {
		name, _, _ := strings.Cut(f, ":")
		names = append(names, name[strings.LastIndex(name, ".")+1:])
	}
	if want := []string{"across", "minus", "negated", "planted"}; !slices.Equal(slices.Sorted(slices.Values(names)), want) {
		t.Errorf("fused products are found in %v, want %v", names, want)
	}
	if functions != 6 {
		t.Errorf("%d functions were compiled, want 6", functions)
	}
}
