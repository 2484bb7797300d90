package translog

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"strings"
)

// maxFile bounds what is read of a file of a log: a bundle of the longest entries.
const maxFile = width * (maxEntry + 2)

// HTTP reads a log from below a URL, by a client of the caller's, whose time-out
// and redirects are its own; nil is [http.DefaultClient].
func HTTP(client *http.Client, base string) Fetch {
	if client == nil {
		client = http.DefaultClient
	}
	return func(ctx context.Context, path string) ([]byte, error) {
		url := strings.TrimSuffix(base, "/") + "/" + path
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		if err != nil {
			return nil, fmt.Errorf("translog: %w", err)
		}
		resp, err := client.Do(req)
		if err != nil {
			return nil, fmt.Errorf("translog: %w", err)
		}
		defer resp.Body.Close()
		switch resp.StatusCode {
		case http.StatusOK:
		case http.StatusNotFound, http.StatusGone:
			return nil, fmt.Errorf("translog: %s: %w", url, fs.ErrNotExist)
		default:
			return nil, fmt.Errorf("translog: %s: status %d", url, resp.StatusCode)
		}
		b, err := readAll(resp.Body)
		if err != nil {
			return nil, fmt.Errorf("translog: %s: %w", url, err)
		}
		return b, nil
	}
}

// readAll reads a file of a log.
func readAll(r io.Reader) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(r, maxFile+1))
	if err == nil && len(b) > maxFile {
		err = errors.New("too long")
	}
	return b, err
}
