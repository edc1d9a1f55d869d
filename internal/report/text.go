package report

import (
	"fmt"
	"io"
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
}

// WriteText writes the table for a terminal: title, headers, a rule under each,
// the rows, then the notes. All text passes [Sanitize]; each row is one line, and
// columns line up for East Asian, emoji and combined characters.
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

	if p.table.Title != "" {
		p.out.WriteString(p.emphasise(piece{p.safe(p.table.Title), true}) + "\n\n")
	}
	p.line(header)
	p.line(p.rule())
	for _, line := range lines[1:] {
		p.line(line)
	}
	if len(p.table.Notes) > 0 {
		p.out.WriteString("\n")
	}
	for _, note := range p.table.Notes {
		p.out.WriteString(p.safe(note) + "\n")
	}
	return p.out.String()
}

// safe is Sanitize for the reader's terminal.
func (p *printer) safe(s string) string {
	s = Sanitize(s)
	if p.options.ASCII {
		s = ascii(s)
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

// line writes one line of the table, without space at its end.
func (p *printer) line(pieces []piece) {
	var line strings.Builder
	for i, piece := range pieces {
		if i > 0 {
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
