package stdlib

import (
	"fmt"

	"gauntlet/internal/py"
	"gauntlet/internal/py/syntax"
)

// finishZone attaches the methods of datetime.tzinfo and datetime.timezone.
func finishZone() {
	tzinfoType.New = newTzinfo
	missing := func(name string) py.Member {
		return py.Def(name, "dt, /", func(*py.Thread, py.Value, []py.Value) (py.Value, error) {
			return nil, py.RaiseType(py.NotImplementedErrType, "a tzinfo subclass must implement %s()", name)
		})
	}
	tzinfoType.Finish(missing("tzname"), missing("utcoffset"), missing("dst"), py.Def("fromutc", "dt, /", tzinfoFromUTC))
	sealClass(timezoneType)
	timezoneType.New = newZone
	timezoneType.Finish(
		py.Member{Name: "utc", Value: utcZone},
		py.Member{Name: "min", Value: &pyZone{offset: &pyDelta{days: -1, seconds: 60}}},
		py.Member{Name: "max", Value: &pyZone{offset: &pyDelta{seconds: daySeconds - 60}}},
		zoneMethod("utcoffset", func(z *pyZone) py.Value { return z.offset }),
		zoneMethod("tzname", func(z *pyZone) py.Value { return py.NewStr(z.text()) }),
		zoneMethod("dst", func(*pyZone) py.Value { return py.None }),
		py.Def("fromutc", "dt, /", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			dt, err := fromUTCArgument(self, a[0])
			if err != nil {
				return nil, err
			}
			return addToDatetime(t, a[0].Type(), dt, self.(*pyZone).offset, 1)
		}),
		py.Def("__str__", "/", func(_ *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			return py.NewStr(self.(*pyZone).text()), nil
		}),
		py.Def("__repr__", "/", zoneRepr),
		py.Def("__hash__", "/", func(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			h, err := self.(*pyZone).offset.hash(t)
			return py.Int(h), err
		}),
	)
	timezoneType.Finish(comparisons(func(_ *py.Thread, op syntax.CmpOp, self, other py.Value) (int, py.Value, error) {
		o, ok := other.(*pyZone)
		if !ok || !isEquality(op) {
			return 0, py.NotImplemented, nil
		}
		return self.(*pyZone).offset.compare(o.offset), nil, nil
	})...)
}

// newTzinfo makes a tzinfo or an object of a subclass; it ignores arguments,
// which are for the subclass's __init__.
func newTzinfo(_ *py.Thread, cls *py.Type, _ []py.Value, _ []py.Kw) (py.Value, error) {
	return py.NewInstance(cls, nil), nil
}

func newZone(t *py.Thread, _ *py.Type, args []py.Value, kw []py.Kw) (py.Value, error) {
	z := &pyZone{}
	err := parseArgs("timezone", []string{"offset", "name"}, 1, args, kw, func(i int, v py.Value) (err error) {
		if i == 1 {
			z.name, err = strArgument("timezone", 2, v)
			return err
		}
		d, ok := asDelta(v)
		if !ok {
			return py.TypeErrorf("timezone() argument 1 must be datetime.timedelta, not %s", argTypeName(v))
		}
		z.offset = d
		return nil
	})
	if err != nil {
		return nil, err
	}
	if *z.offset == (pyDelta{}) && z.name == nil {
		return utcZone, nil
	}
	return z, checkZone(z.offset)
}

// checkZone refuses offsets of a day or more.
func checkZone(d *pyDelta) error {
	if !d.underOneDay() {
		return py.ValueErrorf("offset must be a timedelta strictly between -timedelta(hours=24) and timedelta(hours=24), not %s.", d.repr())
	}
	return nil
}

// underOneDay reports whether the length is strictly between -24 and 24 hours.
func (d *pyDelta) underOneDay() bool {
	return d.days == 0 || d.days == -1 && (d.seconds > 0 || d.micros > 0)
}

// zoneMethod makes a method of timezone that ignores its datetime.
func zoneMethod(name string, fn func(z *pyZone) py.Value) py.Member {
	return py.Def(name, "dt, /", func(_ *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
		if _, ok := asDatetime(a[0]); !ok && a[0] != py.None {
			return nil, py.TypeErrorf("%s(dt) argument must be a datetime instance or None, not %s", name, longTypeName(a[0]))
		}
		return fn(self.(*pyZone)), nil
	})
}

// text is the name, or UTC with the offset.
func (z *pyZone) text() string {
	switch {
	case z.name != nil:
		return z.name.String()
	case *z.offset == pyDelta{}:
		return "UTC"
	}
	return "UTC" + offsetText(z.offset, ":")
}

