package main

import (
	"flag"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"encoding/json"
)

var updateTour = flag.Bool("update-tour", false, "take the screenshots of docs/tour.md anew (needs Chromium)")

// tourShots are the pictures of docs/tour.md: the part of a page, opened in a
// window of that size.
var tourShots = []struct {
	file          string
	fragment      func(cell string) string
	width, height int
	cut           image.Rectangle
}{
	{"overview.png", func(string) string { return "" }, 1280, 1290, image.Rect(0, 0, 1280, 1290)},
	{"phone.png", func(string) string { return "" }, 390, 844, image.Rect(0, 0, 390, 844)},
	{"transcript.png", func(cell string) string { return "#cell=" + cell }, 1280, 3400, image.Rect(100, 2080, 1180, 3400)},
}

// TestTour does what docs/tour.md tells: run, report, and the transcript of a
// successful attack in a browser.
func TestTour(t *testing.T) {
	chromium, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("chromium not found: the tour is not walked in a browser")
	}
	dir := t.TempDir()
	gauntlet(t, dir, "run", "--quiet")
	gauntlet(t, dir, "report", "--html", "report.html")
	var list struct{ Cells []struct{ Cell string } }
	if err := json.Unmarshal(gauntlet(t, dir, "show", "--attack", "success", "--limit", "1", "--json"), &list); err != nil || len(list.Cells) != 1 {
		t.Fatalf("%v, %+v", err, list)
	}
	cell := list.Cells[0].Cell
	page := "file://" + filepath.ToSlash(filepath.Join(dir, "report.html"))
	dom := browse(t, chromium, dir, page+"#cell="+cell, "--dump-dom", "--virtual-time-budget=20000")
	for _, want := range []string{"The attacker’s goal first held after", "<mark", "injected", "decide_access", "Exposure"} {
		if !strings.Contains(dom, want) {
			t.Errorf("the transcript in the browser does not show %q", want)
		}
	}
	for _, s := range tourShots {
		file := filepath.Join(dir, s.file)
		browse(t, chromium, dir, page+s.fragment(cell), "--screenshot="+file, "--window-size="+size(s.width, s.height))
		shot := picture(t, file)
		if b := shot.Bounds(); b.Dx() < s.width || b.Dy() < s.height/2 {
			t.Errorf("%s is %v", s.file, b)
		}
		if *updateTour {
			save(t, filepath.Join("docs", "tour", s.file), shot, s.cut)
		}
	}
}

func size(w, h int) string { return fmt.Sprintf("%d,%d", w, h) }

func browse(t *testing.T, chromium, dir, url string, args ...string) string {
	t.Helper()
	profile, err := os.MkdirTemp(dir, "profile")
	if err != nil {
		t.Fatal(err)
	}
	all := append([]string{"--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
		"--disable-component-update", "--disable-sync", "--hide-scrollbars", "--user-data-dir=" + profile}, args...)
	out, err := exec.CommandContext(t.Context(), chromium, append(all, url)...).Output()
	if err != nil {
		t.Fatalf("chromium: %v", err)
	}
	return string(out)
}

func picture(t *testing.T, file string) image.Image {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	p, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func save(t *testing.T, file string, p image.Image, cut image.Rectangle) {
	t.Helper()
	out := image.NewRGBA(image.Rect(0, 0, cut.Dx(), cut.Dy()))
	draw.Draw(out, out.Bounds(), p, cut.Min, draw.Src)
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	e := png.Encoder{CompressionLevel: png.BestCompression}
	if err := e.Encode(f, out); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}
