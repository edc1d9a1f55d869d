package stdlib

import (
	"cmp"
	"fmt"

	"gauntlet/internal/py"
	"gauntlet/internal/py/syntax"
)

// finishTime attaches the constructor and methods of datetime.time.
func finishTime() {
	timeType.New = func(t *py.Thread, cls *py.Type, args []py.Value, kw []py.Kw) (py.Value, error) {
		x, err := bindTime(t, "", pyTime{tz: py.None}, args, kw)
		if err != nil {
			return nil, err
		}
		return wrapAs(cls, &x), nil
	}
	timeType.Finish(
		py.Member{Name: "min", Value: &pyTime{tz: py.None}},
		py.Member{Name: "max", Value: &pyTime{clock{hour: 23, minute: 59, second: 59, micro: 999999}, py.None}},
		py.Member{Name: "resolution", Value: &pyDelta{micros: 1}},
		py.Get("tzinfo", func(_ *py.Thread, v py.Value) (py.Value, error) { x, _ := asTime(v); return x.tz, nil }),
		classMethod("fromisoformat", "string, /", timeFromIso),
	)
	timeType.Finish(clockGetters(func(v py.Value) *clock { x, _ := asTime(v); return &x.clock })...)
	timeType.Finish(timeMethods()...)
	timeType.Finish(
		py.Def("utcoffset", "/", timeOffset("utcoffset")),
		py.Def("dst", "/", timeOffset("dst")),
		py.Def("tzname", "/", func(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			x, _ := asTime(self)
			return tzName(t, x.tz, py.None)
		}),
	)
	timeType.Finish(comparisons(compareTimes)...)
}

// clockGetters makes the attributes hour to fold.
func clockGetters(of func(v py.Value) *clock) []py.Member {
	return []py.Member{
		intGetter("hour", func(v py.Value) int { return of(v).hour }),
		intGetter("minute", func(v py.Value) int { return of(v).minute }),
		intGetter("second", func(v py.Value) int { return of(v).second }),
		intGetter("microsecond", func(v py.Value) int { return of(v).micro }),
		intGetter("fold", func(v py.Value) int { return of(v).fold }),
	}
}

// bindTime parses the parts of a time over the defaults x and checks them.
func bindTime(t *py.Thread, fname string, x pyTime, args []py.Value, kw []py.Kw) (pyTime, error) {
	names := []string{"hour", "minute", "second", "microsecond", "tzinfo", "$fold"}
	into := [...]*int{&x.hour, &x.minute, &x.second, &x.micro, nil, &x.fold}
	err := parseArgs(fname, names, 0, args, kw, func(i int, v py.Value) (err error) {
		if into[i] == nil {
			x.tz = v
			return nil
		}
		*into[i], err = cInt(t, v)
		return err
	})
	return x, checkParts(err, pyDate{1, 1, 1}, x.clock, x.tz)
}

// checkParts is the range check of the constructors, after err.
func checkParts(err error, d pyDate, c clock, tz py.Value) error {
	if err == nil {
		err = checkDate(d.year, d.month, d.day)
	}
	if err == nil {
		err = checkClock(c)
	}
	if err == nil {
		err = tzArgument(tz)
	}
	return err
}

func timeFromIso(t *py.Thread, cls *py.Type, a []py.Value) (py.Value, error) {
	s, ok := py.AsStr(a[0])
	if !ok {
		return nil, py.TypeErrorf("fromisoformat: argument must be str")
	}
	c, tz, err := parseIsoTimeOnly(s.String())
	if err != nil {
		return nil, err
	}
	if err := checkClock(c); err != nil {
		return nil, err
	}
	x := &pyTime{c, tz}
	if cls == timeType {
		return x, nil
	}
	return t.Call(cls, []py.Value{py.Int(c.hour), py.Int(c.minute), py.Int(c.second), py.Int(c.micro), tz}, nil)
}

func timeMethods() []py.Member {
	return []py.Member{
		rawMethod(timeType, "isoformat", timeIsoformat),
		rawMethod(timeType, "replace", func(t *py.Thread, self py.Value, args []py.Value, kw []py.Kw) (py.Value, error) {
			x, _ := asTime(self)
			n, err := bindTime(t, "replace", *x, args, kw)
			if err != nil {
				return nil, err
			}
			return wrapAs(self.Type(), &n), nil
		}),
		rawMethod(timeType, "strftime", strftimeMethod),
		py.Def("__format__", "spec, /", formatMethod),
		py.Def("__str__", "/", func(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			return t.CallMethod(self, "isoformat")
		}),
		py.Def("__repr__", "/", func(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			x, _ := asTime(self)
			return reprClock(t, fmt.Sprintf("%s(%d, %d", longTypeName(self), x.hour, x.minute), x.clock, x.tz)
		}),
		py.Def("__hash__", "/", func(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			x, _ := asTime(self)
			d, err := tzDelta(t, x.tz, "utcoffset", py.None)
			if err != nil {
				return nil, err
			}
			if d == nil {
				s, _ := clockText(x.clock, "microseconds")
				h, err := t.HashInt(&py.Bytes{B: s})
				return py.Int(h), err
			}
			n, err := newDelta(-d.days, x.seconds()-d.seconds, x.micro-d.micros)
			if err != nil {
				return nil, err
			}
			h, err := n.hash(t)
			return py.Int(h), err
		}),
	}
}

