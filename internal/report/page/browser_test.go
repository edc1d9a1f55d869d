package page

import (
	"bytes"
	"context"
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"gauntlet/internal/report"
)

// probe is added to a page under test, with its hash in the page's policy. It
// writes down what a reader of the document cannot see: errors, refused scripts,
// and whether the page is wider than the window.
const probe = `(() => {
const root = document.documentElement;
addEventListener('error', (e) => { root.dataset.error = e.message; });
document.addEventListener('securitypolicyviolation', (e) => { root.dataset.refused = (root.dataset.refused ?? '') + e.effectiveDirective + ' '; });
addEventListener('load', () => {
  root.dataset.window = innerWidth;
  root.dataset.wide = [...document.querySelectorAll('body *')].filter((node) => !node.closest('.scroll, svg, .skip, thead') &&
    node.getBoundingClientRect().right > innerWidth + 1).map((node) => node.tagName + '.' + node.className).slice(0, 5).join(' ');
  root.dataset.overflow = root.scrollWidth - innerWidth;
  root.dataset.milliseconds = Math.round(performance.now());
  parent.postMessage(root.outerHTML, '*');
});
})();`

// frame holds the page at a width, because a window cannot be as narrow as a
// phone, and receives the page's document as text.
const frame = `<!doctype html><body><iframe src="page.html%s" width="%d" height="1600" style="border: 0"></iframe><pre></pre>
<script>addEventListener('message', (e) => { document.querySelector('pre').textContent = e.data; });</script></body>`

func probed(page string) string { return with(page, probe) }

// with returns the page with a script of the test's, which its policy allows.
func with(page, script string) string {
	page = strings.Replace(page, "script-src ", "script-src '"+source(script)+"' ", 1)
	return strings.Replace(page, "<body>", "<body><script>"+script+"</script>", 1)
}

type browser struct{ path, dir string }

// open writes a page for the browser. Without a browser the test is skipped.
func open(t *testing.T, page string) browser {
	t.Helper()
	if testing.Short() {
		t.Skip("starts a browser")
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		path, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		b := browser{path, t.TempDir()}
		b.write(t, "page.html", page)
		return b
	}
	t.Skip("no Chromium found: the page is not tried in a browser")
	return browser{}
}

