package text

import (
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
)

// rounds scales the number of random cases: the default keeps the test short,
// GAUNTLET_ORACLE_ROUNDS=20 asks for twenty times as many.
func rounds(n int) int {
	if k, err := strconv.Atoi(os.Getenv("GAUNTLET_ORACLE_ROUNDS")); err == nil && k > 0 {
		return n * k
	}
	return n
}

// gen makes random arguments; the seed is fixed so that failures repeat.
type gen struct{ *rand.Rand }

func newGen(seed uint64) gen { return gen{rand.New(rand.NewPCG(seed, 14))} }

// pick returns one of the choices.
func (g gen) pick(choices ...string) string { return choices[g.IntN(len(choices))] }

// maybe returns s or nothing.
func (g gen) maybe(s string) string {
	if g.IntN(2) == 0 {
		return s
	}
	return ""
}

// from returns up to n pieces, drawn from the code points of alphabet.
func (g gen) from(alphabet string, n int) string {
	var b strings.Builder
	size := Len(alphabet)
	for range g.IntN(n + 1) {
		c, _ := Index(alphabet, g.IntN(size))
		b.WriteString(c)
	}
	return b.String()
}

// text returns up to n code points of all kinds.
func (g gen) text(n int) string {
	var b []byte
	for range g.IntN(n + 1) {
		switch g.IntN(8) {
		case 0:
			b = AppendRune(b, rune(g.IntN(0x110000)))
		case 1:
			b = AppendRune(b, rune(0xD800+g.IntN(0x800)))
		case 2:
			b = AppendRune(b, rune(g.IntN(0x300)))
		case 3:
			b = append(b, g.pick("\t", "\n", "\r", "\r\n", "\x0b", "\x1c", "\u0085", "\u2028", "\u00a0", " ", "  ")...)
		case 4:
			b = append(b, g.pick("'", `"`, `\`, "Σ", "ß", "İ", "ﬃ", "٣", "😀", "é", "ab", "aa")...)
		default:
			b = append(b, byte(' '+g.IntN(95)))
		}
	}
	return string(b)
}

// float returns a float64 of any kind, often a short or a troublesome one.
func (g gen) float() float64 {
	switch g.IntN(8) {
	case 0:
		return math.Float64frombits(g.Uint64())
	case 1:
		return float64(g.IntN(2000000)-1000000) / 1000
	case 2:
		return float64(g.IntN(200000)-100000) / 8 // ties
	case 3:
		return math.Pow(10, float64(g.IntN(640)-330)) * float64(1-2*g.IntN(2))
	case 4:
		return math.Ldexp(float64(g.IntN(3)+1), g.IntN(2100)-1074)
	case 5:
		special := []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), 1, -1, 0.5, 1.5, 2.5,
			9.5, 99.5, 0.0001, 0.00001, 1e15, 1e16, 1e17, 123456789012345680, 9999999999999998, math.MaxFloat64, 5e-324}
		return special[g.IntN(len(special))]
	case 6:
		return float64(g.Int64())
	}
	return (g.Float64() - 0.5) * math.Pow(10, float64(g.IntN(40)-20))
}

// int returns an integer of up to bits bits.
func (g gen) int(bits int) *big.Int {
	n := big.NewInt(int64(g.IntN(200) - 100))
	for n.BitLen() < g.IntN(bits+1) {
		n.Lsh(n, uint(g.IntN(64)+1)).Add(n, big.NewInt(int64(g.Uint32())))
	}
	return n
}
