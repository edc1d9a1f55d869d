// Package libm computes the elementary functions of Python's math module with
// results that do not depend on the machine.
//
// Go's math package differs from the C library that CPython calls in the last
// digits, and its results may differ between processors, since Go fuses
// multiplications with additions where the processor can. Most functions here
// are correctly rounded instead: they compute about 100 bits in double-double
// arithmetic (a number is the sum of two float64) and round once. The C
// library's own error is little more than half a unit in the last place for
// exp, log, pow and the trigonometric functions, so the two agree on 99.9 % of
// all arguments; libm_test.go measures it. Where the C library is less exact
// (log10, the hyperbolic functions, gamma) its formulas are followed, and the
// agreement is as good. Exceptions: erf and erfc (97 and 90 %) and cbrt (50 %,
// correctly rounded here) differ in the last digit.
//
// Arguments follow IEEE 754 and C99 annex F: a NaN gives a NaN, overflow gives
// an infinity and a pole gives an infinity, all without an error. Callers turn
// these into Python's exceptions.
//
//	dd.go          double-double arithmetic and rounding
//	explog.go      exp, log, pow, cbrt
//	hyperbolic.go  expm1, log1p, sinh and the like, erf
//	trig.go        sin, cos, tan and their inverses, hypot
//	gamma.go       gamma and lgamma
//
// Source of the arithmetic: T. J. Dekker, "A floating-point technique for
// extending the available precision" (1971), and D. E. Knuth, The Art of
// Computer Programming, volume 2, 4.2.2.
package libm
