package page

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // the parts of the page
	"encoding/base64"
	"fmt"
	"html/template"
	"io"

	"gauntlet/internal/report"
)

//go:embed page.html.tmpl
var layout string

//go:embed page.css
var style string

//go:embed page.js
var script string

// Write writes the document as one HTML file. It fails without output if a table
// or an estimate cannot be what it says, the matrix is not rectangular, or the
// ids of the cells are not different.
func Write(w io.Writer, d *Document) error {
	if err := d.check(); err != nil {
		return fmt.Errorf("write page: %w", err)
	}
	v, err := newView(d)
	if err != nil {
		return fmt.Errorf("write page: %w", err)
	}
	block, err := newData(d.Cells).encode()
	if err != nil {
		return fmt.Errorf("write page: %w", err)
	}
	page, err := template.New("page").Funcs(template.FuncMap{"label": report.Sanitize}).Parse(layout)
	if err != nil {
		return fmt.Errorf("parse page template: %w", err)
	}
	var b bytes.Buffer
	err = page.Execute(&b, struct {
		*view
		Policy template.HTML
		Style  template.CSS
		Script template.JS
		Data   template.JS
	}{v, policy(style, script), template.CSS(style), template.JS(script), template.JS(block)})
	if err != nil {
		return fmt.Errorf("render page: %w", err)
	}
	if _, err := w.Write(b.Bytes()); err != nil {
		return fmt.Errorf("write page: %w", err)
	}
	return nil
}

// policy returns the element with the page's Content Security Policy
// (https://www.w3.org/TR/CSP3/): nothing is loaded or sent, and only the two
// blocks with these hashes are run or applied.
func policy(style, script string) template.HTML {
	return template.HTML(fmt.Sprintf(
		`<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src '%s'; script-src '%s'; base-uri 'none'; form-action 'none'">`,
		source(style), source(script)))
}

// source is the hash of an inline block as CSP writes it.
func source(block string) string {
	sum := sha256.Sum256([]byte(block))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
