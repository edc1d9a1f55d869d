package store

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"sync"
)

// The encodings of stored traces.
const (
	plain  = ""
	zipped = "gzip"
)

// codec compresses traces. Its zero value is ready, and safe for concurrent use.
type codec struct {
	writers sync.Pool // of *gzip.Writer, which are large
}

// pack returns the smaller of raw itself and its compressed form, and which it is.
// Traces are mostly JSON, and text compresses to a fifth at the fastest level.
func (c *codec) pack(raw []byte) (encoding string, data []byte, err error) {
	var buffer bytes.Buffer
	w, reused := c.writers.Get().(*gzip.Writer)
	if reused {
		w.Reset(&buffer)
	} else if w, err = gzip.NewWriterLevel(&buffer, gzip.BestSpeed); err != nil {
		return "", nil, fmt.Errorf("compress trace: %w", err)
	}
	defer c.writers.Put(w)
	if _, err := w.Write(raw); err != nil {
		return "", nil, fmt.Errorf("compress trace: %w", err)
	}
	if err := w.Close(); err != nil {
		return "", nil, fmt.Errorf("compress trace: %w", err)
	}
	if buffer.Len() >= len(raw) {
		return plain, raw, nil
	}
	return zipped, buffer.Bytes(), nil
}

// unpack reverses pack. The size is that of the raw trace; data that does not
// have it is an error, and so is any damage that the checksum shows.
func unpack(encoding string, size int64, data []byte) ([]byte, error) {
	if size < 0 || size > MaxDocument {
		return nil, fmt.Errorf("decompress trace: a size of %d bytes", size)
	}
	switch encoding {
	case plain:
		if int64(len(data)) != size {
			return nil, fmt.Errorf("read trace: %d bytes instead of %d", len(data), size)
		}
		return data, nil
	case zipped:
		r, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			return nil, fmt.Errorf("decompress trace: %w", err)
		}
		// One more byte than announced: room to notice a longer one.
		var raw bytes.Buffer
		raw.Grow(int(min(size, 16<<20)))
		if _, err := io.Copy(&raw, io.LimitReader(r, size+1)); err != nil {
			return nil, fmt.Errorf("decompress trace: %w", err)
		}
		if int64(raw.Len()) != size {
			return nil, fmt.Errorf("decompress trace: not of the stated %d bytes", size)
		}
		return raw.Bytes(), nil
	}
	return nil, fmt.Errorf("decompress trace: encoding %q is unknown", encoding)
}
