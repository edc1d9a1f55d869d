package stdlib

import (
	"gauntlet/internal/py"
)

// This file is the module copy.

var copyErrorType = py.NewType("copy", "Error", py.ExceptionType)

// buildCopy makes the module copy.
func buildCopy() *py.Module {
	return py.NewModule("copy",
		pyFunc("copy", "x", func(t *py.Thread, a []py.Value) (py.Value, error) { return shallowCopy(t, a[0]) }),
		pyFunc("deepcopy", "x, memo=None, _nil=None", func(t *py.Thread, a []py.Value) (py.Value, error) {
			c, err := copierFor(t, a[1])
			if err != nil {
				return nil, err
			}
			t.SawDeep(a[0])
			return c.copy(a[0])
		}),
		py.Member{Name: "Error", Value: copyErrorType},
		py.Member{Name: "error", Value: copyErrorType},
	)
}

// deepCopier copies an object graph. Aliases stay aliases and cycles stay
// cycles through memo.
type deepCopier struct {
	t    *py.Thread
	memo map[py.Value]py.Value
	dict *py.Dict // what __deepcopy__ methods get as memo; it holds the copier
}

// Type returns object: Python code only passes a copier on, inside its dict.
func (*deepCopier) Type() *py.Type { return py.ObjectType }

func newDeepCopier(t *py.Thread) *deepCopier {
	return &deepCopier{t: t, memo: map[py.Value]py.Value{}}
}

// memoKey is the key under which a memo dict holds its copier.
var memoKey = py.NewStr("\x00copier")

// copierFor finds the copier behind a memo argument, or makes one.
func copierFor(t *py.Thread, memo py.Value) (*deepCopier, error) {
	c := newDeepCopier(t)
	if !isSet(memo) {
		return c, nil
	}
	d, ok := py.AsDict(memo)
	if !ok {
		return c, nil
	}
	v, err := d.Get(t, memoKey)
	if err != nil {
		return nil, err
	}
	if old, ok := v.(*deepCopier); ok {
		return old, nil
	}
	c.dict = d
	return c, d.Set(t, memoKey, c)
}

// memoDict is the dict to pass to a __deepcopy__ method.
func (c *deepCopier) memoDict() (*py.Dict, error) {
	if c.dict == nil {
		c.dict = c.t.NewDict()
		return c.dict, c.dict.Set(c.t, memoKey, c)
	}
	return c.dict, nil
}

// copy returns a deep copy of v; immutable values are returned as they are.
func (c *deepCopier) copy(v py.Value) (py.Value, error) {
	switch v.(type) {
	case *py.Str, py.Int, py.Float, py.Bool, py.NoneType, *py.Big, *py.Bytes, *py.Range, *py.Function, *py.Native, *py.Type, py.EllipsisType, py.NotImplementedType, *py.Property:
		return v, nil
	}
	t := c.t
	if err := t.Charge(2); err != nil {
		return nil, err
	}
	if err := t.Enter(); err != nil {
		return nil, err
	}
	defer t.Leave()
	switch x := v.(type) {
	case *py.List:
		return c.list(x)
	case *py.Dict:
		if n, ok := c.memo[x]; ok {
			return n, nil
		}
		n := t.NewDict()
		c.memo[x] = n
		return n, c.items(n, x)
	case *py.Tuple:
		return c.tuple(x)
	case *py.Set:
		return c.set(x)
	case *py.Instance:
		if n, ok := c.memo[x]; ok {
			return n, nil
		}
		return c.instance(x)
	case *py.Method:
		self, err := c.copy(x.Self)
		return &py.Method{Fn: x.Fn, Self: self}, err
	}
	return c.other(v)
}

func (c *deepCopier) list(x *py.List) (py.Value, error) {
	if n, ok := c.memo[x]; ok {
		return n, nil
	}
	if err := c.t.Alloc(24 + 16*len(x.Items)); err != nil {
		return nil, err
	}
	n := c.t.NewList(make([]py.Value, 0, len(x.Items)))
	c.memo[x] = n
	for i := 0; i < len(x.Items); i++ {
		item, err := c.copy(x.At(c.t, i))
		if err != nil {
			return nil, err
		}
		n.Items = append(n.Items, item)
	}
	return n, c.t.Charge(len(x.Items))
}

