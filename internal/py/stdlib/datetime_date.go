package stdlib

import (
	"cmp"
	"fmt"

	"gauntlet/internal/py"
	"gauntlet/internal/py/syntax"
)

// finishDate attaches the constructor and methods of datetime.date.
func finishDate() {
	dateType.New = func(t *py.Thread, cls *py.Type, args []py.Value, kw []py.Kw) (py.Value, error) {
		d, err := bindDate(t, "", 3, pyDate{}, args, kw)
		if err != nil {
			return nil, err
		}
		return wrapAs(cls, &d), nil
	}
	dateType.Finish(
		py.Member{Name: "min", Value: &pyDate{minYear, 1, 1}},
		py.Member{Name: "max", Value: &pyDate{maxYear, 12, 31}},
		py.Member{Name: "resolution", Value: &pyDelta{days: 1}},
		intGetter("year", func(v py.Value) int { d, _ := asDate(v); return d.year }),
		intGetter("month", func(v py.Value) int { d, _ := asDate(v); return d.month }),
		intGetter("day", func(v py.Value) int { d, _ := asDate(v); return d.day }),
	)
	dateType.Finish(dateClassMethods()...)
	dateType.Finish(dateMethods()...)
	dateType.Finish(dateArithmetic()...)
	dateType.Finish(comparisons(compareDates)...)
}

// bindDate parses year, month and day over the defaults d and checks them.
func bindDate(t *py.Thread, fname string, required int, d pyDate, args []py.Value, kw []py.Kw) (pyDate, error) {
	into := [...]*int{&d.year, &d.month, &d.day}
	err := parseArgs(fname, []string{"year", "month", "day"}, required, args, kw, func(i int, v py.Value) (err error) {
		*into[i], err = cInt(t, v)
		return err
	})
	if err == nil {
		err = checkDate(d.year, d.month, d.day)
	}
	return d, err
}

// newDateAs makes a date of class cls; a subclass is called, as CPython does.
func newDateAs(t *py.Thread, cls *py.Type, d pyDate) (py.Value, error) {
	if cls == dateType {
		return &d, nil
	}
	return t.Call(cls, []py.Value{py.Int(d.year), py.Int(d.month), py.Int(d.day)}, nil)
}

func dateClassMethods() []py.Member {
	return []py.Member{
		classMethod("today", "/", func(t *py.Thread, cls *py.Type, _ []py.Value) (py.Value, error) {
			now := momentOf(t)
			if cls == datetimeType || cls.IsSubclass(datetimeType) {
				return newDatetimeAs(t, cls, &pyDatetime{now.pyDate, now.clock, py.None})
			}
			return newDateAs(t, cls, now.pyDate)
		}),
		classMethod("fromtimestamp", "timestamp, /", func(t *py.Thread, cls *py.Type, a []py.Value) (py.Value, error) {
			s, err := timestampSeconds(t, a[0])
			if err != nil {
				return nil, err
			}
			m, err := momentAt(s, 0)
			if err != nil {
				return nil, err
			}
			return newDateAs(t, cls, m.pyDate)
		}),
		rawClassMethod("fromordinal", func(t *py.Thread, cls *py.Type, args []py.Value, kw []py.Kw) (py.Value, error) {
			if err := exactArgs("fromordinal", 1, args, kw); err != nil {
				return nil, err
			}
			n, err := cInt(t, args[0])
			if err != nil {
				return nil, err
			}
			if n < 1 {
				return nil, py.ValueErrorf("ordinal must be >= 1")
			}
			d := ordinalToDate(n)
			if n > maxOrdinal {
				return nil, checkDate(d.year, d.month, d.day)
			}
			return newDateAs(t, cls, d)
		}),
		classMethod("fromisoformat", "date_string, /", func(t *py.Thread, cls *py.Type, a []py.Value) (py.Value, error) {
			s, ok := py.AsStr(a[0])
			if !ok {
				return nil, py.TypeErrorf("fromisoformat: argument must be str")
			}
			d, err := parseIsoDateOnly(s.String())
			if err != nil {
				return nil, err
			}
			if err := checkDate(d.year, d.month, d.day); err != nil {
				return nil, err
			}
			return newDateAs(t, cls, d)
		}),
		rawClassMethod("fromisocalendar", dateFromIsoCalendar),
	}
}

