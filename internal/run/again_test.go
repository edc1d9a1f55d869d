package run_test

import (
	"path/filepath"
	"testing"

	"gauntlet/internal/agent"
	"gauntlet/internal/run"
	"gauntlet/internal/trace"
)

// TestPublishedRunsScoredAnew: what replays, random and gullible agents come to in
// the published cases is the same to the byte when it is scored anew from the
// written trace, under both rules.
func TestPublishedRunsScoredAnew(t *testing.T) {
	s := bench(t)
	dir := published(t)
	d := differences{t: t}
	for _, c := range []struct {
		agent  string
		compat bool
	}{
		{"replay:" + filepath.Join(dir, "runs", "gpt-5-prompt_2026-08-01-15-47-22.json"), true}, {"reference:random", true}, {"reference:random", false}, {"reference:noop", false},
	} {
		a, err := agent.New(agent.Config{Scaffold: c.agent}, agent.Env{})
		if err != nil {
			t.Fatal(err)
		}
		o := run.Options{Compat: c.compat}
		var cells []run.Cell
		for i, k := range run.Playable(a, s.Cases) {
			cells = append(cells, run.Cell{Case: k, Name: "a", Agent: a, Seed: 3, Format: trace.Formats()[i%3]})
		}
		i, scored := 0, 0
		o.Sink = func(x *run.Outcome) error {
			k := cells[i]
			i++
			if x.Excluded != "" {
				return nil
			}
			line, err := trace.Append(nil, x.Trace)
			if err != nil {
				return err
			}
			record, problems, err := trace.Decode(line)
			if err != nil || len(problems) > 0 {
				d.report("%s: the trace reads back with %v, %v", x.Case, problems, err)
				return nil
			}
			again, err := run.Rescore(t.Context(), s, k, record, run.Options{Compat: c.compat})
			if err != nil {
				d.report("%s: %v", x.Case, err)
				return nil
			}
			old := *x
			old.Recorded, old.Compare = nil, nil
			if before, after := document(t, &old), document(t, again); before != after {
				d.report("%s:\n%s\n%s", x.Case, before, after)
			}
			scored++
			return nil
		}
		if _, err := run.Run(t.Context(), s, cells, o); err != nil {
			t.Fatal(err)
		}
		t.Logf("%s, compat %v: %d of %d", filepath.Base(c.agent), c.compat, scored, len(cells))
	}
}