// items puts copies of the items of src into dst.
func (c *deepCopier) items(dst, src *py.Dict) error {
	if err := c.t.Charge(src.Len()); err != nil {
		return err
	}
	for _, it := range src.Items(c.t) {
		k, err := c.copy(it.Key)
		if err != nil {
			return err
		}
		v, err := c.copy(it.Value)
		if err != nil {
			return err
		}
		if err := dst.Set(c.t, k, v); err != nil {
			return err
		}
	}
	return nil
}

// tuple returns x itself when no item changes by copying.
func (c *deepCopier) tuple(x *py.Tuple) (py.Value, error) {
	if n, ok := c.memo[x]; ok {
		return n, nil
	}
	if err := c.t.Alloc(24 + 16*len(x.Items)); err != nil {
		return nil, err
	}
	items := make([]py.Value, len(x.Items))
	same := true
	for i, v := range x.Items {
		n, err := c.copy(v)
		if err != nil {
			return nil, err
		}
		items[i] = n
		same = same && n == v
	}
	if n, ok := c.memo[x]; ok { // a cycle through the tuple has made it
		return n, nil
	}
	var n py.Value = x
	if !same {
		n = py.NewTuple(items...)
	}
	c.memo[x] = n
	return n, nil
}

func (c *deepCopier) set(x *py.Set) (py.Value, error) {
	if n, ok := c.memo[x]; ok {
		return n, nil
	}
	n, err := c.t.NewSet()
	if err != nil {
		return nil, err
	}
	c.memo[x] = n
	for _, v := range x.Items(c.t) {
		k, err := c.copy(v)
		if err != nil {
			return nil, err
		}
		if err := n.Add(c.t, k); err != nil {
			return nil, err
		}
	}
	n.Frozen = x.Frozen
	return n, nil
}

// instance copies an object: by its __deepcopy__, or its built-in part and its
// attributes.
func (c *deepCopier) instance(x *py.Instance) (py.Value, error) {
	t := c.t
	if x.Type().IsSubclass(enumType) {
		return x, nil
	}
	own, err := t.LookupAttr(x, "__deepcopy__")
	if err != nil {
		return nil, err
	}
	if own != nil && own != py.None {
		d, err := c.memoDict()
		if err != nil {
			return nil, err
		}
		n, err := t.Call(own, []py.Value{d}, nil)
		if err == nil {
			c.memo[x] = n
		}
		return n, err
	}
	if err := t.Alloc(128); err != nil {
		return nil, err
	}
	n := py.NewInstance(x.Type(), nil)
	if x.Type().IsSubclass(py.BaseExceptionType) {
		args := append([]py.Value(nil), py.ExcArgs(x)...)
		for i := range args {
			var err error
			if args[i], err = c.copy(args[i]); err != nil {
				return nil, err
			}
		}
		n = py.NewException(x.Type(), args...)
	}
	c.memo[x] = n
	if p := x.Payload(); p != nil {
		n.SetPayload(p) // for cycles; replaced below
		p, err := ownItems(t, x, p)
		if err != nil {
			return nil, err
		}
		copied, err := c.copy(p)
		if err != nil {
			return nil, err
		}
		n.SetPayload(copied)
	}
	return n, copyState(t, x, n, c.copy)
}

// copyState gives n the attributes of x, each passed through fn. A class's own
// __getstate__ and __setstate__ are honoured.
func copyState(t *py.Thread, x, n *py.Instance, fn func(py.Value) (py.Value, error)) error {
	var state py.Value
	if f, ok := x.Type().Lookup("__getstate__"); ok {
		if _, own := f.(*py.Function); own {
			v, _, err := t.CallSpecial(x, "__getstate__")
			if err != nil {
				return err
			}
			state = v
		}
	}
	set, hasSet := x.Type().Lookup("__setstate__")
	if state == nil && hasSet {
		if _, own := set.(*py.Function); own {
			state = x.Attrs()
		}
	}
	if state != nil {
		copied, err := fn(state)
		if err != nil {
			return err
		}
		if hasSet {
			_, _, err := t.CallSpecial(n, "__setstate__", copied)
			return err
		}
		if d, ok := py.AsDict(copied); ok {
			return n.Attrs().Update(t, d)
		}
		return nil
	}
	if x.Attrs() == nil {
		return nil
	}
	for _, it := range x.Attrs().Items(t) {
		v, err := fn(it.Value)
		if err != nil {
			return err
		}
		if err := n.Attrs().Set(t, it.Key, v); err != nil {
			return err
		}
	}
	return nil
}

