package trace

import (
	"fmt"
	"strconv"
)

// Check returns the problems of a trace that is valid field by field: ids that
// several calls share, spans outside of their text, and paths that are no JSON
// pointers. [Decode] reports them too.
func (t *Trace) Check() []Problem {
	c := checker{ids: map[string]bool{}}
	c.trace(t)
	return c.problems.list
}

// Check returns the problems of a sample, as [Trace.Check] does for a trace.
func (s *Sample) Check() []Problem {
	c := checker{ids: map[string]bool{}}
	c.within("trace", func() { c.trace(&s.Trace) })
	c.within("call", func() { c.call(&s.Call) })
	return c.problems.list
}

// checker walks over a record.
type checker struct {
	path     []string
	ids      map[string]bool
	problems problemList
}

func (c *checker) report(kind ProblemKind, format string, args ...any) {
	if !c.problems.full() {
		c.problems.add(Problem{Kind: kind, Path: JoinPointer(c.path...), Detail: fmt.Sprintf(format, args...)})
	}
}

// within runs f with one token added to the path.
func (c *checker) within(token string, f func()) {
	c.path = append(c.path, token)
	f()
	c.path = c.path[:len(c.path)-1]
}

// each runs f for the items 0 to n-1 of a list, with the path of each.
func (c *checker) each(list string, n int, f func(i int)) {
	c.within(list, func() {
		for i := range n {
			c.within(strconv.Itoa(i), func() { f(i) })
		}
	})
}

func (c *checker) trace(t *Trace) {
	c.each("steps", len(t.Steps), func(i int) {
		step := &t.Steps[i]
		c.spans(step.Injected, step.Text)
		c.each("calls", len(step.Calls), func(j int) { c.call(&step.Calls[j]) })
	})
}

func (c *checker) call(call *Call) {
	if call.ID != nil {
		if c.ids[*call.ID] {
			c.report(ProblemRepeatedID, "an earlier call has the id %s too", quote(*call.ID))
		}
		c.ids[*call.ID] = true
	}
	if o := call.Observation; o != nil {
		c.within("observation", func() { c.spans(o.Injected, o.Text) })
	}
	c.pointers("reads", call.Reads)
	c.pointers("writes", call.Writes)
	c.each("diff", len(call.Diff), func(i int) { c.pointer("path", call.Diff[i].Path) })
}

func (c *checker) pointers(list string, pointers []string) {
	c.each(list, len(pointers), func(i int) { c.pointer("", pointers[i]) })
}

// pointer checks a JSON pointer in the given field, or at the current path if
// field is empty.
func (c *checker) pointer(field, pointer string) {
	if _, ok := SplitPointer(pointer); ok {
		return
	}
	report := func() { c.report(ProblemPointer, "%s is not a JSON pointer", quote(pointer)) }
	if field == "" {
		report()
	} else {
		c.within(field, report)
	}
}

// spans checks spans of a text. It counts the code points of the text once, so
// that many spans in a long text stay cheap.
func (c *checker) spans(spans []Span, text string) {
	if len(spans) == 0 {
		return
	}
	length := CodePoints(text)
	c.each("injected", len(spans), func(i int) {
		s := spans[i]
		if s.Start < 0 || s.End < s.Start || s.End > length {
			c.report(ProblemSpan, "the span from %d to %d does not lie within the text of %d code points", s.Start, s.End, length)
		}
		if s.Point != "" {
			c.pointer("point", s.Point)
		}
	})
}

// mergeProblems joins the problems of the text and of the record, within the
// limit of one record.
func mergeProblems(text, record []Problem) []Problem {
	all := problemList{list: text}
	for _, p := range record {
		all.add(p)
	}
	return all.list
}
