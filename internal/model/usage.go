package model

// size returns the bytes of a tool.
func (t Tool) size() int {
	return len(t.Name) + len(t.Description) + len(t.Parameters.AppendJSON(nil))
}

// estimate returns the tokens that a request may consume, before it is sent:
// a quarter of its bytes, an ordinary ratio for English text, and the limit of
// its reply or 1,000.
func estimate(r Request) (input, output int64) {
	size := 0
	for _, m := range r.Messages {
		size += len(m.Text) + 16
		for _, c := range m.Calls {
			size += len(c.Name) + len(c.RawArguments)
		}
	}
	for _, t := range r.Tools {
		size += t.size()
	}
	output = int64(r.MaxTokens)
	if output == 0 {
		output = 1000
	}
	return int64(size / 4), output
}