// timeOffset makes time.utcoffset or time.dst, which ask the zone without a date.
func timeOffset(name string) py.MethodFunc {
	return func(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
		x, _ := asTime(self)
		d, err := tzDelta(t, x.tz, name, py.None)
		return deltaOrNone(d), err
	}
}

func timeIsoformat(t *py.Thread, self py.Value, args []py.Value, kw []py.Kw) (py.Value, error) {
	x, _ := asTime(self)
	spec := "auto"
	err := parseArgs("isoformat", []string{"timespec"}, 0, args, kw, func(_ int, v py.Value) (err error) {
		spec, err = timespecArgument(1, v)
		return err
	})
	if err != nil {
		return nil, err
	}
	s, err := clockText(x.clock, spec)
	if err != nil {
		return nil, err
	}
	d, err := tzDelta(t, x.tz, "utcoffset", py.None)
	if err != nil {
		return nil, err
	}
	if d != nil {
		s += offsetText(d, ":")
	}
	return py.NewStr(s), nil
}

// reprClock completes a repr that begins with s with seconds, fold and tzinfo.
func reprClock(t *py.Thread, s string, c clock, tz py.Value) (py.Value, error) {
	switch {
	case c.micro != 0:
		s += fmt.Sprintf(", %d, %d", c.second, c.micro)
	case c.second != 0:
		s += fmt.Sprintf(", %d", c.second)
	}
	if c.fold != 0 {
		s += ", fold=1"
	}
	if tz != py.None {
		r, err := t.Repr(tz)
		if err != nil {
			return nil, err
		}
		s += ", tzinfo=" + r
	}
	return newString(t, s+")")
}

// compareTimes orders two times; naive and aware ones do not compare.
func compareTimes(t *py.Thread, op syntax.CmpOp, self, other py.Value) (int, py.Value, error) {
	y, ok := asTime(other)
	if !ok {
		return 0, py.NotImplemented, nil
	}
	x, _ := asTime(self)
	if x.tz == y.tz {
		return x.clock.compare(y.clock), nil, nil
	}
	a, err := tzDelta(t, x.tz, "utcoffset", py.None)
	if err != nil {
		return 0, nil, err
	}
	b, err := tzDelta(t, y.tz, "utcoffset", py.None)
	if err != nil {
		return 0, nil, err
	}
	switch {
	case sameOffset(a, b):
		return x.clock.compare(y.clock), nil, nil
	case a != nil && b != nil:
		p := x.seconds() - a.days*daySeconds - a.seconds
		q := y.seconds() - b.days*daySeconds - b.seconds
		return cmp.Or(cmp.Compare(p, q), cmp.Compare(x.micro, y.micro)), nil, nil
	case isEquality(op):
		return 0, py.Bool(op == syntax.NotEq), nil
	}
	return 0, nil, py.TypeErrorf("can't compare offset-naive and offset-aware times")
}

// compare orders by the clock alone, without fold.
func (c clock) compare(d clock) int {
	return cmp.Or(cmp.Compare(c.seconds(), d.seconds()), cmp.Compare(c.micro, d.micro))
}

// timespecArgument checks the type of a timespec.
func timespecArgument(n int, v py.Value) (string, error) {
	s, err := strArgument("isoformat", n, v)
	if err != nil {
		return "", err
	}
	for _, c := range []byte(s.String()) {
		if c == 0 {
			return "", py.ValueErrorf("embedded null character")
		}
	}
	return s.String(), nil
}

// clockText is the ISO 8601 form with the precision that spec asks for.
func clockText(c clock, spec string) (string, error) {
	if spec == "auto" {
		spec = "seconds"
		if c.micro != 0 {
			spec = "microseconds"
		}
	}
	switch spec {
	case "hours":
		return fmt.Sprintf("%02d", c.hour), nil
	case "minutes":
		return fmt.Sprintf("%02d:%02d", c.hour, c.minute), nil
	case "seconds":
		return fmt.Sprintf("%02d:%02d:%02d", c.hour, c.minute, c.second), nil
	case "milliseconds":
		return fmt.Sprintf("%02d:%02d:%02d.%03d", c.hour, c.minute, c.second, c.micro/1000), nil
	case "microseconds":
		return fmt.Sprintf("%02d:%02d:%02d.%06d", c.hour, c.minute, c.second, c.micro), nil
	}
	return "", py.ValueErrorf("Unknown timespec value")
}
