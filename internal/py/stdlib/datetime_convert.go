package stdlib

import (
	"math"
	"time"

	"gauntlet/internal/py"
	"gauntlet/internal/py/syntax"
)

// This file makes datetimes from clocks, timestamps and zones, and back.

// moment is a point in time in UTC.
type moment struct {
	pyDate
	clock
}

// momentOf is the virtual clock, truncated to microseconds.
func momentOf(t *py.Thread) moment {
	now := t.Clock().UTC()
	y, m, d := now.Date()
	return moment{pyDate{y, int(m), d}, clock{hour: now.Hour(), minute: now.Minute(), second: now.Second(), micro: now.Nanosecond() / 1000}}
}

// momentAt is the moment of a Unix time. The error is that of C's gmtime for
// a year that does not fit an int, or of datetime for one that is not 1..9999.
func momentAt(seconds int64, micro int) (moment, error) {
	if err := checkUnix(seconds); err != nil {
		return moment{}, err
	}
	u := time.Unix(seconds, 0).UTC()
	y, m, d := u.Date()
	x := moment{pyDate{y, int(m), d}, clock{hour: u.Hour(), minute: u.Minute(), second: u.Second(), micro: micro}}
	return x, checkDate(y, int(m), d)
}

// checkUnix refuses times whose year is outside C's int.
func checkUnix(seconds int64) error {
	if seconds > 67768036191676799 || seconds < -67768040609740800 {
		return py.RaiseArgs(py.OSErrorType, py.Int(75), py.NewStr("Value too large for defined data type"))
	}
	return nil
}

func errTimestamp() error {
	return py.OverflowErrorf("timestamp out of range for platform time_t")
}

// timestampSeconds converts a number to whole seconds, rounding down.
func timestampSeconds(t *py.Thread, v py.Value) (int64, error) {
	f, ok := py.Unwrap(v).(py.Float)
	if !ok {
		n, fits, err := wholeNumber(t, v)
		if err == nil && !fits {
			err = errTimestamp()
		}
		return n, err
	}
	if math.IsNaN(float64(f)) {
		return 0, py.ValueErrorf("Invalid value NaN (not a number)")
	}
	x := math.Floor(float64(f))
	if x < -(1<<63) || x >= 1<<63 {
		return 0, errTimestamp()
	}
	return int64(x), nil
}

// timestampParts converts a number to seconds and microseconds, rounded half
// to even.
func timestampParts(t *py.Thread, v py.Value) (seconds int64, micro int, err error) {
	f, ok := py.Unwrap(v).(py.Float)
	if !ok || math.IsNaN(float64(f)) {
		seconds, err = timestampSeconds(t, v)
		return seconds, 0, err
	}
	whole, frac := math.Modf(float64(f))
	frac = math.RoundToEven(frac * 1e6)
	if frac >= 1e6 {
		whole, frac = whole+1, frac-1e6
	} else if frac < 0 {
		whole, frac = whole-1, frac+1e6
	}
	if whole < -(1<<63) || whole >= 1<<63 {
		return 0, 0, errTimestamp()
	}
	return int64(whole), int(frac), nil
}

func datetimeClassMethods() []py.Member {
	return []py.Member{
		classMethod("now", "tz=None", func(t *py.Thread, cls *py.Type, a []py.Value) (py.Value, error) {
			tz := orNone(a[0])
			if err := tzArgument(tz); err != nil {
				return nil, err
			}
			return datetimeIn(t, cls, momentOf(t), tz)
		}),
		classMethod("utcnow", "/", func(t *py.Thread, cls *py.Type, _ []py.Value) (py.Value, error) {
			return datetimeIn(t, cls, momentOf(t), py.None)
		}),
		rawClassMethod("fromtimestamp", fromTimestamp),
		rawClassMethod("utcfromtimestamp", func(t *py.Thread, cls *py.Type, args []py.Value, kw []py.Kw) (py.Value, error) {
			if err := exactArgs("utcfromtimestamp", 1, args, kw); err != nil {
				return nil, err
			}
			return datetimeAt(t, cls, args[0], py.None)
		}),
		rawClassMethod("strptime", datetimeStrptime),
		rawClassMethod("combine", combine),
		classMethod("fromisoformat", "date_string, /", func(t *py.Thread, cls *py.Type, a []py.Value) (py.Value, error) {
			s, ok := py.AsStr(a[0])
			if !ok {
				return nil, py.TypeErrorf("fromisoformat: argument must be str")
			}
			x, err := parseIsoDatetime(s.String())
			if err != nil {
				return nil, err
			}
			if err := checkParts(nil, x.pyDate, x.clock, x.tz); err != nil {
				return nil, err
			}
			return newDatetimeAs(t, cls, x)
		}),
	}
}

