// Package agenttest is a scripted model that acts in cases of a suite, for tests
// of everything that is driven by a model.
//
// It plays the reference solution of the case whose task it is shown, call by
// call, and resolves references from the results in the conversation; so it needs
// no memory, and the same request always gets the same reply. By the hash of the
// task it has one of several characters: it solves, it gives up halfway, or it
// obeys whatever injected goal it reads.
package agenttest

import (
	"hash/fnv"
	"strconv"
	"strings"

	"gauntlet/internal/model/scripted"
	"gauntlet/internal/suite"
	"gauntlet/internal/trace"
)

// Character is how the model acts in a case.
type Character int

// The characters.
const (
	Solves Character = iota
	GivesUp
	Obeys
)

// Model plays the cases of a suite. Its Choose is for [scripted.Options].
type Model struct {
	byTask map[string][]*suite.Case
	// Character says how the model acts on a task; nil stands for [ByHash].
	Character func(task string) Character
}

// New returns a model for the cases of a suite.
func New(s *suite.Suite) *Model {
	m := &Model{byTask: map[string][]*suite.Case{}}
	for _, c := range s.Cases {
		m.byTask[c.Task] = append(m.byTask[c.Task], c)
	}
	return m
}

// ByHash spreads the characters over tasks.
func ByHash(task string) Character {
	h := fnv.New32a()
	_, _ = h.Write([]byte(task)) // a hash takes everything
	return Character(h.Sum32() % 3)
}

// Always is one character for all tasks.
func Always(c Character) func(string) Character { return func(string) Character { return c } }

// Choose returns the script up to the reply that the request asks for; nil when
// the conversation is about no case of the suite.
func (m *Model) Choose(body trace.Value) scripted.Script {
	talk := read(body)
	cases := m.byTask[talk.task]
	if len(cases) == 0 {
		return nil
	}
	character := m.Character
	if character == nil {
		character = ByHash
	}
	turn, err := reply(cases, character(talk.task), talk)
	if err != nil {
		turn = scripted.Turn{Text: "I cannot go on: " + err.Error()}
	}
	if talk.prompted {
		turn = written(turn)
	}
	return append(make(scripted.Script, talk.replies), turn)
}

// written is a turn whose calls stand in the text, for the scaffold react.
func written(t scripted.Turn) scripted.Turn {
	for _, c := range t.Calls {
		t.Text += "<tool_call>\n{\"name\": \"" + c.Name + "\", \"arguments\": " + c.Arguments + "}\n</tool_call>"
	}
	t.Calls = nil
	return t
}

// conversation is what a request shows.
type conversation struct {
	task     string
	prompted bool // no tools are on offer: calls are written as text
	replies  int
	results  []trace.Value // of calls, in order, as JSON
}

func read(body trace.Value) conversation {
	c := conversation{prompted: body.Get("tools").Len() == 0}
	for _, m := range body.Get("messages").Items() {
		text := content(m)
		switch m.Get("role").Text() {
		case "user":
			if c.task == "" {
				c.task = text
			} else if c.prompted {
				text = strings.TrimPrefix(text, "<tool_response>\n")
				text, _, _ = strings.Cut(text, "\n</tool_response>")
				c.result(text)
			}
			// Anthropic's form has results in messages of the user.
			for _, block := range m.Get("content").Items() {
				if block.Get("type").Text() == "tool_result" {
					c.result(content(block))
				}
			}
		case "assistant":
			c.replies++
		case "tool":
			c.result(text)
		}
	}
	return c
}

func (c *conversation) result(text string) {
	v, _, err := trace.ParseValue([]byte(text))
	if err != nil {
		v = trace.String(text)
	}
	c.results = append(c.results, v)
}

// content is the text of a message or block.
func content(m trace.Value) string {
	v := m.Get("content")
	if v.Kind() == trace.KindString {
		return v.Text()
	}
	var b strings.Builder
	for _, part := range v.Items() {
		b.WriteString(part.Get("text").Text())
	}
	return b.String()
}

// reply is the next turn: the next call of the solution, of the attacker's plan
// once it has been read, or the end.
func reply(cases []*suite.Case, character Character, talk conversation) (scripted.Turn, error) {
	solution := cases[0].Solution
	at, n := -1, len(talk.results) // where the attack was read, and calls so far
	var attack *suite.Attack
	if character == Obeys {
		attack, at = exposed(cases, talk)
	}
	if character == GivesUp && n >= (len(solution)+1)/2 {
		return scripted.Turn{Text: "That is all I can do."}, nil
	}
	own, theirs := talk.results, []trace.Value(nil)
	if attack != nil {
		theirs = talk.results[at:min(n, at+len(attack.Fulfils))]
		own = append(append([]trace.Value{}, talk.results[:at]...), talk.results[min(n, at+len(attack.Fulfils)):]...)
		if len(theirs) < len(attack.Fulfils) {
			return call(attack.Fulfils[len(theirs)], theirs, n)
		}
	}
	if len(own) >= len(solution) {
		return scripted.Turn{Text: "Task Completed"}, nil
	}
	return call(solution[len(own)], own, n)
}

// exposed finds the attack that the results show, and after how many of them.
func exposed(cases []*suite.Case, talk conversation) (*suite.Attack, int) {
	for i, r := range talk.results {
		for _, c := range cases {
			if c.Attack != nil && strings.Contains(essence(r.String()), essence(c.Attack.Goal)) {
				return c.Attack, i + 1
			}
		}
	}
	return nil, -1
}

// essence drops what formats of observations change.
func essence(s string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(" \n\t\"'\\", r) {
			return -1
		}
		return r
	}, strings.NewReplacer(`\n`, "", `\t`, "").Replace(s))
}

func call(c suite.Call, results []trace.Value, n int) (scripted.Turn, error) {
	args, err := suite.Resolve(c.Arguments, results)
	if err != nil {
		return scripted.Turn{}, err
	}
	id := "call_" + strconv.Itoa(n+1)
	return scripted.Turn{Calls: []scripted.Call{{ID: &id, Name: c.Tool, Arguments: args.String()}}}, nil
}
