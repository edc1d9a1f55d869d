package stdlib

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// tryHeader defines r(f, *args): the repr of a call, or its exception.
const tryHeader = datetimeHeader + `
def r(f, *args):
    try:
        return repr(f(*args))
    except Exception as e:
        return type(e).__name__ + ': ' + str(e)
`

// pick returns one of the words of s.
func pick(rng *rand.Rand, words ...string) string { return words[rng.IntN(len(words))] }

// digits returns n random digits, mostly a small number.
func digits(rng *rand.Rand, n int) string {
	v := rng.IntN(13)
	if rng.IntN(4) == 0 {
		v = rng.IntN(10000)
	}
	s := fmt.Sprintf("%0*d", n, v)
	return s[len(s)-n:]
}

// isoText is a text near the grammar of ISO 8601.
func isoText(rng *rand.Rand) string {
	var b strings.Builder
	sep := pick(rng, "-", "-", "")
	b.WriteString(pick(rng, "2020", "2020", "0001", "9999", "2026", "20é0"))
	switch rng.IntN(4) {
	case 0:
		b.WriteString(sep + "W" + digits(rng, 2))
		if rng.IntN(2) == 0 {
			b.WriteString(pick(rng, sep, sep, "-", "") + digits(rng, 1))
		}
	default:
		b.WriteString(sep + digits(rng, 2) + pick(rng, sep, sep, sep, "-") + digits(rng, 2))
	}
	if rng.IntN(5) == 0 {
		return b.String()
	}
	b.WriteString(pick(rng, "T", "T", " ", "-", "é", "5", "日", ""))
	b.WriteString(clockIso(rng))
	if rng.IntN(2) == 0 {
		b.WriteString(pick(rng, "Z", "+", "-", "+", "-", "z"))
		if rng.IntN(4) > 0 {
			b.WriteString(clockIso(rng))
		}
	}
	return b.String()
}

// clockIso is a text near HH:MM:SS.ffffff.
func clockIso(rng *rand.Rand) string {
	s, colon := digits(rng, 2), pick(rng, ":", ":", "")
	for i := rng.IntN(4); i > 0; i-- {
		s += pick(rng, colon, colon, colon, colon, ":", "") + digits(rng, 2)
	}
	if rng.IntN(3) == 0 {
		s += pick(rng, ".", ".", ",") + strings.Repeat("7", rng.IntN(9))
	}
	return s
}

// batches turns calls into expressions of 50 calls each.
func batches(calls []string) []string {
	var out []string
	for i := 0; i < len(calls); i += 50 {
		out = append(out, "["+strings.Join(calls[i:min(i+50, len(calls))], ", ")+"]")
	}
	return out
}

func TestIsoformatRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var calls []string
	for range 1000 {
		s := isoText(rng)
		calls = append(calls, fmt.Sprintf("r(datetime.fromisoformat, %q)", s), fmt.Sprintf("r(date.fromisoformat, %q)", s[:min(len(s), 7+rng.IntN(4))]))
		calls = append(calls, fmt.Sprintf("r(time.fromisoformat, %q)", pick(rng, "T", "", "")+clockIso(rng)+pick(rng, "", "", "Z", "+01", "-0130:")))
	}
	for i, c := range calls {
		calls[i] = strings.ToValidUTF8(c, "?")
	}
	diffExpressions(t, tryHeader, batches(calls))
}

func TestStrptimeRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	directives := strings.Split("aAbBdfHIjmMpSUwWyYzZGuVcxX%", "")
	var calls []string
	for range 1000 {
		var format strings.Builder
		used := map[string]bool{}
		for range 1 + rng.IntN(5) {
			d := directives[rng.IntN(len(directives))]
			if used[d] && rng.IntN(10) > 0 {
				continue
			}
			used[d] = true
			format.WriteString(pick(rng, "", " ", "-", ".", "  ", "T") + "%" + d)
		}
		f := format.String()
		// The text comes from strftime with the same format, then changes a bit.
		text := fmt.Sprintf("datetime(%d,%d,%d,%d,%d,%d,%d,timezone(timedelta(minutes=%d))).strftime(%q)",
			1+rng.IntN(3)*1000+rng.IntN(30), 1+rng.IntN(12), 1+rng.IntN(28), rng.IntN(24), rng.IntN(60), rng.IntN(60), rng.IntN(1000000), rng.IntN(2000)-1000, f)
		if rng.IntN(4) == 0 {
			text += pick(rng, ".lower()", ".upper()", "[1:]", "+'x'", "+' '", ".replace('0','1')", ".replace(' ','')", ".replace('UTC','gmt')")
		}
		calls = append(calls, fmt.Sprintf("r(datetime.strptime, %s, %q)", text, f))
	}
	diffExpressions(t, tryHeader, batches(calls))
}

func TestStrftimeRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	var calls []string
	for range 1000 {
		var f strings.Builder
		for range 1 + rng.IntN(4) {
			f.WriteString(pick(rng, "", "x", " ", "%%", "%") + "%" + pick(rng, "", "", "-", "_", "0", "^", "#", "5", "E", "O", "012"))
			f.WriteByte("aAbBcCdDeFgGhHIjklmMnpPrRsStTuUVwWxXyYzZf%q"[rng.IntN(43)])
		}
		calls = append(calls, fmt.Sprintf("r(datetime(%d,%d,%d,%d,%d,%d,%d%s).strftime, %q)", 1+rng.IntN(9999), 1+rng.IntN(12), 1+rng.IntN(28),
			rng.IntN(24), rng.IntN(60), rng.IntN(60), rng.IntN(1000000), pick(rng, "", ",timezone.utc", ",timezone(timedelta(hours=-3,seconds=5))"), f.String()))
	}
	diffExpressions(t, tryHeader, batches(calls))
}

// randomDelta is a call of timedelta with a few parts of all sizes.
func randomDelta(rng *rand.Rand) string {
	var parts []string
	for _, name := range deltaParams {
		if rng.IntN(3) > 0 {
			continue
		}
		v := strconv.Itoa(rng.IntN(2000) - 1000)
		switch rng.IntN(5) {
		case 0:
			v = strconv.FormatFloat((rng.Float64()-0.5)*1000, 'g', -1, 64)
		case 1:
			v = strconv.FormatFloat(float64(rng.IntN(100)-50)/2, 'f', -1, 64)
		case 2:
			v = strconv.FormatInt(rng.Int64N(2e12)-1e12, 10)
		}
		parts = append(parts, name+"="+v)
	}
	return "timedelta(" + strings.Join(parts, ",") + ")"
}

func TestDeltaRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	var calls []string
	for range 500 {
		a, b := randomDelta(rng), randomDelta(rng)
		n := pick(rng, "2", "3", "-7", "0", "0.1", "-2.5", "1e-3", "10**20", "True", "7.0", "1e300")
		calls = append(calls,
			fmt.Sprintf("r(lambda: %s %s %s)", a, pick(rng, "+", "-", "/", "//", "%", "<", "=="), b),
			fmt.Sprintf("r(lambda: %s %s %s)", a, pick(rng, "*", "/", "//", "*"), n),
			fmt.Sprintf("r(lambda: (str(%s), %s.total_seconds(), -%s, abs(%s)))", a, b, a, b),
			fmt.Sprintf("r(lambda: divmod(%s, %s))", a, b),
			fmt.Sprintf("r(lambda: datetime(%d,%d,1,5) + %s)", 1+rng.IntN(9999), 1+rng.IntN(12), a),
			fmt.Sprintf("r(lambda: date(%d,%d,1) - %s)", 1+rng.IntN(9999), 1+rng.IntN(12), b),
			fmt.Sprintf("r(datetime.fromtimestamp, %s)", strconv.FormatFloat((rng.Float64()-0.3)*1e10, 'f', rng.IntN(9), 64)))
	}
	diffExpressions(t, tryHeader, batches(calls))
}