// exactArgs counts the arguments of a C function that takes no keywords.
func exactArgs(name string, n int, args []py.Value, kw []py.Kw) error {
	if len(kw) > 0 {
		return py.TypeErrorf("%s() takes no keyword arguments", name)
	}
	if len(args) != n {
		return py.TypeErrorf("%s() takes exactly %d %s (%d given)", name, n, plural("argument", n), len(args))
	}
	return nil
}

func fromTimestamp(t *py.Thread, cls *py.Type, args []py.Value, kw []py.Kw) (py.Value, error) {
	var stamp py.Value
	tz := py.None
	err := parseArgs("fromtimestamp", []string{"timestamp", "tz"}, 1, args, kw, func(i int, v py.Value) error {
		if i == 0 {
			stamp = v
		} else {
			tz = v
		}
		return nil
	})
	if err == nil {
		err = tzArgument(tz)
	}
	if err != nil {
		return nil, err
	}
	x, err := datetimeAt(t, cls, stamp, tz)
	if err == nil && tz == py.None {
		if d, ok := asDatetime(x); ok {
			err = d.checkLocal()
		}
	}
	return x, err
}

// datetimeAt is the datetime of a timestamp in a zone.
func datetimeAt(t *py.Thread, cls *py.Type, stamp, tz py.Value) (py.Value, error) {
	s, micro, err := timestampParts(t, stamp)
	if err != nil {
		return nil, err
	}
	m, err := momentAt(s, micro)
	if err != nil {
		return nil, err
	}
	return datetimeIn(t, cls, m, tz)
}

// datetimeIn is the datetime of a moment in a zone, or in UTC and naive.
func datetimeIn(t *py.Thread, cls *py.Type, m moment, tz py.Value) (py.Value, error) {
	x, err := newDatetimeAs(t, cls, &pyDatetime{m.pyDate, m.clock, tz})
	if err != nil || tz == py.None {
		return x, err
	}
	return t.CallMethod(tz, "fromutc", x)
}

func combine(t *py.Thread, cls *py.Type, args []py.Value, kw []py.Kw) (py.Value, error) {
	var d *pyDate
	var c *pyTime
	var tz py.Value
	err := parseArgs("combine", []string{"date", "time", "tzinfo"}, 2, args, kw, func(i int, v py.Value) error {
		var ok bool
		switch i {
		case 0:
			if d, ok = asDate(v); !ok {
				return py.TypeErrorf("combine() argument 1 must be datetime.date, not %s", argTypeName(v))
			}
		case 1:
			if c, ok = asTime(v); !ok {
				return py.TypeErrorf("combine() argument 2 must be datetime.time, not %s", argTypeName(v))
			}
		default:
			tz = v
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if tz == nil {
		tz = c.tz
	} else if err := tzArgument(tz); err != nil {
		return nil, err
	}
	return newDatetimeAs(t, cls, &pyDatetime{*d, c.clock, tz})
}

// localZone is what CPython makes for the local zone; here that is UTC.
func localZone() *pyZone { return &pyZone{offset: &pyDelta{}, name: py.NewStr("UTC")} }

// checkLocal fails where CPython's search for the local offset leaves the
// years 1 to 9999: it looks a day back, or a day ahead when fold is set.
func (x *pyDatetime) checkLocal() error {
	o := x.ordinal()
	switch {
	case x.fold == 0 && o == 1:
		return py.ValueErrorf("year 0 is out of range")
	case x.fold == 1 && o == maxOrdinal:
		return py.ValueErrorf("year 10000 is out of range")
	}
	return nil
}

func astimezone(t *py.Thread, self py.Value, args []py.Value, kw []py.Kw) (py.Value, error) {
	x, _ := asDatetime(self)
	tz := py.None
	err := parseArgs("astimezone", []string{"tz"}, 0, args, kw, func(_ int, v py.Value) error {
		tz = v
		return nil
	})
	if err == nil {
		err = tzArgument(tz)
	}
	if err != nil {
		return nil, err
	}
	if x.tz != py.None && x.tz == tz {
		return self, nil
	}
	offset, err := tzDelta(t, x.tz, "utcoffset", self)
	if err != nil {
		return nil, err
	}
	if offset == nil {
		if err := x.checkLocal(); err != nil {
			return nil, err
		}
		offset = &pyDelta{}
	}
	if tz == py.None {
		tz = localZone()
	}
	u, err := x.plus(offset, -1)
	if err != nil {
		return nil, err
	}
	u.tz = tz
	v, err := newDatetimeAs(t, self.Type(), u)
	if err != nil {
		return nil, err
	}
	return t.CallMethod(tz, "fromutc", v)
}

func timestamp(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
	x, _ := asDatetime(self)
	offset, err := tzDelta(t, x.tz, "utcoffset", self)
	if err != nil {
		return nil, err
	}
	days := x.ordinal() - epochOrdinal
	if x.tz == py.None {
		if err := x.checkLocal(); err != nil {
			return nil, err
		}
		return py.Float(float64(days*daySeconds+x.seconds()) + float64(x.micro)/1e6), nil
	}
	if offset == nil {
		return nil, py.TypeErrorf("can't subtract offset-naive and offset-aware datetimes")
	}
	d, err := newDelta(days-offset.days, x.seconds()-offset.seconds, x.micro-offset.micros)
	if err != nil {
		return nil, err
	}
	return d.totalSeconds(t)
}

// orNone replaces an absent argument by None.
func orNone(v py.Value) py.Value {
	if v == nil {
		return py.None
	}
	return v
}

func datetimeArithmetic() []py.Member {
	add := func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
		d, ok := asDelta(a[0])
		if !ok {
			return py.NotImplemented, nil
		}
		x, _ := asDatetime(self)
		return addToDatetime(t, self.Type(), x, d, 1)
	}
	return []py.Member{
		py.Def("__add__", "other, /", add),
		py.Def("__radd__", "other, /", add),
		py.Def("__sub__", "other, /", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			x, _ := asDatetime(self)
			if d, ok := asDelta(a[0]); ok {
				return addToDatetime(t, self.Type(), x, d, -1)
			}
			return subDatetimes(t, self, a[0])
		}),
		py.Def("__rsub__", "other, /", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			return subDatetimes(t, a[0], self)
		}),
	}
}

