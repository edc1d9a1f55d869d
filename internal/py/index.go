package py

import (
	"math/big"
)

// AsIndex converts an int or object with __index__ to int64: a count or size
// argument of a function. What does not fit is an OverflowError.
func (t *Thread) AsIndex(v Value) (int64, error) {
	b, err := t.index(v)
	if err != nil {
		return 0, err
	}
	if n, ok := AsInt(b); ok {
		return n, nil
	}
	return 0, OverflowErrorf("Python int too large to convert to C ssize_t")
}

// AsSubscript is AsIndex for the i of x[i]: what does not fit is an IndexError.
func (t *Thread) AsSubscript(v Value) (int64, error) {
	b, err := t.index(v)
	if err != nil {
		return 0, err
	}
	if n, ok := AsInt(b); ok {
		return n, nil
	}
	return 0, IndexErrorf("cannot fit '%s' into an index-sized integer", TypeName(v))
}

// AsSlot is AsIndex for the argument of a special method called by name, which
// words the OverflowError in another way.
func (t *Thread) AsSlot(v Value) (int64, error) {
	b, err := t.index(v)
	if err != nil {
		return 0, err
	}
	if n, ok := AsInt(b); ok {
		return n, nil
	}
	return 0, OverflowErrorf("cannot fit '%s' into an index-sized integer", TypeName(v))
}

// checkIndex refuses what a sequence class cannot have as a subscript.
func (t *Thread) checkIndex(key Value) error {
	if !hasIndex(key) {
		return TypeErrorf("sequence index must be integer, not '%s'", TypeName(key))
	}
	if !plain(key) {
		return nil // converted once, by the method
	}
	_, err := t.AsSubscript(key)
	return err
}

// index is operator.index(v): an int value.
func (t *Thread) index(v Value) (Value, error) {
	switch x := Unwrap(v).(type) {
	case Int, *Big:
		return x, nil
	case Bool:
		n, _ := AsInt(x)
		return Int(n), nil
	}
	r, ok, err := t.CallSpecial(v, "__index__")
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, TypeErrorf("'%s' object cannot be interpreted as an integer", TypeName(v))
	}
	switch x := Unwrap(r).(type) {
	case Int, *Big, Bool:
		return x, nil
	}
	return nil, TypeErrorf("__index__ returned non-int (type %s)", TypeName(r))
}

// AsBigInt returns an int, bool or instance of a subclass as big.Int, which
// must not be changed.
func (t *Thread) AsBigInt(v Value) (*big.Int, bool) {
	b := bigOf(Unwrap(v))
	return b, b != nil
}

// AsFloat converts a real number as float arguments of library functions do.
func (t *Thread) AsFloat(v Value) (float64, error) {
	switch x := Unwrap(v).(type) {
	case Float:
		return float64(x), nil
	case Int, Bool, *Big:
		return intToFloat(x)
	}
	if r, ok, err := t.CallSpecial(v, "__float__"); err != nil {
		return 0, err
	} else if ok {
		f, ok := Unwrap(r).(Float)
		if !ok {
			return 0, TypeErrorf("%s.__float__ returned non-float (type %s)", TypeName(v), TypeName(r))
		}
		return float64(f), nil
	}
	if _, ok := v.Type().Lookup("__index__"); ok {
		r, err := t.index(v)
		if err != nil {
			return 0, err
		}
		return intToFloat(r)
	}
	return 0, TypeErrorf("must be real number, not %s", TypeName(v))
}

// sliceBounds resolves a slice against a length, as slice.indices does.
func (t *Thread) sliceBounds(s *Slice, n int) (start, stop, step, count int, err error) {
	get := func(v Value, def int) (int, error) {
		if v == None {
			return def, nil
		}
		b, err := t.sliceIndex(v)
		return b, err
	}
	if step, err = get(s.Step, 1); err != nil {
		return
	}
	if step == 0 {
		err = ValueErrorf("slice step cannot be zero")
		return
	}
	step = max(step, -(1<<62 - 1))
	lo, hi, defStart, defStop := 0, n, 0, n
	if step < 0 {
		lo, hi, defStart, defStop = -1, n-1, n-1, -1
	}
	clamp := func(v Value, def int) (int, error) {
		if v == None {
			return def, nil
		}
		i, err := t.sliceIndex(v)
		if err != nil {
			return 0, err
		}
		if i < 0 {
			i += n
		}
		return min(max(i, lo), hi), nil
	}
	if start, err = clamp(s.Start, defStart); err != nil {
		return
	}
	if stop, err = clamp(s.Stop, defStop); err != nil {
		return
	}
	if step > 0 && stop > start {
		count = (stop - start + step - 1) / step
	} else if step < 0 && start > stop {
		count = (start - stop + -step - 1) / -step
	}
	return
}

// sliceIndex clamps huge indexes instead of failing.
func (t *Thread) sliceIndex(v Value) (int, error) {
	r, err := t.index(v)
	if err != nil {
		if _, ok := Catch(err, TypeErrorType); ok {
			if _, has := v.Type().Lookup("__index__"); !has {
				return 0, TypeErrorf("slice indices must be integers or None or have an __index__ method")
			}
		}
		return 0, err
	}
	if n, ok := AsInt(r); ok {
		return int(min(max(n, -(1<<62)), 1<<62)), nil
	}
	if r.(*Big).V.Sign() < 0 {
		return -(1 << 62), nil
	}
	return 1 << 62, nil
}

func pick[T any](xs []T, start, step, count int) []T {
	out := make([]T, count)
	for i := range out {
		out[i] = xs[start+i*step]
	}
	return out
}

// position resolves an index into [0, n); outside is the text of the
// IndexError.
func (t *Thread) position(key Value, n int, what, outside string) (int, error) {
	i, ok := AsInt(key)
	if !ok {
		if _, has := key.Type().Lookup("__index__"); !has && !isInt(Unwrap(key)) {
			w := what + " indices must be integers or slices, not %s"
			if what == "string" {
				w = "string indices must be integers, not '%s'"
			}
			return 0, TypeErrorf(w, TypeName(key))
		}
		var err error
		if i, err = t.AsSubscript(key); err != nil {
			return 0, err
		}
	}
	if i < 0 {
		i += int64(n)
	}
	if i < 0 || i >= int64(n) {
		return 0, IndexErrorf("%s", outside)
	}
	return int(i), nil
}
