package cli

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/rivo/uniseg"

	"gauntlet/internal/report"
	"gauntlet/internal/run"
	"gauntlet/internal/score"
	"gauntlet/internal/suite"
	"gauntlet/internal/trace"
)

// ink is how a stretch of text looks: the parameters of an ANSI sequence (ECMA-48,
// SGR), or nothing.
type ink string

const (
	plain  ink = ""
	strong ink = "1"
	dim    ink = "2"
	bad    ink = "31"
	good   ink = "32"
	odd    ink = "33"
	theirs ink = "1;31" // the attacker's words
)

// stretch is a part of a text in one ink. The text may be hostile.
type stretch struct {
	text string
	ink  ink
}

// pen writes text for a terminal: sanitized, wrapped, and in colour if the reader
// wants it.
type pen struct {
	w     *bufio.Writer
	width int // columns of a row
	color bool
	ascii bool // write nothing but ASCII
}

// The signs in front of every row of what was said and thought. Without them a
// model could write lines that look like calls, changes and findings.
const (
	quote   = "  | "
	thought = "  |~ "
)

// minText is the least width that text is wrapped at, however deep it stands.
const minText = 20

// put writes a text of one or more lines. The first row starts with first, all
// others with rest; both are ours and of one width.
func (p *pen) put(first, rest string, parts ...stretch) {
	lines := split(parts)
	if n := len(lines) - 1; n > 0 && len(lines[n]) == 0 {
		lines = lines[:n] // a line break at the end needs no empty row
	}
	for _, line := range lines {
		var text strings.Builder
		for i := range line {
			if p.ascii {
				line[i].text = report.ASCII(line[i].text)
			}
			text.WriteString(line[i].text)
		}
		for _, row := range report.Wrap(text.String(), max(p.width-uniseg.StringWidth(rest), minText)) {
			var b strings.Builder
			b.WriteString(first)
			for n := len(row); n > 0; {
				part := line[0].text[:min(n, len(line[0].text))]
				b.WriteString(p.paint(part, line[0].ink))
				n -= len(part)
				if line[0].text = line[0].text[len(part):]; line[0].text == "" {
					line = line[1:]
				}
			}
			_, _ = p.w.WriteString(strings.TrimRight(b.String(), " ") + "\n") // a bufio.Writer keeps its error for Flush
			first = rest
		}
	}
}

func (p *pen) paint(s string, i ink) string {
	if !p.color || i == plain || strings.Trim(s, " ") == "" {
		return s
	}
	return "\x1b[" + string(i) + "m" + s + "\x1b[0m"
}

// split cuts a text at its line breaks and makes each line safe to show.
func split(parts []stretch) [][]stretch {
	lines := [][]stretch{nil}
	for _, s := range parts {
		for i, text := range strings.Split(s.text, "\n") {
			if i > 0 {
				lines = append(lines, nil)
			}
			if text != "" {
				last := &lines[len(lines)-1]
				*last = append(*last, stretch{report.Sanitize(text), s.ink})
			}
		}
	}
	return lines
}

// marked is a text with the attacker's words between double brackets. Spans that
// do not lie in the text are passed over.
func marked(text string, spans []trace.Span) []stretch {
	var out []stretch
	at := 0
	spans = slices.Clone(spans)
	slices.SortStableFunc(spans, func(a, b trace.Span) int { return a.Start - b.Start })
	for _, s := range spans {
		start, ok1 := trace.ByteOffset(text, s.Start)
		end, ok2 := trace.ByteOffset(text, s.End)
		if !ok1 || !ok2 || start < at || end <= start {
			continue
		}
		out = append(out, stretch{text[at:start], plain}, stretch{"[[", strong}, stretch{text[start:end], theirs}, stretch{"]]", strong})
		at = end
	}
	return append(out, stretch{text[at:], plain})
}

// Limits of what is shown of one text without --full, in characters; a line break
// counts as many.
const (
	mostSeen    = 1500 // of what the agent was shown, and of arguments
	mostSaid    = 4000 // of what it said itself
	mostValue   = 240  // of a value in a change of the state
	around      = 160  // before and after words of the attacker
	breakCounts = 40
)

// clip leaves out the middle of long stretches. The attacker's words and what
// stands around them are kept wherever they are.
func clip(parts []stretch, limit int) []stretch {
	rest := limit
	for _, s := range parts {
		rest -= utf8.RuneCountInString(s.text) + (breakCounts-1)*strings.Count(s.text, "\n")
	}
	if rest >= 0 {
		return parts
	}
	var out []stretch
	for i, s := range parts {
		head, tail := limit, 0
		if s.ink != theirs && i > 0 {
			head = around
		}
		if s.ink != theirs && i < len(parts)-1 {
			head, tail = min(head, limit-around), around
		}
		from := cut(s.text, head)
		to := len(s.text)
		for range tail {
			_, n := utf8.DecodeLastRuneInString(s.text[from:to])
			to -= n
		}
		if left := utf8.RuneCountInString(s.text[from:to]); left > around/2 {
			note := stretch{fmt.Sprintf("[... %s characters left out, --full shows them ...]", thousands(int64(left))), dim}
			out = append(out, stretch{s.text[:from], s.ink}, note, stretch{s.text[to:], s.ink})
			continue
		}
		out = append(out, s)
	}
	return out
}

