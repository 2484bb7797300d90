package jsontext

import "strconv"

// AppendInt appends a whole number.
func AppendInt[N ~int | ~int8 | ~int32 | ~int64](dst []byte, n N) []byte {
	return strconv.AppendInt(dst, int64(n), 10)
}

// AppendList appends an array of what item appends, which is never null.
func AppendList[N any](dst []byte, list []N, item func([]byte, N) []byte) []byte {
	dst = append(dst, '[')
	for i, n := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = item(dst, n)
	}
	return append(dst, ']')
}

// AppendRaw appends what is JSON already, null where it is nothing.
func AppendRaw[T ~[]byte](dst []byte, raw T) []byte {
	if len(raw) == 0 {
		return append(dst, "null"...)
	}
	return append(dst, raw...)
}
