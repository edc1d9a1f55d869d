package py

// rangeMembers are the methods and attributes of range.
func rangeMembers() []Member {
	return []Member{
		Def("count", "value, /", func(t *Thread, self Value, a []Value) (Value, error) {
			r := self.(*Range)
			if isInt(a[0]) { // exactly int or bool: the place is computed
				if _, ok := r.find(bigOf(a[0])); ok {
					return Int(1), nil
				}
				return Int(0), nil
			}
			count := 0
			err := t.ForEach(r, func(x Value) error {
				same, err := t.same(x, a[0])
				if same {
					count++
				}
				return err
			})
			return Int(count), err
		}),
		Def("index", "value, /", rangeIndex),
		Get("start", func(_ *Thread, self Value) (Value, error) {
			start, _, _, _ := self.(*Range).parts()
			return MakeInt(start), nil
		}),
		Get("stop", func(_ *Thread, self Value) (Value, error) {
			_, stop, _, _ := self.(*Range).parts()
			return MakeInt(stop), nil
		}),
		Get("step", func(_ *Thread, self Value) (Value, error) {
			_, _, step, _ := self.(*Range).parts()
			return MakeInt(step), nil
		}),
	}
}

func rangeIndex(t *Thread, self Value, a []Value) (Value, error) {
	r := self.(*Range)
	if isInt(a[0]) {
		if i, ok := r.find(bigOf(a[0])); ok {
			return MakeInt(i), nil
		}
		text, err := t.Repr(a[0])
		if err != nil {
			return nil, err
		}
		return nil, ValueErrorf("%s is not in range", text)
	}
	i := 0
	found, err := t.until(r, func(x Value) (bool, error) {
		same, err := t.same(x, a[0])
		if !same {
			i++
		}
		return same, err
	})
	if err == nil && !found {
		err = ValueErrorf("sequence.index(x): x not in sequence")
	}
	return Int(i), err
}

// sliceMembers are the methods and attributes of slice.
func sliceMembers() []Member {
	return []Member{
		Def("indices", "length, /", func(t *Thread, self Value, a []Value) (Value, error) {
			i, err := t.index(a[0])
			if err != nil {
				return nil, err
			}
			n, ok := AsInt(i)
			if !ok {
				return nil, OverflowErrorf("cannot fit '%s' into an index-sized integer", TypeName(a[0]))
			}
			if n < 0 {
				return nil, ValueErrorf("length should not be negative")
			}
			start, stop, step, _, err := t.sliceBounds(self.(*Slice), int(n))
			if err != nil {
				return nil, err
			}
			return NewTuple(Int(start), Int(stop), Int(step)), nil
		}),
		Get("start", func(_ *Thread, self Value) (Value, error) { return self.(*Slice).Start, nil }),
		Get("stop", func(_ *Thread, self Value) (Value, error) { return self.(*Slice).Stop, nil }),
		Get("step", func(_ *Thread, self Value) (Value, error) { return self.(*Slice).Step, nil }),
	}
}
