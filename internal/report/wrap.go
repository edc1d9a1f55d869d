package report

import (
	"strings"

	"github.com/rivo/uniseg"
)

// Wrap cuts sanitized text of one line into rows of at most width columns, spaces
// at the end of a row not counted. It breaks where UAX #14 allows it, or else
// between two characters; a single character wider than width has a row of its
// own. The rows together are the line.
func Wrap(line string, width int) []string {
	var rows []string
	start, at, columns := 0, 0, 0
	cut := func() {
		rows = append(rows, line[start:at])
		start, columns = at, 0
	}
	for rest, state := line, -1; rest != ""; {
		var segment string
		segment, rest, _, state = uniseg.FirstLineSegmentInString(rest, state)
		visible := uniseg.StringWidth(strings.TrimRight(segment, " "))
		if columns+visible > width && strings.Trim(line[start:at], " ") != "" {
			cut()
		}
		for inner := -1; segment != ""; {
			var cluster string
			var w int
			cluster, segment, w, inner = uniseg.FirstGraphemeClusterInString(segment, inner)
			if columns > 0 && columns+w > width && cluster != " " {
				cut()
			}
			at, columns = at+len(cluster), columns+w
		}
	}
	return append(rows, line[start:])
}
