package report

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"flag"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gauntlet/internal/metrics"
)

var update = flag.Bool("update", false, "rewrite the golden files from what the code prints now")

// hostile is a name that attacks each of the forms.
const hostile = "=cmd|' /C calc'!A0\x1b[2J\r\n\u202eevil,\"x\"<b>"

func sample() *Table {
	return &Table{
		Title: "Attack success \x1b[31mby agent",
		Columns: []Column{
			{Header: "agent", Max: 24},
			{Header: "cases", Align: Right},
			{Header: "ASR", Align: Right},
			{Header: "harm", Align: Right},
			{Header: "seconds", Align: Right},
		},
		Rows: [][]Cell{
			{Text("react").Bold(), Int(268), Rate(metrics.Rate{Successes: 81, N: 263, Excluded: 5}), Mean(metrics.Mean{Sum: 0.5, N: 2}), Number(1.0/3, 2)},
			{Text("日本語エージェント"), Int(20), Rate(metrics.Rate{N: 20}).Bold(), None(), Number(-12, 2)},
			{Text("🚀 e\u0301te\u0301"), Int(3), Rate(metrics.Rate{Excluded: 3}), Mean(metrics.Mean{}), Number(math.NaN(), 2)},
			{Text(hostile), None(), None(), None(), None()},
			{Text("-1+1"), Int(-1), None(), None(), Number(1e6, 0)},
		},
		Notes: []string{"ASR over exposed cases.", "5 excluded: timeout\u200b 5"},
	}
}

func TestGolden(t *testing.T) {
	tests := []struct {
		file    string
		format  string
		options TextOptions
	}{
		{"text", FormatText, TextOptions{}},
		{"color", FormatText, TextOptions{Color: true}},
		{"ascii", FormatText, TextOptions{ASCII: true}},
		{"csv", FormatCSV, TextOptions{}},
		{"json", FormatJSON, TextOptions{}},
	}
	for _, tt := range tests {
		var got bytes.Buffer
		if err := sample().Write(&got, tt.format, tt.options); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join("testdata", tt.file+".golden")
		if *update {
			if err := os.WriteFile(path, got.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), got.String()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", path, diff)
		}
	}
}

// What the golden files show must also be true, whoever wrote them.
func TestTextIsSafeAndAligned(t *testing.T) {
	var out bytes.Buffer
	if err := sample().WriteText(&out, TextOptions{}); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	if len(lines) != 2+2+5+1+2 { // title and gap, header and rule, rows, gap and notes
		t.Fatalf("%d lines:\n%s", len(lines), out.String())
	}
	for _, line := range lines {
		if Sanitize(line) != line || strings.HasSuffix(line, " ") {
			t.Errorf("line is not clean: %+q", line)
		}
	}
	// Every row ends with its right-aligned last column.
	for _, line := range lines[2:9] {
		if width(line) != width(lines[3]) {
			t.Errorf("%q is %d columns wide, the rule %d", line, width(line), width(lines[3]))
		}
	}
}

func TestColorOnlyAddsEmphasis(t *testing.T) {
	var plain, color bytes.Buffer
	if err := errors.Join(sample().WriteText(&plain, TextOptions{}), sample().WriteText(&color, TextOptions{Color: true})); err != nil {
		t.Fatal(err)
	}
	stripped := strings.NewReplacer(boldOn, "", boldOff, "").Replace(color.String())
	if stripped != plain.String() {
		t.Errorf("without its emphasis:\n%s\nwant:\n%s", stripped, plain.String())
	}
	if on, off := strings.Count(color.String(), boldOn), strings.Count(color.String(), boldOff); on != 8 || off != 8 {
		t.Errorf("%d pieces start bold and %d end, want 8: title, 5 headers, 2 cells", on, off)
	}
}

func TestCSVReadsBack(t *testing.T) {
	var out bytes.Buffer
	if err := sample().WriteCSV(&out); err != nil {
		t.Fatal(err)
	}
	records, err := csv.NewReader(&out).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	header := []string{
		"agent", "cases", "ASR", "ASR low", "ASR high", "ASR n", "ASR excluded",
		"harm", "harm low", "harm high", "harm n", "harm excluded", "seconds",
	}
	if diff := cmp.Diff(header, records[0]); diff != "" {
		t.Errorf("header (-want +got):\n%s", diff)
	}
	// A rate over nothing has n and excluded, and empty fields for the rest.
	if diff := cmp.Diff([]string{"🚀 e\u0301te\u0301", "3", "", "", "", "0", "3", "", "", "", "0", "0", ""}, records[3]); diff != "" {
		t.Errorf("rate over nothing (-want +got):\n%s", diff)
	}
	if got, want := records[4][0], "'=cmd|' /C calc'!A0"+`\x1b[2J\r\n\u202eevil,"x"<b>`; got != want {
		t.Errorf("hostile text is %q, want %q", got, want)
	}
	if records[5][0] != "'-1+1" || records[5][1] != "-1" {
		t.Errorf("formula %q and number %q, want '-1+1 and -1", records[5][0], records[5][1])
	}
}

