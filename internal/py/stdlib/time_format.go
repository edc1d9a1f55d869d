package stdlib

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"

	"gauntlet/internal/py"
	"gauntlet/internal/py/text"
)

// This file formats a time tuple as glibc's strftime does in the C locale:
// all directives, the flags _ - 0 ^ #, field widths and the modifiers E and O.

// formatFields is time.strftime on checked fields.
func formatFields(t *py.Thread, format string, f *tmFields) (py.Value, error) {
	if strings.IndexByte(format, 0) >= 0 {
		return nil, py.ValueErrorf("embedded null character")
	}
	if err := t.Charge(len(format)); err != nil {
		return nil, err
	}
	// CPython doubles a buffer until the text fits, up to 256 characters for
	// each one of the format, and returns "" when it does not.
	room := 1024
	for room < 256*text.Len(format) {
		room *= 2
	}
	w := &timeWriter{t: t, f: f, room: room}
	if err := w.format(format, false); err != nil {
		return nil, err
	}
	if w.full() {
		return py.NewStr(""), nil
	}
	return newString(t, w.out.String())
}

// timeWriter writes one formatted text.
type timeWriter struct {
	t    *py.Thread
	f    *tmFields
	out  strings.Builder
	n    int // characters in out
	room int // the text must stay shorter
}

func (w *timeWriter) full() bool { return w.n >= w.room }

func (w *timeWriter) write(s string) {
	w.out.WriteString(s)
	w.n += text.Len(s)
}

// directive is one conversion: flags, width, modifier and letter.
type directive struct {
	pad    byte // '_', '-', '0' or 0
	upper  bool // flag ^
	swap   bool // flag #
	width  int
	mod    byte   // 'E', 'O' or 0
	letter byte   // 0 at the end of the format and for what is not ASCII
	text   string // the directive as it stands in the format
}

// nextDirective reads the directive that follows the % at f[0].
func nextDirective(f string) directive {
	var d directive
	i := 1
flags:
	for ; i < len(f); i++ {
		switch f[i] {
		case '_', '-', '0':
			d.pad = f[i]
		case '^':
			d.upper = true
		case '#':
			d.swap = true
		default:
			break flags
		}
	}
	for ; i < len(f) && f[i] >= '0' && f[i] <= '9'; i++ {
		d.width = min(d.width*10+int(f[i]-'0'), 1<<30)
	}
	if i < len(f) && (f[i] == 'E' || f[i] == 'O') {
		d.mod = f[i]
		i++
	}
	if i < len(f) {
		_, n := text.DecodeRune(f[i:])
		if n == 1 {
			d.letter = f[i]
		}
		i += n
	}
	d.text = f[:i]
	return d
}

// format appends the text of format; upper makes the letters capitals.
func (w *timeWriter) format(format string, upper bool) error {
	for len(format) > 0 && !w.full() {
		i := strings.IndexByte(format, '%')
		if i < 0 {
			i = len(format)
		}
		w.write(format[:i])
		if format = format[i:]; format == "" {
			return nil
		}
		d := nextDirective(format)
		d.upper = d.upper || upper
		if err := w.t.Charge(4); err != nil {
			return err
		}
		if err := w.directive(d); err != nil {
			return err
		}
		format = format[len(d.text):]
	}
	return nil
}

// refused lists the letters that do not go with a modifier.
var refused = map[byte]string{'E': "aAbBhdDeFgGHIjklmMSUVWw", 'O': "aADFcxXY", 0: ""}

func (w *timeWriter) directive(d directive) error {
	if strings.IndexByte(refused[d.mod], d.letter) >= 0 {
		return w.text(d, d.text)
	}
	f := w.f
	switch d.letter {
	case 'a', 'A', 'b', 'B', 'h':
		d.upper = d.upper || d.swap
		return w.text(d, f.name(d.letter))
	case 'c':
		return w.sub(d, "%a %b %e %H:%M:%S %Y")
	case 'x', 'D':
		return w.sub(d, "%m/%d/%y")
	case 'X', 'T':
		return w.sub(d, "%H:%M:%S")
	case 'F':
		return w.sub(d, "%Y-%m-%d")
	case 'r':
		return w.sub(d, "%I:%M:%S %p")
	case 'R':
		return w.sub(d, "%H:%M")
	case 'p', 'P':
		s := "AM"
		if f.hour > 11 {
			s = "PM"
		}
		if d.letter == 'P' || d.swap {
			d.upper, s = false, strings.ToLower(s)
		}
		return w.text(d, s)
	case 'n':
		return w.text(d, "\n")
	case 't':
		return w.text(d, "\t")
	case '%':
		return w.text(d, "%")
	case 's':
		return w.text(d, strconv.FormatInt(f.unix(), 10))
	case 'Z':
		zone := f.zoneName()
		if d.swap {
			d.upper, zone = false, strings.ToLower(zone)
		}
		return w.text(d, zone)
	case 'z':
		return w.offset(d)
	case 'e', 'k', 'l':
		if d.pad == 0 {
			d.pad = '_'
		}
	}
	if n, digits, ok := f.number(d.letter); ok {
		return w.number(d, n, digits)
	}
	return w.text(d, d.text)
}