// offsetText writes an offset of less than a day as +HH:MM, with seconds and
// microseconds when they are not zero.
func offsetText(d *pyDelta, sep string) string {
	sign := "+"
	if d.days < 0 {
		sign = "-"
		d = &pyDelta{seconds: daySeconds - d.seconds, micros: -d.micros}
		if d.micros < 0 {
			d.seconds--
			d.micros += 1e6
		}
	}
	s := fmt.Sprintf("%s%02d%s%02d", sign, d.seconds/3600, sep, d.seconds/60%60)
	if d.seconds%60 != 0 || d.micros != 0 {
		s += fmt.Sprintf("%s%02d", sep, d.seconds%60)
	}
	if d.micros != 0 {
		s += fmt.Sprintf(".%06d", d.micros)
	}
	return s
}

func zoneRepr(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
	z := self.(*pyZone)
	if z == utcZone {
		return py.NewStr("datetime.timezone.utc"), nil
	}
	name := ""
	if z.name != nil {
		s, err := t.Repr(z.name)
		if err != nil {
			return nil, err
		}
		name = ", " + s
	}
	return newString(t, "datetime.timezone("+z.offset.repr()+name+")")
}

// fromUTCArgument checks the argument of tz.fromutc.
func fromUTCArgument(tz, v py.Value) (*pyDatetime, error) {
	dt, ok := asDatetime(v)
	if !ok {
		return nil, py.TypeErrorf("fromutc: argument must be a datetime")
	}
	if dt.tz != tz {
		return nil, py.ValueErrorf("fromutc: dt.tzinfo is not self")
	}
	return dt, nil
}

// tzinfoFromUTC is the default conversion from UTC: it assumes that the
// standard offset is constant and dst() right at the transition.
func tzinfoFromUTC(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
	dt, err := fromUTCArgument(self, a[0])
	if err != nil {
		return nil, err
	}
	offset, err := tzDelta(t, self, "utcoffset", a[0])
	if err != nil {
		return nil, err
	}
	if offset == nil {
		return nil, py.ValueErrorf("fromutc: non-None utcoffset() result required")
	}
	dst, err := tzDelta(t, self, "dst", a[0])
	if err != nil {
		return nil, err
	}
	if dst == nil {
		return nil, py.ValueErrorf("fromutc: non-None dst() result required")
	}
	standard, err := offset.sub(dst)
	if err != nil {
		return nil, err
	}
	local, err := addToDatetime(t, a[0].Type(), dt, standard, 1)
	if err != nil {
		return nil, err
	}
	if dst, err = tzDelta(t, self, "dst", local); err != nil {
		return nil, err
	}
	if dst == nil {
		return nil, py.ValueErrorf("fromutc: tz.dst() gave inconsistent results; cannot convert")
	}
	if *dst == (pyDelta{}) {
		return local, nil
	}
	dt, ok := asDatetime(local)
	if !ok {
		return py.NotImplemented, nil
	}
	return addToDatetime(t, local.Type(), dt, dst, 1)
}

// tzDelta calls tz.utcoffset(arg) or tz.dst(arg); nil stands for None.
func tzDelta(t *py.Thread, tz py.Value, method string, arg py.Value) (*pyDelta, error) {
	if tz == py.None {
		return nil, nil
	}
	if z, ok := tz.(*pyZone); ok {
		if method == "dst" {
			return nil, nil
		}
		return z.offset, nil
	}
	if err := t.Enter(); err != nil {
		return nil, err
	}
	defer t.Leave()
	v, err := t.CallMethod(tz, method, arg)
	if err != nil || v == py.None {
		return nil, err
	}
	d, ok := asDelta(v)
	if !ok {
		return nil, py.TypeErrorf("tzinfo.%s() must return None or timedelta, not '%s'", method, longTypeName(v))
	}
	if !d.underOneDay() {
		return nil, py.ValueErrorf("offset must be a timedelta strictly between -timedelta(hours=24) and timedelta(hours=24).")
	}
	return d, nil
}

// tzName calls tz.tzname(arg).
func tzName(t *py.Thread, tz, arg py.Value) (py.Value, error) {
	if tz == py.None {
		return py.None, nil
	}
	if z, ok := tz.(*pyZone); ok {
		return py.NewStr(z.text()), nil
	}
	v, err := t.CallMethod(tz, "tzname", arg)
	if err != nil || v == py.None {
		return v, err
	}
	if _, ok := py.AsStr(v); !ok {
		return nil, py.TypeErrorf("tzinfo.tzname() must return None or a string, not '%s'", longTypeName(v))
	}
	return v, nil
}

// tzArgument checks a tzinfo argument.
func tzArgument(v py.Value) error {
	if v != py.None && !tzinfoType.IsInstance(v) {
		return py.TypeErrorf("tzinfo argument must be None or of a tzinfo subclass, not type '%s'", longTypeName(v))
	}
	return nil
}

// deltaOrNone returns d as a value, None for nil.
func deltaOrNone(d *pyDelta) py.Value {
	if d == nil {
		return py.None
	}
	return d
}

// sameOffset reports whether two offsets are both absent or equal.
func sameOffset(a, b *pyDelta) bool {
	return a == b || a != nil && b != nil && *a == *b
}