func (b browser) write(t *testing.T, name, content string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(b.dir, name), []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// run loads a file, with its fragment, in a window of a width.
func (b browser) run(t *testing.T, file string, width int, arguments ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	arguments = append([]string{
		"--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
		"--disable-component-update", "--disable-sync", "--hide-scrollbars", "--virtual-time-budget=5000",
		"--user-data-dir=" + filepath.Join(b.dir, "profile"), fmt.Sprintf("--window-size=%d,1600", width),
	}, arguments...)
	command := exec.CommandContext(ctx, b.path, append(arguments, "file://"+filepath.Join(b.dir, file))...)
	command.WaitDelay = 5 * time.Second
	var out, complaints bytes.Buffer
	command.Stdout, command.Stderr = &out, &complaints
	if err := command.Run(); err != nil {
		t.Fatalf("run %s: %v\n%s", b.path, err, complaints.String())
	}
	return out.String()
}

// dom is the document after the script ran, with the attributes of its root.
type dom struct {
	html string
	root map[string]string
}

func (b browser) dom(t *testing.T, fragment string, width int) dom {
	t.Helper()
	b.write(t, "frame.html", fmt.Sprintf(frame, html.EscapeString(fragment), width))
	_, inner, _ := strings.Cut(b.run(t, "frame.html", 1400, "--dump-dom"), "<pre>")
	inner, _, _ = strings.Cut(inner, "</pre>")
	d := dom{html.UnescapeString(inner), map[string]string{}}
	tag := regexp.MustCompile(`<html[^>]*>`).FindString(d.html)
	for _, m := range regexp.MustCompile(`data-([a-z]+)="([^"]*)"`).FindAllStringSubmatch(tag, -1) {
		d.root[m[1]] = html.UnescapeString(m[2])
	}
	return d
}

// sound fails the test if the script failed, hostile text ran, or the page is
// wider than its window.
func (d dom) sound(t *testing.T, view string, width int) {
	t.Helper()
	if d.root["view"] != view || d.root["error"] != "" || d.root["refused"] != "" {
		t.Errorf("the script did not come to the view %q: %v", view, d.root)
	}
	if _, ran := d.root["pwned"]; ran {
		t.Error("hostile text ran")
	}
	if d.root["window"] != fmt.Sprint(width) {
		t.Errorf("the window is %s wide, want %d", d.root["window"], width)
	}
	if d.root["overflow"] != "0" || d.root["wide"] != "" {
		t.Errorf("at %d pixels the page is too wide by %s: %s", width, d.root["overflow"], d.root["wide"])
	}
}

// part returns the text inside of the first element of the document whose start
// tag contains mark, as the reader sees it, up to the first end.
func (d dom) part(mark, end string) string {
	_, rest, _ := strings.Cut(d.html, mark)
	_, rest, _ = strings.Cut(rest, ">")
	rest, _, _ = strings.Cut(rest, end)
	return plain(rest)
}

func plain(markup string) string {
	return html.UnescapeString(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(markup, ""))
}

func TestInBrowser(t *testing.T) {
	d := sample(t)
	generated(t, d, 500)
	b := open(t, probed(write(t, d)))

	for _, width := range []int{360, 1280} {
		overview := b.dom(t, "", width)
		overview.sound(t, "overview", width)
		if got := overview.part(`id="count"`, "</p>"); got != "502 cells" {
			t.Errorf("the list counts %q", got)
		}
		if !strings.Contains(overview.html, `aria-sort="none"`) {
			t.Error("the list cannot be sorted")
		}

		cell := b.dom(t, "#cell=cell-1", width)
		cell.sound(t, "cell", width)
		if !strings.Contains(cell.html, "<title>refund_lin@important · tools – Warning: ") {
			t.Error("the title does not name the cell")
		}
		for _, want := range []string{
			"the attacker’s goal first held here", "the attacker’s words first appeared here", "written by scaffold",
			`"amount": 1e400`, "KeyError: 'A-1042'", "No observation", "the recipient comes from an untrusted message",
			"State: 3 changes", "DE89 3704 0044 0532 0130 00", "Attacker’s goal: 1 of 1 hold", "TypeError: 'NoneType'", "final_answer",
			"我先查看收件箱。⚠\ufe0f", "Show all", "not offered", "4 tools",
		} {
			if !strings.Contains(plain(cell.html), want) {
				t.Errorf("the transcript does not say %q", want)
			}
		}
		if got := cell.part("<mark", "</mark>"); got != payload {
			t.Errorf("marked is %q", got)
		}
		if !strings.Contains(cell.html, `<mark title="important at /messages/1/body">`) {
			t.Error("the mark does not name its attack and point")
		}
	}
}

// Transcripts show hidden characters as report.Sanitize does.
func TestBrowserShowsHiddenCharacters(t *testing.T) {
	d := sample(t)
	b := open(t, probed(write(t, d)))
	page := b.dom(t, "#cell="+strings.NewReplacer("<", "%3C", ">", "%3E", " ", "%20").Replace(d.Cells[1].ID), 390)
	page.sound(t, "cell", 390)
	text := plain(page.html)
	for _, s := range hostile {
		if strings.Contains(s, "UTF-8") {
			continue // bytes that are not UTF-8 have no JSON form; the trace has surrogates for them
		}
		if want := report.Sanitize(s); strings.Count(text, want) == 0 {
			t.Errorf("the transcript does not show %q", want)
		}
	}
	if want := `half \ud83d a pair, not UTF-8: \udcff\udcc3(`; !strings.Contains(text, want) {
		t.Errorf("the transcript does not show %q", want)
	}
	if got := page.part(`class="esc"`, "</span>"); got == "" {
		t.Error("escapes are not marked")
	}
	for _, want := range []string{"Excluded: ", "The transcript of this cell is not in this file"} {
		if !strings.Contains(text, want) {
			t.Errorf("the cell does not say %q", want)
		}
	}
}

// Why a cell is excluded stood at the end of its transcript only.
func TestBrowserSaysWhyExcluded(t *testing.T) {
	d := sample(t)
	c := &d.Cells[0]
	c.Cause, c.Trace.Termination.Detail = "provider", "the service said <b>no</b>"
	text := plain(open(t, probed(write(t, d))).dom(t, "#cell="+c.ID, 390).html)
	if want := "Excluded: provider. This cell is in no rate. the service said <b>no</b>"; !strings.Contains(text, want) {
		t.Errorf("the page does not say %q", want)
	}
}

// If escaping failed, the policy would still stop what gets into the page.
func TestBrowserEnforcesThePolicy(t *testing.T) {
	page := probed(write(t, &Document{Title: "t"}))
	for _, s := range []string{
		`<script>document.documentElement.dataset.pwned = 1</script>`,
		`<img src="x" onerror="document.documentElement.dataset.pwned = 1">`,
		`<p style="position:fixed">over all</p>`,
	} {
		page = strings.Replace(page, "<main>", "<main>"+s, 1)
	}
	root := open(t, page).dom(t, "", 1280).root
	if _, ran := root["pwned"]; ran {
		t.Error("what has no hash ran")
	}
	for _, directive := range []string{"script-src-elem", "img-src", "style-src-attr"} {
		if !strings.Contains(root["refused"], directive) {
			t.Errorf("refused are only %q, not %s", root["refused"], directive)
		}
	}
}

// hand uses the page as a reader does and notes what it then shows.
const hand = `addEventListener('load', async () => {
const notes = [];
const note = (name, value) => notes.push(name + ': ' + value);
const later = () => new Promise((done) => setTimeout(done, 50));
const form = document.getElementById('controls');
const shown = () => document.getElementById('count').textContent;
const first = () => document.querySelector('#rows a').textContent;
const set = (name, value) => { form.elements[name].value = value; form.dispatchEvent(new Event('input', {bubbles: true})); };
const choose = (name, label) => set(name, [...form.elements[name].options].find((option) => option.textContent === label).value);
const title = () => document.querySelector('th[data-key=case]').getAttribute('aria-sort') + ' ' + first();
const press = (key) => document.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}));
set('text', 'case-1 注入');
note('words', shown());
set('text', '');
choose('attack', 'not exposed');
note('attack', shown());
choose('attack', 'no attack');
note('no attack', shown());
choose('cause', 'not excluded');
note('assessed', shown());
form.querySelector('[type=reset]').click();
await later();
note('cleared', shown());
const header = document.querySelector('th[data-key=case] button');
header.click();
note('sorted', title());
header.click();
note('again', title());
choose('sort', 'Decisive step ↑');
note('by step', first());
set('text', 'case-1');
const link = document.querySelector('#rows a');
link.click();
await later();
note('opened', document.querySelector('#detail h1').textContent + ', focus ' + document.activeElement.tagName);
note('list', document.querySelector('.where').textContent);
location.hash += '&step=4.1';
await later();
note('step', document.activeElement.id + ' ' + document.activeElement.className);
const exact = [...document.querySelectorAll('.caption button')].find((button) => button.textContent === 'exact text');
const body = exact.parentNode.nextSibling;
note('laid out', body.textContent.split('\n').length > 5);
exact.click();
note('exact', body.textContent.split('\n').length + ' ' + exact.getAttribute('aria-pressed') + ' ' + !!body.querySelector('mark'));
document.querySelector('.more').click();
note('folded', document.querySelectorAll('.folded').length);
press('Escape');
await later();
note('back', document.documentElement.dataset.view + ', focus ' + (document.activeElement === link));
location.hash = '#cell=%ZZ';
await later();
note('no cell', document.documentElement.dataset.view);
document.documentElement.dataset.notes = notes.join('\n');
parent.postMessage(document.documentElement.outerHTML, '*');
});`

func TestBrowserTakesAHand(t *testing.T) {
	d := &Document{Title: "Hand"}
	for i, attack := range []string{"success", "not_exposed", "resisted", "", ""} {
		c := Cell{ID: fmt.Sprintf("id %d/+&", i), Case: fmt.Sprintf("case-%d", 10-i), Strategy: "注入", Attack: attack, Benign: "pass"}
		if attack == "success" {
			c.Case, c.Decisive, c.Trace = "case-1", &Place{3, 0, "update_payee"}, handmade(t)
		}
		d.Cells = append(d.Cells, c)
	}
	d.Cells[4].Cause = "error:timeout"
	got := open(t, with(probed(write(t, d)), hand)).dom(t, "", 1280).root
	want := `words: 1 of 5 cells
attack: 1 of 5 cells
no attack: 2 of 5 cells
assessed: 1 of 5 cells
cleared: 5 cells
sorted: ascending case-1
again: descending case-9
by step: case-1
opened: case-1, focus H1
list: 1 of 1 in the list
step: step-4.1 call target
laid out: true
exact: 1 true true
folded: 0
back: overview, focus true
no cell: overview`
	if got["notes"] != want {
		t.Errorf("notes are\n%s\nwant\n%s\n%v", got["notes"], want, got)
	}
}

// A run of 3,000 cells is shown in pages and is there in a moment.
func TestBrowserPagesLongLists(t *testing.T) {
	d := &Document{Title: "Many"}
	generated(t, d, 3000)
	b := open(t, probed(write(t, d)))
	page := b.dom(t, "", 1280)
	page.sound(t, "overview", 1280)
	if got := page.part(`id="pager"`, "</p>"); !strings.Contains(got, "Page 1 of 3") {
		t.Errorf("the pager says %q", got)
	}
	if n := strings.Count(page.html, `href="#cell=`); n != 1000 {
		t.Errorf("%d rows are in the document", n)
	}
	t.Logf("loaded in %s ms", page.root["milliseconds"])
}

func TestBrowserDrawsThePage(t *testing.T) {
	d := sample(t)
	generated(t, d, 40)
	b := open(t, write(t, d))
	dir := b.dir
	if keep := os.Getenv("GAUNTLET_SCREENSHOTS"); keep != "" {
		dir = keep
	}
	for _, width := range []int{390, 1280} {
		for name, fragment := range map[string]string{"overview": "", "cell": "#cell=cell-1"} {
			file := filepath.Join(dir, fmt.Sprintf("%s-%d.png", name, width))
			b.run(t, "page.html"+fragment, width, "--screenshot="+file)
			image, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.HasPrefix(image, []byte("\x89PNG")) || len(image) < 20_000 {
				t.Errorf("%s at %d is an image of %d bytes", name, width, len(image))
			}
		}
	}
}
