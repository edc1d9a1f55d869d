package trace

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
)

// MaxLine is the greatest length of a line in bytes (256 MiB). It bounds the
// memory that a hostile file can take; the end of the line counts.
const MaxLine = 256 << 20

// ErrTruncated is the error of a last line that ends in the middle of a record,
// as a process leaves it that is killed while it writes. The lines before it are
// whole.
var ErrTruncated = errors.New("the last line is cut off")

// LineError is an error with its place in a file.
type LineError struct {
	Name string // of the file; may be empty
	Line int    // from 1
	Err  error
}

// Error returns "traces.jsonl:3: message".
func (e *LineError) Error() string {
	if e.Name == "" {
		return fmt.Sprintf("line %d: %v", e.Line, e.Err)
	}
	return fmt.Sprintf("%s:%d: %v", e.Name, e.Line, e.Err)
}

// Unwrap returns the error without its place.
func (e *LineError) Unwrap() error { return e.Err }

// Reader reads records from JSON Lines. Empty lines are skipped.
type Reader[T any] struct {
	in       *bufio.Reader
	name     string
	decode   func([]byte) (*T, []Problem, error)
	maxLine  int
	line     int
	buf      []byte
	problems []Problem
	failed   error // of the underlying reader
}

// NewReader returns a reader of traces. The name of the file is used in errors
// and may be empty.
func NewReader(r io.Reader, name string) *Reader[Trace] {
	return &Reader[Trace]{in: bufio.NewReader(r), name: name, maxLine: MaxLine, decode: Decode}
}

// NewSampleReader returns a reader of samples.
func NewSampleReader(r io.Reader, name string) *Reader[Sample] {
	return &Reader[Sample]{in: bufio.NewReader(r), name: name, maxLine: MaxLine, decode: DecodeSample}
}

// Next returns the next record, or io.EOF after the last one. Other errors are
// of type [*LineError]. After a bad line Next goes on with the line after it;
// after an error of the underlying reader it returns that error again.
func (r *Reader[T]) Next() (*T, error) {
	for {
		line, ended, err := r.readLine()
		if errors.Is(err, io.EOF) {
			return nil, io.EOF
		}
		if err != nil {
			return nil, r.wrap(err)
		}
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		record, problems, err := r.decode(line)
		if _, ok := errors.AsType[*SyntaxError](err); ok && !ended {
			err = fmt.Errorf("%w: %w", ErrTruncated, err)
		}
		if err != nil {
			return nil, r.wrap(err)
		}
		r.problems = problems
		return record, nil
	}
}

// All returns the records and errors of the rest of the file, for use in a for
// statement. It stops at the end of the file and after an error of the
// underlying reader; after a bad line it goes on if the loop does.
func (r *Reader[T]) All() iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		for {
			record, err := r.Next()
			if errors.Is(err, io.EOF) || !yield(record, err) || isReadError(err) {
				return
			}
		}
	}
}

// Line returns the number of the line that was read last, from 1.
func (r *Reader[T]) Line() int { return r.line }

// Problems returns the problems of the record that Next returned last.
func (r *Reader[T]) Problems() []Problem { return r.problems }

func (r *Reader[T]) wrap(err error) error {
	r.problems = nil
	return &LineError{Name: r.name, Line: r.line, Err: err}
}

// readError marks an error of the underlying reader.
type readError struct{ err error }

func (e *readError) Error() string { return "read: " + e.err.Error() }
func (e *readError) Unwrap() error { return e.err }

func isReadError(err error) bool {
	_, ok := errors.AsType[*readError](err)
	return ok
}

// readLine returns the next line without its end, and whether it had one. The
// line is valid until the next call.
func (r *Reader[T]) readLine() (line []byte, ended bool, err error) {
	if r.failed != nil {
		return nil, false, r.failed
	}
	r.buf = r.buf[:0]
	r.line++
	long := false
	for {
		part, err := r.in.ReadSlice('\n')
		if long = long || len(r.buf)+len(part) > r.maxLine; !long {
			r.buf = append(r.buf, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && !errors.Is(err, io.EOF):
			r.failed = &readError{err}
			return nil, false, r.failed
		case long:
			return nil, false, fmt.Errorf("the line is longer than %d bytes", r.maxLine)
		case err == io.EOF && len(r.buf) == 0:
			r.line--
			return nil, false, io.EOF
		}
		line, ended = bytes.CutSuffix(r.buf, []byte("\n"))
		if r.line == 1 {
			line = bytes.TrimPrefix(line, []byte("\ufeff")) // the mark that some editors write
		}
		return line, ended, nil
	}
}
