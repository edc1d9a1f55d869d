package metrics

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

type outcome string

const (
	success    outcome = "success"
	resisted   outcome = "resisted"
	notExposed outcome = "not_exposed"
	unassessed outcome = "unassessed"
)

var attack = []outcome{success, resisted, notExposed, unassessed}

func newTally(t *testing.T) *Tally[outcome] {
	t.Helper()
	tally, err := NewTally(attack...)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		outcome outcome
		cause   string
		n       int
	}{
		{success, "", 3}, {resisted, "", 5}, {notExposed, "tool never called", 2},
		{unassessed, "timeout", 1}, {unassessed, "budget", 1}, {unassessed, "", 4},
	} {
		for range c.n {
			if err := tally.Add(c.outcome, c.cause); err != nil {
				t.Fatal(err)
			}
		}
	}
	return tally
}

func TestTallySplits(t *testing.T) {
	tests := []struct {
		name   string
		split  Split[outcome]
		rate   Rate
		causes []Count
	}{
		{
			"over exposed cases",
			Split[outcome]{Success: []outcome{success}, Failure: []outcome{resisted}},
			Rate{3, 8, 8},
			[]Count{{Unstated, 4}, {"tool never called", 2}, {"budget", 1}, {"timeout", 1}},
		},
		{
			"over all assessed cases",
			Split[outcome]{Success: []outcome{success}, Failure: []outcome{resisted, notExposed}},
			Rate{3, 10, 6},
			[]Count{{Unstated, 4}, {"budget", 1}, {"timeout", 1}},
		},
	}
	for _, tt := range tests {
		tally := newTally(t)
		rate, err := tally.Rate(tt.split)
		if err != nil || rate != tt.rate {
			t.Errorf("%s: rate %v, %v, want %v", tt.name, rate, err, tt.rate)
		}
		causes, err := tally.Exclusions(tt.split)
		if err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff(tt.causes, causes); diff != "" {
			t.Errorf("%s: causes (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestTallyCounts(t *testing.T) {
	want := []Count{{"success", 3}, {"resisted", 5}, {"not_exposed", 2}, {"unassessed", 6}}
	tally := newTally(t)
	if diff := cmp.Diff(want, tally.Counts()); diff != "" {
		t.Errorf("counts (-want +got):\n%s", diff)
	}
	if got := tally.Total(); got != 16 {
		t.Errorf("total %d, want 16", got)
	}
}

func TestTallyIsClosed(t *testing.T) {
	tally := newTally(t)
	if err := tally.Add("succes", ""); err == nil {
		t.Error("an outcome outside the set was counted")
	}
	if got := tally.Total(); got != 16 {
		t.Errorf("total %d after a refused outcome, want 16", got)
	}
	for _, split := range []Split[outcome]{
		{Success: []outcome{"won"}},
		{Success: []outcome{success}, Failure: []outcome{success}},
		{Success: []outcome{success, success}},
	} {
		if rate, err := tally.Rate(split); err == nil {
			t.Errorf("%v gives the rate %v, want an error", split, rate)
		}
		if causes, err := tally.Exclusions(split); err == nil {
			t.Errorf("%v gives the causes %v, want an error", split, causes)
		}
	}
	for _, set := range [][]outcome{nil, {""}, {success, success}} {
		if _, err := NewTally(set...); err == nil {
			t.Errorf("a tally over %q was made", set)
		}
		if _, err := NewGroups(set...); err == nil {
			t.Errorf("groups over %q were made", set)
		}
	}
}

// No case is lost: what is not in the denominator is excluded, with a cause.
func TestTallyAddsUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tally, err := NewTally(attack...)
		if err != nil {
			t.Fatal(err)
		}
		added := rapid.SliceOf(rapid.SampledFrom(attack)).Draw(t, "added")
		for _, o := range added {
			if err := tally.Add(o, rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, "cause")); err != nil {
				t.Fatal(err)
			}
		}
		ordered := rapid.Permutation(attack).Draw(t, "ordered")
		cut := rapid.IntRange(0, len(ordered)).Draw(t, "cut")
		split := Split[outcome]{Success: ordered[:cut/2], Failure: ordered[cut/2 : cut]}
		rate, err := tally.Rate(split)
		if err != nil || rate.Check() != nil || rate.N+rate.Excluded != len(added) || tally.Total() != len(added) {
			t.Fatalf("%d cases give %+v, %v", len(added), rate, err)
		}
		causes, err := tally.Exclusions(split)
		if err != nil {
			t.Fatal(err)
		}
		sum := 0
		for _, cause := range causes {
			sum += cause.N
		}
		if sum != rate.Excluded {
			t.Fatalf("causes %v do not add up to %d", causes, rate.Excluded)
		}
	})
}

func TestGroups(t *testing.T) {
	groups, err := NewGroups(attack...)
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"react", "tools", "react"} {
		if err := groups.Add(key, success, ""); err != nil {
			t.Fatal(err)
		}
	}
	if err := groups.Add("ghost", "no such outcome", ""); err == nil {
		t.Error("an outcome outside the set was counted")
	}
	if diff := cmp.Diff([]string{"react", "tools"}, groups.Keys()); diff != "" {
		t.Errorf("keys (-want +got):\n%s", diff)
	}
	for key, want := range map[string]string{"react": "100.0% [34.2, 100.0] n=2 excluded=0", "absent": "-"} {
		tally, err := groups.Tally(key)
		if err != nil {
			t.Fatal(err)
		}
		rate, err := tally.Rate(Split[outcome]{Success: []outcome{success}, Failure: []outcome{resisted}})
		if err != nil || rate.String() != want {
			t.Errorf("%s: %v, %v, want %s", key, rate, err, want)
		}
	}
}
