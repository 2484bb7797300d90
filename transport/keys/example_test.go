package keys_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport"
	"github.com/matchreferee/arena/transport/keys"
)

// A host issues a key on its own pages, shows it once, and gives the ring to its
// carriers, which ask it about each request.
func Example() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	store, err := keys.OpenFile(filepath.Join(dir, "keys"))
	if err != nil {
		log.Fatal(err)
	}
	defer store.Close()
	ring, err := keys.New(store, keys.Options{Prefix: "lcb_"})
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()

	secret, info, err := ring.Issue(ctx, keys.Request{
		Agent: referee.Agent{Slug: "my-solver", Name: "My solver"}, Account: "ann", Scopes: []string{transport.ScopeBenchmark},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(secret, len(secret.Reveal())) // in a log it is safe

	grant, err := ring.Authenticate(ctx, secret.Reveal())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(grant.Account, grant.Agent.Slug, grant.May(transport.ScopeBenchmark), grant.May(transport.ScopePlay))

	if err := ring.Revoke(ctx, info.ID); err != nil {
		log.Fatal(err)
	}
	_, err = ring.Authenticate(ctx, secret.Reveal())
	fmt.Println(errors.Is(err, transport.ErrKey))
	// Output:
	// [key] 52
	// ann my-solver true false
	// true
}
