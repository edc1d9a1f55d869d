package report

import (
	"encoding/csv"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// WriteCSV writes the headers and the rows as CSV (RFC 4180 with LF line ends);
// title and notes have no place in it. Numbers are in full precision, a cell
// without a value is empty, and a column "x" that holds a rate or a mean becomes
// the five columns "x", "x low", "x high", "x n" and "x excluded".
//
// Text is written for spreadsheets and eyes, not for decoding: it passes
// [Sanitize], and text that a spreadsheet would run as a formula gets a leading
// apostrophe, which spreadsheets take as the mark of text. The lossless form of
// a table is [Table.WriteJSON].
func (t *Table) WriteCSV(w io.Writer) error {
	if err := t.Check(); err != nil {
		return err
	}
	records := make([][]string, 1, 1+len(t.Rows))
	wide := t.estimateColumns()
	for i, column := range t.Columns {
		records[0] = append(records[0], field(column.Header))
		if wide[i] {
			for _, part := range parts {
				records[0] = append(records[0], field(column.Header+" "+part))
			}
		}
	}
	for _, row := range t.Rows {
		records = append(records, record(row, wide))
	}
	if err := csv.NewWriter(w).WriteAll(records); err != nil {
		return fmt.Errorf("write table as csv: %w", err)
	}
	return nil
}

// estimateColumns says of each column whether any cell in it is an estimate.
func (t *Table) estimateColumns() []bool {
	wide := make([]bool, len(t.Columns))
	for _, row := range t.Rows {
		for i, cell := range row {
			if _, ok := cell.content.(*estimate); ok {
				wide[i] = true
			}
		}
	}
	return wide
}

func record(row []Cell, wide []bool) []string {
	var fields []string
	for i, cell := range row {
		rest := make([]string, len(parts)) // empty unless the cell is an estimate
		if e, ok := cell.content.(*estimate); ok {
			rest = e.rest()
		}
		if cell.content == nil {
			fields = append(fields, "")
		} else {
			fields = append(fields, cell.content.record())
		}
		if wide[i] {
			fields = append(fields, rest...)
		}
	}
	return fields
}

// field returns hostile text as a CSV field. The characters that start a formula
// are those of OWASP's page "CSV Injection", with their full-width forms.
func field(s string) string {
	s = Sanitize(s)
	first, _ := utf8.DecodeRuneInString(strings.TrimLeftFunc(s, unicode.IsSpace))
	if strings.ContainsRune("=+-@＝＋－＠", first) {
		return "'" + s
	}
	return s
}
