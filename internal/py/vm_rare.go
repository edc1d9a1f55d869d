package py

import (
	"gauntlet/internal/py/syntax"
)

// rare executes the operations outside the inner loop. It works on f.stack and f.ip.
func (t *Thread) rare(f *frame, in instr) error {
	s := f.stack
	top := len(s) - 1
	switch in.op {
	case opDelFast:
		if f.locals[in.arg] == nil {
			return unbound(f.code.varNames[in.arg])
		}
		f.locals[in.arg] = nil
	case opLoadName, opStoreName, opDelName, opStoreGlobal, opDelGlobal, opLoadClassDeref:
		return t.nameOp(f, in)
	case opLoadDeref, opStoreDeref, opDelDeref, opLoadClosure:
		return t.cellOp(f, in)
	case opDup:
		f.stack = append(s, s[top])
	case opDup2:
		f.stack = append(s, s[top-1], s[top])
	case opRot2:
		s[top], s[top-1] = s[top-1], s[top]
	case opRot3:
		s[top], s[top-1], s[top-2] = s[top-1], s[top-2], s[top]
	case opInplace:
		v, err := t.InplaceOp(syntax.Operator(in.arg), s[top-1], s[top])
		return replace(f, 2, v, err)
	case opUnary:
		v, err := t.UnaryOp(syntax.UnaryOperator(in.arg), s[top])
		return replace(f, 1, v, err)
	case opStoreSubscr:
		err := t.SetItem(s[top-1], s[top], s[top-2])
		return drop(f, 3, err)
	case opDelSubscr:
		return drop(f, 2, t.DelItem(s[top-1], s[top]))
	case opSlice:
		return replace(f, 3, &Slice{s[top-2], s[top-1], s[top]}, nil)
	case opStoreAttr:
		return drop(f, 2, t.SetAttr(s[top], f.code.names[in.arg], s[top-1]))
	case opDelAttr:
		return drop(f, 1, t.DelAttr(s[top], f.code.names[in.arg]))
	case opIter:
		it, err := t.Iter(s[top])
		if err != nil {
			return err
		}
		s[top] = it
	case opCallKw, opCallEx:
		return t.callOp(f, in)
	case opList, opTuple, opSet, opMap, opString, opListAppend, opSetAdd, opMapAdd, opListExtend, opSetUpdate, opDictUpdate, opDictMerge, opKeyword, opListToTuple, opFormat:
		return t.buildOp(f, in)
	case opUnpack:
		return t.unpack(f, int(in.arg))
	case opUnpackEx:
		return t.unpackEx(f, int(in.arg&0xFFF), int(in.arg>>12))
	default:
		return t.controlOp(f, in)
	}
	return nil
}

// replace drops n operands and pushes v.
func replace(f *frame, n int, v Value, err error) error {
	if err != nil {
		return err
	}
	f.stack = append(f.stack[:len(f.stack)-n], v)
	return nil
}

// drop removes n operands.
func drop(f *frame, n int, err error) error {
	if err == nil {
		f.stack = f.stack[:len(f.stack)-n]
	}
	return err
}

// nameOp handles names in module and class bodies and global stores.
func (t *Thread) nameOp(f *frame, in instr) error {
	top := len(f.stack) - 1
	if in.op == opLoadClassDeref {
		name := f.stack[top].(*Str)
		if v, ok := f.ns.GetStr(name.s); ok {
			f.stack[top] = v
			return nil
		}
		v := f.cells[in.arg].V
		if v == nil {
			return freeError(name.s)
		}
		f.stack[top] = v
		return nil
	}
	name := f.code.names[in.arg]
	ns := f.ns
	if in.op == opStoreGlobal || in.op == opDelGlobal || ns == nil {
		ns = f.gattrs
	}
	switch in.op {
	case opLoadName:
		v, ok := ns.GetStr(name)
		if !ok {
			if v, ok = f.gattrs.GetStr(name); !ok {
				if v, ok = builtins.GetStr(name); !ok {
					return nameError(name)
				}
			}
		}
		f.stack = append(f.stack, v)
	case opStoreName, opStoreGlobal:
		v := f.stack[top]
		if f.body != nil && in.op == opStoreName {
			var err error
			if v, err = f.body.Store(t, ns, name, v); err != nil {
				return err
			}
		}
		return drop(f, 1, ns.Set(t, NewStr(name), v))
	default:
		v, err := ns.Pop(t, NewStr(name))
		if v == nil && err == nil {
			err = nameError(name)
		}
		return err
	}
	return nil
}

func freeError(name string) error {
	return RaiseType(NameErrorType, "cannot access free variable '%s' where it is not associated with a value in enclosing scope", name)
}

func (t *Thread) cellOp(f *frame, in instr) error {
	c := f.cells[in.arg]
	switch in.op {
	case opLoadClosure:
		f.stack = append(f.stack, c)
	case opStoreDeref:
		c.V = f.stack[len(f.stack)-1]
		f.stack = f.stack[:len(f.stack)-1]
	default:
		if c.V == nil {
			n := int(in.arg)
			if n < len(f.code.cellNames) {
				return unbound(f.code.cellNames[n])
			}
			return freeError(f.code.freeNames[n-len(f.code.cellNames)])
		}
		if in.op == opDelDeref {
			c.V = nil
		} else {
			f.stack = append(f.stack, c.V)
		}
	}
	return nil
}

// callOp handles calls with keywords or unpacking.
func (t *Thread) callOp(f *frame, in instr) error {
	s := f.stack
	if in.op == opCallKw {
		n := int(in.arg & 0x3FF)
		names := f.code.consts[in.arg>>10].(*Tuple).Items
		base := len(s) - n
		args := s[base : len(s)-len(names)]
		kw := make([]Kw, len(names))
		for i, k := range names {
			kw[i] = Kw{k.(*Str).s, s[len(s)-len(names)+i]}
		}
		v, err := t.Call(s[base-1], args, kw)
		return replace(f, n+1, v, err)
	}
	var args []Value
	if in.arg != 0 {
		var err error
		if args, err = t.loneStar(s[len(s)-3], s[len(s)-2]); err != nil {
			return err
		}
	} else {
		args = s[len(s)-2].(*List).Items
	}
	d := s[len(s)-1].(*Dict)
	kw := make([]Kw, 0, d.live)
	for _, e := range d.entries {
		if e.key == nil {
			continue
		}
		k, ok := AsStr(e.key)
		if !ok {
			if ignoresKeys(s[len(s)-3]) {
				continue
			}
			return TypeErrorf("keywords must be strings")
		}
		kw = append(kw, Kw{k.s, e.val})
	}
	v, err := t.Call(s[len(s)-3], args, kw)
	return replace(f, 3, v, err)
}

// ignoresKeys reports whether keywords that are no strings do not matter to a
// callable: str.format only looks up the names it needs.
func ignoresKeys(fn Value) bool {
	m, ok := fn.(*Method)
	if !ok {
		return false
	}
	n, ok := m.Fn.(*Native)
	return ok && n.Owner == StrType && n.Name == "format"
}
