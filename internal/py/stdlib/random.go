package stdlib

import (
	"crypto/sha512"
	"math/big"
	"strings"

	"gauntlet/internal/py"
	"gauntlet/internal/py/text"
)

// The random module. The generator is in random_mersenne.go, drawing from
// sequences in random_pick.go, the distributions in random_dist.go. Seeded
// sequences equal CPython's. Without a seed, the seed comes from the thread's
// source. SystemRandom is refused: there is no entropy.

// randomType is random.Random.
var randomType = py.NewType("random", "Random")

// journalHeader is py.Header under a name that does not hide its method.
type journalHeader = py.Header

// randomObject is the built-in part of a Random.
type randomObject struct {
	journalHeader
	mersenne
	hidden   bool     // the thread's own generator, which no transaction restores
	gaussian *float64 // second value of the last pair that gauss made
}

// Type returns random.Random.
func (*randomObject) Type() *py.Type { return randomType }

// Save returns a function that restores the present state.
func (r *randomObject) Save() func() {
	m, g := r.mersenne, r.gaussian
	return func() { r.mersenne, r.gaussian = m, g }
}

// CopyFor copies the generator for a fork.
func (r *randomObject) CopyFor(*py.Copier) (py.Value, error) { return r.Clone().(*randomObject), nil }

// Clone copies the generator for a forked thread.
func (r *randomObject) Clone() py.Local {
	return &randomObject{mersenne: r.mersenne, hidden: r.hidden, gaussian: r.gaussian}
}

// hiddenRandom is the generator behind the module's functions.
func hiddenRandom(t *py.Thread) *randomObject {
	return t.Local("random", func() py.Local {
		r := &randomObject{hidden: true}
		r.seedWords(threadKey(t))
		return r
	}).(*randomObject)
}

// threadKey draws a seed from the thread's source.
func threadKey(t *py.Thread) []uint32 {
	key := make([]uint32, 0, 8)
	for range 4 {
		x := t.Rand().Uint64()
		key = append(key, uint32(x), uint32(x>>32))
	}
	return key
}

// randomMethod is a method of Random that is also a function of the module. A
// signature that ends with "/" marks one that CPython writes in C.
type randomMethod struct {
	name, sig string
	fn        func(t *py.Thread, r *randomObject, a []py.Value) (py.Value, error)
}

var randomMethods = []randomMethod{
	{"seed", "a=None, version=2", randomSeed},
	{"getstate", "", randomGetState},
	{"setstate", "state", randomSetState},
	{"getrandbits", "k, /", randomBits},
	{"randbytes", "n", randomBytes},
	{"random", "/", func(_ *py.Thread, r *randomObject, _ []py.Value) (py.Value, error) { return py.Float(r.float64()), nil }},
	{"randrange", "start, stop=None, step=1", randomRange},
	{"randint", "a, b", randomInt},
	{"choice", "seq", randomChoice},
	{"choices", "population, weights=None, *, cum_weights=None, k=1", randomChoices},
	{"shuffle", "x", randomShuffle},
	{"sample", "population, k, *, counts=None", randomSample},
	{"uniform", "a, b", randomUniform},
	{"triangular", "low=0.0, high=1.0, mode=None", randomTriangular},
	{"normalvariate", "mu=0.0, sigma=1.0", scaledVariate(standardNormal)},
	{"gauss", "mu=0.0, sigma=1.0", scaledVariate(standardGauss)},
	{"lognormvariate", "mu, sigma", randomLogNormal},
	{"expovariate", "lambd", randomExponential},
	{"vonmisesvariate", "mu, kappa", floatVariate("mu kappa", nil, vonMisesVariate)},
	{"gammavariate", "alpha, beta", floatVariate("alpha beta", nil, gammaVariate)},
	{"betavariate", "alpha, beta", floatVariate("alpha beta", nil, betaVariate)},
	{"paretovariate", "alpha", floatVariate("alpha", nil, paretoVariate)},
	{"weibullvariate", "alpha, beta", floatVariate("alpha beta", nil, weibullVariate)},
}

