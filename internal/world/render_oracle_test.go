package world

import (
	"bytes"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"gauntlet/internal/py"
	"gauntlet/internal/trace"
)

// oracle makes random values and prints, for each, a JSON line with its repr,
// the repr of the text that a tool would show, the YAML of the reference
// pipeline and the text of json.dumps. Sets hold small ints only, whose order
// does not depend on hashes.
const oracle = `
import ast, json, random, re, sys, warnings
import yaml

warnings.simplefilter('ignore')
seed, count = int(sys.argv[1]), int(sys.argv[2])
rng = random.Random(seed)
pieces = ['a', 'b', 'word', 'Zürich', '中文', ' ', ' ', '  ', '\n', '\n', '\n\n', '\t', '\r', ':', ': ', ' #', '#', '-', '- ', '--',
    '---', '...', '?', '? ', ',', '[', ']', '{', '}', '&', '*', '!', '|', '>', '%', '@', chr(96), "'", '"', '\\', '/', '=', '<<', '~', '.',
    '0', '1', '12', '_', '0x', '0b1', 'e', 'e+5', 'inf', 'nan', '.nan', '.inf', 'null', 'Null', 'true', 'True', 'FALSE', 'yes', 'No',
    'on', 'OFF', 'y', 'n', '2024-01-02', 'T10:20:30', '10:20', ':30', '.5', 'Z', '+01:00', '-5', '+', '\0', '\x07', '\x1b', '\x7f',
    '\x80', '\x85', '\xa0', '\u2028', '\u2029', '\u200b', '\ufeff', '\ufffd', '\ufffe', '\ue000', '\udc80', '\ud7ff', '\U0001f600',
    '\U0010fffe', '\U0010ffff', 'é', 'ß', '“', '’', 'İ', '\x0b', '\x0c', '\x1c']
words = pieces[:6] + ['some', 'longer', 'text', ' ', ' ', ' ', ' ', "'", '"', '😀', '\n', ': ', '\t', '\xa0']

def text():
    k = rng.random()
    if k < .003:
        few = rng.sample(words, rng.randint(1, 6))
        return ''.join(rng.choice(few) for _ in range(rng.randint(1000, 5000)))
    if k < .006:
        return rng.choice(['x', 'é', '"', '\n', "'", '\x01', '\\']) * rng.randint(100, 12000)
    if k < .10:
        return ''.join(rng.choice(words) for _ in range(rng.randint(20, 45)))
    if k < .5:
        return rng.choice(pieces)
    return ''.join(rng.choice(pieces) for _ in range(rng.randint(0, 7)))

def scalar():
    k = rng.random()
    if k < .6: return text()
    if k < .7: return rng.choice([rng.randint(-9, 9), rng.randint(-10**9, 10**9), rng.getrandbits(80), -rng.getrandbits(500)])
    if k < .8: return rng.choice([rng.random(), rng.uniform(-1e5, 1e5), rng.uniform(-1, 1) * 10.0 ** rng.randint(-300, 300), float(rng.randint(0, 10**17)), 0.0, -0.0])
    if k < .86: return rng.choice([True, False])
    if k < .92: return None
    if k < .96: return bytes(rng.randrange(256) for _ in range(rng.choice([0, 1, 2, 3, 57, 58, 114, 200])))
    return b'plain bytes'

def key(depth):
    if rng.random() < .8: return text()
    if rng.random() < .3: return tuple(key(0) for _ in range(rng.randint(0, 3)))
    return scalar()

def value(depth):
    k = rng.random()
    n = rng.randint(0, 4)
    if depth == 0 or k < .25: return scalar()
    if k < .55: return {key(depth - 1): value(depth - 1) for _ in range(n)}
    if k < .85: return [value(depth - 1) for _ in range(n)]
    if k < .95: return tuple(value(depth - 1) for _ in range(n))
    return set(range(n))

def mutant():
    "A text that is nearly a literal or nearly JSON."
    v = value(rng.randint(0, 3))
    try: s = json.dumps(v) if rng.random() < .4 else str(v)
    except TypeError: s = repr(v)
    s = s[:400]
    for _ in range(rng.randint(0, 3)):
        i = rng.randint(0, len(s))
        s = s[:i] + rng.choice(pieces + list('[](){},:;#+-"\'0123456789eExXbBuUrRjJ_.') + ['set()', ' or ', '\\\n', '\\x41', 'None', 'true']) + s[i + rng.randint(0, 2):]
    return s

def unsupported(x):
    if isinstance(x, dict): return any(map(unsupported, x)) or any(map(unsupported, x.values()))
    if isinstance(x, set): return any(map(unsupported, x)) or list(x) != list(range(len(x))) # its order depends on hashes
    if isinstance(x, (list, tuple)): return any(map(unsupported, x))
    return isinstance(x, (complex, type(...)))

def reread(s):
    t = s.strip()
    if not t: return ''
    for read in (json.loads, ast.literal_eval):
        try: return read(t)
        except Exception: pass
    return s

def plain(x):
    if isinstance(x, dict): return {name(k): plain(v) for k, v in x.items()}
    if isinstance(x, (list, tuple, set)): return [plain(v) for v in x]
    if isinstance(x, bytes): return x.decode('utf-8', 'surrogateescape')
    return x

def name(k):
    if isinstance(k, tuple): return str(k)
    k = plain(k)
    return k if isinstance(k, str) else json.dumps(k)

def dumps(x):
    "Is json.dumps, but keeps keys apart whose texts are equal, as that does for 1 and '1'."
    if isinstance(x, dict): return '{' + ', '.join(dumps(name(k)) + ': ' + dumps(v) for k, v in x.items()) + '}'
    if isinstance(x, (list, tuple, set)): return '[' + ', '.join(map(dumps, x)) + ']'
    return json.dumps(plain(x), ensure_ascii=False)

for i in range(count):
    v = mutant() if rng.random() < .3 else value(rng.randint(0, 5))
    s = str(v)
    x = reread(s)
    if unsupported(x) or isinstance(v, str) and re.search('NaN|Infinity', s):
        continue # see the comment of reread
    y = yaml.dump(x, allow_unicode=True, sort_keys=False, default_flow_style=False, width=8192, Dumper=yaml.Dumper).strip()
    j = dumps(v)
    assert json.loads(j) == plain(v) and (len(j) != len(json.dumps(plain(v), ensure_ascii=False)) or j == json.dumps(plain(v), ensure_ascii=False))
    j = re.sub('[\ud800-\udfff]', lambda m: '\\u%04x' % ord(m[0]), j)
    print(json.dumps([repr(v), y, j, s]))
`

