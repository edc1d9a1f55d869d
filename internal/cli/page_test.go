package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"gauntlet/internal/agent"
	"gauntlet/internal/job"
	"gauntlet/internal/metrics"
	"gauntlet/internal/report/page"
	"gauntlet/internal/run"
	"gauntlet/internal/score"
	"gauntlet/internal/store"
	"gauntlet/internal/suite"
	"gauntlet/internal/summary"
	"gauntlet/internal/trace"
)

func TestPageOfRun(t *testing.T) {
	db := someCells(t)
	file := filepath.Join(t.TempDir(), "report.html")
	code, out, stderr := gauntlet(t, "report", "--db", db, "--html", file)
	if code != 0 || out != "" || !strings.HasSuffix(stderr, " kB, 5 cells, 0 transcripts)\n") || !strings.HasPrefix(stderr, "wrote "+file+" (") {
		t.Fatalf("code %d: %s%s", code, out, stderr)
	}
	b, err := os.ReadFile(file)
	check(t, err)
	page := string(b)
	for _, want := range []string{"1 of 6 cells pending; 20.0 % of cells excluded, over the error budget of 5 %", "desk: 1 agent", run.ScorerVersion, "rate_limit", "Agent 1", "reference:noop"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %q", want)
		}
	}
	if strings.Contains(page, "This page holds") {
		t.Error("cells without a trace are called omitted")
	}
	left, err := filepath.Glob(filepath.Join(filepath.Dir(file), ".*"))
	check(t, err)
	if len(left) > 0 {
		t.Errorf("it leaves %v", left)
	}
	// A second page takes the place of the first.
	if code, _, stderr := gauntlet(t, "report", "--db", db, "--html", file); code != 0 {
		t.Errorf("code %d: %s", code, stderr)
	}
}

func TestPageWithNothingPlayed(t *testing.T) {
	file := filepath.Join(t.TempDir(), "report.html")
	code, _, stderr := gauntlet(t, "report", "--db", journal(t, nil, nil), "--html", file)
	if code != 0 || !strings.Contains(stderr, "0 cells, 0 transcripts") {
		t.Errorf("code %d: %s", code, stderr)
	}
}

func TestPageRefusals(t *testing.T) {
	db, dir := someCells(t), t.TempDir()
	for file, want := range map[string]string{
		dir:                               "is no file that could be replaced",
		filepath.Join(dir, "no", "a.htm"): "there is no folder " + filepath.Join(dir, "no"),
	} {
		code, _, stderr := gauntlet(t, "report", "--db", db, "--html", file)
		if code != exitUsage || !strings.Contains(stderr, want) {
			t.Errorf("%s: code %d: %s", file, code, stderr)
		}
	}
}

// traced are n cells of each urgency, the least urgent first, each with a trace.
func traced(n int) []*run.Outcome {
	kinds := []run.Outcome{
		{},
		{Benign: score.Score{Outcome: score.Fail, Total: 1}},
		{Excluded: "down", Kind: trace.ErrorProvider, Benign: score.Unscored("down")},
		{Strategy: "s", Attack: run.Success, Injected: &score.Score{Outcome: score.Pass, Passed: 1, Total: 1}},
	}
	var list []*run.Outcome
	for i, k := range kinds {
		for j := range n {
			o := outcome(fmt.Sprintf("kind%d_%d", i, j), "a", k)
			o.Trace = sampleOutcome().Trace
			o.Trace.Steps[1].Text = "TASK-" + o.Case + "-"
			list = append(list, o)
		}
	}
	return list
}

