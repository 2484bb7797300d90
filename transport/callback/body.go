package callback

import "io"

// readBody reads a body up to its end, or to one byte more than limit. length is
// what the header says, below 0 where it says nothing.
func readBody(r io.Reader, length int64, limit int) ([]byte, error) {
	size := 512
	if length >= 0 {
		size = int(min(length, 16<<10)) + 1 // what is announced need not come
	}
	b := make([]byte, 0, min(size, limit+1))
	for len(b) <= limit {
		if len(b) == cap(b) {
			b = append(make([]byte, 0, min(2*cap(b), limit+1)), b...)
		}
		n, err := r.Read(b[len(b):cap(b)])
		b = b[:len(b)+n]
		if err == io.EOF {
			return b, nil
		}
		if err != nil {
			return nil, err
		}
	}
	return b, nil
}
