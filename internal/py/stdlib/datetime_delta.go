package stdlib

import (
	"cmp"
	"fmt"
	"math"
	"math/big"

	"gauntlet/internal/py"
	"gauntlet/internal/py/syntax"
)

const maxDeltaDays = 999999999

// finishDelta attaches the constructor and methods of datetime.timedelta.
func finishDelta() {
	deltaType.New = newDeltaFromArgs
	deltaType.Finish(
		py.Member{Name: "min", Value: &pyDelta{days: -maxDeltaDays}},
		py.Member{Name: "max", Value: &pyDelta{maxDeltaDays, daySeconds - 1, 999999}},
		py.Member{Name: "resolution", Value: &pyDelta{micros: 1}},
		intGetter("days", func(v py.Value) int { d, _ := asDelta(v); return d.days }),
		intGetter("seconds", func(v py.Value) int { d, _ := asDelta(v); return d.seconds }),
		intGetter("microseconds", func(v py.Value) int { d, _ := asDelta(v); return d.micros }),
		py.Def("total_seconds", "/", func(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			d, _ := asDelta(self)
			return d.totalSeconds(t)
		}),
		py.Def("__repr__", "/", func(_ *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			d, _ := asDelta(self)
			return py.NewStr(longTypeName(self) + "(" + d.fields() + ")"), nil
		}),
		py.Def("__str__", "/", func(_ *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			d, _ := asDelta(self)
			return py.NewStr(d.text()), nil
		}),
		py.Def("__hash__", "/", func(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			d, _ := asDelta(self)
			h, err := d.hash(t)
			return py.Int(h), err
		}),
		py.Def("__bool__", "/", func(_ *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			d, _ := asDelta(self)
			return py.Bool(*d != pyDelta{}), nil
		}),
	)
	deltaType.Finish(deltaArithmetic()...)
	deltaType.Finish(comparisons(func(_ *py.Thread, _ syntax.CmpOp, self, other py.Value) (int, py.Value, error) {
		e, ok := asDelta(other)
		if !ok {
			return 0, py.NotImplemented, nil
		}
		d, _ := asDelta(self)
		return d.compare(e), nil, nil
	})...)
}

// unitMicros gives the microseconds of each parameter of timedelta(), in the
// order in which they are added up.
var unitMicros = [...]struct {
	name   string
	at     int // position among the parameters
	micros int64
}{
	{"microseconds", 2, 1}, {"milliseconds", 3, 1000}, {"seconds", 1, 1e6}, {"minutes", 4, 60e6},
	{"hours", 5, 3600e6}, {"days", 0, daySeconds * 1e6}, {"weeks", 6, 7 * daySeconds * 1e6},
}

var deltaParams = []string{"days", "seconds", "microseconds", "milliseconds", "minutes", "hours", "weeks"}

// newDeltaFromArgs sums the parts exactly: whole units as integers, fractions
// of a microsecond as one float that is rounded half to even at the end.
func newDeltaFromArgs(t *py.Thread, cls *py.Type, args []py.Value, kw []py.Kw) (py.Value, error) {
	var parts [7]py.Value
	err := parseArgs("__new__", deltaParams, 0, args, kw, func(i int, v py.Value) error {
		parts[i] = v
		return nil
	})
	if err != nil {
		return nil, err
	}
	sum, rest := new(big.Int), 0.0
	for _, u := range unitMicros {
		if parts[u.at] == nil {
			continue
		}
		if err := addPart(t, sum, &rest, parts[u.at], u.name, u.micros); err != nil {
			return nil, err
		}
	}
	if rest != 0 {
		whole := math.Round(rest)
		if math.Abs(whole-rest) == 0.5 {
			odd := float64(sum.Bit(0))
			whole = 2*math.Round((rest+odd)*0.5) - odd
		}
		sum.Add(sum, big.NewInt(int64(whole)))
	}
	d, err := deltaFromMicros(sum)
	if err != nil {
		return nil, err
	}
	return wrapAs(cls, d), nil
}

