package suite

import "gauntlet/internal/trace"

// encodeCase appends one line of cases.jsonl without its line end: the fields
// of a Case in their order, texts and numbers as they are. decodeCase reads it.
func encodeCase(dst []byte, c *Case) []byte {
	fields := []trace.Field{text("id", c.ID), text("scenario", c.Scenario), text("world", c.World)}
	fields = appendText(fields, "user", c.User)
	fields = appendText(fields, "time", c.Time)
	fields = append(fields, text("task", c.Task), trace.Field{Key: "state", Value: c.State})
	if c.Clean.Exists() {
		fields = append(fields, trace.Field{Key: "clean", Value: c.Clean})
	}
	fields = append(fields, trace.Field{Key: "checks", Value: encodeChecks(c.Checks)})
	fields = appendCalls(fields, "solution", c.Solution)
	if c.Attack != nil {
		fields = append(fields, trace.Field{Key: "attack", Value: encodeAttack(c.Attack)})
	}
	fields = appendText(fields, "source", c.Source)
	return trace.Object(fields...).AppendJSON(dst)
}

func encodeAttack(a *Attack) trace.Value {
	fields := []trace.Field{text("id", a.ID), text("strategy", a.Strategy), text("goal", a.Goal), text("payload", a.Payload)}
	fields = appendText(fields, "point", a.Point)
	fields = appendText(fields, "plant", a.Plant)
	fields = appendCalls(fields, "fulfils", a.Fulfils)
	return trace.Object(append(fields, trace.Field{Key: "checks", Value: encodeChecks(a.Checks)})...)
}

func encodeChecks(list []Check) trace.Value {
	items := make([]trace.Value, len(list))
	for i, k := range list {
		fields := []trace.Field{text("item", k.Item), text("code", k.Code)}
		if k.Invariant {
			fields = append(fields, trace.Field{Key: "invariant", Value: trace.Bool(true)})
		}
		items[i] = trace.Object(fields...)
	}
	return trace.Array(items...)
}

func appendCalls(fields []trace.Field, key string, list []Call) []trace.Field {
	if len(list) == 0 {
		return fields
	}
	items := make([]trace.Value, len(list))
	for i, k := range list {
		items[i] = trace.Object(text("tool", k.Tool), trace.Field{Key: "arguments", Value: k.Arguments})
	}
	return append(fields, trace.Field{Key: key, Value: trace.Array(items...)})
}

func text(key, s string) trace.Field { return trace.Field{Key: key, Value: trace.String(s)} }

// appendText leaves out an empty text.
func appendText(fields []trace.Field, key, s string) []trace.Field {
	if s == "" {
		return fields
	}
	return append(fields, text(key, s))
}
