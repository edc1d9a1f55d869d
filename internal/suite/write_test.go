package suite

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"gauntlet/internal/trace"
)

const doorSource = "class Door:\n    def open(self):\n        return {'open': True}\n"

// door is a suite whose state holds everything that JSON writers like to
// change: number spellings, HTML, separators, a lone surrogate, key order and
// a duplicate key.
func door(t *testing.T) *Suite {
	t.Helper()
	text := `{"z":1.50,"a":1e3,"big":123456789012345678901234567890,"neg":-0.0,"html":"<b>&\u2028","half":"\ud800","a":2,"list":[],"none":null,"ümlaut":"ß\u0000"}`
	state, _, err := trace.ParseValue([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	s := New("doors", `A "title": with # signs`)
	s.Description, s.Author = "two\nlines", "- someone"
	if _, err := s.AddWorld("door_1", "Door", []byte(doorSource)); err != nil {
		t.Fatal(err)
	}
	cases := []*Case{
		{ID: "c1", Scenario: "c", World: "door_1", Task: "Open <it> & wait\u2028.", State: state, Clean: trace.Object(),
			Checks: []Check{{Item: "op\xed\xa0\x80en", Code: "def check(a, b):\n    return True\n", Invariant: true}},
			Attack: &Attack{ID: "x", Strategy: "x", Goal: "g", Payload: "p\tg", Point: "/half", Checks: []Check{}},
			Source: "made up"},
		{ID: "c2", Scenario: "c", World: "door_1", User: "u", Time: "2026-01-02T00:00:00Z", Task: "t", State: trace.Object(),
			Solution: []Call{{Tool: "open", Arguments: state}}},
	}
	for _, c := range cases {
		if err := s.AddCase(c); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func TestWriteRoundTrip(t *testing.T) {
	s := door(t)
	dir := filepath.Join(t.TempDir(), "new", "suite")
	if err := Write(dir, s); err != nil {
		t.Fatal(err)
	}
	back, err := Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	if back.Name != s.Name || back.Title != s.Title || back.Description != s.Description || back.Author != s.Author {
		t.Errorf("header came back as %q %q %q %q", back.Name, back.Title, back.Description, back.Author)
	}
	if w, ok := back.World("door_1"); !ok || w.Class != "Door" || string(w.src) != doorSource {
		t.Errorf("world came back as %+v", w)
	}
	var first, second bytes.Buffer
	if err := s.writeCases(&first); err != nil {
		t.Fatal(err)
	}
	if err := back.writeCases(&second); err != nil {
		t.Fatal(err)
	}
	if first.String() != second.String() {
		t.Errorf("cases changed:\n%s\n%s", first.String(), second.String())
	}
	for i, c := range s.Cases {
		b := back.Cases[i]
		if c.State.String() != b.State.String() || c.Clean.String() != b.Clean.String() || c.Clean.Exists() != b.Clean.Exists() || c.Task != b.Task || !reflect.DeepEqual(c.Attack, b.Attack) {
			t.Errorf("case %s came back with state %s", c.ID, b.State)
		}
	}
	if !strings.Contains(first.String(), `"z":1.50,"a":1e3,`) || !strings.Contains(first.String(), `"half":"\ud800"`) {
		t.Errorf("numbers or surrogates were rewritten: %s", first.String())
	}
}

func TestWriteRefuses(t *testing.T) {
	full := t.TempDir()
	if err := os.WriteFile(filepath.Join(full, "notes.txt"), []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, want string
		dir        string
		change     func(s *Suite)
	}{
		{"a directory that holds something", "is not empty (it holds notes.txt)", full, func(*Suite) {}},
		{"a state that the case around it makes too deep", "is nested 6000 deep", "", func(s *Suite) {
			for range 6000 - 1 {
				s.Cases[0].Clean = trace.Array(s.Cases[0].Clean)
			}
		}},
		{"ids that differ in case only", "differ in case only", "", func(s *Suite) { s.Worlds["DOOR_1"] = &WorldFile{ID: "DOOR_1"} }},
		{"an id that is a path", "which a file name may not", "", func(s *Suite) { s.Worlds["up/door"] = &WorldFile{ID: "up/door"} }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := door(t)
			tt.change(s)
			dir := tt.dir
			if dir == "" {
				dir = filepath.Join(t.TempDir(), "suite")
			}
			err := Write(dir, s)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("got error %v, want %q in it", err, tt.want)
			}
			if _, err := os.Stat(filepath.Join(dir, "suite.yaml")); err == nil {
				t.Error("suite.yaml was written all the same")
			}
		})
	}
}

func TestAddWorldRefusesIDs(t *testing.T) {
	for _, id := range []string{"", ".hidden", "a/b", `a\b`, "a\x00b", "a:b", strings.Repeat("x", 121), "\xff", "door_1"} {
		if _, err := door(t).AddWorld(id, "", nil); err == nil {
			t.Errorf("id %q was accepted", id)
		}
	}
	if _, err := door(t).AddWorld("env 1–x", "", nil); err != nil {
		t.Errorf("a fine id was refused: %v", err)
	}
}

func TestAddCaseRefuses(t *testing.T) {
	tests := []struct {
		want string
		c    Case
	}{
		{"already used", Case{ID: "c1", World: "door_1"}},
		{"is missing", Case{ID: "c9", World: "door_9"}},
		{"needs id and world", Case{World: "door_1"}},
	}
	for _, tt := range tests {
		if err := door(t).AddCase(&tt.c); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("got error %v, want %q in it", err, tt.want)
		}
	}
}
