package agent

import (
	"context"
	"strconv"

	"gauntlet/internal/trace"
)

// random makes randomCalls calls of random tools. Arguments are drawn from the
// values of the initial state and a few odd ones, so that some calls succeed.
type random struct{}

const randomCalls = 12

func (random) Run(ctx context.Context, ep Episode) (trace.Termination, error) {
	tools := ep.Tools()
	pool := scalars(ep.Case().State, nil, 0)
	pool = append(pool, trace.Null(), trace.Bool(true), trace.Int(0), trace.Int(-1), trace.String(""), trace.Array(), trace.Object())
	rng := ep.Rand()
	for i := range randomCalls {
		if len(tools) == 0 {
			break
		}
		t := tools[rng.IntN(len(tools))]
		var args []trace.Field
		for _, p := range t.Parameters.Get("properties").Fields() {
			args = append(args, trace.Field{Key: p.Key, Value: choose(pool, p.Value, rng.IntN)})
		}
		id := "call_" + strconv.Itoa(i+1)
		_, err := ep.Act(ctx, trace.Step{Role: trace.RoleAssistant, Calls: []trace.Call{{ID: &id, Name: t.Name, Arguments: trace.Object(args...)}}})
		if err != nil {
			return over(err)
		}
	}
	ep.Say(trace.Step{Role: trace.RoleAssistant, Text: "Task Completed"})
	return trace.Termination{Cause: trace.CauseFinalAnswer}, nil
}

// choose draws a value, of the declared type after a few tries.
func choose(pool []trace.Value, schema trace.Value, intn func(int) int) trace.Value {
	if e := schema.Get("enum"); e.Len() > 0 {
		return e.Index(intn(e.Len()))
	}
	v := pool[intn(len(pool))]
	for range 8 {
		if matches(schema.Get("type"), v) {
			return v
		}
		v = pool[intn(len(pool))]
	}
	return v
}

func matches(types, v trace.Value) bool {
	if types.Kind() == trace.KindArray {
		for _, t := range types.Items() {
			if matches(t, v) {
				return true
			}
		}
		return false
	}
	switch types.Text() {
	case "string":
		return v.Kind() == trace.KindString
	case "integer":
		return v.IsInt()
	case "number":
		return v.Kind() == trace.KindNumber
	case "boolean":
		return v.Kind() == trace.KindBool
	case "array":
		return v.Kind() == trace.KindArray
	case "object":
		return v.Kind() == trace.KindObject
	}
	return true
}

// scalars collects keys and scalar values of a state, in order.
func scalars(v trace.Value, out []trace.Value, depth int) []trace.Value {
	if depth > 6 || len(out) > 2000 {
		return out
	}
	switch v.Kind() {
	case trace.KindObject:
		for _, f := range v.Fields() {
			out = scalars(f.Value, append(out, trace.String(f.Key)), depth+1)
		}
	case trace.KindArray:
		for _, x := range v.Items() {
			out = scalars(x, out, depth+1)
		}
	case trace.KindAbsent:
	default:
		out = append(out, v)
	}
	return out
}
