package stdlib

import (
	"math/big"

	"gauntlet/internal/py"
	"gauntlet/internal/py/syntax"
)

// This file evaluates annotations: get_type_hints, get_origin and get_args.

// hintScope is where the names of an annotation given as text are looked up.
type hintScope struct {
	dicts []*py.Dict
}

// builtinNames are the built-in names that annotations use.
var builtinNames = func() map[string]py.Value {
	m := map[string]py.Value{}
	for _, c := range []*py.Type{py.ObjectType, py.TypeType, py.IntType, py.BoolType, py.FloatType, py.StrType, py.BytesType, py.TupleType, py.ListType,
		py.DictType, py.SetType, py.FrozenSetType, py.RangeType, py.ExceptionType, py.BaseExceptionType, py.ValueErrorType, py.TypeErrorType, py.KeyErrorType} {
		m[c.Name] = c
	}
	return m
}()

func (s *hintScope) name(id string) (py.Value, error) {
	for _, d := range s.dicts {
		if v, ok := d.GetStr(id); ok {
			return v, nil
		}
	}
	if v, ok := builtinNames[id]; ok {
		return v, nil
	}
	return nil, py.RaiseType(py.NameErrorType, "name '%s' is not defined", id)
}

// evalText evaluates an annotation given as text.
func (s *hintScope) evalText(t *py.Thread, text string) (py.Value, error) {
	if err := t.Charge(len(text)); err != nil {
		return nil, err
	}
	m, err := syntax.ParseString("<string>", "("+text+"\n)")
	if err != nil || len(m.Body) != 1 {
		return nil, py.RaiseType(py.SyntaxErrorType, "Forward reference must be an expression -- got %s", reprText(text))
	}
	e, ok := m.Body[0].(*syntax.ExprStmt)
	if !ok {
		return nil, py.RaiseType(py.SyntaxErrorType, "Forward reference must be an expression -- got %s", reprText(text))
	}
	return s.eval(t, e.Value)
}

// eval evaluates the expressions that annotations are made of.
func (s *hintScope) eval(t *py.Thread, e syntax.Expr) (py.Value, error) {
	if err := t.Enter(); err != nil {
		return nil, err
	}
	defer t.Leave()
	switch x := e.(type) {
	case *syntax.Name:
		return s.name(x.ID)
	case *syntax.Attribute:
		v, err := s.eval(t, x.Value)
		if err != nil {
			return nil, err
		}
		return t.GetAttr(v, x.Attr)
	case *syntax.Subscript:
		v, err := s.eval(t, x.Value)
		if err != nil {
			return nil, err
		}
		k, err := s.eval(t, x.Slice)
		if err != nil {
			return nil, err
		}
		return t.GetItem(v, k)
	case *syntax.BinOp:
		l, err := s.eval(t, x.Left)
		if err != nil {
			return nil, err
		}
		r, err := s.eval(t, x.Right)
		if err != nil {
			return nil, err
		}
		return t.BinaryOp(x.Op, l, r)
	case *syntax.Tuple:
		items, err := s.evalAll(t, x.Elts)
		return py.NewTuple(items...), err
	case *syntax.List:
		items, err := s.evalAll(t, x.Elts)
		return t.NewList(items), err
	case *syntax.Constant:
		return hintConstant(x.Value)
	}
	return nil, py.RaiseType(py.SyntaxErrorType, "annotation is too complex to be evaluated")
}

// hintConstant is the value of a literal in an annotation.
func hintConstant(c syntax.Const) (py.Value, error) {
	switch x := c.(type) {
	case syntax.ConstNone:
		return py.None, nil
	case syntax.ConstEllipsis:
		return py.Ellipsis, nil
	case syntax.Str:
		return py.NewStr(string(x)), nil
	case syntax.Bytes:
		return &py.Bytes{B: string(x)}, nil
	case bool:
		return py.Bool(x), nil
	case *big.Int:
		return py.MakeInt(x), nil
	case float64:
		return py.Float(x), nil
	}
	return nil, py.RaiseType(py.SyntaxErrorType, "annotation is too complex to be evaluated")
}

func (s *hintScope) evalAll(t *py.Thread, list []syntax.Expr) ([]py.Value, error) {
	out := make([]py.Value, len(list))
	for i, e := range list {
		v, err := s.eval(t, e)
		if err != nil {
			return nil, err
		}
		out[i] = v
	}
	return out, nil
}

// resolve replaces forward references inside a type; Annotated, Required and
// NotRequired are dropped unless extras are wanted.
func (s *hintScope) resolve(t *py.Thread, v py.Value, extras bool) (py.Value, error) {
	if err := t.Enter(); err != nil {
		return nil, err
	}
	defer t.Leave()
	var err error
	switch x := v.(type) {
	case py.NoneType:
		return py.NoneTypeType, nil
	case *py.Str:
		if v, err = s.evalText(t, x.String()); err != nil {
			return nil, err
		}
		return s.resolve(t, v, extras)
	case *forwardRef:
		return s.resolve(t, py.NewStr(x.text), extras)
	case *typingAlias:
		if !extras && (x.form == annotatedForm || x.form == requiredForm || x.form == notRequiredForm) {
			return s.resolve(t, x.args[0], extras)
		}
		if x.form == literalForm {
			return x, nil
		}
		args := make([]py.Value, len(x.args))
		for i, a := range x.args {
			args[i] = a
			if x.form == annotatedForm && i > 0 {
				continue
			}
			if args[i], err = s.resolve(t, a, extras); err != nil {
				return nil, err
			}
		}
		if x.form == unionForm {
			return makeUnion(t, args)
		}
		return &typingAlias{x.form, x.origin, args}, nil
	case *py.GenericAlias:
		args := make([]py.Value, len(x.Args))
		for i, a := range x.Args {
			if args[i], err = s.resolve(t, a, extras); err != nil {
				return nil, err
			}
		}
		return &py.GenericAlias{Origin: x.Origin, Args: args}, nil
	}
	return v, nil
}

