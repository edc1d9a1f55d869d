package suite

import (
	"fmt"
	"regexp"
	"strconv"

	"gauntlet/internal/trace"
)

// reference is the form of a string argument that stands for an earlier result.
var reference = regexp.MustCompile(`^\$\{(\d+):(/[^}]*|)\}$`)

// IsReference reports whether an argument, or a part of one, stands for a value in
// an earlier result; see [Call].
func IsReference(v trace.Value) bool {
	return v.Kind() == trace.KindString && reference.MatchString(v.Text())
}

// Resolve returns planned arguments with each reference replaced by the value that
// it stands for in results, the results of the calls made so far. A reference to a
// result that is not there yet, or to nothing in it, is an error.
func Resolve(v trace.Value, results []trace.Value) (trace.Value, error) {
	switch v.Kind() {
	case trace.KindString:
		return resolveText(v, results)
	case trace.KindArray:
		items := make([]trace.Value, v.Len())
		for i := range items {
			x, err := Resolve(v.Index(i), results)
			if err != nil {
				return v, err
			}
			items[i] = x
		}
		return trace.Array(items...), nil
	case trace.KindObject:
		var fields []trace.Field
		for _, f := range v.Fields() {
			x, err := Resolve(f.Value, results)
			if err != nil {
				return v, err
			}
			fields = append(fields, trace.Field{Key: f.Key, Value: x})
		}
		return trace.Object(fields...), nil
	}
	return v, nil
}

func resolveText(v trace.Value, results []trace.Value) (trace.Value, error) {
	m := reference.FindStringSubmatch(v.Text())
	if m == nil {
		return v, nil
	}
	n, err := strconv.Atoi(m[1])
	if err != nil || n < 1 || n > len(results) {
		return v, fmt.Errorf("reference %s: there is no result %s yet", v.Text(), m[1])
	}
	x := results[n-1].Pointer(m[2])
	if !x.Exists() {
		return v, fmt.Errorf("reference %s: result %d has nothing at %q", v.Text(), n, m[2])
	}
	return x, nil
}
