package page

import "gauntlet/internal/trace"

// traceData is what the page shows of a trace. Left out are the states, the
// reads, and the values behind the texts of observations: they are most of a
// trace's bytes, and the file of the trace has them.
type traceData struct {
	Tools    *int       `json:"tools,omitzero"` // index in data.Tools
	Guard    text       `json:"guard,omitzero"`
	Provider text       `json:"provider,omitzero"`
	Defences []text     `json:"defences,omitzero"`
	Steps    []stepData `json:"steps"`
	Cause    text       `json:"cause,omitzero"`
	Detail   text       `json:"detail,omitzero"`
	Usage    *usageData `json:"usage,omitzero"`
}

type toolData struct {
	Name        text   `json:"name"`
	Description text   `json:"description,omitzero"`
	Parameters  text   `json:"parameters,omitzero"` // JSON text
	Effect      string `json:"effect,omitzero"`
}

type stepData struct {
	Role     string     `json:"role"`
	Origin   text       `json:"origin,omitzero"`
	Thought  text       `json:"thought,omitzero"`
	Text     text       `json:"text,omitzero"`
	Injected []spanData `json:"injected,omitzero"`
	Calls    []callData `json:"calls,omitzero"`
	Finish   text       `json:"finish,omitzero"`
	Usage    *usageData `json:"usage,omitzero"`
	Latency  int64      `json:"latency_ns,omitzero"`
}

type callData struct {
	ID        text          `json:"id,omitzero"`
	Name      text          `json:"name"`
	Arguments text          `json:"arguments,omitzero"` // JSON text
	Raw       *text         `json:"raw,omitzero"`
	Verdicts  []verdictData `json:"verdicts,omitzero"`
	// Observed tells an empty observation from none.
	Observed    bool         `json:"observed,omitzero"`
	Observation text         `json:"observation,omitzero"`
	Injected    []spanData   `json:"injected,omitzero"`
	Error       *errorData   `json:"error,omitzero"`
	Writes      []text       `json:"writes,omitzero"`
	Diff        []changeData `json:"diff,omitzero"`
	// Recorded tells a call that changed nothing from one that was not watched.
	Recorded bool  `json:"recorded,omitzero"`
	Latency  int64 `json:"latency_ns,omitzero"`
}

type spanData struct {
	Start  int  `json:"start"` // in code points
	End    int  `json:"end"`
	Attack text `json:"attack,omitzero"`
	Point  text `json:"point,omitzero"`
}

type errorData struct {
	Type    text `json:"type,omitzero"`
	Message text `json:"message,omitzero"`
}

type changeData struct {
	Op   string `json:"op"`
	Path text   `json:"path,omitzero"`
	Old  text   `json:"old,omitzero"` // JSON text
	New  text   `json:"new,omitzero"` // JSON text
}

type verdictData struct {
	Guard    text     `json:"guard"`
	Decision string   `json:"decision"`
	Score    *float64 `json:"score,omitzero"`
	Reason   text     `json:"reason,omitzero"`
	Raw      *text    `json:"raw,omitzero"`
	Latency  int64    `json:"latency_ns,omitzero"`
}

type usageData struct {
	Requests  int64   `json:"requests,omitzero"`
	Input     int64   `json:"input,omitzero"`
	Cached    int64   `json:"cached,omitzero"`
	Output    int64   `json:"output,omitzero"`
	Reasoning int64   `json:"reasoning,omitzero"`
	Cost      float64 `json:"cost,omitzero"`
}

func (p *pool) trace(t *trace.Trace) *traceData {
	d := &traceData{
		Tools: p.toolList(t.Tools), Guard: p.text(t.Guard), Provider: p.text(t.Provider),
		Defences: p.list(t.Defences), Steps: make([]stepData, len(t.Steps)),
		Cause: p.text(string(t.Termination.Cause)), Detail: p.text(t.Termination.Detail), Usage: usage(t.Usage),
	}
	for i := range t.Steps {
		d.Steps[i] = p.step(&t.Steps[i])
	}
	return d
}

func (p *pool) step(s *trace.Step) stepData {
	d := stepData{
		Role: string(s.Role), Origin: p.text(s.Origin), Thought: p.text(s.Thought), Text: p.text(s.Text),
		Injected: p.spans(s.Injected), Finish: p.text(s.FinishReason), Usage: usage(s.Usage), Latency: int64(s.Latency),
	}
	for i := range s.Calls {
		d.Calls = append(d.Calls, p.call(&s.Calls[i]))
	}
	return d
}

func (p *pool) call(c *trace.Call) callData {
	d := callData{
		Name: p.text(c.Name), Arguments: p.json(c.Arguments), Raw: p.optional(c.RawArguments),
		Writes: p.list(c.Writes), Recorded: c.Diff != nil, Latency: int64(c.Latency),
	}
	if c.ID != nil {
		d.ID = p.text(*c.ID)
	}
	for i := range c.Verdicts {
		d.Verdicts = append(d.Verdicts, p.verdict(&c.Verdicts[i]))
	}
	if o := c.Observation; o != nil {
		d.Observed, d.Observation, d.Injected = true, p.text(o.Text), p.spans(o.Injected)
		if o.Error != nil {
			d.Error = &errorData{p.text(o.Error.Type), p.text(o.Error.Message)}
		}
	}
	for i := range c.Diff {
		change := &c.Diff[i]
		d.Diff = append(d.Diff, changeData{string(change.Op), p.text(change.Path), p.json(change.Old), p.json(change.New)})
	}
	return d
}

func (p *pool) verdict(v *trace.Verdict) verdictData {
	d := verdictData{
		Guard: p.text(v.Guard), Decision: string(v.Decision), Reason: p.text(v.Reason),
		Raw: p.optional(v.Raw), Latency: int64(v.Latency),
	}
	if v.Score != nil && finite(*v.Score) == *v.Score {
		d.Score = v.Score
	}
	return d
}

func (p *pool) spans(spans []trace.Span) []spanData {
	var list []spanData
	for i := range spans {
		s := &spans[i]
		list = append(list, spanData{s.Start, s.End, p.text(s.Attack), p.text(s.Point)})
	}
	return list
}

func (p *pool) list(texts []string) []text {
	var list []text
	for _, s := range texts {
		list = append(list, p.text(s))
	}
	return list
}

// optional returns a text that may be absent; one that is there and empty stays
// an empty text.
func (p *pool) optional(s *string) *text {
	if s == nil {
		return nil
	}
	t := p.text(*s)
	if !t.Exists() {
		t = trace.String("")
	}
	return &t
}

func usage(u *trace.Usage) *usageData {
	if u == nil {
		return nil
	}
	return &usageData{u.Requests, u.InputTokens, u.CachedTokens, u.OutputTokens, u.ReasoningTokens, finite(u.CostUSD)}
}