func TestPageHoldsTheMostUrgentTranscripts(t *testing.T) {
	db := journal(t, traced(2)...)
	for most, want := range map[string]string{
		"-1": "kind0_0 kind0_1 kind1_0 kind1_1 kind2_0 kind2_1 kind3_0 kind3_1", "5": "kind1_0 kind2_0 kind2_1 kind3_0 kind3_1", "1": "kind3_0", "0": "",
	} {
		file := filepath.Join(t.TempDir(), "report.html")
		code, _, stderr := gauntlet(t, "report", "--db", db, "--html", file, "--transcripts", most)
		if code != 0 {
			t.Fatalf("code %d: %s", code, stderr)
		}
		b, err := os.ReadFile(file)
		check(t, err)
		var got []string
		for i := range 8 {
			name := fmt.Sprintf("kind%d_%d", i/2, i%2)
			if strings.Contains(string(b), "TASK-"+name+"-") {
				got = append(got, name)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: transcripts of %v, want %s", most, got, want)
		}
		note := fmt.Sprintf("This page holds %d of 8 transcripts, at most %s:", len(got), most)
		if strings.Contains(string(b), note) != (most != "-1") {
			t.Errorf("%s: the note %q is missing, or there", most, note)
		}
	}
}

func TestPageHoldsTranscriptsUpToASize(t *testing.T) {
	st, err := store.OpenSQLite(t.Context(), journal(t, traced(2)...))
	check(t, err)
	defer func() { check(t, st.Close()) }()
	outcomes, err := job.Outcomes(t.Context(), st, "R")
	check(t, err)
	one, err := strip(traced(1)[0].Trace)
	check(t, err)
	for limit, want := range map[int]int{0: 1, one: 1, one * 7 / 2: 3, one * 100: 8} {
		got, err := readTraces(t.Context(), st, "R", outcomes, -1, limit)
		check(t, err)
		if len(got.of) != want || (got.omitted() == "") != (want == 8) {
			t.Errorf("up to %d bytes: %d transcripts, want %d; %s", limit, len(got.of), want, got.omitted())
		}
	}
}

func TestStripKeepsWhatAPageShows(t *testing.T) {
	tr := sampleOutcome().Trace
	tr.Final = &trace.State{Value: trace.String(strings.Repeat("x", 10000))}
	tr.Steps[2].Calls[0].Reads = []string{strings.Repeat("/y", 5000)}
	tr.Steps[2].Calls[0].Observation.Value = trace.String(strings.Repeat("z", 10000))
	n, err := strip(tr)
	check(t, err)
	if n < 500 || n > 3000 || tr.Final != nil || len(tr.Tools) != 1 || tr.Steps[2].Calls[0].Observation.Text == "" {
		t.Errorf("%d bytes are left of %+v", n, tr)
	}
}

func TestEstimateUsesScenarios(t *testing.T) {
	r := summary.Rate{Rate: metrics.Rate{Successes: 1, N: 4, Excluded: 2}}
	e := estimate{r}
	if _, ok := e.Interval(); ok || e.String() != r.Rate.String() {
		t.Errorf("without scenarios: %s", e)
	}
	e.Clustered = &metrics.Clustered{Interval: metrics.Interval{Low: 0.125, High: 0.5}}
	if i, ok := e.Interval(); !ok || i.High != 0.5 || e.String() != "25.0% [12.5, 50.0] n=4 excluded=2" {
		t.Errorf("with scenarios: %s", e)
	}
	if s := (estimate{summary.Rate{Rate: metrics.Rate{Excluded: 3}}}).String(); !strings.HasPrefix(s, "-") {
		t.Errorf("over nothing: %s", s)
	}
}

func TestMatrixHasNoCellForWhatWasNotPlayed(t *testing.T) {
	half := metrics.Rate{Successes: 1, N: 2}
	group := func(agent, strategy string, r metrics.Rate) summary.Group {
		return summary.Group{Key: summary.Key{Agent: agent, Strategy: strategy}, AttackStrict: summary.Rate{Rate: r}}
	}
	m := matrix(&result{sum: &summary.Summary{Groups: []summary.Group{
		group("a", "none", metrics.Rate{}), group("a", "s", half), group("a", summary.AllStrategies, half), group("b", "t", half),
	}}})
	if fmt.Sprint(m.Rows, m.Columns) != "[a b] [none s t]" {
		t.Errorf("rows %v, columns %v", m.Rows, m.Columns)
	}
	want := page.Estimate(estimate{summary.Rate{Rate: half}})
	if m.Cells[0][1].ASR != want || m.Cells[0][2].ASR != nil || m.Cells[1][2].ASR != want || m.Cells[1][0].ASR != nil {
		t.Errorf("cells %v", m.Cells)
	}
}

func TestAgentText(t *testing.T) {
	zero, no := 0.0, false
	got := agentText(agent.Config{Name: "n", Scaffold: "tools", Model: "p:m", System: "Be\x1b good.", User: "Ann", Params: agent.Params{Temperature: &zero, MaxTokens: 9, Seeded: true, Parallel: &no, Extra: "{}"}})
	want := "n; scaffold tools; model p:m; temperature 0; max_tokens 9; seed sent; parallel calls false; extra {}; user Ann; system prompt: Be\x1b good."
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := agentText(agent.Config{Name: "reference:noop", Scaffold: "reference:noop"}); got != "reference:noop" {
		t.Errorf("got %q", got)
	}
}

// A case that is another one now must not lend its words to an old outcome.
func TestCaseOfIsTheCaseThatWasPlayed(t *testing.T) {
	s := suite.New("s", "")
	_, err := s.AddWorld("desk", "", []byte("class W:\n    def ping(self):\n        return 1\n"))
	check(t, err)
	k := &suite.Case{ID: "close_one/ignore", World: "desk", Task: "Close ticket T-1.", Attack: &suite.Attack{Strategy: "ignore_previous"}}
	check(t, s.AddCase(k))
	o := sampleOutcome()
	if caseOf(s, o) != k {
		t.Error("the case is not found")
	}
	if caseOf(nil, o) != nil {
		t.Error("a case without a suite")
	}
	for name, change := range map[string]func(*run.Outcome){
		"task":     func(o *run.Outcome) { o.Trace.Steps[1].Text = "Other." },
		"strategy": func(o *run.Outcome) { o.Strategy = "other" },
		"world":    func(o *run.Outcome) { o.World = "other" },
		"id":       func(o *run.Outcome) { o.Case = "other" },
	} {
		o := sampleOutcome()
		change(o)
		if caseOf(s, o) != nil {
			t.Errorf("another %s is not noticed", name)
		}
	}
}

// The chart mixed tasks without an attack with tasks under attack, and drew an
// agent that completes all of the first and none of the second at a quarter.
func TestChartKeepsTasksApart(t *testing.T) {
	group := func(agent string, clean, attacked metrics.Rate) configuration {
		return configuration{name: agent, groups: []summary.Group{{StrictClean: summary.Rate{Rate: clean}, StrictUnderAttack: summary.Rate{Rate: attacked}}}}
	}
	of := func(k, n int) metrics.Rate { return metrics.Rate{Successes: k, N: n} }
	tests := []struct {
		list  []configuration
		tasks string
		want  []float64
	}{
		{[]configuration{group("a", of(4, 4), of(0, 12)), group("b", of(1, 4), of(3, 12))}, "without an attack", []float64{1, 0.25}},
		{[]configuration{group("a", of(4, 4), of(0, 12)), group("b", of(0, 0), of(3, 12))}, "under attack", []float64{0, 0.25}},
	}
	for _, tt := range tests {
		tasks, got := points(tt.list)
		if tasks != tt.tasks {
			t.Errorf("tasks %q, want %q", tasks, tt.tasks)
		}
		for i, p := range got {
			if v, ok := p.BR.Value(); !ok || v != tt.want[i] {
				t.Errorf("%s: BR of %s is %v, want %v", tasks, p.Agent, v, tt.want[i])
			}
		}
	}
}

// A service that answers with a page of text for every cell filled the table's
// notes, and the rows of two formats had notes that nobody could tell apart.
func TestNotesOfExclusionsAreShort(t *testing.T) {
	sum := &summary.Summary{Varies: []summary.Dimension{summary.DimensionAgent, summary.DimensionFormat, summary.DimensionStrategy}}
	for i := range 20 {
		loss := summary.Loss{Exclusions: []summary.Exclusion{{Cause: "provider", N: 2, Details: []metrics.Count{{Name: strings.Repeat("日", 5000), N: 2}}}}}
		sum.Groups = append(sum.Groups, summary.Group{Key: summary.Key{Agent: fmt.Sprint("a", i), Format: "yaml", Strategy: "none"}, Loss: loss})
	}
	notes := (&result{sum: sum}).exclusionNotes()
	if len(notes) != maxNotes+1 || !strings.HasPrefix(notes[0], "Excluded, a0, yaml on none: 2 × 日日") || !strings.HasSuffix(notes[0], "... (provider).") {
		t.Errorf("%d notes: %.300q", len(notes), notes)
	}
	if want := "Excluded in 12 rows more; "; !strings.HasPrefix(notes[maxNotes], want) {
		t.Errorf("the last note is %q, want %q", notes[maxNotes], want)
	}
	for _, n := range notes {
		if utf8.RuneCountInString(n) > maxDetail+100 {
			t.Errorf("a note of %d characters", utf8.RuneCountInString(n))
		}
	}
}