// hints resolves a dict of annotations.
func (s *hintScope) hints(t *py.Thread, notes, into *py.Dict, extras bool) error {
	for _, it := range notes.Items(t) {
		v, err := s.resolve(t, it.Value, extras)
		if err != nil {
			return err
		}
		if err := into.Set(t, it.Key, v); err != nil {
			return err
		}
	}
	return nil
}

// functionHints is get_type_hints of a function.
func functionHints(t *py.Thread, f *py.Function) (*py.Dict, error) {
	out := t.NewDict()
	if f.Notes == nil {
		return out, nil
	}
	s := &hintScope{[]*py.Dict{t.Namespace(f.Globals)}}
	return out, s.hints(t, f.Notes, out, false)
}

// classGlobals is the namespace of the module that a class was made in, which
// its methods know.
func classGlobals(t *py.Thread, c *py.Type) []*py.Dict {
	for _, m := range c.MRO {
		for _, it := range m.Attrs.Items(noThread) {
			v := it.Value
			switch w := v.(type) {
			case *py.StaticMethod:
				v = w.Fn
			case *py.ClassMethod:
				v = w.Fn
			case *py.Property:
				v = w.Get
			}
			if f, ok := v.(*py.Function); ok {
				return []*py.Dict{t.Namespace(f.Globals)}
			}
		}
	}
	return nil
}

// getTypeHints is get_type_hints(obj, globalns=None, localns=None, include_extras=False).
func getTypeHints(t *py.Thread, a []py.Value) (py.Value, error) {
	s := &hintScope{}
	for _, v := range []py.Value{given(a[2], py.None), given(a[1], py.None)} {
		if d, ok := py.AsDict(v); ok {
			s.dicts = append(s.dicts, d)
		}
	}
	extras := false
	if a[3] != nil {
		var err error
		if extras, err = t.Truth(a[3]); err != nil {
			return nil, err
		}
	}
	out := t.NewDict()
	obj := a[0]
	if m, ok := obj.(*py.Method); ok {
		obj = m.Fn
	}
	switch x := obj.(type) {
	case *py.Type:
		s.dicts = append(s.dicts, classGlobals(t, x)...)
		for i := len(x.MRO) - 1; i >= 0; i-- {
			if v, ok := x.MRO[i].Attrs.GetStr("__annotations__"); ok {
				if d, ok := v.(*py.Dict); ok {
					if err := s.hints(t, d, out, extras); err != nil {
						return nil, err
					}
				}
			}
		}
		return out, nil
	case *py.Function:
		s.dicts = append(s.dicts, x.Globals.Attrs)
		if x.Notes == nil {
			return out, nil
		}
		return out, s.hints(t, x.Notes, out, extras)
	case *py.Module:
		s.dicts = append(s.dicts, x.Attrs)
		if v, ok := x.Attrs.GetStr("__annotations__"); ok {
			if d, ok := v.(*py.Dict); ok {
				return out, s.hints(t, d, out, extras)
			}
		}
		return out, nil
	case *py.Native, *libMethod:
		return out, nil
	}
	r, err := t.Repr(obj)
	if err != nil {
		return nil, err
	}
	return nil, py.RaiseArgs(py.TypeErrorType, py.NewStr(r+" is not a module, class, method, or function."))
}

// getOrigin is get_origin(tp).
func getOrigin(_ *py.Thread, a []py.Value) (py.Value, error) {
	switch x := a[0].(type) {
	case *typingAlias:
		return x.originValue(), nil
	case *typingForm:
		if x.origin != nil {
			return x.origin, nil
		}
	case *py.GenericAlias:
		return x.Origin, nil
	case *py.Union:
		return py.UnionType, nil
	case *py.Type:
		if x == genericType {
			return x, nil
		}
	}
	return py.None, nil
}

// getArgs is get_args(tp).
func getArgs(t *py.Thread, a []py.Value) (py.Value, error) {
	switch x := a[0].(type) {
	case *typingAlias:
		args := append([]py.Value(nil), x.args...)
		if n := len(args) - 1; x.form != nil && x.form.kind == formCallable && (n != 1 || args[0] != py.Ellipsis) {
			return py.NewTuple(t.NewList(args[:n:n]), args[n]), nil
		}
		return py.NewTuple(args...), nil
	case *py.GenericAlias:
		return py.NewTuple(x.Args...), nil
	case *py.Union:
		return py.NewTuple(x.Args...), nil
	}
	return py.NewTuple(), nil
}
