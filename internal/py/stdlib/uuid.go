package stdlib

import (
	"bytes"
	"crypto/md5"
	"crypto/sha1"
	"encoding/binary"
	"encoding/hex"
	"math/big"
	"strings"

	"gauntlet/internal/py"
	"gauntlet/internal/py/syntax"
	"gauntlet/internal/py/text"
)

// The uuid module. Random identifiers come from the thread's seeded source and
// the time of uuid1 is the virtual clock, so a run makes the same ones again.
var uuidType = py.NewType("uuid", "UUID")

// pyUUID is a uuid.UUID, in network byte order (RFC 4122, section 4.1.2).
type pyUUID [16]byte

// Type returns UUID.
func (*pyUUID) Type() *py.Type { return uuidType }

// uuidNode is the hardware address: "gaunt" behind the bit that marks an
// address as made up (RFC 4122, section 4.5).
const uuidNode = 0x016761756e74

// buildUUID makes the module uuid.
func buildUUID() *py.Module {
	finishUUID()
	named := func(name, prefix string) py.Member {
		u := &pyUUID{}
		_, _ = hex.Decode(u[:], []byte(prefix+"9dad11d180b400c04fd430c8"))
		return py.Member{Name: name, Value: u}
	}
	word := func(name, s string) py.Member { return py.Member{Name: name, Value: py.NewStr(s)} }
	return py.NewModule("uuid",
		py.Member{Name: "UUID", Value: uuidType},
		named("NAMESPACE_DNS", "6ba7b810"),
		named("NAMESPACE_URL", "6ba7b811"),
		named("NAMESPACE_OID", "6ba7b812"),
		named("NAMESPACE_X500", "6ba7b814"),
		word("RESERVED_NCS", variantNCS),
		word("RFC_4122", variantRFC),
		word("RESERVED_MICROSOFT", variantMicrosoft),
		word("RESERVED_FUTURE", variantFuture),
		pyFunc("getnode", "", func(*py.Thread, []py.Value) (py.Value, error) { return py.Int(uuidNode), nil }),
		pyFunc("uuid1", "node=None, clock_seq=None", uuid1),
		pyFunc("uuid3", "namespace, name", func(t *py.Thread, a []py.Value) (py.Value, error) {
			data, err := uuidName(t, a)
			sum := md5.Sum(data)
			return uuidFromHash(sum[:], 3, err)
		}),
		pyFunc("uuid4", "", func(t *py.Thread, _ []py.Value) (py.Value, error) {
			u := &pyUUID{}
			binary.BigEndian.PutUint64(u[:8], t.Rand().Uint64())
			binary.BigEndian.PutUint64(u[8:], t.Rand().Uint64())
			u.setVersion(4)
			return u, nil
		}),
		pyFunc("uuid5", "namespace, name", func(t *py.Thread, a []py.Value) (py.Value, error) {
			data, err := uuidName(t, a)
			sum := sha1.Sum(data)
			return uuidFromHash(sum[:], 5, err)
		}),
	)
}

const (
	variantNCS       = "reserved for NCS compatibility"
	variantRFC       = "specified in RFC 4122"
	variantMicrosoft = "reserved for Microsoft compatibility"
	variantFuture    = "reserved for future definition"
)

// setVersion sets the version and the variant of RFC 4122.
func (u *pyUUID) setVersion(v byte) {
	u[6] = u[6]&0x0F | v<<4
	u[8] = u[8]&0x3F | 0x80
}

// uuidName is the text that uuid3 and uuid5 hash.
func uuidName(t *py.Thread, a []py.Value) ([]byte, error) {
	ns, err := t.GetAttr(a[0], "bytes")
	if err != nil {
		return nil, err
	}
	prefix, ok := py.Unwrap(ns).(*py.Bytes)
	name, isText := textOf(a[1])
	if !ok || !isText {
		return nil, py.TypeErrorf("encoding without a string argument")
	}
	if err := t.Alloc(len(name)); err != nil {
		return nil, err
	}
	return []byte(prefix.B + name), t.Charge(len(name) >> 3)
}

func uuidFromHash(sum []byte, version byte, err error) (py.Value, error) {
	if err != nil {
		return nil, err
	}
	u := &pyUUID{}
	copy(u[:], sum)
	u.setVersion(version)
	return u, nil
}

