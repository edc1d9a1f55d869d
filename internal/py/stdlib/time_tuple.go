package stdlib

import (
	"sync"

	"gauntlet/internal/py"
)

// structTimeType is time.struct_time, a tuple of nine items with names. The
// two hidden fields tm_zone and tm_gmtoff are attributes of the instance.
var structTimeType = py.NewType("time", "struct_time", py.TupleType)

var structTimeFields = []string{"tm_year", "tm_mon", "tm_mday", "tm_hour", "tm_min", "tm_sec", "tm_wday", "tm_yday", "tm_isdst"}

// finishStructTime attaches the methods of struct_time, which both the time
// and the datetime module return.
var finishStructTime = sync.OnceFunc(func() {
	sealClass(structTimeType)
	structTimeType.New = newStructTime
	for i, name := range structTimeFields {
		structTimeType.Finish(py.Get(name, func(_ *py.Thread, self py.Value) (py.Value, error) {
			x, _ := py.AsTuple(self)
			return x.Items[i], nil
		}))
	}
	structTimeType.Finish(
		py.Member{Name: "n_fields", Value: py.Int(11)},
		py.Member{Name: "n_sequence_fields", Value: py.Int(9)},
		py.Member{Name: "n_unnamed_fields", Value: py.Int(0)},
		py.Def("__repr__", "/", func(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			x, _ := py.AsTuple(self)
			s := "time.struct_time("
			for i, name := range structTimeFields {
				r, err := t.Repr(x.Items[i])
				if err != nil {
					return nil, err
				}
				if i > 0 {
					s += ", "
				}
				s += name + "=" + r
			}
			return newString(t, s+")")
		}),
	)
})

// newStructTime is struct_time(sequence, dict={}).
func newStructTime(t *py.Thread, _ *py.Type, args []py.Value, kw []py.Kw) (py.Value, error) {
	var seq py.Value
	var extra *py.Dict
	err := parseArgs("structseq", []string{"sequence", "dict"}, 1, args, kw, func(i int, v py.Value) error {
		if i == 0 {
			seq = v
			return nil
		}
		d, ok := py.AsDict(v)
		if !ok {
			return py.TypeErrorf("time.struct_time() takes a dict as second arg, if any")
		}
		extra = d
		return nil
	})
	if err != nil {
		return nil, err
	}
	items, err := t.Collect(seq)
	if err != nil {
		if _, ok := py.Catch(err, py.TypeErrorType); ok {
			return nil, py.TypeErrorf("constructor requires a sequence")
		}
		return nil, err
	}
	switch n := len(items); {
	case n < 9:
		return nil, py.TypeErrorf("time.struct_time() takes an at least 9-sequence (%d-sequence given)", n)
	case n > 11:
		return nil, py.TypeErrorf("time.struct_time() takes an at most 11-sequence (%d-sequence given)", n)
	}
	hidden := [2]py.Value{py.None, py.None}
	for i, name := range []string{"tm_zone", "tm_gmtoff"} {
		if len(items) > 9+i {
			hidden[i] = items[9+i]
		} else if extra != nil {
			v, err := extra.Get(t, py.NewStr(name))
			if err != nil {
				return nil, err
			}
			hidden[i] = orNone(v)
		}
	}
	return makeStructTime(items[:9], hidden[0], hidden[1]), nil
}

// makeStructTime makes a struct_time that owns the nine items.
func makeStructTime(items []py.Value, zone, gmtoff py.Value) py.Value {
	x := py.NewInstance(structTimeType, py.NewTuple(items...))
	x.Attrs().SetStr("tm_zone", zone)
	x.Attrs().SetStr("tm_gmtoff", gmtoff)
	return x
}

// timeTuple is the struct_time of a date and a time of day.
func timeTuple(d *pyDate, c clock, isdst int) py.Value {
	return makeStructTime([]py.Value{py.Int(d.year), py.Int(d.month), py.Int(d.day), py.Int(c.hour), py.Int(c.minute),
		py.Int(c.second), py.Int(d.weekday()), py.Int(d.yearDay()), py.Int(isdst)}, py.None, py.None)
}

// tmFields is C's struct tm, with the year written out.
type tmFields struct {
	year, mon, mday, hour, min, sec int // mon from 0
	wday, yday, isdst               int // wday from 0 on Sundays, yday from 0
	zone                            string
	gmtoff                          int
}

// fieldsOf reads a time tuple for the function fname and checks the ranges
// that strftime relies on.
func fieldsOf(t *py.Thread, fname string, v py.Value) (*tmFields, error) {
	f, err := rawFields(t, fname, v)
	if err != nil {
		return nil, err
	}
	switch {
	case f.mon == -1:
		f.mon = 0
	case f.mon < 0 || f.mon > 11:
		return nil, py.ValueErrorf("month out of range")
	}
	switch {
	case f.mday == 0:
		f.mday = 1
	case f.mday < 0 || f.mday > 31:
		return nil, py.ValueErrorf("day of month out of range")
	}
	for _, c := range []struct {
		n, most int
		text    string
	}{{f.hour, 23, "hour"}, {f.min, 59, "minute"}, {f.sec, 61, "seconds"}, {f.wday, 6, "day of week"}} {
		if c.n < 0 || c.n > c.most {
			return nil, py.ValueErrorf("%s out of range", c.text)
		}
	}
	switch {
	case f.yday == -1:
		f.yday = 0
	case f.yday < 0 || f.yday > 365:
		return nil, py.ValueErrorf("day of year out of range")
	}
	f.isdst = max(-1, min(f.isdst, 1))
	return f, nil
}

// rawFields reads a time tuple without range checks.
func rawFields(t *py.Thread, fname string, v py.Value) (*tmFields, error) {
	tuple, ok := py.AsTuple(v)
	if !ok {
		return nil, py.TypeErrorf("Tuple or struct_time argument required")
	}
	if len(tuple.Items) != 9 {
		return nil, py.TypeErrorf("%s(): illegal time tuple argument", fname)
	}
	var n [9]int
	for i, x := range tuple.Items {
		var err error
		if n[i], err = cInt(t, x); err != nil {
			return nil, err
		}
	}
	if n[0] < -1<<31+1900 {
		return nil, py.OverflowErrorf("year out of range")
	}
	f := &tmFields{n[0], n[1] - 1, n[2], n[3], n[4], n[5], (n[6] + 1) % 7, n[7] - 1, n[8], "", 0}
	if x, ok := v.(*py.Instance); ok && x.Type() == structTimeType {
		if z, ok := x.Attrs().GetStr("tm_zone"); ok {
			if s, ok := py.AsStr(z); ok {
				f.zone = s.String()
			}
		}
		if z, ok := x.Attrs().GetStr("tm_gmtoff"); ok {
			if off, ok := py.AsInt(z); ok {
				f.gmtoff = int(off)
			}
		}
	}
	return f, nil
}
