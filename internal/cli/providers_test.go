package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gauntlet/internal/model"
)

func TestProviders(t *testing.T) {
	t.Setenv("GAUNTLET_TEST_KEY", "very-secret")
	t.Setenv("OPENAI_API_KEY", "")
	file := filepath.Join(t.TempDir(), "p.yaml")
	check(t, os.WriteFile(file, []byte(`mine:
  wire: openai
  base_url: https://models.example/v1
  key_variable: GAUNTLET_TEST_KEY
  requests_per_minute: 90
  prices:
    big*: { input: 1, output: 2 }
`), 0o600))
	code, out, stderr := gauntlet(t, "providers", "--providers", file)
	if code != 0 || stderr != "" {
		t.Fatalf("code %d: %s", code, stderr)
	}
	for _, want := range []string{"GAUNTLET_TEST_KEY is set", "OPENAI_API_KEY is not set", "none needed", "https://models.example/v1", " 90 ", "big*", "anthropic"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	code, asJSON, _ := gauntlet(t, "providers", "--providers", file, "--json")
	var rows []struct {
		Name   string
		KeySet bool `json:"key_set"`
		Prices []struct{ Model string }
	}
	if err := json.Unmarshal([]byte(asJSON), &rows); err != nil || code != 0 {
		t.Fatalf("code %d, %v", code, err)
	}
	set := map[string]bool{}
	for _, r := range rows {
		set[r.Name] = r.KeySet
	}
	if !set["mine"] || set["openai"] || set["ollama"] {
		t.Errorf("keys that are set: %v", set)
	}
	if strings.Contains(out+asJSON, "secret") {
		t.Error("the key is printed")
	}
}

// The table that is printed for editing is one that can be read.
func TestProvidersDefault(t *testing.T) {
	code, out, stderr := gauntlet(t, "providers", "--default")
	if code != 0 || stderr != "" || out != string(model.DefaultTable()) {
		t.Fatalf("code %d: %s", code, stderr)
	}
	file := filepath.Join(t.TempDir(), "p.yaml")
	check(t, os.WriteFile(file, []byte(out), 0o600))
	if code, _, stderr := gauntlet(t, "providers", "--providers", file); code != 0 {
		t.Errorf("code %d: %s", code, stderr)
	}
}

func TestProvidersRefusals(t *testing.T) {
	bad := filepath.Join(t.TempDir(), "bad.yaml")
	check(t, os.WriteFile(bad, []byte("x: {wire: telex}\n"), 0o600))
	for args, want := range map[string]string{
		"--providers " + bad:       "wire is \"telex\"",
		"--providers nowhere.yaml": "--providers: open nowhere.yaml",
		"--default --json":         "--default goes with no other flag",
		"extra":                    "unknown command \"extra\"",
	} {
		code, out, stderr := gauntlet(t, append([]string{"providers"}, strings.Fields(args)...)...)
		if code != exitUsage || out != "" || !strings.Contains(stderr, want) {
			t.Errorf("%s: code %d: %s%s", args, code, out, stderr)
		}
	}
}
