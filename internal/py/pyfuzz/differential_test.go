package pyfuzz_test

import (
	"errors"
	"testing"

	"gauntlet/internal/py"
	"gauntlet/internal/py/pyfuzz"
	"gauntlet/internal/py/stdlib"
	"gauntlet/internal/py/syntax"
)

// interp runs a program in our interpreter.
func interp(src string) pyfuzz.Result {
	out, err := stdlib.RunSource(src)
	r := pyfuzz.Result{Stdout: out}
	var raised *py.Raised
	var limit *py.LimitError
	var rejected *syntax.Error
	switch {
	case err == nil:
	case errors.As(err, &raised):
		r.ErrorType, r.ErrorMessage = py.TypeName(raised.Exc), py.ExcMessage(raised.Exc)
	case errors.As(err, &limit):
		r.ErrorType, r.ErrorMessage = pyfuzz.Timeout, limit.Error()
	case errors.As(err, &rejected) && rejected.Refused:
		r.ErrorType, r.ErrorMessage = pyfuzz.Refused, rejected.Msg
	default:
		r.ErrorType, r.ErrorMessage = pyfuzz.CompileError, err.Error()
	}
	return r
}

// TestDifferential compares our interpreter with CPython:
//
//	go test ./internal/py/pyfuzz -run TestDifferential -fuzzn=50000 -fuzzseed=1
//
// -fuzzareas=str,dict draws from those grammar files only, and -fuzzreport=50
// minimises and prints more kinds of differences.
func TestDifferential(t *testing.T) {
	pyfuzz.FlagConfig().Run(t, interp)
}
