package stdlib

import (
	"fmt"

	"gauntlet/internal/py"
)

// finishDatetime attaches the constructor and methods of datetime.datetime.
func finishDatetime() {
	datetimeType.New = func(t *py.Thread, cls *py.Type, args []py.Value, kw []py.Kw) (py.Value, error) {
		x, err := bindDatetime(t, "", 3, pyDatetime{tz: py.None}, args, kw)
		if err != nil {
			return nil, err
		}
		return wrapAs(cls, &x), nil
	}
	datetimeType.Finish(
		py.Member{Name: "min", Value: &pyDatetime{pyDate{minYear, 1, 1}, clock{}, py.None}},
		py.Member{Name: "max", Value: &pyDatetime{pyDate{maxYear, 12, 31}, clock{hour: 23, minute: 59, second: 59, micro: 999999}, py.None}},
		py.Member{Name: "resolution", Value: &pyDelta{micros: 1}},
		py.Get("tzinfo", func(_ *py.Thread, v py.Value) (py.Value, error) { x, _ := asDatetime(v); return x.tz, nil }),
	)
	datetimeType.Finish(clockGetters(func(v py.Value) *clock { x, _ := asDatetime(v); return &x.clock })...)
	datetimeType.Finish(datetimeClassMethods()...)
	datetimeType.Finish(datetimeParts()...)
	datetimeType.Finish(datetimeMethods()...)
	datetimeType.Finish(datetimeArithmetic()...)
	datetimeType.Finish(comparisons(compareDatetimes)...)
}

// bindDatetime parses the parts of a datetime over the defaults x and checks them.
func bindDatetime(t *py.Thread, fname string, required int, x pyDatetime, args []py.Value, kw []py.Kw) (pyDatetime, error) {
	names := []string{"year", "month", "day", "hour", "minute", "second", "microsecond", "tzinfo", "$fold"}
	into := [...]*int{&x.year, &x.month, &x.day, &x.hour, &x.minute, &x.second, &x.micro, nil, &x.fold}
	err := parseArgs(fname, names, required, args, kw, func(i int, v py.Value) (err error) {
		if into[i] == nil {
			x.tz = v
			return nil
		}
		*into[i], err = cInt(t, v)
		return err
	})
	return x, checkParts(err, x.pyDate, x.clock, x.tz)
}

// newDatetimeAs makes a datetime of class cls; a subclass is called, as
// CPython does, and fold is set afterwards.
func newDatetimeAs(t *py.Thread, cls *py.Type, x *pyDatetime) (py.Value, error) {
	if err := t.Alloc(96); err != nil {
		return nil, err
	}
	if cls == datetimeType {
		return x, nil
	}
	v, err := t.Call(cls, []py.Value{py.Int(x.year), py.Int(x.month), py.Int(x.day), py.Int(x.hour),
		py.Int(x.minute), py.Int(x.second), py.Int(x.micro), x.tz}, nil)
	if err != nil || x.fold == 0 {
		return v, err
	}
	if o, ok := v.(*py.Instance); ok {
		if p, ok := o.Payload().(*pyDatetime); ok {
			n := *p
			n.fold = x.fold
			o.SetPayload(&n)
		}
	}
	return v, nil
}

// addToDatetime moves dt by sign times delta; the result is of class cls.
func addToDatetime(t *py.Thread, cls *py.Type, dt *pyDatetime, delta *pyDelta, sign int) (py.Value, error) {
	x, err := dt.plus(delta, sign)
	if err != nil {
		return nil, err
	}
	return newDatetimeAs(t, cls, x)
}

func (x *pyDatetime) plus(delta *pyDelta, sign int) (*pyDatetime, error) {
	micro := x.micro + sign*delta.micros
	second := x.seconds() + sign*delta.seconds + floorDiv(micro, 1e6)
	d, err := x.addDays(sign*delta.days + floorDiv(second, daySeconds))
	if err != nil {
		return nil, err
	}
	return &pyDatetime{d, clockAt(floorMod(second, daySeconds), floorMod(micro, 1e6)), x.tz}, nil
}

