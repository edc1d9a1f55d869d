package agent

import (
	"strings"

	"gauntlet/internal/trace"
)

// parseArguments gives a call the arguments that a model wrote. An object is
// taken as it is. Three slips that leave no doubt about what was meant are
// repaired; the call then keeps the model's text beside its arguments, which is
// how a record says so, and guards see what is executed:
//
//   - nothing, null or None stands for no arguments
//   - an object that was encoded twice, as a JSON string, is decoded once more
//   - quotes and white space after the object are left out
//
// Every other text is kept unrepaired and makes no arguments; the episode answers
// such a call with an error. Guessing at a broken escape or a missing brace would
// execute what the model did not say.
func parseArguments(c *trace.Call, raw string) {
	c.SetArguments(raw)
	if c.RawArguments == nil {
		return
	}
	if v, ok := repair(raw); ok {
		c.Arguments = v
	}
}

// jsonSpace is the white space of JSON.
const jsonSpace = " \t\r\n"

func repair(raw string) (trace.Value, bool) {
	text := strings.Trim(raw, jsonSpace)
	switch text {
	case "", "null", "None":
		return trace.Object(), true
	}
	if v, _, err := trace.ParseValue([]byte(text)); err == nil {
		return object(v.Text())
	}
	// A JSON object ends with a brace, so this cuts nothing off one.
	return object(strings.TrimRight(text, jsonSpace+`"'`))
}

// object returns the object that a text holds, as [trace.Call.SetArguments] reads it.
func object(text string) (trace.Value, bool) {
	var c trace.Call
	c.SetArguments(text)
	return c.Arguments, c.RawArguments == nil
}
