package stdlib

import (
	"strings"

	"gauntlet/internal/py"
	"gauntlet/internal/py/regex"
	"gauntlet/internal/py/text"
)

// This file is strptime, for the time and the datetime module. As in CPython
// a format becomes a regular expression, one group for each directive, because
// backtracking between neighbouring directives shows in the results.

// timePatterns gives the pattern of each directive (C locale, zone UTC).
// Values are what the documentation of strftime lists, longer ones first.
var timePatterns = func() map[byte]string {
	m := map[byte]string{
		'd': `3[0-1]|[1-2]\d|0[1-9]|[1-9]| [1-9]`,
		'f': `[0-9]{1,6}`,
		'H': `2[0-3]|[0-1]\d|\d`,
		'I': `1[0-2]|0[1-9]|[1-9]`,
		'G': `\d\d\d\d`,
		'j': `36[0-6]|3[0-5]\d|[1-2]\d\d|0[1-9]\d|00[1-9]|[1-9]\d|0[1-9]|[1-9]`,
		'm': `1[0-2]|0[1-9]|[1-9]`,
		'M': `[0-5]\d|\d`,
		'S': `6[0-1]|[0-5]\d|\d`,
		'U': `5[0-3]|[0-4]\d|\d`,
		'W': `5[0-3]|[0-4]\d|\d`,
		'w': `[0-6]`,
		'u': `[1-7]`,
		'V': `5[0-3]|0[1-9]|[1-4]\d|\d`,
		'y': `\d\d`,
		'Y': `\d\d\d\d`,
		'z': `[+-]\d\d:?[0-5]\d(:?[0-5]\d(\.\d{1,6})?)?|(?-i:Z)`,
		'A': "wednesday|thursday|saturday|tuesday|monday|friday|sunday",
		'a': "mon|tue|wed|thu|fri|sat|sun",
		'B': "september|february|november|december|january|october|august|march|april|june|july|may",
		'b': "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec",
		'p': "am|pm",
		'Z': "gmt|utc",
	}
	for c, p := range m {
		m[c] = "(?P<" + string(c) + ">" + p + ")"
	}
	m['%'] = "%"
	m['x'] = m['m'] + "/" + m['d'] + "/" + m['y']
	m['X'] = m['H'] + ":" + m['M'] + ":" + m['S']
	m['c'] = m['a'] + `\s+` + m['b'] + `\s+` + m['d'] + `\s+` + m['X'] + `\s+` + m['Y']
	return m
}()

// timePattern turns a strptime format into a regular expression.
func timePattern(format string) (string, error) {
	var b strings.Builder
	space := false
	for i := 0; i < len(format); {
		r, n := text.DecodeRune(format[i:])
		if text.IsSpaceRune(r) {
			if !space {
				b.WriteString(`\s+`)
			}
			space = true
			i += n
			continue
		}
		space = false
		if r != '%' {
			if strings.ContainsRune(`\.^$*+?(){}[]|`, r) {
				b.WriteByte('\\')
			}
			b.WriteString(format[i : i+n])
			i += n
			continue
		}
		if i++; i == len(format) {
			return "", py.ValueErrorf("stray %% in format '%s'", format)
		}
		r, n = text.DecodeRune(format[i:])
		p, ok := "", false
		if r < 128 {
			p, ok = timePatterns[byte(r)]
		}
		if !ok {
			bad := format[i : i+n]
			if text.IsSpaceRune(r) || strings.ContainsRune(`\.^$*+?(){}[]|`, r) {
				bad = "%"
			}
			return "", py.ValueErrorf("'%s' is a bad directive in format '%s'", bad, format)
		}
		b.WriteString(p)
		i += n
	}
	return b.String(), nil
}

// parsedTime is what strptime found; zone is "" and offset nil when the format
// does not ask for them.
type parsedTime struct {
	year, month, day             int
	hour, minute, second, micro  int
	weekday, yday, isdst         int
	zone                         string
	offset                       *pyDelta
	isoYear, isoWeek, week       int
	weekFromSunday, leapYearFake bool
}

// absent marks a field of parsedTime that the format does not give.
const absent = -1 << 31

