package stdlib

import (
	"gauntlet/internal/py"
	"gauntlet/internal/py/syntax"
)

// The datetime module. Its values are immutable Go structs; an object of a
// subclass written in Python is a *py.Instance that carries one as payload.
// The calendar is the proleptic Gregorian one. The local time zone is UTC and
// "now" is the thread's virtual clock.
var (
	dateType        = py.NewType("datetime", "date")
	datetimeType    = py.NewType("datetime", "datetime", dateType)
	timeType        = py.NewType("datetime", "time")
	deltaType       = py.NewType("datetime", "timedelta")
	tzinfoType      = py.NewType("datetime", "tzinfo")
	timezoneType    = py.NewType("datetime", "timezone", tzinfoType)
	isoCalendarType = py.NewType("datetime", "IsoCalendarDate", py.TupleType)
)

const (
	minYear = 1
	maxYear = 9999
	// epochOrdinal is date(1970, 1, 1).toordinal().
	epochOrdinal = 719163
	maxOrdinal   = 3652059 // date.max.toordinal()
	daySeconds   = 86400
)

// pyDate is a datetime.date.
type pyDate struct{ year, month, day int }

// Type returns date.
func (*pyDate) Type() *py.Type { return dateType }

// clock is a time of day. fold tells the second of two equal wall clock times.
type clock struct{ hour, minute, second, micro, fold int }

// pyTime is a datetime.time; tz is None or an instance of tzinfo.
type pyTime struct {
	clock
	tz py.Value
}

// Type returns time.
func (*pyTime) Type() *py.Type { return timeType }

// CopyFor copies the time when its tzinfo is an object of the program.
func (x *pyTime) CopyFor(c *py.Copier) (py.Value, error) {
	tz, err := c.Copy(x.tz)
	if err != nil || tz == x.tz {
		return x, err
	}
	return &pyTime{x.clock, tz}, nil
}

// pyDatetime is a datetime.datetime.
type pyDatetime struct {
	pyDate
	clock
	tz py.Value
}

// Type returns datetime.
func (*pyDatetime) Type() *py.Type { return datetimeType }

// CopyFor copies the datetime when its tzinfo is an object of the program.
func (x *pyDatetime) CopyFor(c *py.Copier) (py.Value, error) {
	tz, err := c.Copy(x.tz)
	if err != nil || tz == x.tz {
		return x, err
	}
	return &pyDatetime{x.pyDate, x.clock, tz}, nil
}

// pyDelta is a datetime.timedelta: 0 <= seconds < 86400, 0 <= micros < 10^6.
type pyDelta struct{ days, seconds, micros int }

// Type returns timedelta.
func (*pyDelta) Type() *py.Type { return deltaType }

// pyZone is a datetime.timezone: a fixed offset and a name, nil when absent.
type pyZone struct {
	offset *pyDelta
	name   *py.Str
}

// Type returns timezone.
func (*pyZone) Type() *py.Type { return timezoneType }

// utcZone is the singleton timezone.utc.
var utcZone = &pyZone{offset: &pyDelta{}}

// buildDatetime makes the module datetime.
func buildDatetime() *py.Module {
	finishStructTime()
	finishDate()
	finishTime()
	finishDatetime()
	finishDelta()
	finishZone()
	finishIsoCalendar()
	return py.NewModule("datetime",
		py.Member{Name: "date", Value: dateType},
		py.Member{Name: "datetime", Value: datetimeType},
		py.Member{Name: "time", Value: timeType},
		py.Member{Name: "timedelta", Value: deltaType},
		py.Member{Name: "timezone", Value: timezoneType},
		py.Member{Name: "tzinfo", Value: tzinfoType},
		py.Member{Name: "MINYEAR", Value: py.Int(minYear)},
		py.Member{Name: "MAXYEAR", Value: py.Int(maxYear)},
		py.Member{Name: "UTC", Value: utcZone},
	)
}

// asDate returns the date part of a date or datetime.
func asDate(v py.Value) (*pyDate, bool) {
	switch x := py.Unwrap(v).(type) {
	case *pyDate:
		return x, true
	case *pyDatetime:
		return &x.pyDate, true
	}
	return nil, false
}

func asDatetime(v py.Value) (*pyDatetime, bool) { x, ok := py.Unwrap(v).(*pyDatetime); return x, ok }
func asTime(v py.Value) (*pyTime, bool)         { x, ok := py.Unwrap(v).(*pyTime); return x, ok }
func asDelta(v py.Value) (*pyDelta, bool)       { x, ok := py.Unwrap(v).(*pyDelta); return x, ok }

// wrapAs returns x itself for the class it belongs to and an instance with x
// as payload for a subclass.
func wrapAs(cls *py.Type, x py.Value) py.Value {
	if cls == x.Type() {
		return x
	}
	return py.NewInstance(cls, x)
}

// comparisons makes the six rich comparison methods from one function, which
// returns the order of self and other, or a finished result (a bool or
// NotImplemented).
func comparisons(cmp func(t *py.Thread, op syntax.CmpOp, self, other py.Value) (int, py.Value, error)) []py.Member {
	var out []py.Member
	for _, m := range []struct {
		name string
		op   syntax.CmpOp
		ok   func(c int) bool
	}{
		{"__eq__", syntax.Eq, func(c int) bool { return c == 0 }},
		{"__ne__", syntax.NotEq, func(c int) bool { return c != 0 }},
		{"__lt__", syntax.Lt, func(c int) bool { return c < 0 }},
		{"__le__", syntax.LtE, func(c int) bool { return c <= 0 }},
		{"__gt__", syntax.Gt, func(c int) bool { return c > 0 }},
		{"__ge__", syntax.GtE, func(c int) bool { return c >= 0 }},
	} {
		out = append(out, py.Def(m.name, "other, /", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			c, done, err := cmp(t, m.op, self, a[0])
			if done != nil || err != nil {
				return done, err
			}
			return py.Bool(m.ok(c)), nil
		}))
	}
	return out
}

// isEquality tells == and != from the ordering comparisons.
func isEquality(op syntax.CmpOp) bool { return op == syntax.Eq || op == syntax.NotEq }

// intGetter makes a read-only int attribute.
func intGetter(name string, fn func(self py.Value) int) py.Member {
	return py.Get(name, func(_ *py.Thread, self py.Value) (py.Value, error) { return py.Int(fn(self)), nil })
}

// newString returns s as a str, after paying for it.
func newString(t *py.Thread, s string) (py.Value, error) {
	if err := t.Alloc(len(s) + 16); err != nil {
		return nil, err
	}
	return py.NewStr(s), nil
}
