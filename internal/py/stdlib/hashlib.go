package stdlib

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha3"
	"crypto/sha512"
	"encoding/hex"
	"hash"
	"strings"

	"gauntlet/internal/py"
)

// The hashlib module: the digests that Go's standard library has. blake2 and
// the shake functions are refused.

// hashers are the algorithms by name.
var hashers = []struct {
	name string
	mk   func() hash.Hash
}{
	{"md5", md5.New}, {"sha1", sha1.New}, {"sha224", sha256.New224}, {"sha256", sha256.New}, {"sha384", sha512.New384}, {"sha512", sha512.New},
	{"sha3_224", func() hash.Hash { return sha3.New224() }}, {"sha3_256", func() hash.Hash { return sha3.New256() }},
	{"sha3_384", func() hash.Hash { return sha3.New384() }}, {"sha3_512", func() hash.Hash { return sha3.New512() }},
}

// hashType is the class of hash objects.
var hashType = py.NewType("_hashlib", "HASH")

// hashObject keeps what it was fed, since a digest may be asked for at any
// time and the object may be copied for a fork.
type hashObject struct {
	journalHeader
	name string
	mk   func() hash.Hash
	data []byte
}

// Type returns _hashlib.HASH.
func (*hashObject) Type() *py.Type { return hashType }

// Save returns a function that restores the present content.
func (h *hashObject) Save() func() {
	data := h.data[:len(h.data):len(h.data)]
	return func() { h.data = data }
}

// CopyFor copies the object for a fork.
func (h *hashObject) CopyFor(*py.Copier) (py.Value, error) { return h.clone(), nil }

func (h *hashObject) clone() *hashObject {
	return &hashObject{name: h.name, mk: h.mk, data: h.data[:len(h.data):len(h.data)]}
}

func (h *hashObject) sum(t *py.Thread) ([]byte, error) {
	if err := t.Charge(64 + len(h.data)/16); err != nil {
		return nil, err
	}
	x := h.mk()
	x.Write(h.data)
	return x.Sum(nil), nil
}

// feed appends the content of a bytes object.
func (h *hashObject) feed(t *py.Thread, v py.Value) error {
	switch x := py.Unwrap(v).(type) {
	case *py.Bytes:
		if err := t.Alloc(2*len(x.B) + 128); err != nil {
			return err
		}
		h.data = append(h.data, x.B...)
		return nil
	case *py.Str:
		return py.TypeErrorf("Strings must be encoded before hashing")
	}
	return py.TypeErrorf("object supporting the buffer API required")
}

func buildHashlib() *py.Module {
	hashType.Finish(
		py.Get("name", func(_ *py.Thread, self py.Value) (py.Value, error) { return py.NewStr(self.(*hashObject).name), nil }),
		py.Get("digest_size", func(_ *py.Thread, self py.Value) (py.Value, error) {
			return py.Int(self.(*hashObject).mk().Size()), nil
		}),
		py.Get("block_size", func(_ *py.Thread, self py.Value) (py.Value, error) {
			return py.Int(self.(*hashObject).mk().BlockSize()), nil
		}),
		py.Def("update", "obj, /", func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
			t.Touch(self.(*hashObject))
			return py.None, self.(*hashObject).feed(t, a[0])
		}),
		py.Def("digest", "/", func(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			b, err := self.(*hashObject).sum(t)
			return &py.Bytes{B: string(b)}, err
		}),
		py.Def("hexdigest", "/", func(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			b, err := self.(*hashObject).sum(t)
			return py.NewStr(hex.EncodeToString(b)), err
		}),
		py.Def("copy", "/", func(_ *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			return self.(*hashObject).clone(), nil
		}),
		py.Def("__repr__", "/", func(_ *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			return py.NewStr("<" + self.(*hashObject).name + " _hashlib.HASH object @ 0x7f0000000000>"), nil
		}),
	)
	var names []string
	members := []py.Member{pyFunc("new", "name, data=b'', **kwargs", func(t *py.Thread, a []py.Value) (py.Value, error) {
		s, ok := py.AsStr(a[0])
		if !ok {
			return nil, py.TypeErrorf("new() argument 'name' must be str, not %s", argTypeName(a[0]))
		}
		for _, h := range hashers {
			if h.name == strings.ReplaceAll(strings.ToLower(s.String()), "-", "_") || h.name == strings.ToLower(s.String()) {
				return newHash(t, h.name, h.mk, a[1])
			}
		}
		return nil, py.ValueErrorf("unsupported hash type %s", s.String())
	})}
	for _, h := range hashers {
		names = append(names, h.name)
		members = append(members, py.Func("openssl_"+h.name, "string=b'', *, usedforsecurity=True", func(t *py.Thread, a []py.Value) (py.Value, error) {
			return newHash(t, h.name, h.mk, a[0])
		}))
		members[len(members)-1].Name = h.name
	}
	return py.NewModule("hashlib", append(members, py.Member{Name: "algorithms_available", Value: frozenNames(names)})...)
}

func newHash(t *py.Thread, name string, mk func() hash.Hash, data py.Value) (py.Value, error) {
	h := &hashObject{name: name, mk: mk}
	if err := t.Alloc(128); err != nil {
		return nil, err
	}
	if data != nil {
		if err := h.feed(t, data); err != nil {
			return nil, err
		}
	}
	return h, nil
}

// frozenNames is a tuple of names that a program may only read.
func frozenNames(names []string) py.Value {
	items := make([]py.Value, len(names))
	for i, n := range names {
		items[i] = py.NewStr(n)
	}
	return py.NewTuple(items...)
}