// cut returns the length in bytes of the beginning of s that costs n at most.
func cut(s string, n int) int {
	for i, r := range s {
		if n--; r == '\n' {
			n -= breakCounts - 1
		}
		if n < 0 {
			return i
		}
	}
	return len(s)
}

// transcript is one cell as a person reads it.
type transcript struct {
	pen
	run   string       // id
	o     *run.Outcome // with its trace, if there is one
	k     *suite.Case  // nil when the suite has it no more
	full  bool
	plays int // attempts so far
}

func (x *transcript) write(w io.Writer) error {
	x.w = bufio.NewWriter(w)
	x.header()
	if x.o.Trace == nil {
		x.put("", "", stretch{"\nThere is no trace: the cell ended before its first step.", plain})
	} else {
		for i := range x.o.Trace.Steps {
			x.step(i)
		}
	}
	x.end()
	if err := x.w.Flush(); err != nil {
		return fmt.Errorf("write transcript: %w", err)
	}
	return nil
}

// clip shortens a text unless all of it was asked for.
func (x *transcript) clip(parts []stretch, limit int) []stretch {
	if x.full {
		return parts
	}
	return clip(parts, limit)
}

// tally is how many checks hold.
func (x *transcript) tally(s *score.Score) string {
	if s == nil || s.Outcome == score.Unassessed || s.Total == 0 && s.Broken == 0 {
		return ""
	}
	text := fmt.Sprintf(", %d of %d checks hold", s.Passed, s.Total)
	if s.Broken > 0 {
		text += ", " + plural(s.Broken, "invariant") + " broken"
	}
	if s == &x.o.Benign && x.o.Baseline != nil && *x.o.Baseline > 0 {
		text += fmt.Sprintf(" (doing nothing: %.0f %%)", 100**x.o.Baseline)
	}
	return text
}

func benignStretch(o *run.Outcome) stretch {
	colors := map[score.Outcome]ink{score.Pass: good, score.Fail: bad, score.Unassessed: odd}
	return stretch{string(o.Benign.Outcome), colors[o.Benign.Outcome]}
}

func attackStretch(o *run.Outcome) stretch {
	colors := map[run.AttackOutcome]ink{run.Success: bad, run.Resisted: good, run.NotExposed: dim, run.Unassessed: odd}
	return stretch{string(o.Attack), colors[o.Attack]}
}

func usageText(u *trace.Usage) string {
	if u == nil {
		return ""
	}
	var parts []string
	if u.Requests != 0 {
		parts = append(parts, plural(int(u.Requests), "request"))
	}
	for _, c := range []struct {
		n    int64
		noun string
	}{{u.InputTokens, "tokens in"}, {u.CachedTokens, "cached"}, {u.OutputTokens, "tokens out"}, {u.ReasoningTokens, "reasoning"}} {
		if c.n != 0 {
			parts = append(parts, thousands(c.n)+" "+c.noun)
		}
	}
	if u.CostUSD > 0 {
		parts = append(parts, fmt.Sprintf("$%.4f", u.CostUSD))
	}
	return strings.Join(parts, ", ")
}

func (x *transcript) step(i int) {
	s := &x.o.Trace.Steps[i]
	head := fmt.Sprintf("%d %s", i+1, s.Role)
	if s.Origin != "" {
		head += " (" + s.Origin + ")"
	}
	more := usageText(s.Usage)
	if s.Latency > 0 {
		more += ", " + s.Latency.Round(time.Millisecond).String()
	}
	if s.FinishReason != "" {
		more += ", " + s.FinishReason
	}
	// In one line, whatever a provider writes: others would start where ours do.
	x.put("", "", stretch{"\n" + report.Sanitize(head), strong}, stretch{"  " + report.Sanitize(strings.TrimPrefix(more, ", ")), dim})
	if s.Thought != "" {
		x.put(thought, thought, dimmed(x.clip([]stretch{{s.Thought, plain}}, mostSaid))...)
	}
	if s.Text != "" {
		limit := mostSaid
		if s.Role == trace.RoleSystem || s.Role == trace.RoleTool {
			limit = mostSeen
		}
		x.put(quote, quote, x.clip(marked(s.Text, s.Injected), limit)...)
		x.spans(s.Injected)
	}
	for j := range s.Calls {
		x.call(&s.Calls[j])
		if is(x.o.Exposure, i, j) {
			x.put("  ", "  ", stretch{"^ exposure: here the agent first read the attacker's words", odd})
		}
		if is(x.o.Decisive, i, j) {
			x.put("  ", "  ", stretch{"^ decisive: from here on the attacker's goal held", bad})
		}
	}
}

func is(p *run.Place, step, call int) bool { return p != nil && p.Step == step && p.Call == call }

func dimmed(parts []stretch) []stretch {
	for i := range parts {
		parts[i].ink = dim
	}
	return parts
}

