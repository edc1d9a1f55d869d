package stdlib

import (
	"fmt"
	"strings"

	"gauntlet/internal/py"
	"gauntlet/internal/py/text"
)

// strftimeMethod is strftime(format) of date, time and datetime.
func strftimeMethod(t *py.Thread, self py.Value, args []py.Value, kw []py.Kw) (py.Value, error) {
	var format *py.Str
	err := parseArgs("strftime", []string{"format"}, 1, args, kw, func(_ int, v py.Value) (err error) {
		format, err = strArgument("strftime", 1, v)
		return err
	})
	if err != nil {
		return nil, err
	}
	if err := checkEncodable(format.String()); err != nil {
		return nil, err
	}
	tuple, err := tupleForFormat(t, self)
	if err != nil {
		return nil, err
	}
	f, err := expandFormat(t, self, format.String())
	if err != nil {
		return nil, err
	}
	fields, err := fieldsOf(t, "strftime", tuple)
	if err != nil {
		return nil, err
	}
	return formatFields(t, f, fields)
}

// checkEncodable refuses lone surrogates, which have no UTF-8 form.
func checkEncodable(s string) error {
	first, last, at := -1, -1, 0
	for rest := s; rest != ""; at++ {
		r, n := text.DecodeRune(rest)
		rest = rest[n:]
		switch {
		case text.IsSurrogate(r) && (first < 0 || last == at):
			if first < 0 {
				first = at
			}
			last = at + 1
		case first >= 0:
			rest = ""
		}
	}
	if first < 0 {
		return nil
	}
	return py.RaiseArgs(py.UnicodeEncodeErrType, py.NewStr("utf-8"), py.NewStr(s), py.Int(first), py.Int(last), py.NewStr("surrogates not allowed"))
}

// tupleForFormat is the time tuple that strftime formats.
func tupleForFormat(t *py.Thread, self py.Value) (py.Value, error) {
	if x, ok := asTime(self); ok {
		return py.NewTuple(py.Int(1900), py.Int(1), py.Int(1), py.Int(x.hour), py.Int(x.minute), py.Int(x.second), py.Int(0), py.Int(1), py.Int(-1)), nil
	}
	return t.CallMethod(self, "timetuple")
}

// expandFormat replaces %f, %z and %Z, which the C library cannot fill in.
func expandFormat(t *py.Thread, self py.Value, f string) (string, error) {
	if err := t.Charge(len(f) >> 3); err != nil {
		return "", err
	}
	if i := strings.IndexByte(f, 0); i >= 0 {
		f = f[:i] // CPython's loop ends at the first NUL
	}
	var b strings.Builder
	for i := 0; i < len(f); i++ {
		if f[i] != '%' || i+1 == len(f) {
			b.WriteByte(f[i])
			continue
		}
		i++
		s, err := "", error(nil)
		switch f[i] {
		case 'z':
			s, err = formatOffset(t, self)
		case 'Z':
			s, err = formatZone(t, self)
		case 'f':
			s = fmt.Sprintf("%06d", microOf(self))
		default:
			s = f[i-1 : i+1]
		}
		if err == nil {
			err = t.Alloc(len(s))
		}
		if err != nil {
			return "", err
		}
		b.WriteString(s)
	}
	return b.String(), nil
}

func microOf(v py.Value) int {
	switch x := py.Unwrap(v).(type) {
	case *pyTime:
		return x.micro
	case *pyDatetime:
		return x.micro
	}
	return 0
}

// zoneOf returns the tzinfo of v, None for a date, and the argument for its methods.
func zoneOf(v py.Value) (tz, arg py.Value) {
	switch x := py.Unwrap(v).(type) {
	case *pyTime:
		return x.tz, py.None
	case *pyDatetime:
		return x.tz, v
	}
	return py.None, py.None
}

func formatOffset(t *py.Thread, self py.Value) (string, error) {
	tz, arg := zoneOf(self)
	d, err := tzDelta(t, tz, "utcoffset", arg)
	if d == nil || err != nil {
		return "", err
	}
	return offsetText(d, ""), nil
}

func formatZone(t *py.Thread, self py.Value) (string, error) {
	tz, arg := zoneOf(self)
	v, err := tzName(t, tz, arg)
	if err != nil || v == py.None {
		return "", err
	}
	s, _ := py.AsStr(v)
	return strings.ReplaceAll(s.String(), "%", "%%"), nil
}

// formatMethod is __format__: strftime, or str() for an empty specification.
func formatMethod(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
	s, ok := py.AsStr(a[0])
	if !ok {
		return nil, py.TypeErrorf("__format__() argument 1 must be str, not %s", argTypeName(a[0]))
	}
	if s.Len() == 0 {
		r, err := t.Str(self)
		return py.NewStr(r), err
	}
	return t.CallMethod(self, "strftime", s)
}

// datetimeStrptime is datetime.strptime(date_string, format).
func datetimeStrptime(t *py.Thread, cls *py.Type, args []py.Value, kw []py.Kw) (py.Value, error) {
	if err := exactArgs("strptime", 2, args, kw); err != nil {
		return nil, err
	}
	s, err := strArgument("strptime", 1, args[0])
	if err != nil {
		return nil, err
	}
	f, err := strArgument("strptime", 2, args[1])
	if err != nil {
		return nil, err
	}
	p, err := parseTime(t, s.String(), f.String())
	if err != nil {
		return nil, err
	}
	call := []py.Value{py.Int(p.year), py.Int(p.month), py.Int(p.day), py.Int(p.hour), py.Int(p.minute), py.Int(p.second), py.Int(p.micro)}
	if p.offset != nil {
		z := &pyZone{offset: p.offset}
		if p.zone != "" {
			z.name = py.NewStr(p.zone)
		}
		if *p.offset == (pyDelta{}) && z.name == nil {
			z = utcZone
		}
		if err := checkZone(p.offset); err != nil {
			return nil, err
		}
		call = append(call, z)
	}
	return t.Call(cls, call, nil)
}
