package report

import (
	"math"
	"strconv"

	"gauntlet/internal/metrics"
)

// noValue is how text shows a value that does not exist. It is never 0.
const noValue = "-"

// Cell is one typed value of a table. The zero Cell has no value.
type Cell struct {
	content content
	bold    bool
}

// content is the closed set of what a cell holds: nil, text, integer, number or
// *estimate.
type content interface {
	display() string // for a reader; not yet sanitized
	record() string  // the CSV field, in full precision
	value() any      // for JSON
}

// Text returns a cell of text, which may be hostile.
func Text(s string) Cell { return Cell{content: text(s)} }

// Int returns a cell with a count.
func Int(n int) Cell { return Cell{content: integer(n)} }

// Number returns a cell with a measured number that text shows with the given
// decimals, and CSV and JSON in full. One that is not finite is no value.
func Number(f float64, decimals int) Cell {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return Cell{}
	}
	return Cell{content: number{f, max(0, decimals)}}
}

// Rate returns a cell with a rate, its interval, n and excluded count. Writing a
// table with a rate that fails its Check is an error.
func Rate(r metrics.Rate) Cell {
	return Cell{content: newEstimate(r, r.N, r.Excluded)}
}

// Mean returns a cell with a mean, its interval, n and excluded count. Writing a
// table with a mean that fails its Check is an error.
func Mean(m metrics.Mean) Cell {
	return Cell{content: newEstimate(m, m.N, m.Excluded)}
}

// None returns a cell without a value.
func None() Cell { return Cell{} }

// Bold returns c with emphasis, which only text with colour shows.
func (c Cell) Bold() Cell {
	c.bold = true
	return c
}

// display returns what a reader sees of c, not yet sanitized.
func (c Cell) display() string {
	if c.content == nil {
		return noValue
	}
	return c.content.display()
}

type text string

func (t text) display() string { return string(t) }
func (t text) record() string  { return field(string(t)) }
func (t text) value() any      { return string(t) }

type integer int

func (n integer) display() string { return strconv.Itoa(int(n)) }
func (n integer) record() string  { return n.display() }
func (n integer) value() any      { return int(n) }

type number struct {
	f        float64
	decimals int
}

func (n number) display() string { return strconv.FormatFloat(n.f, 'f', n.decimals, 64) }
func (n number) record() string  { return strconv.FormatFloat(n.f, 'g', -1, 64) }
func (n number) value() any      { return n.f }

// estimate is a metrics.Rate or a metrics.Mean. Its fields are the JSON form; a
// nil pointer is an absent value.
type estimate struct {
	Value    *float64 `json:"value"`
	Low      *float64 `json:"low"`
	High     *float64 `json:"high"`
	N        int      `json:"n"`
	Excluded int      `json:"excluded"`

	printed string
	err     error // why it cannot be an estimate
}

func newEstimate(from interface {
	Check() error
	Value() (float64, bool)
	Interval() (metrics.Interval, bool)
	String() string
}, n, excluded int) *estimate {
	e := &estimate{N: n, Excluded: excluded, printed: from.String(), err: from.Check()}
	if value, ok := from.Value(); ok {
		e.Value = &value
	}
	if interval, ok := from.Interval(); ok {
		e.Low, e.High = &interval.Low, &interval.High
	}
	return e
}

func (e *estimate) display() string { return e.printed }
func (e *estimate) record() string  { return optional(e.Value) }
func (e *estimate) value() any      { return e }

// parts are the names of the CSV columns that follow the value of an estimate.
var parts = []string{"low", "high", "n", "excluded"}

// rest returns the fields for parts.
func (e *estimate) rest() []string {
	return []string{optional(e.Low), optional(e.High), strconv.Itoa(e.N), strconv.Itoa(e.Excluded)}
}

func optional(f *float64) string {
	if f == nil {
		return ""
	}
	return strconv.FormatFloat(*f, 'g', -1, 64)
}
