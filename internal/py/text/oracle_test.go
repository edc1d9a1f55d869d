package text

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

// oracleScript answers JSON lines: each line is [name, argument...], each answer
// a value or {"e": [class, text]}. Strings travel as "s" and hex of their WTF-8
// bytes, so that surrogates survive; ints and floats keep all their bits.
const oracleScript = `
import json, struct, sys
sys.set_int_max_str_digits(4300)

def dec(v):
    if isinstance(v, list): return [dec(x) for x in v]
    if not isinstance(v, str): return v
    k, v = v[0], v[1:]
    if k == 's': return bytes.fromhex(v).decode('utf-8', 'surrogatepass')
    if k == 'b': return bytes.fromhex(v)
    if k == 'i': return int(v, 16)
    return float('nan') if v == 'nan' else struct.unpack('>d', bytes.fromhex(v))[0]

def enc(v):
    if isinstance(v, str):
        return 's' + v.encode('utf-8', 'surrogatepass').hex()
    if isinstance(v, bytes): return 'b' + v.hex()
    if v is None or isinstance(v, bool): return v
    if isinstance(v, int): return 'i%x' % v
    if isinstance(v, float): return 'f' + ('nan' if v != v else struct.pack('>d', v).hex())
    return [enc(x) for x in v]

class Probe:
    """Records how str.format reaches a value."""
    def __init__(self, path): self.path = path
    def __getattr__(self, name):
        if name.startswith('__'): raise AttributeError(name)
        return Probe(self.path + '.' + name)
    def __getitem__(self, key): return Probe(self.path + '[%r]' % (key,))
    def __repr__(self): return 'r:' + self.path
    def __str__(self): return 's:' + self.path
    def __format__(self, spec): return '<%s|%s>' % (self.path, spec)

class Args:
    def __getitem__(self, key): return Probe(key)
    keys = lambda self: []

def scan(test, lo, hi):
    return ''.join('1' if test(chr(c)) else '0' for c in range(lo, hi))

ops = {
    'repr': repr, 'ascii': ascii, 'len': len, 'float': float, 'int': int,
    'format': format, 'boolformat': lambda n, f: format(bool(n), f),
    'percent': lambda f, *a: f % tuple(a), 'percentmap': lambda f, d: f % dict(zip(d[::2], d[1::2])),
    'index': lambda s, i: s[i], 'slice': lambda s, a, b, c: s[a:b:c],
    'hex': float.hex, 'fromhex': float.fromhex, 'isinteger': float.is_integer,
    'ratio': lambda f: f.as_integer_ratio(), 'toint': lambda f: int(f), 'tofloat': lambda n: float(n),
    'bin': bin, 'oct': oct, 'hexint': hex, 'str': str,
    'template': lambda s: s.format(*[Probe(str(i)) for i in range(20)]),
    'each': lambda name, lo, hi: ''.join(getattr(chr(c), name)() + '\n' for c in range(lo, hi)),
    'scan': lambda name, lo, hi: scan(lambda c: getattr(c, name)(), lo, hi),
    'part': lambda lo, hi: scan(lambda c: ('a' + c).isidentifier(), lo, hi),
    'lines': lambda lo, hi: scan(lambda c: len(('a' + c + 'b').splitlines()) > 1, lo, hi),
    'sigma': lambda lo, hi: ''.join((p + chr(c) + q).lower() for c in range(lo, hi) for p, q in (('A', '\u03a3'), ('\u03a3', 'A'), ('A\u03a3', ''), ('A\u03a3', 'A'))),
    'decimal': lambda lo, hi: [__import__('unicodedata').decimal(chr(c), -1) for c in range(lo, hi)],
    'encode': lambda s, c, e: s.encode(c, e), 'decode': lambda b, c, e: b.decode(c, e),
}

for line in sys.stdin:
    name, *args = json.loads(line)
    try:
        if name.startswith('.'):
            s, *args = dec(args)
            out = enc(getattr(s, name[1:])(*args))
        else:
            out = enc(ops[name](*dec(args)))
    except Exception as e:
        out = {'e': [type(e).__name__, enc(str(e))]}
    print(json.dumps(out, separators=(',', ':')))
`

// call is one question to the oracle. want computes our answer; it returns a
// string, []byte, int, bool, float64, *big.Int, []string or error.
type call struct {
	name string
	args []any
	want func() any
}