func dateFromIsoCalendar(t *py.Thread, cls *py.Type, args []py.Value, kw []py.Kw) (py.Value, error) {
	var n [3]int
	err := parseArgs("fromisocalendar", []string{"year", "week", "day"}, 3, args, kw, func(i int, v py.Value) (err error) {
		n[i], err = cInt(t, v)
		if _, over := py.Catch(err, py.OverflowErrorType); over {
			return py.ValueErrorf("ISO calendar component out of range")
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	o, fault := isoToOrdinal(n[0], n[1], n[2])
	switch fault {
	case isoYearFault:
		return nil, py.ValueErrorf("Year is out of range: %d", n[0])
	case isoWeekFault:
		return nil, py.ValueErrorf("Invalid week: %d", n[1])
	case isoDayFault:
		return nil, py.ValueErrorf("Invalid day: %d (range is [1, 7])", n[2])
	}
	d := ordinalToDate(o)
	if err := checkDate(d.year, d.month, d.day); err != nil {
		return nil, err
	}
	return newDateAs(t, cls, d)
}

func dateMethods() []py.Member {
	return []py.Member{
		py.Def("weekday", "/", func(_ *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			d, _ := asDate(self)
			return py.Int(d.weekday()), nil
		}),
		py.Def("isoweekday", "/", func(_ *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			d, _ := asDate(self)
			return py.Int(d.weekday() + 1), nil
		}),
		py.Def("toordinal", "/", func(_ *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			d, _ := asDate(self)
			return py.Int(d.ordinal()), nil
		}),
		py.Def("isocalendar", "/", func(_ *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			d, _ := asDate(self)
			return newIsoCalendar(d.iso()), nil
		}),
		py.Def("isoformat", "/", func(_ *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			d, _ := asDate(self)
			return py.NewStr(d.text()), nil
		}),
		py.Def("ctime", "/", func(_ *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			d, _ := asDate(self)
			return py.NewStr(ctimeText(d, clock{})), nil
		}),
		py.Def("timetuple", "/", func(_ *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			d, _ := asDate(self)
			return timeTuple(d, clock{}, -1), nil
		}),
		rawMethod(dateType, "replace", func(t *py.Thread, self py.Value, args []py.Value, kw []py.Kw) (py.Value, error) {
			d, _ := asDate(self)
			n, err := bindDate(t, "replace", 0, *d, args, kw)
			if err != nil {
				return nil, err
			}
			return wrapAs(self.Type(), &n), nil
		}),
		rawMethod(dateType, "strftime", strftimeMethod),
		py.Def("__format__", "spec, /", formatMethod),
		py.Def("__str__", "/", func(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			return t.CallMethod(self, "isoformat")
		}),
		py.Def("__repr__", "/", func(_ *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			d, _ := asDate(self)
			return py.NewStr(fmt.Sprintf("%s(%d, %d, %d)", longTypeName(self), d.year, d.month, d.day)), nil
		}),
		py.Def("__hash__", "/", func(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			d, _ := asDate(self)
			h, err := t.HashInt(&py.Bytes{B: d.text()})
			return py.Int(h), err
		}),
	}
}

func dateArithmetic() []py.Member {
	return []py.Member{
		py.Def("__add__", "other, /", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			return moveDate(t, self, a[0], 1)
		}),
		py.Def("__radd__", "other, /", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			return moveDate(t, self, a[0], 1)
		}),
		py.Def("__sub__", "other, /", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			if _, aware := asDatetime(a[0]); aware {
				return py.NotImplemented, nil
			}
			if e, ok := asDate(a[0]); ok {
				d, _ := asDate(self)
				return &pyDelta{days: d.ordinal() - e.ordinal()}, nil
			}
			return moveDate(t, self, a[0], -1)
		}),
		py.Def("__rsub__", "other, /", func(_ *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			e, ok := asDate(a[0])
			if _, other := asDatetime(a[0]); !ok || other {
				return py.NotImplemented, nil
			}
			d, _ := asDate(self)
			return &pyDelta{days: e.ordinal() - d.ordinal()}, nil
		}),
	}
}

// moveDate adds the days of a timedelta.
func moveDate(t *py.Thread, self, other py.Value, sign int) (py.Value, error) {
	delta, ok := asDelta(other)
	if !ok {
		return py.NotImplemented, nil
	}
	d, _ := asDate(self)
	n, err := d.addDays(sign * delta.days)
	if err != nil {
		return nil, err
	}
	return newDateAs(t, self.Type(), n)
}

// compareDates orders two dates. A datetime on the other side counts by its
// date: it refuses by itself, when it is asked first as the subclass.
func compareDates(_ *py.Thread, _ syntax.CmpOp, self, other py.Value) (int, py.Value, error) {
	e, ok := asDate(other)
	if !ok {
		return 0, py.NotImplemented, nil
	}
	d, _ := asDate(self)
	return d.compare(e), nil, nil
}

func (x *pyDate) compare(y *pyDate) int {
	return cmp.Or(cmp.Compare(x.year, y.year), cmp.Compare(x.month, y.month), cmp.Compare(x.day, y.day))
}

// text is the ISO 8601 form.
func (x *pyDate) text() string { return fmt.Sprintf("%04d-%02d-%02d", x.year, x.month, x.day) }

// ctimeText is the form of C's ctime, without the newline.
func ctimeText(d *pyDate, c clock) string {
	return fmt.Sprintf("%s %s %2d %02d:%02d:%02d %04d",
		dayNames[d.weekday()][:3], monthNames[d.month-1][:3], d.day, c.hour, c.minute, c.second, d.year)
}

// finishIsoCalendar attaches the fields of the result of isocalendar().
func finishIsoCalendar() {
	sealClass(isoCalendarType)
	for i, name := range []string{"year", "week", "weekday"} {
		isoCalendarType.Finish(py.Get(name, func(_ *py.Thread, self py.Value) (py.Value, error) {
			x, _ := py.AsTuple(self)
			return x.Items[i], nil
		}))
	}
	isoCalendarType.Finish(py.Def("__repr__", "/", func(_ *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
		x, _ := py.AsTuple(self)
		return py.NewStr(fmt.Sprintf("datetime.IsoCalendarDate(year=%d, week=%d, weekday=%d)", x.Items[0], x.Items[1], x.Items[2])), nil
	}))
}

func newIsoCalendar(year, week, day int) py.Value {
	return py.NewInstance(isoCalendarType, py.NewTuple(py.Int(year), py.Int(week), py.Int(day)))
}
