package stdlib

import (
	"strings"

	"gauntlet/internal/py"
	"gauntlet/internal/py/text"
)

// This file reads ISO 8601 as CPython 3.11's fromisoformat does: calendar and
// week dates, basic and extended form, any separator before the time. What
// CPython lets pass by accident (digits after a date of 10 characters, a colon
// before the offset) passes here too: worlds were written against it.

// isoReader reads from s; reading past the end gives zero bytes.
type isoReader struct {
	s  string
	at int
}

func (r *isoReader) peek() byte {
	if r.at < len(r.s) {
		return r.s[r.at]
	}
	return 0
}

// digits reads n decimal digits.
func (r *isoReader) digits(n int) (int, bool) {
	v := 0
	for range n {
		c := r.peek()
		if c < '0' || c > '9' {
			return 0, false
		}
		v = v*10 + int(c-'0')
		r.at++
	}
	return v, true
}

// skip reads c if it is next.
func (r *isoReader) skip(c byte) bool {
	if r.peek() == c {
		r.at++
		return true
	}
	return false
}

func errIso(s string) error {
	return py.ValueErrorf("Invalid isoformat string: %s", text.Repr(s))
}

// parseIsoDate reads the date that takes up s (its callers know its length).
func parseIsoDate(s string) (pyDate, bool) {
	r := isoReader{s: s}
	var d pyDate
	var ok bool
	if d.year, ok = r.digits(4); !ok {
		return d, false
	}
	extended := r.skip('-')
	if r.skip('W') {
		week, ok := r.digits(2)
		if !ok {
			return d, false
		}
		day := 1
		if r.at < len(s) {
			if extended && !r.skip('-') {
				return d, false
			}
			if day, ok = r.digits(1); !ok {
				return d, false
			}
		}
		n, fault := isoToOrdinal(d.year, week, day)
		if fault != isoFine {
			return d, false
		}
		return ordinalToDate(n), true
	}
	if d.month, ok = r.digits(2); !ok {
		return d, false
	}
	if extended && !r.skip('-') {
		return d, false
	}
	d.day, ok = r.digits(2)
	return d, ok
}

// parseIsoDateOnly is date.fromisoformat without the range check.
func parseIsoDateOnly(s string) (pyDate, error) {
	if n := len(s); n == 7 || n == 8 || n == 10 {
		if d, ok := parseIsoDate(s); ok {
			return d, nil
		}
	}
	return pyDate{}, errIso(s)
}

// isoDateLength tells how long the date at the start of s is. s has at least 7
// bytes.
func isoDateLength(s string) int {
	digit := func(i int) bool { return i < len(s) && s[i] >= '0' && s[i] <= '9' }
	if len(s) == 7 {
		return 7
	}
	if s[4] == '-' {
		if s[5] != 'W' {
			return 10 // 2020-01-02
		}
		if len(s) > 8 && s[8] == '-' {
			if len(s) == 9 {
				return -1
			}
			if digit(10) {
				return 8 // 2020-W01 and a time after a hyphen
			}
			return 10 // 2020-W01-1
		}
		return 8
	}
	if s[4] != 'W' {
		return 8 // 20200102
	}
	n := 7
	for digit(n) {
		n++
	}
	switch {
	case n < 9:
		return n
	case n%2 == 0:
		return 7 // 2020W01, a digit as separator, and pairs of digits
	}
	return 8
}

// parseIsoDatetime is datetime.fromisoformat without the range check.
func parseIsoDatetime(s string) (*pyDatetime, error) {
	if len(s) < 7 {
		return nil, errIso(s)
	}
	n := isoDateLength(s)
	if n < 0 || n > len(s) {
		return nil, errIso(s)
	}
	d, ok := parseIsoDate(s[:n])
	if !ok {
		return nil, errIso(s)
	}
	x := &pyDatetime{d, clock{}, py.None}
	if len(s) == n {
		return x, nil
	}
	_, width := text.DecodeRune(s[n:])
	var err error
	x.clock, x.tz, err = parseIsoClock(s[n+width:], s)
	return x, err
}

// parseIsoTimeOnly is time.fromisoformat without the range check.
func parseIsoTimeOnly(s string) (clock, py.Value, error) {
	return parseIsoClock(strings.TrimPrefix(s, "T"), s)
}

// parseIsoClock reads a time and its offset; whole is the text for the error.
func parseIsoClock(s, whole string) (clock, py.Value, error) {
	end := strings.IndexAny(s, "+-Z")
	if end < 0 {
		c, left, ok := parseIsoParts(s, len(s))
		if !ok || left {
			return c, nil, errIso(whole)
		}
		return c, py.None, nil
	}
	c, _, ok := parseIsoParts(s, end)
	if !ok {
		return c, nil, errIso(whole)
	}
	if s[end] == 'Z' {
		if end+1 < len(s) {
			return c, nil, errIso(whole)
		}
		return c, utcZone, nil
	}
	o, left, ok := parseIsoParts(s[end+1:], len(s)-end-1)
	if !ok || left {
		return c, nil, errIso(whole)
	}
	sign := 1
	if s[end] == '-' {
		sign = -1
	}
	offset, err := newDelta(0, sign*o.seconds(), sign*o.micro)
	if err != nil {
		return c, nil, err
	}
	if *offset == (pyDelta{}) {
		return c, utcZone, nil
	}
	return c, &pyZone{offset: offset}, checkZone(offset)
}

// parseIsoParts reads HH[:MM[:SS[.ffffff]]] or the form without colons from
// the first end bytes of s. left reports that something follows.
func parseIsoParts(s string, end int) (c clock, left, ok bool) {
	r := isoReader{s: s}
	colons := true
	for i, part := range []*int{&c.hour, &c.minute, &c.second} {
		if *part, ok = r.digits(2); !ok {
			return c, false, false
		}
		next := r.peek()
		r.at++
		if i == 0 {
			colons = next == ':'
		}
		switch {
		case r.at >= end:
			return c, next != 0, true
		case colons && next == ':':
			continue
		case next == '.' || next == ',':
			return parseIsoFraction(c, r, end)
		case colons:
			return c, false, false
		}
		r.at--
	}
	return parseIsoFraction(c, r, end)
}

// parseIsoFraction reads up to six digits and skips the rest.
func parseIsoFraction(c clock, r isoReader, end int) (clock, bool, bool) {
	n := min(end-r.at, 6)
	micro, ok := r.digits(n)
	if !ok {
		return c, false, false
	}
	for ; n < 6; n++ {
		micro *= 10
	}
	c.micro = micro
	for r.peek() >= '0' && r.peek() <= '9' {
		r.at++
	}
	return c, r.peek() != 0, true
}