// other copies library objects.
func (c *deepCopier) other(v py.Value) (py.Value, error) {
	switch x := v.(type) {
	case *deque:
		if n, ok := c.memo[x]; ok {
			return n, nil
		}
		n := &deque{maxLen: x.maxLen}
		c.memo[x] = n
		c.t.SawDeep(x)
		for _, item := range append([]py.Value(nil), x.items()...) {
			k, err := c.copy(item)
			if err != nil {
				return nil, err
			}
			n.buf = append(n.buf, k)
		}
		return n, c.t.Alloc(16 * len(n.buf))
	case *partial:
		return x.mapValues(c.copy)
	case *cacheWrapper, *dispatcher, *libMethod, *dataMethod, *typingAlias, *typingForm, *py.GenericAlias, *py.Union:
		return v, nil
	case *py.Slice:
		return x, nil
	}
	if err := notCopyable(v); err != nil {
		return nil, err
	}
	if _, ok := v.Type().Lookup("__deepcopy__"); ok {
		d, err := c.memoDict()
		if err != nil {
			return nil, err
		}
		n, _, err := c.t.CallSpecial(v, "__deepcopy__", d)
		return n, err
	}
	return forkedCopy(v)
}

// forkedCopy copies a library container as a fork does; what has nothing to
// copy is immutable and returned as it is.
func forkedCopy(v py.Value) (py.Value, error) {
	if x, ok := v.(py.Copyable); ok {
		return x.CopyFor(py.NewCopier(8))
	}
	return v, nil
}

// notCopyable is the error for objects that belong to the running program.
func notCopyable(v py.Value) error {
	switch v.(type) {
	case *py.Module, *py.Generator, *py.DictView, *py.MappingProxy:
		return py.TypeErrorf("cannot pickle '%s' object", py.TypeName(v))
	}
	return nil
}

// shallowCopy is copy.copy(v).
func shallowCopy(t *py.Thread, v py.Value) (py.Value, error) {
	switch x := v.(type) {
	case *py.Str, py.Int, py.Float, py.Bool, py.NoneType, *py.Big, *py.Bytes, *py.Range, *py.Function, *py.Native, *py.Type, *py.Tuple, py.EllipsisType, py.NotImplementedType,
		*py.Property, *py.Slice, *py.Method, *cacheWrapper, *dispatcher, *libMethod, *dataMethod, *typingAlias, *typingForm, *py.GenericAlias, *py.Union:
		return v, nil
	case *py.List, *py.Dict:
		return t.CallMethod(v, "copy")
	case *py.Set:
		if x.Frozen {
			return x, nil
		}
		return t.CallMethod(x, "copy")
	case *py.Instance:
		return shallowInstance(t, x)
	case *partial:
		return x.mapValues(func(v py.Value) (py.Value, error) { return v, nil })
	}
	if err := notCopyable(v); err != nil {
		return nil, err
	}
	if r, ok, err := t.CallSpecial(v, "__copy__"); ok || err != nil {
		return r, err
	}
	return forkedCopy(v)
}

// ownItems is the built-in part of x as its class shows it: a subclass of list
// with an __iter__ of its own says what the items are.
func ownItems(t *py.Thread, x *py.Instance, part py.Value) (py.Value, error) {
	if _, ok := part.(*py.List); !ok {
		return part, nil
	}
	f, _ := x.Type().Lookup("__iter__")
	if _, native := f.(*py.Native); native {
		return part, nil
	}
	items, err := t.Collect(x)
	return t.NewList(items), err
}

func shallowInstance(t *py.Thread, x *py.Instance) (py.Value, error) {
	if x.Type().IsSubclass(enumType) {
		return x, nil
	}
	if _, ok := x.Type().Lookup("__copy__"); ok {
		r, _, err := t.CallSpecial(x, "__copy__")
		return r, err
	}
	if err := t.Alloc(128); err != nil {
		return nil, err
	}
	n := py.NewInstance(x.Type(), x.Payload())
	if x.Type().IsSubclass(py.BaseExceptionType) {
		n = py.NewException(x.Type(), py.ExcArgs(x)...)
	}
	if p := x.Payload(); p != nil {
		p, err := ownItems(t, x, p)
		if err != nil {
			return nil, err
		}
		c, err := shallowCopy(t, p)
		if err != nil {
			return nil, err
		}
		n.SetPayload(c)
	}
	return n, copyState(t, x, n, func(v py.Value) (py.Value, error) { return v, nil })
}
