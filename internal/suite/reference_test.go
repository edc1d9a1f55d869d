package suite

import (
	"strings"
	"testing"

	"gauntlet/internal/trace"
)

func TestResolve(t *testing.T) {
	value := func(text string) trace.Value {
		v, _, err := trace.ParseValue([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	results := []trace.Value{value(`{"data":{"id":"T-1","n":[3,4]}}`), value(`7`)}
	for _, c := range []struct{ args, want, problem string }{
		{`{"a":"${1:/data/id}","b":["x",{"c":"${1:/data/n/1}"}],"d":"${2:}"}`, `{"a":"T-1","b":["x",{"c":4}],"d":7}`, ""},
		{`{"a":"costs ${1:/data/id}","b":"${x}","c":"${1}","d":null}`, `{"a":"costs ${1:/data/id}","b":"${x}","c":"${1}","d":null}`, ""},
		{`{"a":"${3:/x}"}`, "", "there is no result 3 yet"},
		{`{"a":"${0:/x}"}`, "", "there is no result 0 yet"},
		{`["${1:/data/none}"]`, "", `result 1 has nothing at "/data/none"`},
	} {
		got, err := Resolve(value(c.args), results)
		switch {
		case c.problem != "":
			if err == nil || !strings.Contains(err.Error(), c.problem) {
				t.Errorf("%s: %v, want %s", c.args, err, c.problem)
			}
		case err != nil || got.String() != value(c.want).String():
			t.Errorf("%s: %s, %v; want %s", c.args, got, err, c.want)
		}
	}
	for text, want := range map[string]bool{`"${1:/a}"`: true, `"${12:}"`: true, `"${a"`: false, `" ${1:/a}"`: false, `1`: false} {
		if IsReference(value(text)) != want {
			t.Errorf("%s is a reference: %v", text, !want)
		}
	}
}