// spans says what the brackets enclose, since a text can have brackets of its own.
func (x *transcript) spans(spans []trace.Span) {
	for _, s := range spans {
		text := fmt.Sprintf("[[...]]: %s characters of the attacker's", thousands(int64(s.End-s.Start)))
		if s.Attack != "" {
			text += ", attack " + s.Attack
		}
		if s.Point != "" {
			text += ", planted at " + s.Point
		}
		x.put("  ^ ", "    ", stretch{text, dim})
	}
}

func (x *transcript) call(c *trace.Call) {
	parts := []stretch{{c.Name, strong}}
	parts = append(parts, x.clip([]stretch{{arguments(c), plain}}, mostSeen)...)
	if t := x.o.Trace.Tool(c.Name); t != nil && t.Effect != "" {
		parts = append(parts, stretch{"  " + string(t.Effect), dim})
	}
	x.put("  > ", "    ", parts...)
	for _, v := range c.Verdicts {
		x.verdict(v)
	}
	if o := c.Observation; o == nil {
		x.put("  < ", "    ", stretch{"no answer", dim})
	} else {
		x.put("  < ", "    ", x.clip(marked(o.Text, o.Injected), mostSeen)...)
		x.spans(o.Injected)
		if o.Error != nil {
			x.put("  ! ", "    ", stretch{strings.TrimPrefix(o.Error.Type+": "+o.Error.Message, ": "), bad})
		}
	}
	for _, d := range c.Diff {
		x.change(d)
	}
	if c.Diff == nil && len(c.Writes) > 0 {
		x.put("  * ", "    ", stretch{"writes " + strings.Join(c.Writes, ", "), plain})
	}
}

// arguments are those of a call as a programmer would write them.
func arguments(c *trace.Call) string {
	if c.RawArguments != nil {
		raw := " called with what is no JSON object: " + *c.RawArguments
		if !c.Arguments.Exists() {
			return raw
		}
		return " repaired to " + string(c.Arguments.AppendJSON(nil)) + " from: " + *c.RawArguments
	}
	b := []byte{'('}
	for i, f := range c.Arguments.Fields() {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = append(append(b, f.Key...), '=')
		b = f.Value.AppendJSON(b)
	}
	return string(append(b, ')'))
}

func (x *transcript) verdict(v trace.Verdict) {
	colors := map[trace.Decision]ink{trace.Allow: good, trace.Block: bad, trace.Errored: odd, trace.Unparsed: odd}
	parts := []stretch{{"guard " + v.Guard + ": ", plain}, {string(v.Decision), colors[v.Decision]}}
	if v.Score != nil {
		parts = append(parts, stretch{fmt.Sprintf(", score %.3g", *v.Score), plain})
	}
	if v.Reason != "" {
		parts = append(parts, x.clip([]stretch{{": " + v.Reason, plain}}, mostSeen)...)
	}
	if v.Raw != nil {
		parts = append(parts, x.clip([]stretch{{"; it said: " + *v.Raw, plain}}, mostSeen)...)
	}
	x.put("  ? ", "    ", parts...)
}

func (x *transcript) change(d trace.Change) {
	value := func(v trace.Value) []stretch {
		return x.clip([]stretch{{string(v.AppendJSON(nil)), plain}}, mostValue)
	}
	parts := []stretch{{d.Path + " ", strong}}
	sign := "  ~ "
	switch d.Op {
	case trace.Added:
		sign, parts = "  + ", append(parts, value(d.New)...)
	case trace.Removed:
		sign, parts = "  - ", append(parts, value(d.Old)...)
	default:
		parts = append(append(append(parts, value(d.Old)...), stretch{" -> ", strong}), value(d.New)...)
	}
	x.put(sign, "    ", parts...)
}

func (x *transcript) end() {
	o := x.o
	x.put("", "", stretch{"\nended: " + string(o.Ended.Cause), strong})
	if o.Ended.Detail != "" {
		x.put(quote, quote, x.clip([]stretch{{o.Ended.Detail, plain}}, mostSaid)...)
	}
	x.checks("checks of the task", o.Benign, false)
	if o.Injected != nil {
		x.checks("checks of the attacker's goal", *o.Injected, true)
	}
}

func (x *transcript) checks(title string, s score.Score, injected bool) {
	if len(s.Checks) == 0 {
		return
	}
	x.put("", "", stretch{"\n" + title, strong})
	for _, c := range checksOf(x.k, s, injected) {
		word, color := "no   ", bad
		if c.Holds {
			word, color = "yes  ", good
		}
		if injected && c.Holds {
			color = bad
		} else if injected {
			color = good
		}
		if c.Error != "" {
			word, color = "?    ", odd
		}
		parts := []stretch{{word, color}, {c.Item, plain}}
		if c.Invariant {
			parts = append(parts, stretch{" (invariant)", dim})
		}
		if c.Error != "" {
			parts = append(parts, stretch{" - " + c.Error, odd})
		}
		x.put("  ", strings.Repeat(" ", 7), parts...)
	}
}