// TestRenderAsPython compares all three formats with CPython and PyYAML.
func TestRenderAsPython(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 not found: ", err)
	}
	if out, err := exec.Command(python, "-c", "import yaml").CombinedOutput(); err != nil {
		t.Skipf("PyYAML not found: %v: %s", err, bytes.TrimSpace(out))
	}
	cmd := exec.Command(python, "-c", oracle, "1", strconv.Itoa(*renderCases))
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("oracle: %v\n%s", err, stderr.Bytes())
	}
	lines := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	if len(lines) < *renderCases*9/10 {
		t.Fatalf("the oracle made %d values of %d", len(lines), *renderCases)
	}
	th := newThread()
	for _, line := range lines {
		row, _, err := trace.ParseValue([]byte(line))
		if err != nil {
			t.Fatal(err)
		}
		th.Refill()
		v := literalValue(t, th, row.Index(0).Text())
		checkRender(t, th, v, trace.FormatYAML, row.Index(1).Text())
		checkRender(t, th, v, trace.FormatJSON, row.Index(2).Text())
		checkRender(t, th, v, trace.FormatText, row.Index(3).Text())
		checkRender(t, th, py.NewStr(row.Index(3).Text()), trace.FormatYAML, row.Index(1).Text())
		if t.Failed() {
			t.Fatalf("value %s", clip(row.Index(0).Text()))
		}
	}
	t.Logf("%d values", len(lines))
}