// ask runs all calls in one python3 process and reports each difference.
func ask(t *testing.T, calls []call) {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 not found:", err)
	}
	cmd := exec.Command(python, "-c", oracleScript)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var stderr strings.Builder
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		w := bufio.NewWriter(in)
		for _, c := range calls {
			line, _ := json.Marshal(append([]any{c.name}, encodeArgs(c.args)...))
			w.Write(append(line, '\n'))
		}
		w.Flush()
		in.Close()
	}()
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<28)
	n, bad := 0, 0
	for ; lines.Scan() && n < len(calls); n++ {
		answer := calls[n].want()
		if got := wire(answer); got != lines.Text() && bad < 30 {
			bad++
			got, want := firstDifference(show(answer), decodeReply(t, lines.Bytes()))
			t.Errorf("%s%.300s:\n got %s\nwant %s", calls[n].name, describe(calls[n].args), got, want)
		}
	}
	cmd.Wait()
	if n != len(calls) {
		t.Fatalf("oracle answered %d of %d calls: %v %s", n, len(calls), lines.Err(), stderr.String())
	}
}

// firstDifference cuts two long texts to the neighbourhood of their difference.
func firstDifference(a, b string) (string, string) {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	cut := func(s string) string {
		if len(s) < 300 {
			return s
		}
		return fmt.Sprintf("...[%d]%s", i, s[max(i-40, 0):min(i+120, len(s))])
	}
	return cut(a), cut(b)
}

func describe(args []any) string {
	var b strings.Builder
	for _, a := range args {
		b.WriteString(" " + show(a))
	}
	return b.String()
}

func encodeArgs(args []any) []any {
	out := make([]any, len(args))
	for i, a := range args {
		out[i] = encodeValue(a)
	}
	return out
}

// wire returns the line that the oracle prints for v.
func wire(v any) string {
	line, _ := json.Marshal(encodeValue(v))
	return string(line)
}

func encodeValue(v any) any {
	switch v := v.(type) {
	case string:
		return "s" + hex.EncodeToString([]byte(v))
	case []byte:
		return "b" + hex.EncodeToString(v)
	case int:
		return "i" + strconv.FormatInt(int64(v), 16)
	case *big.Int:
		return "i" + v.Text(16)
	case float64:
		if math.IsNaN(v) {
			return "fnan"
		}
		return fmt.Sprintf("f%016x", math.Float64bits(v))
	case []string:
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = encodeValue(x)
		}
		return out
	case []any:
		return encodeArgs(v)
	case error:
		return map[string]any{"e": []any{errorClass(v), encodeValue(v.Error())}}
	}
	return v
}

// decodeReply turns an answer into the form of show.
func decodeReply(t *testing.T, line []byte) string {
	t.Helper()
	var v any
	if err := json.Unmarshal(line, &v); err != nil {
		t.Fatalf("decode reply %q: %v", line, err)
	}
	return showReply(v)
}

func showReply(v any) string {
	switch v := v.(type) {
	case string:
		rest := v[1:]
		switch v[0] {
		case 'i':
			n, _ := new(big.Int).SetString(rest, 16)
			return show(n)
		case 'f':
			if rest == "nan" {
				return show(math.NaN())
			}
			bits, _ := strconv.ParseUint(rest, 16, 64)
			return show(math.Float64frombits(bits))
		}
		raw, _ := hex.DecodeString(rest)
		if v[0] == 'b' {
			return show(raw)
		}
		return show(string(raw))
	case []any:
		parts := make([]string, len(v))
		for i, x := range v {
			parts[i] = showReply(x)
		}
		return "[" + strings.Join(parts, " ") + "]"
	case map[string]any:
		pair := v["e"].([]any)
		return fmt.Sprint("error ", pair[0], ": ", showReply(pair[1]))
	case nil:
		return "none"
	}
	return show(v)
}

func show(v any) string {
	switch v := v.(type) {
	case string:
		return fmt.Sprintf("%+q", v)
	case []byte:
		return fmt.Sprintf("b%+q", v)
	case int:
		return strconv.Itoa(v)
	case *big.Int:
		if v.BitLen() > 4000 {
			return "0x" + v.Text(16)
		}
		return v.String()
	case float64:
		if math.IsNaN(v) {
			return "float nan"
		}
		return fmt.Sprintf("float %x", math.Float64bits(v))
	case []string:
		parts := make([]string, len(v))
		for i, x := range v {
			parts[i] = show(x)
		}
		return "[" + strings.Join(parts, " ") + "]"
	case []any:
		parts := make([]string, len(v))
		for i, x := range v {
			parts[i] = show(x)
		}
		return "[" + strings.Join(parts, " ") + "]"
	case error:
		return fmt.Sprint("error ", errorClass(v), ": ", show(v.Error()))
	}
	return fmt.Sprint(v)
}

func errorClass(err error) string {
	var e *Error
	if errors.As(err, &e) {
		return e.Class
	}
	var u *UnicodeError
	if errors.As(err, &u) {
		return u.Class()
	}
	return "?"
}

// or returns err when it is set, else v.
func or[T any](v T, err error) any {
	if err != nil {
		return err
	}
	return v
}
