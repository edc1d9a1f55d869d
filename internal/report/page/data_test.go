package page

import (
	"math"
	"strings"
	"testing"

	"gauntlet/internal/trace"

	"pgregory.net/rapid"
)

func encoded(t testing.TB, cells []Cell) trace.Value {
	t.Helper()
	b, err := newData(cells).encode()
	if err != nil {
		t.Fatal(err)
	}
	v, problems, err := trace.ParseValue(b)
	if err != nil {
		t.Fatalf("the data is no JSON: %v", err)
	}
	for _, p := range problems {
		if p.Kind != trace.ProblemLoneSurrogate {
			t.Fatalf("the data is odd: %v", p)
		}
	}
	return v
}

// text resolves a field as the script does.
func resolve(data, field trace.Value) string {
	if i, ok := field.Int64(); ok {
		return data.Get("texts").Index(int(i)).Text()
	}
	return field.Text()
}

// Whatever bytes a text has, the script gets what the trace says.
func TestDataKeepsEveryText(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		texts := rapid.OneOf(
			rapid.String(), rapid.SampledFrom(hostile),
			rapid.Map(rapid.SliceOfN(rapid.Byte(), 0, 60), func(b []byte) string { return string(b) }),
		)
		task, thought, observation := texts.Draw(r, "task"), texts.Draw(r, "thought"), texts.Draw(r, "observation")
		data := encoded(t, []Cell{{ID: "a", Task: task, Trace: &trace.Trace{Steps: []trace.Step{{
			Thought: thought, Calls: []trace.Call{{Observation: &trace.Observation{Text: observation}}},
		}}}}})
		cell := data.Get("cells").Index(0)
		step := cell.Pointer("/trace/steps/0")
		for _, c := range []struct {
			want  string
			field trace.Value
		}{{task, cell.Get("task")}, {thought, step.Get("thought")}, {observation, step.Pointer("/calls/0/observation")}} {
			if got, want := resolve(data, c.field), trace.String(c.want).Text(); got != want {
				r.Fatalf("%+q came through as %+q", want, got)
			}
		}
	})
}

func TestDataStoresRepeatsOnce(t *testing.T) {
	size := func(n int) int {
		cells := make([]Cell, n)
		for i := range cells {
			cells[i] = Cell{ID: strings.Repeat("x", i+1), Trace: handmade(t)}
		}
		b, err := newData(cells).encode()
		if err != nil {
			t.Fatal(err)
		}
		return len(b)
	}
	one, ten := size(1), size(10)
	if perCell := (ten - one) / 9; perCell > one/3 {
		t.Errorf("one trace takes %d bytes, each repeat %d", one, perCell)
	}
	if tools := encoded(t, []Cell{{ID: "a", Trace: handmade(t)}, {ID: "b", Trace: handmade(t)}}).Get("tools").Len(); tools != 1 {
		t.Errorf("%d lists of tools for one world", tools)
	}
}

func TestDataKeepsNumbersAndDuplicateKeys(t *testing.T) {
	data := encoded(t, []Cell{{ID: "a", Trace: handmade(t)}})
	got := resolve(data, data.Pointer("/cells/0/trace/steps/3/calls/0/arguments"))
	if want := `"amount":1.0,"amount":1e400}`; !strings.HasSuffix(got, want) {
		t.Errorf("arguments are %s", got)
	}
}

// An absent observation, an empty one, and changes that were not recorded are
// three different things.
func TestDataTellsAbsentFromEmpty(t *testing.T) {
	empty := ""
	data := encoded(t, []Cell{{ID: "a", Trace: &trace.Trace{Steps: []trace.Step{{Calls: []trace.Call{
		{}, {Observation: &trace.Observation{}, Diff: []trace.Change{}, RawArguments: &empty},
	}}}}}})
	calls := data.Pointer("/cells/0/trace/steps/0/calls")
	for _, key := range []string{"observed", "recorded", "raw"} {
		if calls.Index(0).Get(key).Exists() || !calls.Index(1).Get(key).Exists() {
			t.Errorf("%s: %v and %v", key, calls.Index(0), calls.Index(1))
		}
	}
}

func TestDataTakesNumbersThatJSONHasNot(t *testing.T) {
	nan := math.NaN()
	cell := encoded(t, []Cell{{ID: "a", Score: &nan, CostUSD: math.Inf(1), Seconds: nan, Trace: &trace.Trace{
		Usage: &trace.Usage{CostUSD: nan},
		Steps: []trace.Step{{Calls: []trace.Call{{Verdicts: []trace.Verdict{{Score: &nan}}}}}},
	}}}).Pointer("/cells/0")
	for _, pointer := range []string{"/score", "/cost", "/seconds", "/trace/usage/cost", "/trace/steps/0/calls/0/verdicts/0/score"} {
		if v := cell.Pointer(pointer); v.Exists() {
			t.Errorf("%s is %v", pointer, v)
		}
	}
}
