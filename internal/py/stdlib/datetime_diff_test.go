package stdlib

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gauntlet/internal/py"
)

// expressions reads a table of expressions, one on each line.
func expressions(t *testing.T, name string) []string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(b), "\n"), "\n")
}

var (
	// An address is fixed here and differs from run to run in CPython.
	addressText = regexp.MustCompile(`0x[0-9a-f]{6,}`)
	// Messages of the interpreter's core may leave out the module before the
	// name of a class that CPython has written in C.
	moduleText = regexp.MustCompile(`'(?:datetime|re|time)\.(\w+)'`)
)

func sameText(s string) string {
	return moduleText.ReplaceAllString(addressText.ReplaceAllString(s, "0x"), "'$1'")
}

// diffExpressions evaluates expressions here and in one CPython, whose time
// zone is UTC, and compares the reprs or exceptions.
func diffExpressions(t *testing.T, header string, list []string) {
	t.Helper()
	path, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 not found: ", err)
	}
	programs := make([]string, len(list))
	for i, s := range list {
		if !strings.Contains(s, "print(") {
			s = "print(repr((" + s + ")))"
		}
		programs[i] = header + "\n" + s + "\n"
	}
	in, err := json.Marshal(programs)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, "-c", pythonSnippets)
	cmd.Env = append(os.Environ(), "TZ=UTC", "LC_ALL=C.UTF-8")
	cmd.Stdin = bytes.NewReader(in)
	raw, err := cmd.Output()
	if err != nil {
		t.Fatalf("python3: %v", err)
	}
	var want []string
	if err := json.Unmarshal(raw, &want); err != nil {
		t.Fatal(err)
	}
	wrong := 0
	for i, p := range programs {
		if got := snippetOutput(p); sameText(got) != sameText(want[i]) {
			if wrong++; wrong < 40 {
				t.Errorf("%s\n got %q\nwant %q", list[i], got, want[i])
			}
		}
	}
	t.Logf("%d of %d expressions differ", wrong, len(programs))
}

const datetimeHeader = `
from datetime import date, datetime, time, timedelta, timezone, tzinfo
class MD(date): pass
class MDT(datetime): pass
class MT(timedelta): pass
class Z(tzinfo): pass
d = MD(2020, 1, 1)
`

func TestDatetimeTable(t *testing.T) {
	diffExpressions(t, datetimeHeader, expressions(t, "datetime.txt"))
}

func TestTimeTable(t *testing.T) {
	diffExpressions(t, "import time\nT = (2020, 2, 3, 4, 5, 6, 0, 34, 0)", expressions(t, "time.txt"))
}

// TestStrftimeFlags tries every directive with flags, widths and modifiers.
func TestStrftimeFlags(t *testing.T) {
	flags := strings.Fields("_ - 0 ^ # 5 _5 -5 05 ^12 #12 + _1 E O E5 30 030 _30 -30 ^# 0_7 -_9 ^E 3O")
	var list []string
	for _, tuple := range []string{"(2020,2,3,4,5,6,0,34,0)", "(-1234,12,31,23,59,61,6,366,1)", "(7,1,1,0,0,0,4,1,-1)"} {
		for _, d := range "aAbBcCdDeFgGhHIjklmMnpPrRsStTuUVwWxXyYzZ%qQ1!é" {
			parts := make([]string, 0, len(flags)+1)
			for _, f := range append(flags, "") {
				parts = append(parts, "%"+f+string(d))
			}
			list = append(list, fmt.Sprintf("time.strftime('%s', %s)", strings.Join(parts, "|"), tuple))
		}
	}
	diffExpressions(t, "import time", list)
}

// TestStrftimeCalendar compares the directives for weeks at the turn of years.
func TestStrftimeCalendar(t *testing.T) {
	list := []string{}
	for y := 1996; y < 2030; y++ {
		list = append(list, fmt.Sprintf("[(date(%d,1,1)+timedelta(i)).strftime('%%G %%V %%u %%U %%W %%w %%j %%g') for i in range(-6,7)]", y),
			fmt.Sprintf("[tuple((date(%d,1,1)+timedelta(i)).isocalendar()) for i in range(-6,7)]", y))
	}
	diffExpressions(t, datetimeHeader, list)
}

