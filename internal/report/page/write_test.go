package page

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"gauntlet/internal/metrics"
	"gauntlet/internal/report"
)

func write(t testing.TB, d *Document) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, d); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

var block = regexp.MustCompile(`(?s)<(style|script)([^>]*)>(.*?)</(?:style|script)>`)

func TestPolicyNamesTheBlocks(t *testing.T) {
	page := write(t, sample(t))
	meta := regexp.MustCompile(`<meta http-equiv="Content-Security-Policy" content="([^"]*)">`).FindStringSubmatchIndex(page)
	if meta == nil {
		t.Fatal("no policy")
	}
	policy := page[meta[2]:meta[3]]
	var kinds []string
	for _, m := range block.FindAllStringSubmatchIndex(page, -1) {
		kind, attributes, content := page[m[2]:m[3]], page[m[4]:m[5]], page[m[6]:m[7]]
		kinds = append(kinds, kind+attributes)
		if m[0] < meta[1] {
			t.Errorf("a %s stands before the policy", kind)
		}
		if attributes == "" && !strings.Contains(policy, kind+"-src '"+source(content)+"'") {
			t.Errorf("the policy %q does not have the hash of the %s", policy, kind)
		}
	}
	if want := []string{"style", `script type="application/json" id="data"`, "script"}; !slices.Equal(kinds, want) {
		t.Errorf("blocks are %q, want %q", kinds, want)
	}
	for _, directive := range []string{"default-src 'none'", "base-uri 'none'", "form-action 'none'"} {
		if !strings.Contains(policy, directive) {
			t.Errorf("the policy %q lacks %q", policy, directive)
		}
	}
	for _, hole := range []string{"unsafe", "http", "*", "data:", "blob:"} {
		if strings.Contains(policy, hole) {
			t.Errorf("the policy %q has %q", policy, hole)
		}
	}
}

// elements is every element that a page is made of. None of them loads, embeds,
// submits or runs anything.
var elements = strings.Fields(`html head meta title style body a div header p h1 h2 h3 span b strong main section
	svg rect line text path g circle table thead tbody tr th td small dl dt dd noscript form label input select
	button footer script nav`)

// The list of cells, which is what people look for, stood below all tables without
// a way there.
func TestJumpsLead(t *testing.T) {
	for name, d := range map[string]*Document{"empty": {}, "sample": sample(t)} {
		_, nav, _ := strings.Cut(write(t, d), `<nav class="jump"`)
		nav, page, _ := strings.Cut(nav, "</nav>")
		jumps := regexp.MustCompile(`href="#([^"]*)"`).FindAllStringSubmatch(nav, -1)
		if len(jumps) < 2 || jumps[len(jumps)-1][1] != "cells" {
			t.Errorf("%s: jumps lead to %q", name, jumps)
		}
		for _, j := range jumps {
			if !strings.Contains(page, `id="`+j[1]+`"`) {
				t.Errorf("%s: there is no %q", name, j[1])
			}
		}
	}
}

func TestStructure(t *testing.T) {
	large := sample(t)
	generated(t, large, 500)
	for name, d := range map[string]*Document{"empty": {}, "sample": sample(t), "large": large} {
		t.Run(name, func(t *testing.T) { structure(t, write(t, d)) })
	}
}

func structure(t *testing.T, page string) {
	decoder := xml.NewDecoder(strings.NewReader(block.ReplaceAllString(page, "<$1$2></$1>")))
	decoder.Strict, decoder.AutoClose, decoder.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	ids, refs, heading := map[string]bool{}, []string{}, 0
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("the page is not well formed: %v", err)
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		name := start.Name.Local
		if !slices.Contains(elements, name) {
			t.Errorf("element %q", name)
		}
		if len(name) == 2 && name[0] == 'h' && name[1] >= '1' && name[1] <= '6' {
			if level := int(name[1] - '0'); level > heading+1 {
				t.Errorf("%s follows h%d", name, heading)
			} else {
				heading = level
			}
		}
		has := map[string]string{}
		for _, a := range start.Attr {
			key := strings.ToLower(a.Name.Local)
			if _, twice := has[key]; twice {
				t.Errorf("%s has %s twice", name, key)
			}
			has[key] = a.Value
			switch {
			case strings.HasPrefix(key, "on"), key == "style", key == "src", key == "action", key == "srcdoc", key == "formaction":
				t.Errorf("%s has the attribute %s=%q", name, key, a.Value)
			case key == "href" && !strings.HasPrefix(a.Value, "#"):
				t.Errorf("a link leads to %q", a.Value)
			case key == "id" && ids[a.Value]:
				t.Errorf("id %q twice", a.Value)
			case key == "id":
				ids[a.Value] = true
			case key == "aria-labelledby":
				refs = append(refs, a.Value)
			}
		}
		if name == "html" && has["lang"] != "en" {
			t.Error("no language")
		}
		if name == "th" && has["scope"] == "" {
			t.Error("a header without scope")
		}
	}
	for _, ref := range refs {
		if !ids[ref] {
			t.Errorf("nothing has the id %q", ref)
		}
	}
}

