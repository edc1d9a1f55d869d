package stdlib

import (
	"gauntlet/internal/py"
)

var (
	cacheWrapperType   = cType("functools", "_lru_cache_wrapper")
	cachedPropertyType = py.NewType("functools", "cached_property")
	cacheInfoType      = libraryTuple("functools", "CacheInfo", "hits", "misses", "maxsize", "currsize")
)

// libraryTuple makes a namedtuple class that belongs to a library module.
func libraryTuple(module, name string, fields ...string) *py.Type {
	ns := noThread.NewDict()
	ns.SetStr("__module__", py.NewStr(module))
	c, err := makeNamedTuple(noThread, name, fields, nil, ns)
	if err != nil { // only a wrong field name could fail
		return py.TupleType
	}
	c.Heap = false
	return c
}

// cacheWrapper is a function with a cache. cache holds results by key, least
// recently used first.
type cacheWrapper struct {
	libHeader
	fn           py.Value
	cache        *py.Dict
	maxSize      int64 // negative: no limit
	typed        bool
	hits, misses int64
}

func newCacheWrapper(fn py.Value, maxSize int64, typed bool) *cacheWrapper {
	return &cacheWrapper{fn: fn, cache: &py.Dict{}, maxSize: maxSize, typed: typed}
}

// Type returns functools._lru_cache_wrapper.
func (*cacheWrapper) Type() *py.Type { return cacheWrapperType }

// Save restores the counters; the cache itself is a journaled dict.
func (w *cacheWrapper) Save() func() {
	hits, misses := w.hits, w.misses
	return func() { w.hits, w.misses = hits, misses }
}

// CopyFor copies the function and its cache for a fork.
func (w *cacheWrapper) CopyFor(c *py.Copier) (py.Value, error) {
	n := &cacheWrapper{maxSize: w.maxSize, typed: w.typed, hits: w.hits, misses: w.misses}
	fn, err := c.Copy(w.fn)
	if err != nil {
		return nil, err
	}
	d, err := c.Copy(w.cache)
	if err != nil {
		return nil, err
	}
	n.fn, n.cache = fn, d.(*py.Dict)
	return n, nil
}

// Bind makes a bound method of an instance.
func (w *cacheWrapper) Bind(_ *py.Thread, self py.Value, _ *py.Type) (py.Value, error) {
	if self == nil {
		return w, nil
	}
	return &py.Method{Fn: w, Self: self}, nil
}

// cacheKey is the arguments as one hashable value: a lone int or str itself,
// which therefore differs from an equal float.
func cacheKey(args []py.Value, kw []py.Kw, typed bool) py.Value {
	if len(kw) == 0 && len(args) == 1 && !typed {
		switch args[0].(type) {
		case *py.Str, py.Int, *py.Big:
			return args[0]
		}
	}
	key := append([]py.Value(nil), args...)
	if len(kw) > 0 {
		key = append(key, markValue)
		for _, k := range kw {
			key = append(key, py.NewStr(k.Name), k.Value)
		}
	}
	if typed {
		for _, v := range args {
			key = append(key, v.Type())
		}
		for _, k := range kw {
			key = append(key, k.Value.Type())
		}
	}
	return py.NewTuple(key...)
}

// markValue separates positional from keyword arguments in a cache key. It is
// an object that equals nothing but itself.
var markValue = &py.Getter{Name: "keyword mark"}

// CallObject answers from the cache or calls the function.
func (w *cacheWrapper) CallObject(t *py.Thread, args []py.Value, kw []py.Kw) (py.Value, error) {
	if err := t.Enter(); err != nil {
		return nil, err
	}
	defer t.Leave()
	if w.maxSize == 0 {
		t.Touch(w)
		w.misses++
		return t.Call(w.fn, args, kw)
	}
	if err := t.Alloc(48 + 16*(len(args)+2*len(kw))); err != nil {
		return nil, err
	}
	key := cacheKey(args, kw, w.typed)
	v, err := w.cache.Get(t, key)
	if err != nil {
		return nil, err
	}
	t.Touch(w)
	if v != nil {
		w.hits++
		if w.maxSize > 0 {
			return v, w.renew(t, key, v)
		}
		return v, nil
	}
	w.misses++
	v, err = t.Call(w.fn, args, kw)
	if err != nil {
		return nil, err
	}
	return v, w.store(t, key, v)
}

// renew moves a key to the recently used end.
func (w *cacheWrapper) renew(t *py.Thread, key, v py.Value) error {
	if _, err := w.cache.Pop(t, key); err != nil {
		return err
	}
	return w.cache.Set(t, key, v)
}

func (w *cacheWrapper) store(t *py.Thread, key, v py.Value) error {
	old, err := w.cache.Get(t, key) // a recursive call may have stored it
	if err != nil || old != nil {
		return err
	}
	if w.maxSize > 0 && int64(w.cache.Len()) >= w.maxSize {
		it, err := t.Iter(w.cache)
		if err != nil {
			return err
		}
		first, err := it.Next(t)
		if err != nil {
			return err
		}
		if _, err := w.cache.Pop(t, first); err != nil {
			return err
		}
	}
	return w.cache.Set(t, key, v)
}

func (w *cacheWrapper) sizeValue() py.Value {
	if w.maxSize < 0 {
		return py.None
	}
	return py.Int(w.maxSize)
}

