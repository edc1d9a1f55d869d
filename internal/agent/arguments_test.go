package agent

import (
	"testing"

	"gauntlet/internal/trace"
)

func TestParseArguments(t *testing.T) {
	for _, test := range []struct{ name, raw, want string }{ // want "" is no arguments
		{"object", `{"a": 1.0}`, `{"a":1.0}`},
		{"white space", " {\"a\":1}\n", `{"a":1}`},
		{"duplicate keys are kept", `{"a":1,"a":2}`, `{"a":1,"a":2}`},
		{"lone surrogates are kept", `{"a":"\ud800"}`, `{"a":"\ud800"}`},
		{"empty", "", `{}`},
		{"blank", " \n", `{}`},
		{"null", "null", `{}`},
		{"None", " None ", `{}`},
		{"none", "none", ""},
		{"double-encoded arguments are decoded once (forgecode PR #2764)", `"{\"a\": 1}"`, `{"a":1}`},
		{"but not twice", `"\"{}\""`, ""},
		{"a string that holds no object", `"[1]"`, ""},
		{"a string", `"null"`, ""},
		{"stray quote after the object (inspect_ai #4822)", `{}"`, `{}`},
		{"stray quotes", "{\"a\":\"b\"}\"' \"\n", `{"a":"b"}`},
		{"other garbage", `{} x`, ""},
		{"a second object", `{}{}`, ""},
		{"one brace too many", `{"a":1}}`, ""},
		{"no end", `{"a":1`, ""},
		{"no end, with a quote", `{"a":"b"`, ""},
		{"array", `[{}]`, ""},
		{"number", `1`, ""},
		{"Python", `{'a': 1}`, ""},
		{"valid escapes are accepted (gajae-code PR #4987)", `{"a":"\ucde8\ubbf8"}`, `{"a":"취미"}`},
		{"broken escapes are not repaired (opencode PR #15049)", `{"a":"\u6수"}`, ""},
	} {
		var c trace.Call
		parseArguments(&c, test.raw)
		got := ""
		if c.Arguments.Exists() {
			got = c.Arguments.String()
		}
		if got != test.want {
			t.Errorf("%s: %q gives %s, want %s", test.name, test.raw, got, test.want)
		}
		var plain trace.Call
		plain.SetArguments(test.raw)
		if (c.RawArguments == nil) != (plain.RawArguments == nil) || c.RawArguments != nil && *c.RawArguments != test.raw {
			t.Errorf("%s: a repair must keep the text %q, got %v", test.name, test.raw, c.RawArguments)
		}
	}
}

// gajae-code PR #4352: escapes and raw UTF-8 are the same arguments.
func TestEscapedHangulEqualsRawUTF8(t *testing.T) {
	var escaped, raw trace.Call
	parseArguments(&escaped, `{"text":"\ucde8\ubbf8"}`)
	parseArguments(&raw, `{"text":"취미"}`)
	if !trace.Equal(escaped.Arguments, raw.Arguments) || escaped.RawArguments != nil {
		t.Errorf("%s is not %s", escaped.Arguments, raw.Arguments)
	}
}

func FuzzParseArguments(f *testing.F) {
	for _, s := range []string{`{}`, `"{}"`, `{}"`, "None", `{"a":"\u6수"}`, `{"a":"\ud800"}`, `"\"{}\""`, "{}'\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		var c, plain trace.Call
		parseArguments(&c, raw)
		plain.SetArguments(raw)
		switch {
		case plain.RawArguments == nil:
			if c.RawArguments != nil || c.Arguments.String() != plain.Arguments.String() {
				t.Errorf("an object was not taken as it is")
			}
		case c.RawArguments == nil || *c.RawArguments != raw:
			t.Errorf("the text was lost")
		case c.Arguments.Exists() && c.Arguments.Kind() != trace.KindObject:
			t.Errorf("arguments are %v", c.Arguments.Kind())
		}
	})
}