// parseTime is the common part of datetime.strptime and time.strptime.
func parseTime(t *py.Thread, s, format string) (*parsedTime, error) {
	pattern, err := timePattern(format)
	if err != nil {
		return nil, err
	}
	re, err := compileRegexp(t, pattern, regex.IgnoreCase)
	if err != nil {
		return nil, err
	}
	m, err := re.Match(regex.NewSubject(s), 0, regex.End, regex.Prefix, t.Charge)
	if err != nil {
		return nil, regexError(err)
	}
	if m == nil {
		return nil, py.ValueErrorf("time data %s does not match format %s", text.Repr(s), text.Repr(format))
	}
	if _, end := m.Span(0); end != m.Subject.Len() {
		return nil, py.ValueErrorf("unconverted data remains: %s", m.Subject.Slice(end, m.Subject.Len()))
	}
	p := &parsedTime{year: absent, month: 1, day: 1, weekday: absent, yday: absent, isdst: -1, isoYear: absent, isoWeek: absent, week: absent}
	for _, g := range re.GroupNames() {
		v, _ := m.Group(g.Index)
		ampm := ""
		if g.Name == "I" {
			if i, ok := re.GroupIndex("p"); ok {
				ampm, _ = m.Group(i)
			}
		}
		if err := p.set(g.Name[0], v, strings.ToLower(ampm)); err != nil {
			return nil, err
		}
	}
	if err := p.checkIso(); err != nil {
		return nil, err
	}
	return p, p.complete()
}

// set stores the text of one directive.
func (p *parsedTime) set(letter byte, s, ampm string) error {
	switch letter {
	case 'A':
		return nameIndex(&p.weekday, dayNames[:], s, false)
	case 'a':
		return nameIndex(&p.weekday, dayNames[:], s, true)
	case 'B':
		err := nameIndex(&p.month, monthNames[:], s, false)
		p.month++
		return err
	case 'b':
		err := nameIndex(&p.month, monthNames[:], s, true)
		p.month++
		return err
	case 'z':
		return p.setOffset(s)
	case 'Z':
		p.zone, p.isdst = s, 0
		return nil
	case 'p':
		return nil
	case 'f':
		s += strings.Repeat("0", 6-len(s))
	}
	v, _, err := text.ParseInt(s, 10)
	if err != nil {
		return py.ValueErrorf("%s", err.Error())
	}
	p.setNumber(letter, int(v), ampm)
	return nil
}

// setNumber stores the value of a numeric directive.
func (p *parsedTime) setNumber(letter byte, n int, ampm string) {
	switch letter {
	case 'y':
		// POSIX: 69 to 99 are years of the 20th century.
		if p.year = 2000 + n; n > 68 {
			p.year = 1900 + n
		}
	case 'Y':
		p.year = n
	case 'G':
		p.isoYear = n
	case 'm':
		p.month = n
	case 'd':
		p.day = n
	case 'H':
		p.hour = n
	case 'I':
		p.hour = n % 12
		if ampm == "pm" {
			p.hour += 12
		}
	case 'M':
		p.minute = n
	case 'S':
		p.second = n
	case 'f':
		p.micro = n
	case 'w':
		p.weekday = (n + 6) % 7
	case 'u':
		p.weekday = n - 1
	case 'j':
		p.yday = n
	case 'U', 'W':
		p.week, p.weekFromSunday = n, letter == 'U'
	case 'V':
		p.isoWeek = n
	}
}

// nameIndex finds a name, whole or by its first three letters.
func nameIndex(at *int, names []string, s string, short bool) error {
	for i, n := range names {
		if short {
			n = n[:3]
		}
		if strings.EqualFold(n, s) {
			*at = i
			return nil
		}
	}
	return py.ValueErrorf("%s is not in list", text.Repr(text.Lower(s)))
}

// setOffset reads +HHMM, +HH:MM, +HHMMSS[.ffffff] and Z.
func (p *parsedTime) setOffset(s string) error {
	if s == "Z" {
		p.offset = &pyDelta{}
		return nil
	}
	chars := []rune(s)
	if chars[3] == ':' {
		chars = append(chars[:3:3], chars[4:]...)
		if len(chars) > 5 {
			if chars[5] != ':' {
				return py.ValueErrorf("Inconsistent use of : in %s", s)
			}
			chars = append(chars[:5:5], chars[6:]...)
		}
	}
	number := func(from, to int) int {
		n := 0
		for i := from; i < to; i++ {
			n *= 10
			if i < len(chars) {
				n += text.DecimalValue(chars[i])
			}
		}
		return n
	}
	if len(chars) > 5 && text.DecimalValue(chars[5]) < 0 {
		// +HHMM:SS: the colon is taken for a digit.
		return py.ValueErrorf("invalid literal for int() with base 10: %s", text.Repr(string(chars[5:min(7, len(chars))])))
	}
	seconds := number(1, 3)*3600 + number(3, 5)*60
	micro := 0
	if len(chars) > 5 {
		seconds += number(5, 7)
		micro = number(8, 14)
	}
	if chars[0] == '-' {
		seconds, micro = -seconds, -micro
	}
	d, err := newDelta(0, seconds, micro)
	p.offset = d
	return err
}