func TestHostileTextIsInert(t *testing.T) {
	page := write(t, sample(t))
	for _, s := range hostile {
		if strings.ContainsAny(s, `<"`) && strings.Contains(page, s) {
			t.Errorf("%q stands in the page as it is", s)
		}
	}
	for i, r := range page {
		if r != '\n' && (!unicode.IsGraphic(r) || unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)) {
			t.Fatalf("the page has the hidden character %U near %+q", r, page[max(0, i-40):min(len(page), i+40)])
		}
	}
	data := block.FindAllStringSubmatch(page, -1)[1][3]
	if strings.ContainsAny(data, "<>&\u2028\u2029") {
		t.Error("the data holds a character of markup")
	}
	for _, want := range []string{`pay \u202eevil\u202c`, `nul \x00 escape \x1b[31m`, `&lt;/script&gt;&lt;script&gt;`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not show %q", want)
		}
	}
}

func TestPageSaysWhatCounts(t *testing.T) {
	d := sample(t)
	page := write(t, d)
	for _, want := range []string{
		"<title>Warning: 7 of 104 cells of react are excluded, more than the error budget of 5 %. – Support desk",
		"14 of 2 cells could not be assessed", d.Omitted, "<noscript>", "[84.4, 95.7] n=96 excluded=8",
		`<td class="none">`, // a rate over nothing is no colour
		`href="#cell=cell-1"`, "4: update_payee", "error:content_filter",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	for _, left := range []string{"the initial state is not in the page", "the final state is not in the page"} {
		if strings.Contains(page, left) {
			t.Errorf("the page has a state: %q", left)
		}
	}
	if again := write(t, d); again != page {
		t.Error("two pages of one document differ")
	}
	if page := write(t, &Document{Title: "t"}); strings.Contains(page, "<title>Warning") || strings.Contains(page, `class="warning"`) {
		t.Error("a page without a warning warns")
	}
}

func TestWriteRefuses(t *testing.T) {
	impossible := metrics.Rate{Successes: 2, N: 1}
	for name, d := range map[string]*Document{
		"no id":               {Cells: []Cell{{Case: "a"}}},
		"an id twice":         {Cells: []Cell{{ID: "a"}, {ID: "a"}}},
		"ids that look alike": {Cells: []Cell{{ID: "a\n"}, {ID: `a\n`}}},
		"rate of point":       {Points: []Point{{Agent: "a", BR: impossible}}},
		"mean of point":       {Points: []Point{{Agent: "a", ASR: metrics.Mean{Sum: math.NaN(), N: 1}}}},
		"rate of matrix":      {Matrix: Matrix{Rows: []string{"a"}, Columns: []string{"s"}, Cells: [][]MatrixCell{{{ASR: impossible}}}}},
		"short matrix":        {Matrix: Matrix{Rows: []string{"a"}, Columns: []string{"s"}}},
		"narrow matrix":       {Matrix: Matrix{Rows: []string{"a"}, Columns: []string{"s"}, Cells: [][]MatrixCell{{}}}},
		"ragged table":        {Tables: []report.Table{{Columns: []report.Column{{Header: "a"}}, Rows: [][]report.Cell{{}}}}},
	} {
		var b bytes.Buffer
		if err := Write(&b, d); err == nil || b.Len() > 0 {
			t.Errorf("%s: error %v and %d bytes", name, err, b.Len())
		}
	}
}

type broken struct{}

var errBroken = errors.New("disk full")

func (broken) Write([]byte) (int, error) { return 0, errBroken }

func TestWriteReportsTheWriter(t *testing.T) {
	if err := Write(broken{}, &Document{}); !errors.Is(err, errBroken) {
		t.Errorf("got %v", err)
	}
}