// name is the text of a directive for a day or a month.
func (f *tmFields) name(letter byte) string {
	day, month := dayNames[(f.wday+6)%7], monthNames[f.mon]
	switch letter {
	case 'a':
		return day[:3]
	case 'A':
		return day
	case 'B':
		return month
	}
	return month[:3]
}

// number returns the value and the least number of digits of a numeric directive.
func (f *tmFields) number(letter byte) (n, digits int, ok bool) {
	hour12 := (f.hour+11)%12 + 1
	switch letter {
	case 'C':
		return floorDiv(f.year, 100), 1, true
	case 'Y':
		return f.year, 1, true
	case 'y':
		return floorMod(f.year, 100), 2, true
	case 'm':
		return f.mon + 1, 2, true
	case 'd', 'e':
		return f.mday, 2, true
	case 'H', 'k':
		return f.hour, 2, true
	case 'I', 'l':
		return hour12, 2, true
	case 'M':
		return f.min, 2, true
	case 'S':
		return f.sec, 2, true
	case 'j':
		return f.yday + 1, 3, true
	case 'w':
		return f.wday, 1, true
	case 'u':
		return (f.wday+6)%7 + 1, 1, true
	case 'U':
		return (f.yday - f.wday + 7) / 7, 2, true
	case 'W':
		return (f.yday - (f.wday+6)%7 + 7) / 7, 2, true
	}
	year, week := f.isoWeek()
	switch letter {
	case 'G':
		return year, 1, true
	case 'g':
		return floorMod(year, 100), 2, true
	case 'V':
		return week, 2, true
	}
	return 0, 0, false
}

// isoWeek derives the ISO 8601 year and week from the day of the year and the
// weekday alone, which need not agree with the date.
func (f *tmFields) isoWeek() (year, week int) {
	yearDays := func(y int) int {
		if isLeap(y) {
			return 366
		}
		return 365
	}
	// days since the Monday of week 1; week 1 holds January 4 (yday 3).
	days := func(yday int) int {
		jan4 := floorMod(f.wday+6-(yday-3), 7) // weekday of January 4, Monday 0
		return yday - (3 - jan4)
	}
	year = f.year
	n := days(f.yday)
	if n < 0 {
		year--
		n = days(f.yday + yearDays(year))
	} else if next := days(f.yday - yearDays(year)); next >= 0 {
		year++
		n = next
	}
	return year, n/7 + 1
}

// unix is C's mktime in UTC: fields out of range carry over.
func (f *tmFields) unix() int64 {
	s := time.Date(f.year, time.Month(f.mon+1), f.mday, f.hour, f.min, f.sec, 0, time.UTC).Unix()
	if f.isdst > 0 {
		s -= 3600
	}
	return s
}

func (f *tmFields) zoneName() string {
	if f.zone == "" && f.isdst >= 0 {
		return "UTC"
	}
	return f.zone
}

// sub writes a directive that stands for a format of its own.
func (w *timeWriter) sub(d directive, format string) error {
	s := &timeWriter{t: w.t, f: w.f, room: w.room}
	if err := s.format(format, d.upper); err != nil {
		return err
	}
	d.upper = false
	return w.text(d, s.out.String())
}

// text writes s to the width of the field.
func (w *timeWriter) text(d directive, s string) error {
	if d.upper {
		s = strings.Map(unicode.ToUpper, s)
	}
	fill := byte(' ')
	if d.pad == '0' {
		fill = '0'
	}
	return w.padded(s, d.width-text.Len(s), fill)
}

// padded writes n times fill and s.
func (w *timeWriter) padded(s string, n int, fill byte) error {
	n = max(0, min(n, w.room))
	if err := w.t.Alloc(n + len(s)); err != nil {
		return err
	}
	w.write(strings.Repeat(string(fill), n))
	w.write(s)
	return nil
}

// number writes a number to at least the given number of digits.
func (w *timeWriter) number(d directive, n, digits int) error {
	s := strconv.Itoa(n)
	switch d.pad {
	case '-':
		return w.padded(s, d.width-len(s), ' ')
	case '_':
		return w.padded(s, max(d.width, digits)-len(s), ' ')
	}
	if n < 0 {
		w.write("-")
		s = s[1:]
		d.width--
		digits--
	}
	return w.padded(s, max(d.width, digits)-len(s), '0')
}

// offset writes the offset from UTC; nothing when daylight saving is unknown.
func (w *timeWriter) offset(d directive) error {
	if w.f.isdst < 0 {
		return nil
	}
	minutes, sign := w.f.gmtoff/60, "+"
	if w.f.gmtoff < 0 {
		minutes, sign = -minutes, "-"
	}
	upper := d.upper
	d.upper = false
	if err := w.text(d, sign); err != nil {
		return err
	}
	d.upper = upper
	return w.number(d, minutes/60*100+minutes%60, 4)
}

// asctime is C's asctime without the newline.
func (f *tmFields) asctime() string {
	return fmt.Sprintf("%s %s%3d %02d:%02d:%02d %d", f.name('a'), f.name('b'), f.mday, f.hour, f.min, f.sec, f.year)
}
