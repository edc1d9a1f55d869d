package page

import "gauntlet/internal/trace"

// minPooled is the length in bytes from which a text is worth an index.
const minPooled = 24

// pool stores long texts and lists of tools once. In a run with hundreds of
// cells most of both repeat: the cells of a world share its tools, and all cells
// of a scenario its task and most observations.
type pool struct {
	texts     []trace.Value
	textIndex map[string]int64
	tools     [][]toolData
	toolIndex map[string]int
}

func newPool() *pool {
	return &pool{texts: []trace.Value{}, textIndex: map[string]int64{}, tools: [][]toolData{}, toolIndex: map[string]int{}}
}

// text returns s or its index; absent for an empty text.
func (p *pool) text(s string) text {
	if s == "" {
		return text{}
	}
	if len(s) < minPooled {
		return trace.String(s)
	}
	i, ok := p.textIndex[s]
	if !ok {
		i = int64(len(p.texts))
		p.textIndex[s] = i
		p.texts = append(p.texts, trace.String(s))
	}
	return trace.Int(i)
}

// json returns the JSON text of a value as a text, so that the spelling of
// numbers, the order of keys and duplicate keys survive the script's parser.
func (p *pool) json(v trace.Value) text {
	if !v.Exists() {
		return text{}
	}
	return p.text(v.String())
}

// toolList returns the index of a list of tools, or nil for an empty one.
func (p *pool) toolList(tools []trace.Tool) *int {
	if len(tools) == 0 {
		return nil
	}
	var key []byte
	for i := range tools {
		t := &tools[i]
		key = trace.Strings([]string{t.Name, t.Description, string(t.Effect)}).AppendJSON(key)
		key = t.Parameters.AppendJSON(key)
	}
	i, ok := p.toolIndex[string(key)]
	if !ok {
		i = len(p.tools)
		p.toolIndex[string(key)] = i
		list := make([]toolData, len(tools))
		for j := range tools {
			t := &tools[j]
			list[j] = toolData{p.text(t.Name), p.text(t.Description), p.json(t.Parameters), string(t.Effect)}
		}
		p.tools = append(p.tools, list)
	}
	return &i
}
