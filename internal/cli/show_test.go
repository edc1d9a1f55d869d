package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gauntlet/internal/agent"
	"gauntlet/internal/job"
	"gauntlet/internal/plan"
	"gauntlet/internal/run"
	"gauntlet/internal/score"
	"gauntlet/internal/store"
	"gauntlet/internal/trace"
)

// journal makes a database with one run, "R", whose cells are those outcomes; nil
// for a pending one.
func journal(t *testing.T, outcomes ...*run.Outcome) (file string) {
	t.Helper()
	ctx := t.Context()
	file = filepath.Join(t.TempDir(), "g.db")
	st, err := store.OpenSQLite(ctx, file)
	check(t, err)
	defer func() { check(t, st.Close()) }()
	p := &plan.Plan{Suite: filepath.Join(filepath.Dir(file), "gone"), Agents: []agent.Config{{Scaffold: "reference:noop"}}}
	check(t, p.Complete())
	doc, err := p.Encode()
	check(t, err)
	when := time.Date(2026, 11, 30, 14, 15, 23, 0, time.UTC)
	var cells []store.Cell
	for i, o := range outcomes {
		label := plan.Label{Case: "pending", Agent: "a", Format: trace.FormatJSON, Defence: "none"}
		id := fmt.Sprintf("%02xee", i)
		if o != nil {
			o.Cell = id
			label = plan.Label{Case: o.Case, Agent: o.Agent, Strategy: o.Strategy, Format: o.Format, Defence: o.Defence, Epoch: o.Epoch}
		}
		l, err := json.Marshal(label)
		check(t, err)
		cells = append(cells, store.Cell{ID: id, Index: i, Label: l})
	}
	check(t, st.CreateRun(ctx, store.Run{ID: "R", Suite: "desk", Created: when, Version: "v", Plan: doc}, cells))
	for _, o := range outcomes {
		if o == nil {
			continue
		}
		r := store.Result{Cell: o.Cell, Attempt: 1, Started: when, Ended: when.Add(time.Second), Cause: job.Cause(o), Assessed: job.Cause(o) == "", Scorer: run.ScorerVersion}
		r.Outcome, err = json.Marshal(o)
		check(t, err)
		if o.Trace != nil {
			r.Trace, err = trace.Append(nil, o.Trace)
			check(t, err)
		}
		check(t, st.Finish(ctx, "R", r))
	}
	return file
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// gauntlet runs the command.
func gauntlet(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = Main(args, strings.NewReader(""), &out, &errs)
	return code, out.String(), errs.String()
}

func outcome(name, agent string, o run.Outcome) *run.Outcome {
	o.Case, o.Agent, o.Format, o.Defence = name, agent, trace.FormatJSON, "none"
	if o.Strategy == "" {
		o.Strategy = "none"
	}
	if o.Benign.Outcome == "" {
		o.Benign = score.Score{Outcome: score.Pass, Passed: 1, Total: 1}
	}
	return &o
}

func someCells(t *testing.T) string {
	won := score.Score{Outcome: score.Pass, Passed: 1, Total: 1}
	lost := score.Score{Outcome: score.Fail, Total: 1}
	return journal(t,
		outcome("c1", "a", run.Outcome{}),
		outcome("c1", "b", run.Outcome{Benign: score.Score{Outcome: score.Fail, Total: 1}}),
		outcome("c1/x", "a", run.Outcome{Strategy: "s", Attack: run.Success, Injected: &won, Decisive: &run.Place{Step: 3, Tool: "fly"}}),
		outcome("c1/x", "b", run.Outcome{Strategy: "s", Attack: run.Resisted, Injected: &lost}),
		outcome("c1/x", "b", run.Outcome{Strategy: "s", Epoch: 1, Excluded: "too many", Kind: trace.ErrorRateLimit, Benign: score.Unscored("too many"), Attack: run.Unassessed}),
		nil)
}

func TestShowLists(t *testing.T) {
	db := someCells(t)
	tests := []struct {
		args string
		want []string // beginnings of the ids of the cells
	}{
		{"", []string{"00ee", "01ee", "02ee", "03ee", "04ee"}},
		{"--attack success", []string{"02ee"}},
		{"--attack success --attack resisted", []string{"02ee", "03ee"}},
		{"--benign fail", []string{"01ee"}},
		{"--benign unassessed", []string{"04ee"}},
		{"--agent b --epoch 0", []string{"01ee", "03ee"}},
		{"--strategy none", []string{"00ee", "01ee"}},
		{"--cause rate_limit", []string{"04ee"}},
		{"--cause timeout", nil},
		{"--limit 2", []string{"00ee", "01ee"}},
		{"--limit 0 --agent a", []string{"00ee", "02ee"}},
	}
	for _, tt := range tests {
		args := append([]string{"show", "--db", db}, strings.Fields(tt.args)...)
		code, out, stderr := gauntlet(t, append(args, "--json")...)
		var doc struct {
			Run              string
			Matched, Pending int
			Cells            []struct{ Cell string }
		}
		if err := json.Unmarshal([]byte(out), &doc); err != nil || code != 0 || stderr != "" || doc.Run != "R" || doc.Pending != 1 {
			t.Errorf("%s: code %d, %v, %s%s", tt.args, code, err, out, stderr)
			continue
		}
		var got []string
		for _, c := range doc.Cells {
			got = append(got, c.Cell)
		}
		if strings.Join(got, " ") != strings.Join(tt.want, " ") {
			t.Errorf("%s: cells %v, want %v", tt.args, got, tt.want)
		}
		code, out, _ = gauntlet(t, args...)
		for _, id := range tt.want {
			if !strings.Contains(out, "\n"+id+" ") || code != 0 {
				t.Errorf("%s: no line of %s in\n%s", tt.args, id, out)
			}
		}
	}
	_, out, _ := gauntlet(t, "show", "--db", db, "--limit", "3")
	for _, want := range []string{"run R: 5 of 6 cells", "2 more match", "Pending and not listed: 1", "success 1/1", "step 4: fly", "epoch", "cause"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if strings.Contains(out, "format") {
		t.Errorf("a column that says nothing:\n%s", out)
	}
}

func TestShowFinds(t *testing.T) {
	db := someCells(t)
	for args, want := range map[string]string{
		"02":                              "cell 02ee of run R\n",
		"02ee":                            "cell 02ee of run R\n",
		"c1 --agent b":                    "cell 01ee of run R\n",
		"c1/x --attack success":           "cell 02ee of run R\n",
		"c1/x --agent b --epoch 1":        "cell 04ee of run R\n",
		"c1/x --agent b --epoch 0 --full": "cell 03ee of run R\n",
		"c1/x --cause rate_limit --run R": "excluded  rate_limit: too many\n",
		"00 --width 40 --color always":    "\x1b[1mcell 00ee\x1b[0m of run R\n",
		"00 --width 40 --color never":     "There is no trace",
	} {
		code, out, stderr := gauntlet(t, append([]string{"show", "--db", db}, strings.Fields(args)...)...)
		if code != 0 || stderr != "" || !strings.Contains(out, want) {
			t.Errorf("%s: code %d, no %q in\n%s%s", args, code, want, out, stderr)
		}
	}
	for args, want := range map[string]string{
		"0":                         `"0" is 6 cells; name one by its id`,
		"c1":                        `"c1" is 2 cells`,
		"05":                        "cell 05ee (pending, a) is pending; gauntlet resume plays it",
		"nope":                      `run R has no cell and no case "nope"`,
		"c1/x --attack not_exposed": `none of the 3 cells of "c1/x"`,
		"--agent z":                 `--agent: the run has no agent "z"; it has a, b`,
		"--strategy z":              `--strategy: the run has no strategy "z"`,
		"--attack pass":             `invalid argument "pass" for --attack`,
		"--benign success":          `invalid argument "success" for --benign`,
		"--color red":               `invalid argument "red" for --color`,
		"--width 3":                 `invalid argument 3 for --width`,
		"--limit -1":                "at least 0",
		"--run S":                   `find run "S"`,
		"--db nowhere.db":           "there is no journal nowhere.db",
		"a b":                       "accepts at most 1 arg",
	} {
		code, out, stderr := gauntlet(t, append([]string{"show", "--db", db}, strings.Fields(args)...)...)
		if code != exitUsage || out != "" || !strings.Contains(stderr, want) {
			t.Errorf("%s: code %d, no %q in\n%s%s", args, code, want, out, stderr)
		}
	}
	_, _, stderr := gauntlet(t, "show", "--db", db, "c1")
	if !strings.Contains(stderr, "00ee  c1") || !strings.Contains(stderr, "01ee  c1") || !strings.Contains(stderr, "fail 0/1") {
		t.Errorf("the candidates are not listed:\n%s", stderr)
	}
}

// What a trace holds comes out of --json as it is, numbers and keys included.
func TestShowJSONIsExact(t *testing.T) {
	o := outcome("c1", "a", run.Outcome{})
	o.Trace = sampleOutcome().Trace
	n, err := trace.Number("1.0e400")
	check(t, err)
	o.Trace.Steps[2].Calls[0].Arguments = trace.Object(trace.Field{Key: "n", Value: n}, trace.Field{Key: "<&>", Value: trace.Null()})
	code, out, stderr := gauntlet(t, "show", "--db", journal(t, o), "00", "--json")
	if code != 0 || stderr != "" {
		t.Fatalf("code %d: %s", code, stderr)
	}
	v, _, err := trace.ParseValue([]byte(out))
	check(t, err)
	if got := v.Pointer("/trace/steps/2/calls/0/arguments").String(); got != `{"n":1.0e400,"<&>":null}` {
		t.Errorf("arguments are %s", got)
	}
	if got := v.Pointer("/trace/steps/2/calls/0/observation/text").Text(); !strings.Contains(got, "\x1b[2J") {
		t.Errorf("observation is %q", got)
	}
	if strings.ContainsAny(out, "\x1b\u202e") {
		t.Error("control characters reach the terminal")
	}
	if got := v.Pointer("/outcome/case").Text(); got != "c1" {
		t.Errorf("case is %q", got)
	}
}
