package stdlib

import (
	"time"

	"gauntlet/internal/py"
)

// This file is the calendar arithmetic of datetime. Package time serves as a
// calculator for the proleptic Gregorian calendar only.

// ymdToOrdinal returns the day number of a valid date; 0001-01-01 is day 1.
func ymdToOrdinal(year, month, day int) int {
	return int(time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC).Unix()/daySeconds) + epochOrdinal
}

// ordinalToDate is the inverse of ymdToOrdinal.
func ordinalToDate(n int) pyDate {
	y, m, d := time.Unix(int64(n-epochOrdinal)*daySeconds, 0).UTC().Date()
	return pyDate{y, int(m), d}
}

func (x *pyDate) ordinal() int { return ymdToOrdinal(x.year, x.month, x.day) }

// weekday is 0 on Mondays; day 1 was one.
func (x *pyDate) weekday() int { return (x.ordinal() + 6) % 7 }

// yearDay counts from 1.
func (x *pyDate) yearDay() int { return x.ordinal() - ymdToOrdinal(x.year, 1, 1) + 1 }

// iso returns the ISO 8601 year, week and weekday (1 is Monday).
func (x *pyDate) iso() (year, week, day int) {
	year, week = time.Date(x.year, time.Month(x.month), x.day, 0, 0, 0, 0, time.UTC).ISOWeek()
	return year, week, x.weekday() + 1
}

func isLeap(year int) bool { return year%4 == 0 && (year%100 != 0 || year%400 == 0) }

func daysInMonth(year, month int) int {
	switch month {
	case 2:
		if isLeap(year) {
			return 29
		}
		return 28
	case 4, 6, 9, 11:
		return 30
	}
	return 31
}

// isoFault says which part of an ISO week date is out of range.
type isoFault uint8

const (
	isoFine isoFault = iota
	isoWeekFault
	isoDayFault
	isoYearFault
)

// isoToOrdinal returns the day number of an ISO week date.
func isoToOrdinal(year, week, day int) (int, isoFault) {
	if year < minYear || year > maxYear {
		return 0, isoYearFault
	}
	// Week 1 is the one with January 4.
	jan4 := ymdToOrdinal(year, 1, 4)
	week1 := jan4 - (jan4+6)%7
	if week < 1 || week > 53 {
		return 0, isoWeekFault
	}
	if week == 53 {
		// The year has 53 weeks when it starts on a Thursday, or on a
		// Wednesday and is a leap year.
		first := (ymdToOrdinal(year, 1, 1) + 6) % 7
		if first != 3 && (first != 2 || !isLeap(year)) {
			return 0, isoWeekFault
		}
	}
	if day < 1 || day > 7 {
		return 0, isoDayFault
	}
	return week1 + (week-1)*7 + day - 1, isoFine
}

// checkDate is the range check of the constructors.
func checkDate(year, month, day int) error {
	switch {
	case year < minYear || year > maxYear:
		return py.ValueErrorf("year %d is out of range", year)
	case month < 1 || month > 12:
		return py.ValueErrorf("month must be in 1..12")
	case day < 1 || day > daysInMonth(year, month):
		return py.ValueErrorf("day is out of range for month")
	}
	return nil
}

// checkClock is the range check of the constructors.
func checkClock(c clock) error {
	switch {
	case c.hour < 0 || c.hour > 23:
		return py.ValueErrorf("hour must be in 0..23")
	case c.minute < 0 || c.minute > 59:
		return py.ValueErrorf("minute must be in 0..59")
	case c.second < 0 || c.second > 59:
		return py.ValueErrorf("second must be in 0..59")
	case c.micro < 0 || c.micro > 999999:
		return py.ValueErrorf("microsecond must be in 0..999999")
	case c.fold != 0 && c.fold != 1:
		return py.ValueErrorf("fold must be either 0 or 1")
	}
	return nil
}

// addDays moves a date; the result must stay within the years 1 to 9999.
func (x pyDate) addDays(n int) (pyDate, error) {
	o := x.ordinal() + n
	if o < 1 || o > maxOrdinal {
		return x, errDateOverflow()
	}
	return ordinalToDate(o), nil
}

func errDateOverflow() error { return py.OverflowErrorf("date value out of range") }

// seconds counts the seconds since midnight.
func (c clock) seconds() int { return c.hour*3600 + c.minute*60 + c.second }

// clockAt is the time of day after the given seconds since midnight.
func clockAt(seconds, micro int) clock {
	return clock{hour: seconds / 3600, minute: seconds / 60 % 60, second: seconds % 60, micro: micro}
}

var (
	dayNames   = [...]string{"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"}
	monthNames = [...]string{"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"}
)
