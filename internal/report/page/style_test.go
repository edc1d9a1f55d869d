package page

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// Every colour of text has a contrast of 4.5 to every ground that it stands on,
// and lines that carry meaning 3 (WCAG 2.2, 1.4.3 and 1.4.11), in both schemes.
func TestContrast(t *testing.T) {
	light, dark, ok := strings.Cut(style, "prefers-color-scheme: dark")
	if !ok {
		t.Fatal("no dark scheme")
	}
	colours := func(css string) map[string]string {
		found := map[string]string{}
		for _, m := range regexp.MustCompile(`--([a-z0-9-]+): (#[0-9a-f]{6});`).FindAllStringSubmatch(css, -1) {
			found[m[1]] = m[2]
		}
		return found
	}
	for scheme, colour := range map[string]map[string]string{"light": colours(light), "dark": colours(dark)} {
		if len(colour) < 28 {
			t.Fatalf("%s has only the colours %v", scheme, colour)
		}
		for _, rule := range []struct {
			inks, grounds string
			least         float64
		}{
			{"text muted accent good bad odd", "ground sheet raised", 4.5},
			{"text accent", "good-tint bad-tint odd-tint mark", 4.5},
			{"text", "level1 level2 level3 level4 level5", 4.5},
			{"bad", "bad-tint", 4.5}, {"odd", "odd-tint", 4.5}, {"good", "good-tint", 4.5},
			{"escape", "escape-tint", 4.5}, {"sheet", "mark-line", 4.5},
			{"hue0 hue1 hue2 hue3 hue4 hue5", "sheet", 4.5},
			{"line-strong mark-line", "ground sheet", 3},
		} {
			for _, ink := range strings.Fields(rule.inks) {
				for _, ground := range strings.Fields(rule.grounds) {
					if c := contrast(t, colour[ink], colour[ground]); c < rule.least {
						t.Errorf("%s: %s on %s has a contrast of %.2f, less than %.1f", scheme, ink, ground, c, rule.least)
					}
				}
			}
		}
	}
}

// contrast is the ratio of WCAG 2.2.
func contrast(t *testing.T, a, b string) float64 {
	x, y := luminance(t, a), luminance(t, b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func luminance(t *testing.T, colour string) float64 {
	var sum float64
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		n, err := strconv.ParseUint(colour[1+2*i:3+2*i], 16, 8)
		if err != nil {
			t.Fatalf("colour %q: %v", colour, err)
		}
		c := float64(n) / 255
		if c <= 0.04045 {
			c /= 12.92
		} else {
			c = math.Pow((c+0.055)/1.055, 2.4)
		}
		sum += weight * c
	}
	return sum
}

// The blocks must end where the template ends them, and load nothing.
func TestBlocksAreSelfContained(t *testing.T) {
	for name, block := range map[string]string{"style": style, "script": script} {
		for _, bad := range []string{"</", "<!--", "http:", "https:", "url(", "@import", "innerHTML", "outerHTML", "insertAdjacent", "document.write", "eval(", "fetch(", "Function(", ".style"} {
			if strings.Contains(block, bad) {
				t.Errorf("the %s has %q", name, bad)
			}
		}
	}
}
