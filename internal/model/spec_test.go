package model_test

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"gauntlet/internal/model"
	"gauntlet/internal/trace"
)

func table(t testing.TB, user string) model.Table {
	t.Helper()
	table, err := model.LoadTable([]byte(user))
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func TestParseSpec(t *testing.T) {
	tests := []struct {
		text, base, name string
		wire             model.Wire
	}{
		{"openai:gpt-4o", "https://api.openai.com/v1", "gpt-4o", model.WireOpenAI},
		{"anthropic:claude-x", "https://api.anthropic.com", "claude-x", model.WireAnthropic},
		{"openrouter:qwen/qwen3:free", "https://openrouter.ai/api/v1", "qwen/qwen3:free", model.WireOpenAI},
		{"http://127.0.0.1:8000/v1#a/b:c#d", "http://127.0.0.1:8000/v1", "a/b:c#d", model.WireOpenAI},
		{"anthropic+http://[::1]:9#m", "http://[::1]:9", "m", model.WireAnthropic},
		{"own:m", "http://h/v1", "m", model.WireOpenAI},
	}
	own := table(t, "own: {wire: openai, base_url: 'http://h/v1'}")
	for _, test := range tests {
		s, err := model.ParseSpec(test.text, own)
		if err != nil || s.Provider.BaseURL != test.base || s.Model != test.name || s.Provider.Wire != test.wire {
			t.Errorf("%s: got %+v, %v", test.text, s, err)
		}
		if s.String() != test.text {
			t.Errorf("%s is written as %s", test.text, s)
		}
	}
	for _, bad := range []string{
		"", "gpt-4o", "openai:", "nobody:m", "http://h/v1", "http://h/v1#", "http://user:hunter2@h/v1#m",
		"http://h/v1?key=hunter2#m", "http://#m", "http://%zz#m", "anthropic+openai:m",
	} {
		s, err := model.ParseSpec(bad, own)
		if err == nil {
			t.Errorf("%q: got %+v", bad, s)
		}
	}
}

func FuzzParseSpec(f *testing.F) {
	f.Add("openai:m")
	f.Add("anthropic+http://h/v1/#m")
	own := table(f, "")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := model.ParseSpec(text, own)
		if err != nil {
			return
		}
		again, err := model.ParseSpec(s.String(), own)
		if err != nil || again.String() != s.String() || again.Model != s.Model || again.Provider.BaseURL != s.Provider.BaseURL {
			t.Errorf("%q: %q is read as %+v, %v", text, s, again, err)
		}
	})
}

func TestLoadTableRefuses(t *testing.T) {
	for _, bad := range []string{
		"x: {wire: grpc, base_url: 'http://h'}",
		"x: {wire: openai}",
		"x: {wire: openai, base_url: 'http://h', keys: K}",
		"x: {wire: openai, base_url: 'http://h', concurrent: -1}",
		"x: {wire: openai, base_url: 'http://h', tokens_per_minute: .inf}",
		"x: {wire: openai, base_url: 'http://h', prices: {m: {input: .nan}}}",
		"x: {wire: openai, base_url: 'http://u:p@h'}",
		"x: {wire: openai, base_url: 'http://h', max_tokens_field: limit}",
		"'a:b': {wire: openai, base_url: 'http://h'}",
		"[1]", "x: [",
	} {
		if got, err := model.LoadTable([]byte(bad)); err == nil {
			t.Errorf("%s: got %+v", bad, got["x"])
		}
	}
	if _, err := model.LoadTable(model.DefaultTable()); err != nil {
		t.Error(err)
	}
}

func TestPrice(t *testing.T) {
	tenth := 0.1
	p := model.Provider{Prices: map[string]model.Price{
		"m*": {Input: 1, Output: 10}, "m-large*": {Input: 2, CachedInput: &tenth, Output: 20}, "m-exact": {Input: 3},
	}}
	for name, want := range map[string]float64{"m": 1, "m-small": 1, "m-large-2": 2, "m-exact": 3, "n": -1} {
		price, ok := p.Price(name)
		if ok != (want >= 0) || ok && price.Input != want {
			t.Errorf("%s: got %+v, %v; want %v", name, price, ok, want)
		}
	}
	used := trace.Usage{InputTokens: 1000, CachedTokens: 400, OutputTokens: 100}
	for name, want := range map[string]float64{"m": (1000 + 100*10) / 1e6, "m-large": (600*2 + 400*0.1 + 100*20) / 1e6} {
		price, _ := p.Price(name)
		if got := price.Cost(used); math.Abs(got-want) > 1e-15 {
			t.Errorf("%s: costs %v, want %v", name, got, want)
		}
	}
}

func TestKeyNeverPrints(t *testing.T) {
	key := model.NewKey("sk-secret-0123456789")
	options := model.Options{Key: key}
	text, err := json.Marshal(map[string]any{"key": key})
	if err != nil {
		t.Fatal(err)
	}
	all := fmt.Sprintf("%v %+v %#v %s %q %x %d %v %+v %#v %s", key, key, key, key, key, key, key, &key, options, options, text)
	for _, leak := range []string{"secret", fmt.Sprintf("%x", "secret")} {
		if strings.Contains(all, leak) {
			t.Errorf("the key leaks: %s", all)
		}
	}
}

func TestKeyIsDemanded(t *testing.T) {
	s, err := model.ParseSpec("openai:m", table(t, ""))
	if err != nil {
		t.Fatal(err)
	}
	_, err = model.Open(s, model.Options{Clock: newClock()})
	if model.KindOf(err) != model.KindAuth || !strings.Contains(err.Error(), "OPENAI_API_KEY") {
		t.Errorf("got %v", err)
	}
}
