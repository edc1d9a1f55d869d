package cli

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"gauntlet/internal/job"
	"gauntlet/internal/metrics"
	"gauntlet/internal/plan"
	"gauntlet/internal/report"
	"gauntlet/internal/run"
	"gauntlet/internal/score"
)

// progress shows one live line on a terminal, and plain lines elsewhere.
type progress struct {
	w       io.Writer
	live    bool
	quiet   bool
	models  *models // nil: no model is asked
	start   time.Time
	last    time.Time
	workers int

	done, total int
	errors      map[string]int
	benign      metrics.Rate
	attack      metrics.Rate
}

func newProgress(w io.Writer, quiet bool, p *plan.Plan, m *models) *progress {
	x := &progress{w: w, quiet: quiet, start: time.Now(), errors: map[string]int{}}
	if p.UsesModels() {
		x.models = m
	}
	x.live = terminalOf(w).live
	x.last = x.start
	return x
}

// show counts a finished cell and draws the line when it is time.
func (p *progress) show(o *run.Outcome, done, total int) {
	p.done, p.total = done, total
	p.count(o)
	if p.quiet {
		return
	}
	every := 100 * time.Millisecond
	if !p.live {
		every = 5 * time.Second
	}
	if time.Since(p.last) < every {
		return
	}
	p.last = time.Now()
	if p.live {
		p.draw()
		return
	}
	say(p.w, "%s", p.line())
}

// draw writes the line over the one before. One that went on in a second row would
// stay there.
func (p *progress) draw() {
	t := terminalOf(p.w)
	line := t.safe(p.line())
	if t.width > 0 {
		line = strings.TrimRight(report.Wrap(line, max(t.width-1, 1))[0], " ")
	}
	_, _ = fmt.Fprintf(p.w, "\r\x1b[K%s", line)
}

func (p *progress) count(o *run.Outcome) {
	if cause := job.Cause(o); cause != "" {
		p.errors[cause]++
		return
	}
	p.benign.N++
	if o.Benign.Outcome == score.Pass {
		p.benign.Successes++
	}
	if o.Attack != "" {
		p.attack.N++
		if o.Attack == run.Success {
			p.attack.Successes++
		}
	}
}

// line says how far the run is.
func (p *progress) line() string {
	rest := time.Since(p.start) / time.Duration(max(p.done, 1)) * time.Duration(p.total-p.done)
	parts := []string{fmt.Sprintf("%d of %d cells, %d running, about %s left", p.done, p.total, min(p.workers, p.total-p.done), rest.Round(time.Second))}
	if v, ok := p.benign.Value(); ok {
		parts = append(parts, fmt.Sprintf("BR %.0f %%", 100*v))
	}
	if v, ok := p.attack.Value(); ok {
		parts = append(parts, fmt.Sprintf("ASR %.0f %%", 100*v))
	}
	if s := p.failures(); s != "" {
		parts = append(parts, s)
	}
	if p.models != nil {
		u := p.models.budget.Spent()
		parts = append(parts, fmt.Sprintf("%s tokens", short1000(u.InputTokens+u.OutputTokens)))
		if u.CostUSD > 0 {
			parts = append(parts, fmt.Sprintf("$%.2f", u.CostUSD))
		}
	}
	return strings.Join(parts, ", ")
}

func (p *progress) failures() string {
	var parts []string
	for _, k := range slices.Sorted(maps.Keys(p.errors)) {
		parts = append(parts, fmt.Sprintf("%d %s", p.errors[k], k))
	}
	return strings.Join(parts, " + ")
}

func (p *progress) finish() {
	if p.quiet || p.total == 0 {
		return
	}
	if p.live {
		_, _ = fmt.Fprint(p.w, "\r\x1b[K")
	}
	s := fmt.Sprintf("%d of %d cells in %s", p.done, p.total, time.Since(p.start).Round(time.Millisecond))
	if f := p.failures(); f != "" {
		s += ", without an assessment: " + f
	}
	if p.models != nil {
		if u := p.models.budget.Spent(); u.Requests > 0 {
			s += fmt.Sprintf(", %s, %s tokens in, %s out", plural(int(u.Requests), "request"), short1000(u.InputTokens), short1000(u.OutputTokens))
			if u.CostUSD > 0 {
				s += fmt.Sprintf(", $%.2f", u.CostUSD)
			}
		}
	}
	say(p.w, "%s", s)
}
