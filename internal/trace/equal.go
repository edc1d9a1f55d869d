package trace

// Equal reports whether two values are the same JSON value: numbers compare by
// value (1 equals 1.0 and 10e-1), objects regardless of the order of their
// fields and with the last of duplicate keys, everything else exactly. Absent
// equals only absent.
func Equal(a, b Value) bool {
	if a.kind != b.kind {
		return false
	}
	switch a.kind {
	case KindNumber:
		return equalNumbers(a.text, b.text)
	case KindArray:
		return a.node == b.node || equalItems(a.node.items, b.node.items)
	case KindObject:
		return a.node == b.node || equalFields(a.Distinct(), b.Distinct())
	}
	return a.text == b.text
}

func equalItems(a, b []Value) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !Equal(a[i], b[i]) {
			return false
		}
	}
	return true
}

// equalFields compares objects without duplicate keys.
func equalFields(a, b Value) bool {
	if a.Len() != b.Len() {
		return false
	}
	for _, f := range a.Fields() {
		if !Equal(f.Value, b.Get(f.Key)) {
			return false
		}
	}
	return true
}
