package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// The two ANSI sequences that text may contain; everything else is neutralised.
const (
	boldOn  = "\x1b[1m"
	boldOff = "\x1b[0m"
)

// gap stands between two columns.
const gap = "  "

// TextOptions say what the reader's terminal can show. The zero value is right
// for a file or a pipe that takes UTF-8.
type TextOptions struct {
	Color bool // emphasise title, headers and bold cells with ANSI sequences
	ASCII bool // write nothing but ASCII: rules of "-", letters beyond it as escapes
	Width int  // columns of the terminal; 0: wide enough for everything
}

// WriteText writes the table for a terminal: title, headers, a rule under each,
// the rows, then the notes. All text passes [Sanitize]; each row is one line, and
// columns line up for East Asian, emoji and combined characters. A table that is
// wider than the terminal is written in parts, one below the other, each with the
// columns that tell its rows apart; title and notes are wrapped.
func (t *Table) WriteText(w io.Writer, options TextOptions) error {
	if err := t.Check(); err != nil {
		return err
	}
	p := printer{options: options, table: t}
	if _, err := io.WriteString(w, p.print()); err != nil {
		return fmt.Errorf("write table: %w", err)
	}
	return nil
}

// printer lays out one table.
type printer struct {
	options TextOptions
	table   *Table
	widths  []int
	out     strings.Builder
}

// piece is what one cell prints: safe text, perhaps emphasised.
type piece struct {
	text string
	bold bool
}

func (p *printer) print() string {
	header := make([]piece, len(p.table.Columns))
	for i, column := range p.table.Columns {
		header[i] = piece{p.safe(column.Header), true}
	}
	lines := [][]piece{header}
	for _, row := range p.table.Rows {
		lines = append(lines, p.row(row))
	}
	p.measure(lines)

	for _, row := range p.wrap(p.table.Title) {
		p.out.WriteString(p.emphasise(piece{row, true}) + "\n")
	}
	if p.table.Title != "" {
		p.out.WriteString("\n")
	}
	rule := p.rule()
	for i, columns := range p.fold() {
		if i > 0 {
			p.out.WriteString("\n")
		}
		p.line(header, columns)
		p.line(rule, columns)
		for _, line := range lines[1:] {
			p.line(line, columns)
		}
	}
	if len(p.table.Notes) > 0 {
		p.out.WriteString("\n")
	}
	for _, note := range p.table.Notes {
		for _, row := range p.wrap(note) {
			p.out.WriteString(row + "\n")
		}
	}
	return p.out.String()
}

// wrap returns the rows of a text; none if it is empty.
func (p *printer) wrap(s string) []string {
	if s = p.safe(s); s == "" {
		return nil
	}
	if p.options.Width <= 0 {
		return []string{s}
	}
	rows := Wrap(s, p.options.Width)
	for i := range rows {
		rows[i] = strings.TrimRight(rows[i], " ")
	}
	return rows
}

// fold parts the columns into as few tables as fit the terminal, in their order.
// Each begins with the key columns, unless these leave no room for another one.
func (p *printer) fold() [][]int {
	keys := min(p.table.Keys, len(p.widths))
	left, widest := 0, 0
	for i, w := range p.widths {
		if i < keys {
			left += w + len(gap)
		} else {
			widest = max(widest, w)
		}
	}
	if left+widest > p.options.Width {
		keys, left = 0, 0
	}
	var first []int
	for i := range keys {
		first = append(first, i)
	}
	parts, used := [][]int{slices.Clone(first)}, left
	for i := keys; i < len(p.widths); i++ {
		last := len(parts) - 1
		if p.options.Width > 0 && used+p.widths[i] > p.options.Width && len(parts[last]) > keys {
			parts, used = append(parts, slices.Clone(first)), left
			last++
		}
		parts[last] = append(parts[last], i)
		used += p.widths[i] + len(gap)
	}
	return parts
}

// safe is Sanitize for the reader's terminal.
func (p *printer) safe(s string) string {
	s = Sanitize(s)
	if p.options.ASCII {
		s = ASCII(s)
	}
	return s
}

func (p *printer) row(cells []Cell) []piece {
	ellipsis := "…"
	if p.options.ASCII {
		ellipsis = "~"
	}
	row := make([]piece, len(cells))
	for i, cell := range cells {
		row[i] = piece{p.safe(cell.display()), cell.bold}
		if _, ok := cell.content.(text); ok { // a number cut short is another number
			row[i].text = truncate(row[i].text, p.table.Columns[i].Max, ellipsis)
		}
	}
	return row
}

func (p *printer) measure(lines [][]piece) {
	p.widths = make([]int, len(p.table.Columns))
	for _, line := range lines {
		for i, piece := range line {
			p.widths[i] = max(p.widths[i], width(piece.text))
		}
	}
}

func (p *printer) rule() []piece {
	dash := "─"
	if p.options.ASCII {
		dash = "-"
	}
	rule := make([]piece, len(p.widths))
	for i, w := range p.widths {
		rule[i].text = strings.Repeat(dash, w)
	}
	return rule
}

// line writes the given columns of one line, without space at its end.
func (p *printer) line(pieces []piece, columns []int) {
	var line strings.Builder
	for n, i := range columns {
		piece := pieces[i]
		if n > 0 {
			line.WriteString(gap)
		}
		padding := strings.Repeat(" ", p.widths[i]-width(piece.text))
		if p.table.Columns[i].Align == Right {
			line.WriteString(padding + p.emphasise(piece))
		} else {
			line.WriteString(p.emphasise(piece) + padding)
		}
	}
	p.out.WriteString(strings.TrimRight(line.String(), " ") + "\n")
}

func (p *printer) emphasise(piece piece) string {
	if !p.options.Color || !piece.bold || piece.text == "" {
		return piece.text
	}
	return boldOn + piece.text + boldOff
}
