package stdlib

import (
	"math"
	"time"

	"gauntlet/internal/py"
)

// buildTime makes the module time. Every clock is the thread's virtual clock,
// sleeping takes no time, and the local zone is UTC.
func buildTime() *py.Module {
	finishStructTime()
	members := []py.Member{
		{Name: "struct_time", Value: structTimeType},
		{Name: "timezone", Value: py.Int(0)},
		{Name: "altzone", Value: py.Int(0)},
		{Name: "daylight", Value: py.Int(0)},
		{Name: "tzname", Value: py.NewTuple(py.NewStr("UTC"), py.NewStr("UTC"))},
		plainFunc("sleep", 1, timeSleep),
		plainFunc("mktime", 1, timeMktime),
		tupleFunc("gmtime", 0, 1, func(t *py.Thread, a []py.Value) (py.Value, error) { return brokenDown(t, a, "GMT") }),
		tupleFunc("localtime", 0, 1, func(t *py.Thread, a []py.Value) (py.Value, error) { return brokenDown(t, a, "UTC") }),
		tupleFunc("strftime", 1, 2, timeStrftime),
		tupleFunc("asctime", 0, 1, func(t *py.Thread, a []py.Value) (py.Value, error) {
			f, err := fieldsOrNow(t, "asctime", a)
			if err != nil {
				return nil, err
			}
			return py.NewStr(f.asctime()), nil
		}),
		tupleFunc("ctime", 0, 1, func(t *py.Thread, a []py.Value) (py.Value, error) {
			v, err := brokenDown(t, a, "UTC")
			if err != nil {
				return nil, err
			}
			f, err := fieldsOf(t, "asctime", v)
			if err != nil {
				return nil, err
			}
			return py.NewStr(f.asctime()), nil
		}),
		{Name: "strptime", Value: pyFunc("_strptime_time", "data_string, format=''", timeStrptime).Value},
	}
	for _, name := range []string{"time", "monotonic", "perf_counter", "process_time", "thread_time"} {
		members = append(members,
			plainFunc(name, 0, func(t *py.Thread, _ []py.Value) (py.Value, error) {
				now := t.Clock()
				return py.Float(float64(now.Unix()) + float64(now.Nanosecond())/1e9), nil
			}),
			plainFunc(name+"_ns", 0, func(t *py.Thread, _ []py.Value) (py.Value, error) {
				return py.Int(t.Clock().UnixNano()), nil
			}))
	}
	return py.NewModule("time", members...)
}

// plainFunc makes a function of the module time with n positional arguments;
// its messages name the module.
func plainFunc(name string, n int, fn py.NativeFunc) py.Member {
	return py.Member{Name: name, Value: py.NewRaw(name, func(t *py.Thread, args []py.Value, kw []py.Kw) (py.Value, error) {
		switch {
		case len(kw) > 0:
			return nil, py.TypeErrorf("time.%s() takes no keyword arguments", name)
		case len(args) == n:
			return fn(t, args)
		case n == 0:
			return nil, py.TypeErrorf("time.%s() takes no arguments (%d given)", name, len(args))
		}
		return nil, py.TypeErrorf("time.%s() takes exactly one argument (%d given)", name, len(args))
	})}
}

// tupleFunc makes a function whose arguments CPython takes from a tuple: at
// least least, at most most of them.
func tupleFunc(name string, least, most int, fn py.NativeFunc) py.Member {
	return py.Member{Name: name, Value: py.NewRaw(name, func(t *py.Thread, args []py.Value, kw []py.Kw) (py.Value, error) {
		how, limit := "at least", least
		switch {
		case len(kw) > 0:
			return nil, py.TypeErrorf("%s() takes no keyword arguments", name)
		case len(args) >= least && len(args) <= most:
			return fn(t, args)
		case len(args) > most:
			how, limit = "at most", most
		}
		return nil, py.TypeErrorf("%s() takes %s %d %s (%d given)", name, how, limit, plural("argument", limit), len(args))
	})}
}