// datetimeParts returns the methods that take a datetime apart.
func datetimeParts() []py.Member {
	part := func(name string, fn func(x *pyDatetime) py.Value) py.Member {
		return py.Def(name, "/", func(_ *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			x, _ := asDatetime(self)
			return fn(x), nil
		})
	}
	offset := func(name string) py.Member {
		return py.Def(name, "/", func(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			x, _ := asDatetime(self)
			d, err := tzDelta(t, x.tz, name, self)
			return deltaOrNone(d), err
		})
	}
	return []py.Member{
		part("date", func(x *pyDatetime) py.Value { d := x.pyDate; return &d }),
		part("time", func(x *pyDatetime) py.Value { return &pyTime{x.clock, py.None} }),
		part("timetz", func(x *pyDatetime) py.Value { return &pyTime{x.clock, x.tz} }),
		part("ctime", func(x *pyDatetime) py.Value { return py.NewStr(ctimeText(&x.pyDate, x.clock)) }),
		offset("utcoffset"),
		offset("dst"),
		py.Def("tzname", "/", func(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			x, _ := asDatetime(self)
			return tzName(t, x.tz, self)
		}),
		py.Def("timetuple", "/", func(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			x, _ := asDatetime(self)
			d, err := tzDelta(t, x.tz, "dst", self)
			if err != nil {
				return nil, err
			}
			isdst := -1
			if d != nil {
				isdst = 0
				if *d != (pyDelta{}) {
					isdst = 1
				}
			}
			return timeTuple(&x.pyDate, x.clock, isdst), nil
		}),
		py.Def("utctimetuple", "/", func(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			x, _ := asDatetime(self)
			d, err := tzDelta(t, x.tz, "utcoffset", self)
			if err != nil {
				return nil, err
			}
			if d != nil {
				if x, err = x.plus(d, -1); err != nil {
					return nil, err
				}
			}
			return timeTuple(&x.pyDate, x.clock, 0), nil
		}),
	}
}

func datetimeMethods() []py.Member {
	return []py.Member{
		rawMethod(datetimeType, "replace", func(t *py.Thread, self py.Value, args []py.Value, kw []py.Kw) (py.Value, error) {
			x, _ := asDatetime(self)
			n, err := bindDatetime(t, "replace", 0, *x, args, kw)
			if err != nil {
				return nil, err
			}
			return wrapAs(self.Type(), &n), nil
		}),
		rawMethod(datetimeType, "isoformat", datetimeIsoformat),
		rawMethod(datetimeType, "astimezone", astimezone),
		py.Def("timestamp", "/", timestamp),
		py.Def("__str__", "/", func(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			f, err := t.GetAttr(self, "isoformat")
			if err != nil {
				return nil, err
			}
			return t.Call(f, nil, []py.Kw{{Name: "sep", Value: py.NewStr(" ")}})
		}),
		py.Def("__repr__", "/", func(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			x, _ := asDatetime(self)
			s := fmt.Sprintf("%s(%d, %d, %d, %d, %d", longTypeName(self), x.year, x.month, x.day, x.hour, x.minute)
			return reprClock(t, s, x.clock, x.tz)
		}),
		py.Def("__hash__", "/", func(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			h, err := hashDatetime(t, self)
			return py.Int(h), err
		}),
	}
}

func datetimeIsoformat(t *py.Thread, self py.Value, args []py.Value, kw []py.Kw) (py.Value, error) {
	x, _ := asDatetime(self)
	sep, spec := "T", "auto"
	err := parseArgs("isoformat", []string{"sep", "timespec"}, 0, args, kw, func(i int, v py.Value) (err error) {
		if i == 1 {
			spec, err = timespecArgument(2, v)
			return err
		}
		s, ok := py.AsStr(v)
		if !ok || s.Len() != 1 {
			return py.TypeErrorf("isoformat() argument 1 must be a unicode character, not %s", argTypeName(v))
		}
		sep = s.String()
		return nil
	})
	if err != nil {
		return nil, err
	}
	s, err := clockText(x.clock, spec)
	if err != nil {
		return nil, err
	}
	d, err := tzDelta(t, x.tz, "utcoffset", self)
	if err != nil {
		return nil, err
	}
	if d != nil {
		s += offsetText(d, ":")
	}
	return py.NewStr(x.text() + sep + s), nil
}

// hashDatetime hashes an aware datetime by its instant, with fold 0.
func hashDatetime(t *py.Thread, self py.Value) (int64, error) {
	x, _ := asDatetime(self)
	if x.fold != 0 {
		n := *x
		n.fold = 0
		x, self = &n, wrapAs(self.Type(), &n)
	}
	d, err := tzDelta(t, x.tz, "utcoffset", self)
	if err != nil {
		return 0, err
	}
	if d == nil {
		s, _ := clockText(x.clock, "microseconds")
		return t.HashInt(&py.Bytes{B: x.text() + s})
	}
	n, err := newDelta(x.ordinal()-d.days, x.seconds()-d.seconds, x.micro-d.micros)
	if err != nil {
		return 0, err
	}
	return n.hash(t)
}