// lruCache is lru_cache, with and without parentheses.
func lruCache(t *py.Thread, a []py.Value) (py.Value, error) {
	typed := false
	if a[1] != nil {
		var err error
		if typed, err = t.Truth(a[1]); err != nil {
			return nil, err
		}
	}
	size := int64(128)
	switch v := given(a[0], py.Int(128)); {
	case v == py.None:
		size = -1
	default:
		if _, whole := t.AsBigInt(v); whole {
			n, err := t.AsSlot(v)
			if err != nil {
				return nil, err
			}
			size = max(n, 0)
		} else if t.IsCallable(v) {
			return newCacheWrapper(v, 128, typed), nil
		} else {
			return nil, py.TypeErrorf("Expected first argument to be an integer, a callable, or None")
		}
	}
	return py.NewFunc("decorating_function", "user_function", func(_ *py.Thread, a []py.Value) (py.Value, error) {
		return newCacheWrapper(a[0], size, typed), nil
	}), nil
}

func setupCaches() {
	of := func(v py.Value) *cacheWrapper { w, _ := v.(*cacheWrapper); return w }
	cacheWrapperType.Finish(
		py.Def("cache_info", "", func(_ *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			w := of(self)
			return py.NewInstance(cacheInfoType, py.NewTuple(py.Int(w.hits), py.Int(w.misses), w.sizeValue(), py.Int(w.cache.Len()))), nil
		}),
		py.Def("cache_clear", "", func(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			w := of(self)
			t.Touch(w)
			w.cache.Clear(t)
			w.hits, w.misses = 0, 0
			return py.None, nil
		}),
		py.Def("cache_parameters", "", func(t *py.Thread, self py.Value, _ []py.Value) (py.Value, error) {
			w := of(self)
			d := t.NewDict()
			d.SetStr("maxsize", w.sizeValue())
			d.SetStr("typed", py.Bool(w.typed))
			return d, nil
		}),
		py.Get("__wrapped__", func(_ *py.Thread, self py.Value) (py.Value, error) { return of(self).fn, nil }),
		py.Member{Name: "__call__", Value: py.NewRawMethod("__call__", func(t *py.Thread, args []py.Value, kw []py.Kw) (py.Value, error) {
			return of(args[0]).CallObject(t, args[1:], kw)
		})},
	)
	for _, name := range []string{"__name__", "__qualname__", "__doc__", "__module__", "__annotations__", "__dict__"} {
		cacheWrapperType.Finish(py.Get(name, func(t *py.Thread, self py.Value) (py.Value, error) { return t.GetAttr(of(self).fn, name) }))
	}
	cachedPropertyType.New = func(t *py.Thread, _ *py.Type, args []py.Value, kw []py.Kw) (py.Value, error) {
		if len(args) != 1 || len(kw) > 0 {
			return nil, py.TypeErrorf("cached_property.__init__() missing 1 required positional argument: 'func'")
		}
		return &cachedProperty{fn: args[0]}, nil
	}
	prop := func(v py.Value) *cachedProperty { p, _ := v.(*cachedProperty); return p }
	cachedPropertyType.Finish(
		py.Get("func", func(_ *py.Thread, self py.Value) (py.Value, error) { return prop(self).fn, nil }),
		py.Get("attrname", func(_ *py.Thread, self py.Value) (py.Value, error) {
			if prop(self).name == "" {
				return py.None, nil
			}
			return py.NewStr(prop(self).name), nil
		}),
		py.Get("__doc__", func(t *py.Thread, self py.Value) (py.Value, error) { return t.GetAttr(prop(self).fn, "__doc__") }),
		py.Member{Name: "__class_getitem__", Value: py.NewClassMethod("__class_getitem__", "item, /", classGetItem)},
	)
}

// cachedProperty computes an attribute once and keeps it in the instance.
type cachedProperty struct {
	fn   py.Value
	name string // set when the class is made
}

// Type returns functools.cached_property.
func (*cachedProperty) Type() *py.Type { return cachedPropertyType }

// CopyFor copies the descriptor for a fork.
func (p *cachedProperty) CopyFor(c *py.Copier) (py.Value, error) {
	fn, err := c.Copy(p.fn)
	return &cachedProperty{fn, p.name}, err
}

// SetName learns the attribute name.
func (p *cachedProperty) SetName(_ *py.Thread, _ *py.Type, name string) error {
	if p.name != "" && p.name != name {
		return py.TypeErrorf("Cannot assign the same cached_property to two different names (%s and %s).", reprText(p.name), reprText(name))
	}
	p.name = name
	return nil
}

// Bind computes and stores the value.
func (p *cachedProperty) Bind(t *py.Thread, self py.Value, _ *py.Type) (py.Value, error) {
	if self == nil {
		return p, nil
	}
	if p.name == "" {
		return nil, py.TypeErrorf("Cannot use cached_property instance without calling __set_name__ on it.")
	}
	attrs, err := t.LookupAttr(self, "__dict__")
	if err != nil {
		return nil, err
	}
	d, ok := attrs.(*py.Dict)
	if !ok {
		return nil, py.TypeErrorf("No '__dict__' attribute on %s instance to cache %s property.", reprText(self.Type().Name), reprText(p.name))
	}
	v, err := t.Call(p.fn, []py.Value{self}, nil)
	if err != nil {
		return nil, err
	}
	return v, d.Set(t, py.NewStr(p.name), v)
}
