// Package report prints tables of results. A [Table] is built once and written
// in the form its reader needs: text for a terminal, CSV for a spreadsheet, JSON
// for a program.
//
//	table := report.Table{
//		Title:   "Attack success",
//		Columns: []report.Column{{Header: "agent"}, {Header: "ASR", Align: report.Right}},
//		Rows:    [][]report.Cell{{report.Text("react"), report.Rate(rate)}},
//		Notes:   []string{"over exposed cases"},
//	}
//	err := table.WriteText(w, report.TextOptions{})
//
// Cells are typed, so that no form loses what another shows: a rate is one cell
// of text with its interval, n and excluded count, five columns of CSV, and one
// object of JSON. A cell without a value is "-", an empty field and null.
//
// Names, payloads and model output in a table are hostile. [Sanitize] states
// what text and CSV do about it; JSON keeps the exact text and escapes what a
// terminal must not receive. The package decides nothing about colour or the
// terminal: its caller knows both and says so in [TextOptions].
package report