// checkIso refuses incomplete ISO week dates.
func (p *parsedTime) checkIso() error {
	const weekday = "a weekday directive ('%A', '%a', '%w', or '%u')."
	switch {
	case p.year == absent && p.isoYear != absent:
		if p.isoWeek == absent || p.weekday == absent {
			return py.ValueErrorf("%s", "ISO year directive '%G' must be used with the ISO week directive '%V' and "+weekday)
		}
		if p.yday != absent {
			return py.ValueErrorf("%s", "Day of the year directive '%j' is not compatible with ISO year directive '%G'. Use '%Y' instead.")
		}
	case p.week == absent && p.isoWeek != absent:
		if p.weekday == absent {
			return py.ValueErrorf("%s", "ISO week directive '%V' must be used with the ISO year directive '%G' and "+weekday)
		}
		return py.ValueErrorf("%s", "ISO week directive '%V' is incompatible with the year directive '%Y'. Use the ISO year '%G' instead.")
	}
	return nil
}

// complete derives the date from what is known, and the weekday and the day of
// the year from the date.
func (p *parsedTime) complete() error {
	if p.year == absent {
		p.year = 1900
		if p.month == 2 && p.day == 29 {
			p.year, p.leapYearFake = 1904, true // a leap year, for the arithmetic
		}
	}
	if p.yday == absent && p.weekday != absent {
		if err := p.fromWeek(); err != nil {
			return err
		}
	}
	if p.yday == absent {
		if err := checkDate(p.year, p.month, p.day); err != nil {
			return err
		}
		d := pyDate{p.year, p.month, p.day}
		p.yday = d.yearDay()
	} else {
		if err := checkDate(p.year, 1, 1); err != nil {
			return err
		}
		n := p.yday - 1 + ymdToOrdinal(p.year, 1, 1)
		if n < 1 {
			return py.ValueErrorf("ordinal must be >= 1")
		}
		d := ordinalToDate(n)
		if err := checkDate(d.year, d.month, d.day); err != nil {
			return err
		}
		p.year, p.month, p.day = d.year, d.month, d.day
	}
	if p.weekday == absent {
		d := pyDate{p.year, p.month, p.day}
		p.weekday = d.weekday()
	}
	if p.leapYearFake {
		p.year = 1900
	}
	return nil
}

// fromWeek computes the day of the year from a week and a weekday, if the
// format gives a week.
func (p *parsedTime) fromWeek() error {
	switch {
	case p.week != absent:
		if err := checkDate(p.year, 1, 1); err != nil {
			return err
		}
		first, day := (ymdToOrdinal(p.year, 1, 1)+6)%7, p.weekday
		if p.weekFromSunday {
			first, day = (first+1)%7, (day+1)%7
		}
		if p.week == 0 {
			p.yday = 1 + day - first
		} else {
			p.yday = 1 + floorMod(7-first, 7) + 7*(p.week-1) + day
		}
	case p.isoYear != absent && p.isoWeek != absent:
		if err := checkDate(p.isoYear, 1, 4); err != nil {
			return err
		}
		jan4 := pyDate{p.isoYear, 1, 4}
		p.year, p.yday = p.isoYear, p.isoWeek*7+p.weekday+1-(jan4.weekday()+4)
		if p.yday < 1 {
			p.year--
			if err := checkDate(p.year, 1, 1); err != nil {
				return err
			}
			p.yday += ymdToOrdinal(p.year+1, 1, 1) - ymdToOrdinal(p.year, 1, 1)
		}
	}
	if p.yday != absent && p.yday <= 0 {
		p.year--
		p.yday += 365
		if isLeap(p.year) {
			p.yday++
		}
	}
	return nil
}
