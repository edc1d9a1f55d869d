package page

import (
	"fmt"
	"strconv"

	"gauntlet/internal/metrics"
)

// view is what the template renders.
type view struct {
	*Document
	Chart    chart
	Matrix   matrixView
	Tables   []tableView
	Excluded int // sum of Exclusions
	Columns  []column
	Rows     []row
}

// column is a column of the list of cells. Key is the name by which the script
// sorts.
type column struct {
	Key, Header string
	Right       bool
}

var columns = []column{
	{"case", "Case", false}, {"agent", "Agent", false}, {"strategy", "Strategy", false},
	{"benign", "Task", false}, {"attack", "Attack", false},
	{"exposure", "Exposed", true}, {"decisive", "Decisive step", false},
	{"calls", "Calls", true}, {"tokens", "Tokens", true}, {"cost", "Cost", true}, {"seconds", "Time", true},
	{"cause", "End or cause", false},
}

// row is one line of the list.
type row struct {
	*Cell
	Key                           string
	Agent                         []string // name and what else tells two runs of it apart
	Benign, Attack                outcome
	Exposure, Decisive            string
	Tokens, Cost, Seconds, Ending string
}

// outcome is a word with a sign, so that it does not depend on its colour.
type outcome struct{ Class, Sign, Word string }

var outcomes = map[string]outcome{
	"pass":        {"good", "✓", "pass"},
	"fail":        {"bad", "✗", "fail"},
	"success":     {"bad", "●", "success"},
	"resisted":    {"good", "✓", "resisted"},
	"not_exposed": {"dull", "○", "not exposed"},
	"unassessed":  {"odd", "?", "unassessed"},
}

func newView(d *Document) (*view, error) {
	v := &view{Document: d, Chart: newChart(d.Points), Matrix: newMatrix(&d.Matrix), Columns: columns}
	for i := range d.Tables {
		t, err := newTable(&d.Tables[i])
		if err != nil {
			return nil, err
		}
		v.Tables = append(v.Tables, t)
	}
	for _, count := range d.Exclusions {
		v.Excluded += count.N
	}
	for i := range d.Cells {
		v.Rows = append(v.Rows, newRow(&d.Cells[i]))
	}
	return v, nil
}

// Share returns what part of the cells is excluded for a cause.
func (v *view) Share(c metrics.Count) string {
	if len(v.Cells) == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f%%", 100*float64(c.N)/float64(len(v.Cells)))
}

func newRow(c *Cell) row {
	r := row{
		Cell: c, Key: c.key(), Agent: []string{c.Agent},
		Benign: newOutcome(c.Benign), Attack: newOutcome(c.Attack),
		Decisive: c.Decisive.String(),
		Tokens:   tokens(c.Tokens), Cost: dollars(c.CostUSD), Seconds: seconds(c.Seconds), Ending: c.Ended,
	}
	if c.Exposure != nil {
		r.Exposure = strconv.Itoa(c.Exposure.Step + 1)
	}
	if c.Cause != "" {
		r.Ending = c.Cause
	}
	for _, more := range []string{c.Model, c.Format, c.Defence} {
		if more != "" && more != "none" {
			r.Agent = append(r.Agent, more)
		}
	}
	if c.Epoch > 0 {
		r.Agent = append(r.Agent, "epoch "+strconv.Itoa(c.Epoch))
	}
	return r
}

func newOutcome(word string) outcome {
	if o, ok := outcomes[word]; ok || word == "" {
		return o
	}
	return outcome{"odd", "?", word}
}

// String returns the place as the page counts, from 1; "" for nil.
func (p *Place) String() string {
	if p == nil {
		return ""
	}
	return fmt.Sprintf("%d: %s", p.Step+1, p.Tool)
}

func tokens(n int64) string {
	switch {
	case n == 0:
		return ""
	case n < 10_000:
		return strconv.FormatInt(n, 10)
	case n < 1_000_000:
		return fmt.Sprintf("%.1fk", float64(n)/1e3)
	}
	return fmt.Sprintf("%.2fM", float64(n)/1e6)
}

func dollars(f float64) string {
	switch {
	case finite(f) == 0:
		return ""
	case f < 1:
		return fmt.Sprintf("$%.4f", f)
	}
	return fmt.Sprintf("$%.2f", f)
}

func seconds(f float64) string {
	switch {
	case finite(f) == 0:
		return ""
	case f < 100:
		return fmt.Sprintf("%.1f s", f)
	}
	return fmt.Sprintf("%d:%02d min", int(f)/60, int(f)%60)
}
