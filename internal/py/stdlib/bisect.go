package stdlib

import "gauntlet/internal/py"

// The bisect module.

func buildBisect() *py.Module {
	find := func(right bool) py.NativeFunc {
		return func(t *py.Thread, a []py.Value) (py.Value, error) {
			i, err := bisectPlace(t, a, a[1], right)
			return py.Int(i), err
		}
	}
	insert := func(right bool) py.NativeFunc {
		return func(t *py.Thread, a []py.Value) (py.Value, error) {
			x := a[1]
			if isSet(a[4]) {
				var err error
				if x, err = t.Call(a[4], []py.Value{x}, nil); err != nil {
					return nil, err
				}
			}
			i, err := bisectPlace(t, a, x, right)
			if err != nil {
				return nil, err
			}
			_, err = t.CallMethod(a[0], "insert", py.Int(i), a[1])
			return py.None, err
		}
	}
	const sig = "a, x, lo=0, hi=None, *, key=None"
	right, insertRight := py.NewFunc("bisect_right", sig, find(true)), py.NewFunc("insort_right", sig, insert(true))
	return py.NewModule("bisect",
		py.Member{Name: "bisect", Value: right}, py.Member{Name: "bisect_right", Value: right}, py.Func("bisect_left", sig, find(false)),
		py.Member{Name: "insort", Value: insertRight}, py.Member{Name: "insort_right", Value: insertRight}, py.Func("insort_left", sig, insert(false)),
	)
}

// bisectPlace finds where x belongs in the sequence a[0] between the bounds
// a[2] and a[3], comparing through the key function a[4].
func bisectPlace(t *py.Thread, a []py.Value, x py.Value, right bool) (int64, error) {
	var lo, hi int64
	var err error
	if a[2] != nil {
		if lo, err = t.AsIndex(a[2]); err != nil {
			return 0, err
		}
	}
	if lo < 0 {
		return 0, py.ValueErrorf("lo must be non-negative")
	}
	if isSet(a[3]) {
		hi, err = t.AsIndex(a[3])
	} else {
		var n int
		n, err = t.Len(a[0])
		hi = int64(n)
	}
	for err == nil && lo < hi {
		mid := lo + (hi-lo)/2
		var less bool
		if less, err = bisectLess(t, a, x, mid, right); err != nil {
			break
		}
		if less == right {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return lo, err
}

// bisectLess is x < item for the right place, item < x for the left one.
func bisectLess(t *py.Thread, a []py.Value, x py.Value, i int64, right bool) (bool, error) {
	if err := t.Charge(1); err != nil {
		return false, err
	}
	item, err := t.GetItem(a[0], py.Int(i))
	if err == nil && isSet(a[4]) {
		item, err = t.Call(a[4], []py.Value{item}, nil)
	}
	if err != nil {
		return false, err
	}
	if right {
		return t.Less(x, item)
	}
	return t.Less(item, x)
}
