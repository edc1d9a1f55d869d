package trace

import (
	"fmt"
	"io"
	"reflect"
)

// record describes one type of record to the functions of this file.
type record struct {
	version string
	coder   coder
}

var (
	traceRecord  = record{Version, coderOf(reflect.TypeFor[Trace]())}
	sampleRecord = record{SampleVersion, coderOf(reflect.TypeFor[Sample]())}
)

// Append appends the canonical form of t, one line without its end. An empty
// version is written as [Version]. It fails if t holds what no record can: a
// word outside of its closed set, a float that is not a number, an unknown field
// with the name of a known one, another version.
func Append(dst []byte, t *Trace) ([]byte, error) {
	r := *t
	r.Version = versionOr(r.Version, Version)
	return traceRecord.append(dst, r.Version, reflect.ValueOf(&r).Elem())
}

// AppendSample is [Append] for samples. Empty versions are filled in, also the
// one of the trace.
func AppendSample(dst []byte, s *Sample) ([]byte, error) {
	r := *s
	r.Version = versionOr(r.Version, SampleVersion)
	r.Trace.Version = versionOr(r.Trace.Version, Version)
	if err := checkVersion(r.Trace.Version, Version); err != nil {
		return nil, err
	}
	return sampleRecord.append(dst, r.Version, reflect.ValueOf(&r).Elem())
}

// Encode writes the canonical form of t and the end of the line in one call of
// Write, so that records appended to a file by several writers do not mix.
func Encode(w io.Writer, t *Trace) error { return encodeLine(w, t, Append) }

// EncodeSample is [Encode] for samples.
func EncodeSample(w io.Writer, s *Sample) error { return encodeLine(w, s, AppendSample) }

// Decode reads one line. It reports the problems of the text and those of
// [Trace.Check]. It fails if the line is not JSON, if its version is not
// [Version], or if a field is missing or has a value that it cannot have.
func Decode(line []byte) (*Trace, []Problem, error) {
	t := new(Trace)
	problems, err := traceRecord.decode(reflect.ValueOf(t).Elem(), line)
	if err != nil {
		return nil, nil, err
	}
	return t, mergeProblems(problems, t.Check()), nil
}

// DecodeSample is [Decode] for samples.
func DecodeSample(line []byte) (*Sample, []Problem, error) {
	s := new(Sample)
	problems, err := sampleRecord.decode(reflect.ValueOf(s).Elem(), line)
	if err == nil {
		err = checkVersion(s.Trace.Version, Version)
	}
	if err != nil {
		return nil, nil, err
	}
	return s, mergeProblems(problems, s.Check()), nil
}

func (r record) append(dst []byte, version string, src reflect.Value) ([]byte, error) {
	if err := checkVersion(version, r.version); err != nil {
		return nil, err
	}
	return r.coder.encode(dst, src)
}

func (r record) decode(dst reflect.Value, line []byte) ([]Problem, error) {
	v, problems, err := ParseValue(line)
	if err != nil {
		return nil, err
	}
	if v.Kind() != KindObject {
		return nil, wrongKind("an object", v)
	}
	// The version comes first: fields of another version mean other things.
	if err := checkVersion(v.Get("version").Text(), r.version); err != nil {
		return nil, err
	}
	return problems, r.coder.decode(dst, v)
}

func versionOr(version, otherwise string) string {
	if version == "" {
		return otherwise
	}
	return version
}

func checkVersion(got, want string) error {
	switch got {
	case want:
		return nil
	case "":
		return fmt.Errorf("the record has no version, so it is not a %s", want)
	}
	return fmt.Errorf("version %s is not supported; this program reads %s", quote(got), quote(want))
}

func encodeLine[T any](w io.Writer, r *T, appendTo func([]byte, *T) ([]byte, error)) error {
	line, err := appendTo(nil, r)
	if err != nil {
		return fmt.Errorf("encode record: %w", err)
	}
	if _, err := w.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("write record: %w", err)
	}
	return nil
}
