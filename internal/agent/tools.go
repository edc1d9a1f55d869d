package agent

import (
	"context"

	"gauntlet/internal/model"
	"gauntlet/internal/trace"
)

// native is the scaffold "tools": the model calls tools through its provider's
// interface for calls, as many in a reply as it likes. All are executed in order,
// and each is answered by its own id. A reply without calls ends the run.
type native struct{ driver }

func newTools(c Config, arg string, env Env) (Agent, error) {
	d, err := newDriver(c, arg, env)
	if err != nil {
		return nil, err
	}
	return &native{d}, nil
}

// Version implements [Versioned].
func (*native) Version() string { return promptVersion("tools/1", &native{}) }

// Prompt returns the system prompt.
func (a *native) Prompt(ep Episode) string {
	return paragraphs(a.introduction(ep, "When the task is done, finish with a short answer to the user and make no further call."),
		ep.Setting().Defence.System)
}

// Run plays until the model answers without a call.
func (a *native) Run(ctx context.Context, ep Episode) (trace.Termination, error) {
	t := a.open(ep, a.Prompt(ep))
	for _, tool := range ep.Tools() {
		t.request.Tools = append(t.request.Tools, model.Tool{Name: tool.Name, Description: tool.Description, Parameters: tool.Parameters})
	}
	return t.play(ctx, a.answer)
}

func (a *native) answer(ctx context.Context, t *talk, reply model.Reply) (trace.Termination, error) {
	s := step(reply)
	if len(reply.Calls) == 0 {
		t.doubt(&s, reply)
		return t.finish(s, reply.Truncated)
	}
	for _, c := range reply.Calls {
		call := trace.Call{ID: c.ID, Name: c.Name}
		parseArguments(&call, c.RawArguments)
		s.Calls = append(s.Calls, call)
	}
	done, err := t.act(ctx, s)
	if err != nil {
		return trace.Termination{}, err
	}
	t.add(reply.Message())
	for i, c := range done {
		t.add(model.Message{Role: trace.RoleTool, Text: c.Observation.Text, CallID: reply.Calls[i].ID, IsError: c.Observation.Error != nil})
	}
	t.repeat()
	return trace.Termination{}, nil
}