// uuidClock remembers the last time stamp of uuid1, which must not repeat.
type uuidClock struct{ last int64 }

// Clone copies the state for a fork.
func (c *uuidClock) Clone() py.Local { return &uuidClock{c.last} }

// uuid1 is uuid1(node=None, clock_seq=None). Time counts units of 100 ns since
// 1582-10-15 (RFC 4122, section 4.1.4).
func uuid1(t *py.Thread, a []py.Value) (py.Value, error) {
	stamp := t.Clock().UnixNano()/100 + 0x01b21dd213814000
	state := t.Local("uuid", func() py.Local { return &uuidClock{} }).(*uuidClock)
	stamp = max(stamp, state.last+1)
	state.last = stamp
	node, seq := int64(uuidNode), int64(0)
	for i, at := range []*int64{&node, &seq} {
		switch {
		case isSet(a[i]):
			n, err := t.AsIndex(a[i])
			if err != nil {
				return nil, err
			}
			*at = n
		case i == 1:
			seq = int64(t.Rand().Uint64() >> 50)
		}
	}
	if node < 0 || node >= 1<<48 {
		return nil, py.ValueErrorf("field 6 out of range (need a 48-bit value)")
	}
	u := &pyUUID{}
	binary.BigEndian.PutUint64(u[8:], uint64(node))
	binary.BigEndian.PutUint32(u[0:], uint32(stamp))
	binary.BigEndian.PutUint16(u[4:], uint16(stamp>>32))
	binary.BigEndian.PutUint16(u[6:], uint16(stamp>>48)&0x0FFF)
	binary.BigEndian.PutUint16(u[8:], uint16(seq)&0x3FFF)
	u.setVersion(1)
	return u, nil
}

func (u *pyUUID) integer() *big.Int { return new(big.Int).SetBytes(u[:]) }

// text is the form with hyphens.
func (u *pyUUID) text() string {
	s := hex.EncodeToString(u[:])
	return s[:8] + "-" + s[8:12] + "-" + s[12:16] + "-" + s[16:20] + "-" + s[20:]
}

// littleEndian swaps the byte order of the first three fields.
func (u pyUUID) littleEndian() pyUUID {
	u[0], u[1], u[2], u[3] = u[3], u[2], u[1], u[0]
	u[4], u[5], u[6], u[7] = u[5], u[4], u[7], u[6]
	return u
}

func (u *pyUUID) variant() string {
	switch {
	case u[8] < 0x80:
		return variantNCS
	case u[8] < 0xC0:
		return variantRFC
	case u[8] < 0xE0:
		return variantMicrosoft
	}
	return variantFuture
}

// newUUID is UUID(hex, bytes, bytes_le, fields, int, version, *, is_safe).
func newUUID(t *py.Thread, cls *py.Type, args []py.Value, kw []py.Kw) (py.Value, error) {
	sig := parsePySig("UUID.__init__", "self, hex=None, bytes=None, bytes_le=None, fields=None, int=None, version=None, *, is_safe=None")
	a, err := sig.bind(t, append([]py.Value{py.None}, args...), kw)
	if err != nil {
		return nil, err
	}
	a = a[1:]
	form := -1
	for i := range 5 {
		if !isSet(a[i]) {
			continue
		}
		if form >= 0 {
			form = -1
			break
		}
		form = i
	}
	if form < 0 {
		return nil, py.TypeErrorf("one of the hex, bytes, bytes_le, fields, or int arguments must be given")
	}
	u := &pyUUID{}
	switch v := a[form]; form {
	case 0:
		err = u.fromHex(t, v)
	case 1:
		err = u.fromBytes(t, v, "bytes")
	case 2:
		err = u.fromBytes(t, v, "bytes_le")
		*u = u.littleEndian()
	case 3:
		err = u.fromFields(t, v)
	case 4:
		err = u.fromInt(t, v)
	}
	if err == nil && isSet(a[5]) {
		n, ok := py.AsInt(a[5])
		if !ok || n < 1 || n > 5 {
			return nil, py.ValueErrorf("illegal version number")
		}
		u.setVersion(byte(n))
	}
	if err != nil {
		return nil, err
	}
	return wrapAs(cls, u), nil
}