func buildRandom() *py.Module {
	randomType.New = newRandom
	randomType.Finish(
		py.Member{Name: "VERSION", Value: py.Int(3)},
		pyMethod(randomType, "__init__", "x=None", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			return t.CallMethod(self, "seed", given(a[0], py.None))
		}),
	)
	module := []py.Member{{Name: "Random", Value: randomType}}
	for _, m := range randomMethods {
		call := func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			r, ok := py.Unwrap(self).(*randomObject)
			if !ok {
				return nil, py.TypeErrorf("descriptor '%s' for 'Random' objects doesn't apply to a '%s' object", m.name, py.TypeName(self))
			}
			return m.call(t, r, a)
		}
		method := pyMethod(randomType, m.name, m.sig, call)
		if strings.HasSuffix(m.sig, "/") {
			method = py.Def(m.name, m.sig, call)
		}
		randomType.Finish(method)
		module = append(module, py.Member{Name: m.name, Value: py.NewRaw(m.name, func(t *py.Thread, args []py.Value, kw []py.Kw) (py.Value, error) {
			return t.Call(method.Value, append([]py.Value{hiddenRandom(t)}, args...), kw)
		})})
	}
	return py.NewModule("random", module...)
}

func (m *randomMethod) call(t *py.Thread, r *randomObject, a []py.Value) (py.Value, error) {
	if !r.hidden && m.name != "getstate" {
		t.Touch(r)
	}
	if err := t.Charge(2); err != nil {
		return nil, err
	}
	return m.fn(t, r, a)
}

// newRandom is Random(x=None). A subclass is seeded by its __init__.
func newRandom(t *py.Thread, cls *py.Type, args []py.Value, kw []py.Kw) (py.Value, error) {
	if err := t.Alloc(2600); err != nil {
		return nil, err
	}
	r := &randomObject{}
	if cls != randomType {
		r.seedWords(threadKey(t))
		return py.NewInstance(cls, r), nil
	}
	a, err := parsePySig("Random.__init__", "self, x=None").bind(t, append([]py.Value{r}, args...), kw)
	if err != nil {
		return nil, err
	}
	_, err = randomSeed(t, r, []py.Value{a[1], nil})
	return r, err
}

// randomSeed is seed(a, version).
func randomSeed(t *py.Thread, r *randomObject, a []py.Value) (py.Value, error) {
	version := int64(2)
	if a[1] != nil {
		version, _ = py.AsInt(a[1])
	}
	r.gaussian = nil
	if !isSet(a[0]) {
		r.seedWords(threadKey(t))
		return py.None, nil
	}
	if n, ok := t.AsBigInt(a[0]); ok {
		r.seedInt(n)
		return py.None, nil
	}
	data, isText, err := seedText(t, a[0], version)
	if err != nil {
		return nil, err
	}
	if err := t.Alloc(2*len(data) + 64); err != nil {
		return nil, err
	}
	switch {
	case isText && version == 1:
		r.seedInt(oldSeed(data))
	case isText && version == 2:
		sum := sha512.Sum512([]byte(data))
		r.seedInt(new(big.Int).SetBytes(append([]byte(data), sum[:]...)))
	default:
		h, err := t.HashInt(py.Unwrap(a[0]))
		if err != nil {
			return nil, err
		}
		r.seedInt(new(big.Int).SetUint64(uint64(h)))
	}
	return py.None, nil
}

// seedText returns what a str or bytes seeds with: bytes for version 2, code
// points in WTF-8 for version 1. A float is allowed but is no text.
func seedText(t *py.Thread, v py.Value, version int64) (data string, isText bool, err error) {
	switch x := py.Unwrap(v).(type) {
	case *py.Str:
		if version != 2 {
			return x.String(), true, nil
		}
		b, err := t.CallMethod(x, "encode")
		if err != nil {
			return "", false, err
		}
		return b.(*py.Bytes).B, true, nil
	case *py.Bytes:
		if version == 2 {
			return x.B, true, nil
		}
		var b []byte
		for i := range len(x.B) {
			b = text.AppendRune(b, rune(x.B[i]))
		}
		return string(b), true, nil
	case py.Float:
		return "", false, nil
	}
	return "", false, py.TypeErrorf("The only supported seed types are: None,\nint, float, str, bytes, and bytearray.")
}

