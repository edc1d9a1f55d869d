package stdlib

import (
	"gauntlet/internal/py"
	"gauntlet/internal/py/syntax"
	"gauntlet/internal/py/text"
)

// sortedData is sorted(data).
func sortedData(t *py.Thread, v py.Value) ([]py.Value, error) {
	items, err := t.Collect(v)
	if err != nil {
		return nil, err
	}
	l := t.NewList(items)
	_, err = t.CallMethod(l, "sort")
	return l.Items, err
}

// someData is sortedData that refuses an empty data set.
func someData(t *py.Thread, v py.Value) ([]py.Value, error) {
	data, err := sortedData(t, v)
	if err == nil && len(data) == 0 {
		err = statisticsError("no median for empty data")
	}
	return data, err
}

func statMedian(t *py.Thread, a []py.Value) (py.Value, error) {
	data, err := someData(t, a[0])
	if err != nil {
		return nil, err
	}
	n := len(data)
	if n%2 == 1 {
		return data[n/2], nil
	}
	sum, err := t.BinaryOp(syntax.Add, data[n/2-1], data[n/2])
	if err != nil {
		return nil, err
	}
	return t.BinaryOp(syntax.Div, sum, py.Int(2))
}

func statMedianLow(t *py.Thread, a []py.Value) (py.Value, error) {
	data, err := someData(t, a[0])
	if err != nil {
		return nil, err
	}
	return data[(len(data)-1)/2], nil
}

func statMedianHigh(t *py.Thread, a []py.Value) (py.Value, error) {
	data, err := someData(t, a[0])
	if err != nil {
		return nil, err
	}
	return data[len(data)/2], nil
}

// statMedianGrouped interpolates in the interval around the middle value.
func statMedianGrouped(t *py.Thread, a []py.Value) (py.Value, error) {
	data, err := someData(t, a[0])
	if err != nil {
		return nil, err
	}
	n := len(data)
	mid := data[n/2]
	i, err := bisectLeft(t, data, mid, 0, n)
	if err != nil {
		return nil, err
	}
	j, err := bisectRight(t, data, mid, i, n)
	if err != nil {
		return nil, err
	}
	var fs [2]float64
	for k, v := range []py.Value{given(a[1], py.Float(1)), mid} {
		f, err := t.Call(py.FloatType, []py.Value{v}, nil)
		if _, bad := py.Catch(err, py.ValueErrorType); bad {
			return nil, py.TypeErrorf("Value cannot be converted to a float")
		}
		if err != nil {
			return nil, err
		}
		fs[k] = float64(f.(py.Float))
	}
	width, x := fs[0], fs[1]
	low := x - width/2
	return py.Float(low + float64(width*(float64(n)/2-float64(i)))/float64(j-i)), nil
}

// bisectLeft is the first place in a[lo:hi] whose item is not less than x.
func bisectLeft(t *py.Thread, a []py.Value, x py.Value, lo, hi int) (int, error) {
	for lo < hi {
		mid := (lo + hi) / 2
		less, err := t.Less(a[mid], x)
		if err != nil {
			return 0, err
		}
		if less {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo, nil
}

// countData counts equal values in order of first appearance.
func countData(t *py.Thread, v py.Value) ([]py.Item, error) {
	counts := t.NewDict()
	err := t.ForEach(v, func(x py.Value) error {
		n, err := counts.Get(t, x)
		if err != nil {
			return err
		}
		return counts.Set(t, x, py.Int(1+countOf(n)))
	})
	if err != nil {
		return nil, err
	}
	return counts.Items(t), nil
}

func countOf(v py.Value) int64 {
	if v == nil {
		return 0
	}
	n, _ := py.AsInt(v)
	return n
}

func statMode(t *py.Thread, a []py.Value) (py.Value, error) {
	items, err := countData(t, a[0])
	if err != nil {
		return nil, err
	}
	if len(items) == 0 {
		return nil, statisticsError("no mode for empty data")
	}
	best := items[0]
	for _, it := range items {
		if countOf(it.Value) > countOf(best.Value) {
			best = it
		}
	}
	return best.Key, nil
}

func statMultimode(t *py.Thread, a []py.Value) (py.Value, error) {
	items, err := countData(t, a[0])
	if err != nil {
		return nil, err
	}
	most := int64(0)
	for _, it := range items {
		most = max(most, countOf(it.Value))
	}
	var out []py.Value
	for _, it := range items {
		if countOf(it.Value) == most {
			out = append(out, it.Key)
		}
	}
	return t.NewList(out), nil
}

func statQuantiles(t *py.Thread, a []py.Value) (py.Value, error) {
	n, err := t.AsIndex(given(a[1], py.Int(4)))
	if err != nil {
		return nil, err
	}
	if n < 1 {
		return nil, statisticsError("n must be at least 1")
	}
	data, err := sortedData(t, a[0])
	if err != nil {
		return nil, err
	}
	size := int64(len(data))
	if size < 2 {
		return nil, statisticsError("must have at least two data points")
	}
	method := "exclusive"
	if a[2] != nil {
		s, ok := py.AsStr(a[2])
		if !ok || s.String() != "inclusive" && s.String() != "exclusive" {
			r, err := t.Repr(a[2])
			if ok {
				r = text.Repr(s.String())
			}
			if err != nil {
				return nil, err
			}
			return nil, py.ValueErrorf("Unknown method: %s", r)
		}
		method = s.String()
	}
	if err := t.Alloc(int(min(n, 1<<40)) * 32); err != nil {
		return nil, err
	}
	var out []py.Value
	for i := int64(1); i < n; i++ {
		var at, delta int64
		if method == "inclusive" {
			at, delta = i*(size-1)/n, i*(size-1)%n
		} else {
			at = max(1, min(i*(size+1)/n, size-1))
			delta = i*(size+1) - at*n
			at--
		}
		v, err := interpolate(t, data[at], data[at+1], delta, n)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return t.NewList(out), nil
}

// interpolate is (low*(n-delta) + high*delta) / n.
func interpolate(t *py.Thread, low, high py.Value, delta, n int64) (py.Value, error) {
	if err := t.Charge(4); err != nil {
		return nil, err
	}
	x, err := t.BinaryOp(syntax.Mult, low, py.Int(n-delta))
	if err != nil {
		return nil, err
	}
	y, err := t.BinaryOp(syntax.Mult, high, py.Int(delta))
	if err != nil {
		return nil, err
	}
	if x, err = t.BinaryOp(syntax.Add, x, y); err != nil {
		return nil, err
	}
	return t.BinaryOp(syntax.Div, x, py.Int(n))
}
