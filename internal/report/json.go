package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode/utf16"
)

// WriteJSON writes the table as one JSON object:
//
//	{"title": "…", "columns": ["agent", "ASR"],
//	 "rows": [{"agent": "react",
//	           "ASR": {"value": 0.3, "low": 0.1, "high": 0.6, "n": 10, "excluded": 0}}],
//	 "notes": ["…"]}
//
// Keys are always in this order, those of a row in the order of the columns. A
// cell without a value is null, and so are value, low and high of an estimate
// over n = 0. Text is exact, except that bytes which are not UTF-8 become U+FFFD;
// what [Sanitize] would make visible is written as JSON escapes, so the output is
// safe to show.
func (t *Table) WriteJSON(w io.Writer) error {
	if err := t.Check(); err != nil {
		return err
	}
	document := struct {
		Title   string   `json:"title"`
		Columns []string `json:"columns"`
		Rows    []object `json:"rows"`
		Notes   []string `json:"notes"`
	}{t.Title, make([]string, len(t.Columns)), make([]object, len(t.Rows)), append([]string{}, t.Notes...)}
	for i, column := range t.Columns {
		document.Columns[i] = column.Header
	}
	for i, row := range t.Rows {
		document.Rows[i] = object{document.Columns, row}
	}
	encoded, err := json.MarshalIndent(document, "", "  ")
	if err != nil {
		return fmt.Errorf("write table as json: %w", err)
	}
	if _, err := w.Write(append(EscapeJSON(encoded), '\n')); err != nil {
		return fmt.Errorf("write table as json: %w", err)
	}
	return nil
}

// object is a row as a JSON object whose keys keep the order of the columns.
type object struct {
	keys  []string
	cells []Cell
}

// MarshalJSON implements json.Marshaler.
func (o object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, cell := range o.cells {
		if i > 0 {
			b.WriteByte(',')
		}
		key, err := json.Marshal(o.keys[i])
		if err != nil {
			return nil, fmt.Errorf("marshal header: %w", err)
		}
		var value any
		if cell.content != nil {
			value = cell.content.value()
		}
		encoded, err := json.Marshal(value)
		if err != nil {
			return nil, fmt.Errorf("marshal cell %q: %w", o.keys[i], err)
		}
		b.Write(key)
		b.WriteByte(':')
		b.Write(encoded)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// EscapeJSON writes the hidden characters of a JSON document as \u escapes.
// The encoder has escaped those below U+0020, and beyond ASCII a document has
// characters only inside of strings, so the meaning stays the same.
func EscapeJSON(document []byte) []byte {
	var b bytes.Buffer
	for _, r := range string(document) {
		if r < 0x7f || !hidden(r) {
			b.WriteRune(r)
			continue
		}
		if r <= 0xffff {
			fmt.Fprintf(&b, `\u%04x`, r)
			continue
		}
		high, low := utf16.EncodeRune(r)
		fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
	}
	return b.Bytes()
}
