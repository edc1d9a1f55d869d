package report

import (
	"fmt"
	"io"
)

// Align says on which side of its column a cell stands in text.
type Align int

// The alignments: Left for words, Right for numbers.
const (
	Left Align = iota
	Right
)

// Column describes one column of a table. Headers are the keys of the JSON form
// and must differ from each other.
type Column struct {
	Header string
	Align  Align
	Max    int // most terminal columns that a text cell may take; 0 means no limit
}

// Table is a table of results. Title and Notes may be empty; each row has one
// cell per column.
type Table struct {
	Title   string
	Columns []Column
	Keys    int // how many of the first columns tell rows apart; text that is folded repeats them
	Rows    [][]Cell
	Notes   []string // one sentence each: what the numbers are over, what is missing
}

// The forms in which a table can be written.
const (
	FormatText = "text"
	FormatCSV  = "csv"
	FormatJSON = "json"
)

// Formats returns the names that Write accepts.
func Formats() []string { return []string{FormatText, FormatCSV, FormatJSON} }

// Write writes the table in the named format; options are for text only.
func (t *Table) Write(w io.Writer, format string, options TextOptions) error {
	switch format {
	case FormatText:
		return t.WriteText(w, options)
	case FormatCSV:
		return t.WriteCSV(w)
	case FormatJSON:
		return t.WriteJSON(w)
	}
	return fmt.Errorf("write table: format %q is not one of %q", format, Formats())
}

// Check returns an error when the table cannot be written truthfully: a row of
// the wrong length, two columns of one name, or an estimate that cannot be.
func (t *Table) Check() error {
	seen := map[string]bool{}
	for _, column := range t.Columns {
		if seen[column.Header] {
			return fmt.Errorf("check table: two columns are called %q", column.Header)
		}
		seen[column.Header] = true
	}
	for i, row := range t.Rows {
		if len(row) != len(t.Columns) {
			return fmt.Errorf("check table: row %d has %d cells for %d columns", i, len(row), len(t.Columns))
		}
		for j, cell := range row {
			if e, ok := cell.content.(*estimate); ok && e.err != nil {
				return fmt.Errorf("check table: row %d, %q: %w", i, t.Columns[j].Header, e.err)
			}
		}
	}
	return nil
}
