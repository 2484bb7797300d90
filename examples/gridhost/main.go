// Command gridhost is a whole host of the Grid arena: agents begin matches against its opponents and play them by polling, see
// docs/openapi/gridarena.yaml. With -data all that counts outlives the process, however that ends: keys, quotas, matches at play and the
// answers to requests that are sent again.
//
//	go run ./examples/gridhost -data DIR -key my-solver
//
// It listens on loopback and speaks no TLS: on the internet it stands behind a proxy that does (-proxy says which addresses are the proxy's).
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/matchreferee/arena/games/grid/house"
)

type options struct {
	addr      string
	data      string
	opponents []string
	heavy     bool
	nodes     int
	starts    int
	pace      time.Duration
	rate      int
	key       string
	proxies   []netip.Prefix
}

func parse(args []string, errOut io.Writer) (options, error) {
	var o options
	f := flag.NewFlagSet("gridhost", flag.ContinueOnError)
	f.SetOutput(errOut)
	f.StringVar(&o.addr, "addr", "127.0.0.1:8080", "the `address` to listen on; port 0 means any free one")
	f.StringVar(&o.data, "data", "", "the `folder` of all that is kept; none: in memory, and lost at the end")
	opponents := f.String("opponents", strings.Join(house.Names(), ","), "whom agents can play against")
	f.BoolVar(&o.heavy, "heavy", false, "allow matches against heavy opponents: hell_v2, and hell_v3 where it is not gated")
	f.IntVar(&o.nodes, "nodes", 0, "how many nodes opponents look at for a move, for quick tests; 0: their own number")
	f.IntVar(&o.starts, "starts", 0, "so many matches a day, and at once, of each account and of all; 0: what the Grid arena allows")
	f.DurationVar(&o.pace, "pace", 0, "how long an agent waits between two looks while its opponent thinks; 0: 2 s")
	f.IntVar(&o.rate, "rate", 0, "how many requests a second an account and an address may send; 0: what is the default")
	f.StringVar(&o.key, "key", "", "issue a key for this `agent` and print it: for first steps and tests")
	proxy := f.String("proxy", "", "networks of the reverse proxy, as 10.0.0.0/8")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if f.NArg() > 0 {
		return o, fmt.Errorf("what is %q?", f.Arg(0))
	}
	if *opponents != "" {
		o.opponents = strings.Split(*opponents, ",")
	}
	for one := range strings.SplitSeq(*proxy, ",") {
		if one == "" {
			continue
		}
		p, err := netip.ParsePrefix(one)
		if err != nil {
			return o, fmt.Errorf("-proxy: %w", err)
		}
		o.proxies = append(o.proxies, p)
	}
	return o, nil
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	o, err := parse(os.Args[1:], os.Stderr)
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	if err == nil {
		err = run(ctx, o, os.Stdout, os.Stderr)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "gridhost:", err)
		os.Exit(1)
	}
}

// run serves until the context ends. It prints "base URL" when it is ready and, where a key is wanted, "key KEY" before.
func run(ctx context.Context, o options, out, errOut io.Writer) (err error) {
	h, err := newHost(ctx, o, errOut)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, h.close()) }()
	if o.key != "" {
		if err := h.issue(ctx, o.key, out); err != nil {
			return err
		}
	}
	l, err := net.Listen("tcp", o.addr)
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.Handle("/api/benchmarks", h.polls)
	mux.Handle("/api/benchmarks/", h.polls)
	server := &http.Server{
		Handler: mux, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 30 * time.Second, WriteTimeout: 30 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 16 << 10,
	}
	server.RegisterOnShutdown(h.polls.Drain)
	served := make(chan error, 1)
	go func() { served <- server.Serve(l) }()
	fmt.Fprintf(out, "base http://%s\n", l.Addr())
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
	}
	last, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	return server.Shutdown(last)
}