// oldSeed is the hash of text that version 1 seeds with.
func oldSeed(s string) *big.Int {
	var x uint64
	n := 0
	for rest := s; rest != ""; n++ {
		c, size := text.DecodeRune(rest)
		rest = rest[size:]
		if n == 0 {
			x = uint64(c) << 7
		}
		x = 1000003*x ^ uint64(c)
	}
	return new(big.Int).SetUint64(x ^ uint64(n))
}

func randomGetState(t *py.Thread, r *randomObject, _ []py.Value) (py.Value, error) {
	if err := t.Alloc(16 * 640); err != nil {
		return nil, err
	}
	words := make([]py.Value, 0, len(r.state)+1)
	for _, w := range r.state {
		words = append(words, py.Int(w))
	}
	var g py.Value = py.None
	if r.gaussian != nil {
		g = py.Float(*r.gaussian)
	}
	return py.NewTuple(py.Int(3), py.NewTuple(append(words, py.Int(r.next))...), g), nil
}

func randomSetState(t *py.Thread, r *randomObject, a []py.Value) (py.Value, error) {
	version, err := t.GetItem(a[0], py.Int(0))
	if err != nil {
		return nil, err
	}
	v, ok := py.AsInt(version)
	if !ok || v != 3 && v != 2 {
		s, err := t.Str(version)
		if err != nil {
			return nil, err
		}
		return nil, py.ValueErrorf("state with version %s passed to Random.setstate() of version 3", s)
	}
	parts, err := t.Collect(a[0])
	if err != nil {
		return nil, err
	}
	if len(parts) != 3 {
		return nil, unpackError(len(parts), 3)
	}
	words, ok := py.AsTuple(parts[1])
	if !ok {
		return nil, py.TypeErrorf("state vector must be a tuple")
	}
	if len(words.Items) != len(r.state)+1 {
		return nil, py.ValueErrorf("state vector is the wrong size")
	}
	var m mersenne
	for i, w := range words.Items[:len(m.state)] {
		n, err := t.AsIndex(w)
		if err != nil {
			return nil, err
		}
		if n < 0 && v == 3 {
			return nil, py.OverflowErrorf("can't convert negative value to unsigned int")
		}
		m.state[i] = uint32(n)
	}
	next, err := t.AsIndex(words.Items[len(m.state)])
	if err != nil {
		return nil, err
	}
	if next < 0 || next > int64(len(m.state)) {
		return nil, py.ValueErrorf("invalid state")
	}
	m.next = int(next)
	r.mersenne, r.gaussian = m, nil
	if isSet(parts[2]) {
		g, err := t.AsFloat(parts[2])
		if err != nil {
			return nil, err
		}
		r.gaussian = &g
	}
	return py.None, nil
}

// bitCount checks the argument of getrandbits.
func bitCount(t *py.Thread, v py.Value, unit int) (int, error) {
	k, err := t.AsIndex(v)
	if err != nil {
		return 0, err
	}
	if k < 0 {
		return 0, py.ValueErrorf("number of bits must be non-negative")
	}
	if k > maxBits {
		k = maxBits + 1
	}
	return int(k) * unit, chargeBits(t, float64(k)*float64(unit))
}

func randomBits(t *py.Thread, r *randomObject, a []py.Value) (py.Value, error) {
	k, err := bitCount(t, a[0], 1)
	if err != nil {
		return nil, err
	}
	if k < 64 {
		return py.Int(r.bits(k)), nil
	}
	return py.MakeInt(r.bigBits(k)), nil
}

func randomBytes(t *py.Thread, r *randomObject, a []py.Value) (py.Value, error) {
	k, err := bitCount(t, a[0], 8)
	if err != nil {
		return nil, err
	}
	out := r.bigBits(k).FillBytes(make([]byte, k/8))
	for i, j := 0, len(out)-1; i < j; i, j = i+1, j-1 {
		out[i], out[j] = out[j], out[i]
	}
	return &py.Bytes{B: string(out)}, nil
}
