package py

import (
	"math/bits"
	"slices"
)

// This file is the sort of list.sort and sorted: stable, and it compares in the
// same order as CPython on lists below 64 items, so that an unorderable list
// fails on the same pair. Source of the scheme: Peters, "listsort.txt" (natural
// runs, binary insertion up to a minimum run, merging).

// sortItem is a value with the key it is ordered by.
type sortItem struct{ key, value Value }

// sortKeywords picks the two keyword arguments of list.sort.
func sortKeywords(args []Value, kw []Kw) (key, reverse Value, err error) {
	if n := len(args) + len(kw); n > 2 {
		noun := "argument"
		if len(args) == 0 {
			noun = "keyword argument"
		}
		return nil, nil, TypeErrorf("sort() takes at most 2 %ss (%d given)", noun, n)
	}
	if len(args) > 0 {
		return nil, nil, TypeErrorf("sort() takes no positional arguments")
	}
	for _, k := range kw {
		switch k.Name {
		case "key":
			key = k.Value
		case "reverse":
			reverse = k.Value
		default:
			return nil, nil, TypeErrorf("'%s' is an invalid keyword argument for sort()", k.Name)
		}
	}
	return key, reverse, nil
}

// sortOptions converts the key and reverse arguments of list.sort and sorted.
func (t *Thread) sortOptions(key, reverse Value) (Value, bool, error) {
	if key == None {
		key = nil
	}
	if reverse == nil {
		return key, false, nil
	}
	n, err := t.toCInt(reverse)
	return key, n != 0, err
}

// sortValues returns items ordered by key (nil: themselves). items is not
// changed; on an error the result holds the same values in some order.
func (t *Thread) sortValues(items []Value, key Value, reverse bool) ([]Value, error) {
	if err := t.Alloc(48 * len(items)); err != nil {
		return items, err
	}
	work := make([]sortItem, len(items))
	for i, v := range items {
		work[i] = sortItem{v, v}
		if key != nil {
			k, err := t.Call(key, []Value{v}, nil)
			if err != nil {
				return items, err
			}
			work[i].key = k
		}
	}
	if reverse { // twice, so that equal items keep their order
		slices.Reverse(work)
	}
	err := t.mergeSort(work)
	if reverse {
		slices.Reverse(work)
	}
	out := make([]Value, len(work))
	for i := range work {
		out[i] = work[i].value
	}
	return out, err
}

// sortLess compares two keys and charges for it.
func (t *Thread) sortLess(a, b Value) (bool, error) {
	if err := t.Charge(1); err != nil {
		return false, err
	}
	switch x := a.(type) {
	case Int:
		if y, ok := b.(Int); ok {
			return x < y, nil
		}
	case *Str:
		if y, ok := b.(*Str); ok {
			return x.s < y.s, nil
		}
	}
	return t.Less(a, b)
}

// mergeSort sorts in place.
func (t *Thread) mergeSort(s []sortItem) error {
	minRun := minRunLength(len(s))
	var runs []int // ends of the sorted runs found so far
	for lo := 0; lo < len(s); {
		n, err := t.naturalRun(s[lo:])
		if err != nil {
			return err
		}
		if n < minRun {
			force := min(minRun, len(s)-lo)
			if err := t.insertionSort(s[lo:lo+force], n); err != nil {
				return err
			}
			n = force
		}
		lo += n
		runs = append(runs, lo)
		// Merge while the last two runs are of similar length.
		for len(runs) > 1 && (lo == len(s) || runLength(runs, 2) <= 2*runLength(runs, 1)) {
			if runs, err = t.mergeLast(s, runs); err != nil {
				return err
			}
		}
	}
	return nil
}

// runLength is the length of the k-th run from the end, k >= 1.
func runLength(ends []int, k int) int {
	i := len(ends) - k
	if i == 0 {
		return ends[0]
	}
	return ends[i] - ends[i-1]
}

// minRunLength is n itself below 64; else a number in 32..64 such that n
// divided by it is close to, but no more than, a power of two.
func minRunLength(n int) int {
	if n < 64 {
		return n
	}
	shift := bits.Len(uint(n)) - 6
	run := n >> shift
	if n&(1<<shift-1) != 0 {
		run++
	}
	return run
}

// naturalRun returns the length of the run at the start of s and makes it
// ascending.
func (t *Thread) naturalRun(s []sortItem) (int, error) {
	if len(s) < 2 {
		return len(s), nil
	}
	down, err := t.sortLess(s[1].key, s[0].key)
	if err != nil {
		return 0, err
	}
	n := 2
	for ; n < len(s); n++ {
		less, err := t.sortLess(s[n].key, s[n-1].key)
		if err != nil {
			return 0, err
		}
		if less != down {
			break
		}
	}
	if down {
		slices.Reverse(s[:n])
	}
	return n, nil
}

// insertionSort sorts s, whose first n items are in order, by binary insertion.
func (t *Thread) insertionSort(s []sortItem, n int) error {
	for ; n < len(s); n++ {
		pivot := s[n]
		l, r := 0, n
		for l < r {
			mid := l + (r-l)/2
			less, err := t.sortLess(pivot.key, s[mid].key)
			if err != nil {
				return err
			}
			if less {
				r = mid
			} else {
				l = mid + 1
			}
		}
		copy(s[l+1:n+1], s[l:n])
		s[l] = pivot
	}
	return nil
}

// mergeLast merges the last two runs.
func (t *Thread) mergeLast(s []sortItem, ends []int) ([]int, error) {
	k := len(ends)
	hi, mid := ends[k-1], ends[k-2]
	lo := 0
	if k > 2 {
		lo = ends[k-3]
	}
	left := append([]sortItem(nil), s[lo:mid]...)
	at, right := lo, mid
	var err error
	for len(left) > 0 && right < hi {
		var less bool
		if less, err = t.sortLess(s[right].key, left[0].key); err != nil {
			break
		}
		if less {
			s[at] = s[right]
			right++
		} else {
			s[at] = left[0]
			left = left[1:]
		}
		at++
	}
	copy(s[at:], left) // the gap is as long as what is left
	ends[k-2] = hi
	return ends[:k-1], err
}