// timeSleep checks the length and returns at once: virtual time moves only
// when the environment moves it.
func timeSleep(t *py.Thread, a []py.Value) (py.Value, error) {
	if err := t.Charge(64); err != nil {
		return nil, err
	}
	tooLong := py.OverflowErrorf("timestamp too large to convert to C _PyTime_t")
	var seconds float64
	if f, ok := py.Unwrap(a[0]).(py.Float); ok {
		if seconds = float64(f); math.IsNaN(seconds) {
			return nil, py.ValueErrorf("Invalid value NaN (not a number)")
		}
	} else {
		n, fits, err := wholeNumber(t, a[0])
		if err != nil {
			return nil, err
		}
		if !fits {
			return nil, tooLong
		}
		seconds = float64(n)
	}
	if math.Abs(seconds) >= 1<<63/1e9 {
		return nil, tooLong
	}
	if seconds < 0 {
		return nil, py.ValueErrorf("sleep length must be non-negative")
	}
	return py.None, t.Charge(1)
}

// brokenDown is gmtime and localtime: the struct_time of the timestamp in a,
// or of now.
func brokenDown(t *py.Thread, a []py.Value, zone string) (py.Value, error) {
	seconds := t.Clock().Unix()
	if len(a) > 0 && a[0] != py.None {
		var err error
		if seconds, err = timestampSeconds(t, a[0]); err != nil {
			return nil, err
		}
	}
	if err := checkUnix(seconds); err != nil {
		return nil, err
	}
	u := time.Unix(seconds, 0).UTC()
	year, month, day := u.Date()
	items := make([]py.Value, 9)
	for i, n := range []int{year, int(month), day, u.Hour(), u.Minute(), u.Second(), (int(u.Weekday()) + 6) % 7, u.YearDay(), 0} {
		items[i] = py.Int(n)
	}
	return makeStructTime(items, py.NewStr(zone), py.Int(0)), nil
}

// fieldsOrNow reads the optional time tuple in a; absent, it is now.
func fieldsOrNow(t *py.Thread, fname string, a []py.Value) (*tmFields, error) {
	var v py.Value
	if len(a) > 0 {
		v = a[0]
	} else {
		var err error
		if v, err = brokenDown(t, nil, "UTC"); err != nil {
			return nil, err
		}
	}
	return fieldsOf(t, fname, v)
}

func timeStrftime(t *py.Thread, a []py.Value) (py.Value, error) {
	format, err := strArgument("strftime", 1, a[0])
	if err != nil {
		return nil, err
	}
	f, err := fieldsOrNow(t, "strftime", a[1:])
	if err != nil {
		return nil, err
	}
	return formatFields(t, format.String(), f)
}

func timeMktime(t *py.Thread, a []py.Value) (py.Value, error) {
	f, err := rawFields(t, "mktime", a[0])
	if err != nil {
		return nil, err
	}
	n := f.unix()
	if checkUnix(n) != nil {
		return nil, py.OverflowErrorf("mktime argument out of range")
	}
	return py.Float(n), nil
}

// timeStrptime is strptime(data_string, format); its errors are those of the
// Python function behind it.
func timeStrptime(t *py.Thread, a []py.Value) (py.Value, error) {
	s := [2]string{"", "%a %b %d %H:%M:%S %Y"}
	for i, v := range a {
		if v == nil {
			continue
		}
		x, ok := py.AsStr(v)
		if !ok {
			cls, err := t.Repr(v.Type())
			if err != nil {
				return nil, err
			}
			return nil, py.TypeErrorf("strptime() argument %d must be str, not %s", i, cls)
		}
		s[i] = x.String()
	}
	p, err := parseTime(t, s[0], s[1])
	if err != nil {
		return nil, err
	}
	items := make([]py.Value, 9)
	for i, n := range []int{p.year, p.month, p.day, p.hour, p.minute, p.second, p.weekday, p.yday, p.isdst} {
		items[i] = py.Int(n)
	}
	zone, gmtoff := py.None, py.None
	if p.zone != "" {
		zone = py.NewStr(p.zone)
	}
	if p.offset != nil {
		// The fraction of a second is not part of tm_gmtoff, which is cut off
		// towards zero.
		n := p.offset.days*daySeconds + p.offset.seconds
		if n < 0 && p.offset.micros > 0 {
			n++
		}
		gmtoff = py.Int(n)
	}
	return makeStructTime(items, zone, gmtoff), nil
}