// datetimeOffsets returns the offsets of two datetimes, both nil when they
// share a zone: then wall clock times count.
func datetimeOffsets(t *py.Thread, a, b py.Value) (p, q *pyDelta, err error) {
	x, _ := asDatetime(a)
	y, _ := asDatetime(b)
	if x.tz == y.tz {
		return nil, nil, nil
	}
	if p, err = tzDelta(t, x.tz, "utcoffset", a); err != nil {
		return nil, nil, err
	}
	q, err = tzDelta(t, y.tz, "utcoffset", b)
	return p, q, err
}

// subDatetimes is a - b for two datetimes.
func subDatetimes(t *py.Thread, a, b py.Value) (py.Value, error) {
	x, ok := asDatetime(a)
	y, also := asDatetime(b)
	if !ok || !also {
		return py.NotImplemented, nil
	}
	p, q, err := datetimeOffsets(t, a, b)
	if err != nil {
		return nil, err
	}
	if (p == nil) != (q == nil) {
		return nil, py.TypeErrorf("can't subtract offset-naive and offset-aware datetimes")
	}
	return deltaResult(x.minus(y, p, q))
}

// minus is the time from y to x, whose offsets are p and q (both or none).
func (x *pyDatetime) minus(y *pyDatetime, p, q *pyDelta) (*pyDelta, error) {
	d, err := newDelta(x.ordinal()-y.ordinal(), x.seconds()-y.seconds(), x.micro-y.micro)
	if err != nil || sameOffset(p, q) {
		return d, err
	}
	shift, err := p.sub(q)
	if err != nil {
		return nil, err
	}
	return d.sub(shift)
}

// compareDatetimes orders two datetimes. A plain date on the other side is
// unequal and cannot be ordered.
func compareDatetimes(t *py.Thread, op syntax.CmpOp, self, other py.Value) (int, py.Value, error) {
	y, ok := asDatetime(other)
	if !ok {
		if _, isDate := asDate(other); !isDate {
			return 0, py.NotImplemented, nil
		}
		if isEquality(op) {
			return 0, py.Bool(op == syntax.NotEq), nil
		}
		return 0, nil, py.TypeErrorf("can't compare %s to %s", longTypeName(self), longTypeName(other))
	}
	x, _ := asDatetime(self)
	p, q, err := datetimeOffsets(t, self, other)
	if err != nil {
		return 0, nil, err
	}
	if (p == nil) != (q == nil) {
		if isEquality(op) {
			return 0, py.Bool(op == syntax.NotEq), nil
		}
		return 0, nil, py.TypeErrorf("can't compare offset-naive and offset-aware datetimes")
	}
	d, err := x.minus(y, p, q)
	if err != nil {
		return 0, nil, err
	}
	c := d.compare(&pyDelta{})
	if c == 0 && isEquality(op) && x.tz != y.tz {
		differ, err := foldMatters(t, self, p)
		if err == nil && !differ {
			differ, err = foldMatters(t, other, q)
		}
		if err != nil {
			return 0, nil, err
		}
		if differ {
			c = 1
		}
	}
	return c, nil, nil
}

// foldMatters reports whether the offset depends on fold; then the datetime
// equals none of another zone (PEP 495).
func foldMatters(t *py.Thread, v py.Value, offset *pyDelta) (bool, error) {
	x, _ := asDatetime(v)
	n := *x
	n.fold = 1 - n.fold
	d, err := tzDelta(t, n.tz, "utcoffset", wrapAs(v.Type(), &n))
	return !sameOffset(d, offset), err
}
