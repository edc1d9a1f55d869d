// Package page writes a run as one HTML file that can be mailed, archived and
// opened years later: summary, chart, matrix, tables, the list of cells and the
// transcript of each cell. It knows nothing of plans, stores or scores; its
// caller fills a [Document] with plain data.
//
//	err := page.Write(w, &page.Document{
//		Title: "Support desk, three agents",
//		Cells: []page.Cell{{ID: "9f2c", Case: "refund", Agent: "react", Trace: t}},
//	})
//
// # What is in the file
//
// The template renders everything but the transcripts, so that a browser without
// script shows the numbers and the list of cells. The transcripts are JSON in a
// data block: texts that occur in several traces are stored once, reads and
// states are left out, and the script builds the view of a cell when it is
// opened. The address "#cell=ID" opens a cell, "#cell=ID&step=5" its fifth step;
// steps are counted from 1 on the page and from 0 in the record.
//
// # Hostile text
//
// Names, payloads and model output are hostile. Labels pass [report.Sanitize]
// and html/template; transcripts reach the document as text nodes only, with
// hidden characters as marked escapes. Behind that stands the page's own policy:
// nothing may be loaded or sent, and no style or script runs but the two blocks
// whose hashes the policy names.
package page