func TestFormulas(t *testing.T) {
	for in, want := range map[string]string{
		"=1": "'=1", "+1": "'+1", "-1": "'-1", "@x": "'@x", " =1": "' =1", "\u3000＝1": "'\u3000＝1",
		"": "", "a=1": "a=1", "'=1": "'=1", "\t=1": `\t=1`,
	} {
		if got := field(in); got != want {
			t.Errorf("%q is the field %q, want %q", in, got, want)
		}
	}
}

func TestJSONReadsBack(t *testing.T) {
	var out bytes.Buffer
	if err := sample().WriteJSON(&out); err != nil {
		t.Fatal(err)
	}
	for _, r := range out.String() {
		if r != '\n' && hidden(r) {
			t.Errorf("output contains %U", r)
		}
	}
	order := []int{}
	for _, key := range []string{`"title"`, `"columns"`, `"rows"`, `"agent": `, `"cases": `, `"ASR": `, `"harm": `, `"seconds": `, `"notes"`} {
		order = append(order, strings.Index(out.String(), key))
	}
	if !slices.IsSorted(order) || order[0] < 0 {
		t.Errorf("keys stand at %v", order)
	}
	var got struct {
		Title string
		Rows  []map[string]any
		Notes []string
	}
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if got.Title != sample().Title || got.Notes[1] != sample().Notes[1] || got.Rows[3]["agent"] != hostile {
		t.Errorf("text is not exact: %+q, %+q, %+q", got.Title, got.Notes, got.Rows[3]["agent"])
	}
	empty := map[string]any{"value": nil, "low": nil, "high": nil, "n": 0.0, "excluded": 3.0}
	if diff := cmp.Diff(empty, got.Rows[2]["ASR"]); diff != "" {
		t.Errorf("rate over nothing (-want +got):\n%s", diff)
	}
	if value, present := got.Rows[1]["harm"]; value != nil || !present {
		t.Errorf("a cell without a value is %v, present %v, want null", value, present)
	}
	if got.Rows[0]["seconds"] != 1.0/3 {
		t.Errorf("number is %v, want it in full", got.Rows[0]["seconds"])
	}
}

func TestRefusals(t *testing.T) {
	one := []Column{{Header: "a"}}
	tests := map[string]*Table{
		"short row":       {Columns: one, Rows: [][]Cell{{}}},
		"long row":        {Columns: one, Rows: [][]Cell{{None(), None()}}},
		"repeated header": {Columns: []Column{{Header: "a"}, {Header: "a"}}},
		"impossible rate": {Columns: one, Rows: [][]Cell{{Rate(metrics.Rate{Successes: 2, N: 1})}}},
		"impossible mean": {Columns: one, Rows: [][]Cell{{Mean(metrics.Mean{Sum: 2, N: 1})}}},
	}
	for name, table := range tests {
		for _, format := range Formats() {
			var out bytes.Buffer
			if err := table.Write(&out, format, TextOptions{}); err == nil || out.Len() > 0 {
				t.Errorf("%s as %s: error %v, output %q", name, format, err, out.String())
			}
		}
	}
	if err := sample().Write(&bytes.Buffer{}, "html", TextOptions{}); err == nil {
		t.Error("an unknown format was written")
	}
}

type brokenWriter struct{}

var errBroken = errors.New("broken pipe")

func (brokenWriter) Write([]byte) (int, error) { return 0, errBroken }

func TestWriteErrors(t *testing.T) {
	for _, format := range Formats() {
		if err := sample().Write(brokenWriter{}, format, TextOptions{}); !errors.Is(err, errBroken) {
			t.Errorf("%s: error %v, want the writer's", format, err)
		}
	}
}

func TestEmptyTable(t *testing.T) {
	table := &Table{Columns: []Column{{Header: "a"}}}
	for format, want := range map[string]string{
		FormatText: "a\n─\n",
		FormatCSV:  "a\n",
		FormatJSON: "{\n  \"title\": \"\",\n  \"columns\": [\n    \"a\"\n  ],\n  \"rows\": [],\n  \"notes\": []\n}\n",
	} {
		var out bytes.Buffer
		if err := table.Write(&out, format, TextOptions{}); err != nil || out.String() != want {
			t.Errorf("%s: %v, %q, want %q", format, err, out.String(), want)
		}
	}
}
