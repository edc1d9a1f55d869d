package convert

import (
	"context"
	"fmt"

	"gauntlet/internal/score"
	"gauntlet/internal/suite"
	"gauntlet/internal/trace"
	"gauntlet/internal/world"
)

// comparison compares one case.
type comparison struct {
	im      *importer
	v       *Verification
	t       *task
	answers []trace.Value // of the runs of CPython
}

// compare runs the trials and checks of a case and compares with the answers.
func (im *importer) compare(t *task, answers []trace.Value) error {
	c := &comparison{im, im.report.Verification, t, answers}
	c.v.Cases++
	if e := answers[0].Get("error"); e.Exists() {
		c.differ(Difference{What: "case", Python: e.Text(), Gauntlet: "runs"}, nil)
		return nil
	}
	var checks []suite.Check
	for _, l := range checkLists(t) {
		checks = append(checks, l.checks...)
	}
	first, err := startFrom(im.blueprints[t.World], t.State)
	if err != nil {
		return fmt.Errorf("start case %s: %w", t.ID, err)
	}
	c.checks("initial", first.run(im.checker, checks))
	in, err := c.calls(im.trials(t))
	if err != nil || in == nil {
		return err
	}
	last, err := in.Snapshot()
	if err != nil {
		return fmt.Errorf("keep the last state of case %s: %w", t.ID, err)
	}
	c.checks("final", im.checker.Run(checks, first.snap, last, score.Options{Compat: true, Now: in.Now()}).Checks)
	return nil
}

// calls makes the trials and returns the instance of the last one.
func (c *comparison) calls(calls []trial) (*world.Instance, error) {
	var in *world.Instance
	var before string
	var lost bool // the states differ since the last fresh start
	for i, call := range calls {
		if call.Fresh {
			var err error
			if in, err = c.im.blueprints[c.t.World].New(c.t.State, world.Options{Compat: true, Format: trace.FormatText}); err != nil {
				return nil, fmt.Errorf("start case %s: %w", c.t.ID, err)
			}
			if before, err = stateText(in); err != nil {
				return nil, fmt.Errorf("read the state of case %s: %w", c.t.ID, err)
			}
			lost = false
		}
		res, err := in.Call(context.Background(), call.Tool, call.Arguments)
		if err != nil {
			return nil, fmt.Errorf("call %s in case %s: %w", call.Tool, c.t.ID, err)
		}
		after, err := stateText(in)
		if err != nil {
			return nil, fmt.Errorf("read the state of case %s: %w", c.t.ID, err)
		}
		said, agree := c.python("calls", i)
		d := Difference{Tool: call.Tool, Arguments: call.Arguments}
		c.call(d, said, agree, res)
		if lost {
			continue
		}
		lost = !c.state(d, said, agree, before, after)
		before = after
	}
	return in, nil
}

// python returns what the first run says, and in which fields all runs agree.
func (c *comparison) python(list string, i int) (said trace.Value, agree func(key string) bool) {
	said = c.answers[0].Get(list).Index(i)
	return said, func(key string) bool {
		for _, a := range c.answers[1:] {
			x, y := a.Get(list).Index(i), said
			if key != "" {
				x, y = x.Get(key), y.Get(key)
			}
			if x.String() != y.String() {
				return false
			}
		}
		return true
	}
}

// call compares what a call returned or raised.
func (c *comparison) call(d Difference, said trace.Value, agree func(string) bool, res world.Result) {
	if !agree("text") || !agree("ok") {
		c.v.LeftOut.Calls++
		return
	}
	c.v.Compare.Calls++
	if !said.Get("ok").Bool() {
		c.v.Raised++
	}
	if said.Get("ok").Bool() == (res.Error == nil) && said.Get("text").Text() == res.Text {
		return
	}
	d.What, d.Python, d.Gauntlet = "call", said.Get("text").Text(), res.Text
	c.differ(d, &c.v.Different.Calls)
}

// state compares the state after a call, and reports whether the states are the
// same as far as can be told.
func (c *comparison) state(d Difference, said trace.Value, agree func(string) bool, before, after string) bool {
	if !agree("state") {
		c.v.LeftOut.States++
		return false
	}
	c.v.Compare.States++
	theirs := before
	if s := said.Get("state"); s.Kind() == trace.KindObject {
		theirs = s.String()
	}
	if theirs == after {
		return true
	}
	d.What, d.Python, d.Gauntlet = "state", around(theirs, after), around(after, theirs)
	c.differ(d, &c.v.Different.States)
	return false
}

// checks compares what the checks said.
func (c *comparison) checks(when string, results []score.Result) {
	for i, r := range results {
		said, agree := c.python(when, i)
		if !agree("") {
			c.v.LeftOut.Checks++
			continue
		}
		c.v.Compare.Checks++
		ours := trace.Bool(r.Holds)
		if r.Error != "" {
			ours = trace.String(r.Error)
		}
		if !trace.Equal(ours, said) {
			c.differ(Difference{What: "check", Tool: when, Check: i, Python: said.String(), Gauntlet: ours.String()}, &c.v.Different.Checks)
		}
	}
}

// differ lists a difference.
func (c *comparison) differ(d Difference, count *int) {
	if count != nil {
		*count++
	}
	d.Case = c.t.ID
	if len(c.v.Differences) < MaxDifferences {
		c.v.Differences = append(c.v.Differences, d)
	}
}

// stateText is the canonical JSON text of the state.
func stateText(in *world.Instance) (string, error) {
	s, err := in.State()
	if err != nil {
		return "", err
	}
	return s.String(), nil
}

// aroundWidth is how much of a state a difference shows, in bytes.
const aroundWidth = 200

// around cuts out of a the part where it begins to differ from b.
func around(a, b string) string {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	return a[max(0, i-aroundWidth/2):min(len(a), i+aroundWidth/2)]
}

// rows writes the summary of a verification.
func (v *Verification) rows(row func(...any)) {
	if v.Skipped != "" {
		row("verification", "skipped", plain(v.Skipped))
		return
	}
	row("compared with "+plain(v.Python), "equal", "different", "left out (CPython's own runs differ)")
	row("  calls", v.Compare.Calls-v.Different.Calls, v.Different.Calls, v.LeftOut.Calls)
	row("    that raise", v.Raised)
	row("  states", v.Compare.States-v.Different.States, v.Different.States, v.LeftOut.States)
	row("  checks", v.Compare.Checks-v.Different.Checks, v.Different.Checks, v.LeftOut.Checks)
	for _, d := range v.Differences[:min(len(v.Differences), maxListed)] {
		what := d.What
		if d.Tool != "" {
			what += " " + plain(d.Tool)
		}
		row("  "+plain(d.Case), what, "CPython: "+plain(d.Python), "here: "+plain(d.Gauntlet))
	}
	if more := len(v.Differences) - maxListed; more > 0 {
		row(fmt.Sprintf("  and %d more in import.json", more))
	}
}
