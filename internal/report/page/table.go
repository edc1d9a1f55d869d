package page

import (
	"bytes"
	"fmt"
	"strings"

	"gauntlet/internal/report"
)

// shown is a value as it stands in a table: an estimate is split, so that its
// interval can be set smaller than its value.
type shown struct {
	Value string
	Rest  string // interval, n and excluded count
}

// split separates the value of a printed estimate, "42.0% [32.8, 51.8] n=100",
// from what belongs to it.
func split(s string) shown {
	if value, rest, ok := strings.Cut(s, " "); ok && (strings.HasPrefix(rest, "[") && strings.HasSuffix(value, "%") ||
		strings.HasPrefix(rest, "excluded=") && value == "-") {
		return shown{value, rest}
	}
	return shown{Value: s}
}

func showEstimate(e Estimate) shown {
	if e == nil {
		return shown{Value: "-"}
	}
	return split(e.String())
}

// tableView is a report.Table ready for the template.
type tableView struct {
	Title   string
	Columns []report.Column
	Rows    [][]cellView
	Notes   []string
}

type cellView struct {
	shown
	Right bool
	Bold  bool
}

func newTable(t *report.Table) (tableView, error) {
	v := tableView{Title: t.Title, Columns: t.Columns, Notes: t.Notes}
	for _, row := range t.Rows {
		cells := make([]cellView, len(row))
		for i, cell := range row {
			text, bold, err := printed(cell)
			if err != nil {
				return tableView{}, fmt.Errorf("table %q: %w", t.Title, err)
			}
			cells[i] = cellView{split(text), t.Columns[i].Align == report.Right, bold}
		}
		v.Rows = append(v.Rows, cells)
	}
	return v, nil
}

// printed returns the text of a cell as the terminal shows it. Cells keep their
// contents to themselves, so it prints a table of one cell and takes its line.
func printed(cell report.Cell) (text string, bold bool, err error) {
	var b bytes.Buffer
	one := report.Table{Columns: []report.Column{{}}, Rows: [][]report.Cell{{cell}}}
	if err := one.WriteText(&b, report.TextOptions{Color: true}); err != nil {
		return "", false, fmt.Errorf("print cell: %w", err)
	}
	lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	text = lines[len(lines)-1]
	if rest, ok := strings.CutPrefix(text, "\x1b[1m"); ok {
		return strings.TrimSuffix(rest, "\x1b[0m"), true, nil
	}
	return text, false, nil
}

// matrixView is a Matrix ready for the template.
type matrixView struct {
	Columns []string
	Rows    []matrixRow
}

type matrixRow struct {
	Agent string
	Cells []matrixCellView
}

type matrixCellView struct {
	ASR, BR shown
	Level   int    // 0 to 5, of ASR; -1 without a value
	Width   string // of the bar
}

// levels are the upper ends of the colour scale of attack success.
var levels = []float64{0, 0.10, 0.25, 0.50, 0.75, 1}

func newMatrix(m *Matrix) matrixView {
	v := matrixView{Columns: m.Columns}
	for i, agent := range m.Rows {
		row := matrixRow{Agent: agent}
		for _, cell := range m.Cells[i] {
			level, width := scale(known(cell.ASR))
			row.Cells = append(row.Cells, matrixCellView{split(known(cell.ASR).String()), split(known(cell.BR).String()), level, width})
		}
		v.Rows = append(v.Rows, row)
	}
	return v
}

func scale(r Estimate) (level int, width string) {
	value, ok := r.Value()
	if !ok {
		return -1, "0"
	}
	for value > levels[level] {
		level++
	}
	return level, share(value)
}