// TestTzinfoSubclass runs a zone with daylight saving time written in Python.
func TestTzinfoSubclass(t *testing.T) {
	header := datetimeHeader + `
class Zone(tzinfo):
    def __init__(self, bad=None):
        self.bad = bad
    def _summer(self, dt):
        return dt is not None and (dt.replace(tzinfo=None, fold=0) >= datetime(2020, 3, 29, 2)
            and dt.replace(tzinfo=None, fold=0) < datetime(2020, 10, 25, 3 - dt.fold))
    def utcoffset(self, dt):
        return self.bad if self.bad is not None else timedelta(hours=2 if self._summer(dt) else 1)
    def dst(self, dt):
        return timedelta(hours=1 if self._summer(dt) else 0)
    def tzname(self, dt):
        return 'CEST' if self._summer(dt) else 'CET'
z = Zone()
w = datetime(2020, 1, 1, 12, tzinfo=z)
s = datetime(2020, 7, 1, 12, tzinfo=z)
`
	diffExpressions(t, header, []string{
		"w.utcoffset(), s.utcoffset(), w.dst(), s.dst(), w.tzname(), s.tzname()",
		"w.isoformat(), s.isoformat(), str(s), s.strftime('%z %Z')",
		"s - w, s > w, s - datetime(2020, 1, 1, tzinfo=timezone.utc)",
		"w.timetuple(), s.timetuple(), s.utctimetuple()",
		"s.astimezone(timezone.utc), datetime(2020, 7, 1, tzinfo=timezone.utc).astimezone(z).isoformat()",
		"[(datetime(2020, 10, 25, h, 30, tzinfo=timezone.utc)).astimezone(z).isoformat() for h in range(4)]",
		"[(datetime(2020, 3, 29, h, 30, tzinfo=timezone.utc)).astimezone(z).isoformat() for h in range(4)]",
		"datetime(2020, 10, 25, 2, 30, tzinfo=z) == datetime(2020, 10, 25, 0, 30, tzinfo=timezone.utc)",
		"datetime(2020, 10, 25, 2, 30, tzinfo=z) < datetime(2020, 10, 25, 0, 30, tzinfo=timezone.utc)",
		"datetime(2020, 10, 25, 5, 30, tzinfo=z) == datetime(2020, 10, 25, 4, 30, tzinfo=timezone.utc)",
		"datetime.now(z).utcoffset(), datetime.fromtimestamp(1593600000, z).isoformat()",
		"time(5, tzinfo=z).utcoffset(), time(5, tzinfo=z).tzname(), time(5, tzinfo=z).isoformat()",
		"time(5, tzinfo=z) == time(4, tzinfo=timezone.utc), time(5, tzinfo=z) < time(6, tzinfo=timezone.utc)",
		"s.timestamp(), w.timestamp()",
		"datetime(2020, 1, 1, tzinfo=Zone(5)).utcoffset()",
		"datetime(2020, 1, 1, tzinfo=Zone(timedelta(1))).utcoffset()",
		"datetime(2020, 1, 1, tzinfo=Zone('x')).isoformat()",
		"s.replace(tzinfo=timezone.utc), s.date(), s.timetz().tzinfo is z, s.tzinfo is z",
		"len({s, s.astimezone(timezone.utc)})",
		"Zone(timedelta(0)).fromutc(datetime(2020, 1, 1))",
		"z.fromutc(datetime(2020, 7, 1, tzinfo=z)).isoformat()",
	})
}

// TestSubclassHooks checks which methods call a subclass's constructor.
func TestSubclassHooks(t *testing.T) {
	header := datetimeHeader + `
log = []
class L(datetime):
    def __new__(cls, *a, **k):
        log.append(len(a))
        return super().__new__(cls, *a, **k)
class P(date):
    def __init__(self, *a):
        self.tag = 'tag%d' % len(a)
class N(date):
    def __new__(cls, text):
        y, m, d = text.split('/')
        return super().__new__(cls, int(y), int(m), int(d))
x = L(2020, 1, 1)
`
	diffExpressions(t, header, []string{
		"x.replace(day=2), x + timedelta(1), x - timedelta(1), L.combine(x.date(), time(1)), log",
		"L.fromtimestamp(0), L.strptime('2020', '%Y'), L.fromisoformat('2020-01-01'), log",
		"x.astimezone(timezone.utc), log",
		"P(2020, 1, 1).tag, (P(2020, 1, 1) + timedelta(1)).tag, P.fromordinal(5).tag",
		"N('2020/1/2'), N('2020/1/2').year",
		"N('2020/1/2') + timedelta(1)",
		"{P(2020, 1, 1), date(2020, 1, 1)}, P(2020, 1, 1) < date(2020, 1, 2)",
	})
}

// FuzzTimeText gives the parsers of time texts and formats any text: they must
// not panic, and what strftime makes must fit its limit.
func FuzzTimeText(f *testing.F) {
	for _, s := range []string{"2020-01-02T03:04:05.678+01:00", "2020W01", "2020-W01-3", "20200102T0304Z", "T10", "2020-01-02é10"} {
		f.Add(s, "%Y-%m-%dT%H:%M:%S.%f%z")
	}
	f.Add("Thu Jan  1 00:00:00 1970", "%c")
	f.Add("+05:3015", "%z")
	f.Add("x", "%^_99999999Ez%")
	f.Fuzz(func(t *testing.T, s, format string) {
		_, _ = parseIsoDateOnly(s)
		_, _, _ = parseIsoTimeOnly(s)
		_, _ = parseIsoDatetime(s)
		th := py.NewThread(1, Library, py.Limits{})
		_, _ = parseTime(th, s, format)
		v, err := formatFields(th, format, &tmFields{year: 2020, mday: 1})
		if err != nil {
			return
		}
		if out, _ := textOf(v); len(out) > 1024+4*512*(len(format)+1) {
			t.Errorf("strftime(%q) has %d bytes", format, len(out))
		}
	})
}