// addPart adds v units of the given size to sum and the fraction of a
// microsecond that is left to rest.
func addPart(t *py.Thread, sum *big.Int, rest *float64, v py.Value, name string, micros int64) error {
	unit := big.NewInt(micros)
	if n, ok := t.AsBigInt(v); ok {
		if err := t.Charge(n.BitLen() >> 6); err != nil {
			return err
		}
		sum.Add(sum, unit.Mul(unit, n))
		return nil
	}
	f, ok := py.Unwrap(v).(py.Float)
	if !ok {
		return py.TypeErrorf("unsupported type for timedelta %s component: %s", name, longTypeName(v))
	}
	switch x := float64(f); {
	case math.IsNaN(x):
		return py.ValueErrorf("cannot convert float NaN to integer")
	case math.IsInf(x, 0):
		return py.OverflowErrorf("cannot convert float infinity to integer")
	}
	whole, frac := math.Modf(float64(f))
	n, _ := new(big.Float).SetFloat64(whole).Int(nil)
	sum.Add(sum, n.Mul(n, unit))
	whole, frac = math.Modf(frac * float64(micros))
	sum.Add(sum, big.NewInt(int64(whole)))
	*rest += frac
	return nil
}

// newDelta normalises its arguments, which may be of any sign.
func newDelta(days, seconds, micros int) (*pyDelta, error) {
	seconds += floorDiv(micros, 1e6)
	days += floorDiv(seconds, daySeconds)
	d := &pyDelta{days, floorMod(seconds, daySeconds), floorMod(micros, 1e6)}
	if d.days < -maxDeltaDays || d.days > maxDeltaDays {
		return nil, py.OverflowErrorf("days=%d; must have magnitude <= %d", d.days, maxDeltaDays)
	}
	return d, nil
}

var microsPerDay = big.NewInt(daySeconds * 1e6)

// deltaFromMicros makes the timedelta of that many microseconds.
func deltaFromMicros(n *big.Int) (*pyDelta, error) {
	days, rest := new(big.Int).DivMod(n, microsPerDay, new(big.Int))
	if !days.IsInt64() || days.Int64() > math.MaxInt32 || days.Int64() < math.MinInt32 {
		return nil, py.OverflowErrorf("Python int too large to convert to C int")
	}
	return newDelta(int(days.Int64()), 0, int(rest.Int64()))
}

// total is the length in microseconds; it may exceed 64 bits.
func (d *pyDelta) total() *big.Int {
	n := new(big.Int).Mul(big.NewInt(int64(d.days)), microsPerDay)
	return n.Add(n, big.NewInt(int64(d.seconds)*1e6+int64(d.micros)))
}

func (d *pyDelta) totalSeconds(t *py.Thread) (py.Value, error) {
	return t.BinaryOp(syntax.Div, py.MakeInt(d.total()), py.Int(1e6))
}

func (d *pyDelta) hash(t *py.Thread) (int64, error) {
	return t.HashInt(py.NewTuple(py.Int(d.days), py.Int(d.seconds), py.Int(d.micros)))
}

func (d *pyDelta) compare(e *pyDelta) int {
	return cmp.Or(cmp.Compare(d.days, e.days), cmp.Compare(d.seconds, e.seconds), cmp.Compare(d.micros, e.micros))
}

// fields lists the parts that are not zero, as the repr does.
func (d *pyDelta) fields() string {
	s := ""
	for _, f := range []struct {
		name string
		n    int
	}{{"days", d.days}, {"seconds", d.seconds}, {"microseconds", d.micros}} {
		if f.n != 0 {
			if s != "" {
				s += ", "
			}
			s += fmt.Sprintf("%s=%d", f.name, f.n)
		}
	}
	if s == "" {
		return "0"
	}
	return s
}

// repr is the repr of a plain timedelta.
func (d *pyDelta) repr() string { return "datetime.timedelta(" + d.fields() + ")" }

// text is the str: "1 day, 2:03:04.000005".
func (d *pyDelta) text() string {
	s := fmt.Sprintf("%d:%02d:%02d", d.seconds/3600, d.seconds/60%60, d.seconds%60)
	if d.micros != 0 {
		s += fmt.Sprintf(".%06d", d.micros)
	}
	switch d.days {
	case 0:
		return s
	case 1, -1:
		return fmt.Sprintf("%d day, %s", d.days, s)
	}
	return fmt.Sprintf("%d days, %s", d.days, s)
}

func (d *pyDelta) add(e *pyDelta) (*pyDelta, error) {
	return newDelta(d.days+e.days, d.seconds+e.seconds, d.micros+e.micros)
}

func (d *pyDelta) sub(e *pyDelta) (*pyDelta, error) {
	return newDelta(d.days-e.days, d.seconds-e.seconds, d.micros-e.micros)
}

func floorDiv(a, b int) int {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// floorMod is a modulo b for b > 0; the result is never negative.
func floorMod(a, b int) int { return a - b*floorDiv(a, b) }