func (u *pyUUID) fromHex(t *py.Thread, v py.Value) error {
	s, ok := textOf(v)
	if !ok {
		if _, isBytes := py.Unwrap(v).(*py.Bytes); isBytes {
			return py.TypeErrorf("a bytes-like object is required, not 'str'")
		}
		_, err := t.GetAttr(v, "replace")
		if err == nil {
			err = py.ValueErrorf("badly formed hexadecimal UUID string")
		}
		return err
	}
	if err := t.Charge(len(s) >> 3); err != nil {
		return err
	}
	s = strings.ReplaceAll(strings.ReplaceAll(s, "urn:", ""), "uuid:", "")
	s = strings.ReplaceAll(strings.Trim(s, "{}"), "-", "")
	if text.Len(s) != 32 {
		return py.ValueErrorf("badly formed hexadecimal UUID string")
	}
	small, large, err := text.ParseInt(s, 16)
	if err != nil {
		return py.ValueErrorf("invalid literal for int() with base 16: %s", text.Repr(s))
	}
	if large == nil {
		large = big.NewInt(small)
	}
	return u.fromInt(t, py.MakeInt(large))
}

func (u *pyUUID) fromBytes(t *py.Thread, v py.Value, name string) error {
	n, err := t.Len(v)
	if err != nil {
		return err
	}
	if n != 16 {
		return py.ValueErrorf("%s is not a 16-char string", name)
	}
	b, ok := py.Unwrap(v).(*py.Bytes)
	if !ok {
		s, err := t.Repr(v)
		if err != nil {
			return err
		}
		return py.RaiseType(py.AssertionErrorType, "%s", s)
	}
	copy(u[:], b.B)
	return nil
}

func (u *pyUUID) fromInt(t *py.Thread, v py.Value) error {
	n, ok := t.AsBigInt(v)
	if !ok {
		limit := py.MakeInt(new(big.Int).Lsh(big.NewInt(1), 128))
		for _, c := range []struct {
			op   syntax.CmpOp
			a, b py.Value
		}{{syntax.LtE, py.Int(0), v}, {syntax.Lt, v, limit}} {
			r, err := t.Compare(c.op, c.a, c.b)
			inside, err := truthOf(t, r, err)
			if err != nil {
				return err
			}
			if !inside {
				return py.ValueErrorf("int is out of range (need a 128-bit value)")
			}
		}
		return py.TypeErrorf("%%x format: an integer is required, not %s", py.TypeName(v))
	}
	if n.Sign() < 0 || n.BitLen() > 128 {
		return py.ValueErrorf("int is out of range (need a 128-bit value)")
	}
	n.FillBytes(u[:])
	return nil
}

// uuidFields gives the widths of the six fields in bits.
var uuidFields = [...]struct {
	name string
	bits int
}{{"time_low", 32}, {"time_mid", 16}, {"time_hi_version", 16}, {"clock_seq_hi_variant", 8}, {"clock_seq_low", 8}, {"node", 48}}

func (u *pyUUID) fromFields(t *py.Thread, v py.Value) error {
	size, err := t.Len(v)
	if err != nil {
		return err
	}
	if size != 6 {
		return py.ValueErrorf("fields is not a 6-tuple")
	}
	items, err := t.Collect(v)
	if err != nil {
		return err
	}
	at := 0
	for i, f := range uuidFields {
		n, ok := t.AsBigInt(items[i])
		if !ok {
			if _, err := t.Compare(syntax.LtE, py.Int(0), items[i]); err != nil {
				return err
			}
			return py.TypeErrorf("unsupported operand type(s) for <<: '%s' and 'int'", py.TypeName(items[i]))
		}
		if n.Sign() < 0 || n.BitLen() > f.bits {
			article := "a"
			if f.bits == 8 {
				article = "an"
			}
			return py.ValueErrorf("field %d out of range (need %s %d-bit value)", i+1, article, f.bits)
		}
		n.FillBytes(u[at : at+f.bits/8])
		at += f.bits / 8
	}
	return nil
}

// finishUUID attaches the constructor and methods of UUID.
func finishUUID() {
	uuidType.New = newUUID
	uuidType.Finish(uuidAttributes()...)
	method := func(name string, fn func(t *py.Thread, u *pyUUID) (py.Value, error)) py.Member {
		return py.Def(name, "/", func(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			return fn(t, py.Unwrap(self).(*pyUUID))
		})
	}
	uuidType.Finish(
		method("__str__", func(_ *py.Thread, u *pyUUID) (py.Value, error) { return py.NewStr(u.text()), nil }),
		method("__int__", func(_ *py.Thread, u *pyUUID) (py.Value, error) { return py.MakeInt(u.integer()), nil }),
		method("__hash__", func(t *py.Thread, u *pyUUID) (py.Value, error) {
			h, err := t.HashInt(py.MakeInt(u.integer()))
			return py.Int(h), err
		}),
		py.Def("__repr__", "/", func(_ *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			return py.NewStr(py.TypeName(self) + "('" + py.Unwrap(self).(*pyUUID).text() + "')"), nil
		}),
		py.Def("__setattr__", "name, value, /", func(*py.Thread, py.Value, []py.Value) (py.Value, error) {
			return nil, errUUIDFixed()
		}),
	)
	uuidType.Finish(comparisons(func(_ *py.Thread, _ syntax.CmpOp, self, other py.Value) (int, py.Value, error) {
		v, ok := py.Unwrap(other).(*pyUUID)
		if !ok {
			return 0, py.NotImplemented, nil
		}
		u := py.Unwrap(self).(*pyUUID)
		return bytes.Compare(u[:], v[:]), nil, nil
	})...)
}

func errUUIDFixed() error { return py.TypeErrorf("UUID objects are immutable") }

// uuidAttributes are the computed attributes of a UUID.
func uuidAttributes() []py.Member {
	attr := func(name string, fn func(u *pyUUID) py.Value) py.Member {
		return py.Member{Name: name, Value: &py.Getter{
			Name: name,
			Fn: func(_ *py.Thread, self py.Value) (py.Value, error) {
				return fn(py.Unwrap(self).(*pyUUID)), nil
			},
			Set: func(*py.Thread, py.Value, py.Value) error { return errUUIDFixed() },
		}}
	}
	var out []py.Member
	at := 0
	for _, f := range uuidFields {
		from, to := at, at+f.bits/8
		at = to
		out = append(out, attr(f.name, func(u *pyUUID) py.Value { return u.field(from, to) }))
	}
	return append(out,
		attr("hex", func(u *pyUUID) py.Value { return py.NewStr(hex.EncodeToString(u[:])) }),
		attr("int", func(u *pyUUID) py.Value { return py.MakeInt(u.integer()) }),
		attr("bytes", func(u *pyUUID) py.Value { return &py.Bytes{B: string(u[:])} }),
		attr("bytes_le", func(u *pyUUID) py.Value { le := u.littleEndian(); return &py.Bytes{B: string(le[:])} }),
		attr("fields", func(u *pyUUID) py.Value {
			return py.NewTuple(u.field(0, 4), u.field(4, 6), u.field(6, 8), u.field(8, 9), u.field(9, 10), u.field(10, 16))
		}),
		attr("urn", func(u *pyUUID) py.Value { return py.NewStr("urn:uuid:" + u.text()) }),
		attr("time", func(u *pyUUID) py.Value {
			b := [8]byte{u[6] & 0x0F, u[7], u[4], u[5], u[0], u[1], u[2], u[3]}
			return py.Int(binary.BigEndian.Uint64(b[:]))
		}),
		attr("clock_seq", func(u *pyUUID) py.Value { return py.Int(int(u[8]&0x3F)<<8 | int(u[9])) }),
		attr("variant", func(u *pyUUID) py.Value { return py.NewStr(u.variant()) }),
		attr("version", func(u *pyUUID) py.Value {
			if u.variant() != variantRFC {
				return py.None
			}
			return py.Int(u[6] >> 4)
		}))
}

// field reads bytes from to to-1 as a number.
func (u *pyUUID) field(from, to int) py.Value {
	var b [8]byte
	copy(b[8-(to-from):], u[from:to])
	return py.Int(binary.BigEndian.Uint64(b[:]))
}
