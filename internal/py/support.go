package py

import (
	"fmt"

	"gauntlet/internal/py/syntax"
)

// refusedBuiltins are CPython built-ins that this interpreter does not have.
// A use of one is refused at load, so that it is no surprise at run time.
var refusedBuiltins = map[string]string{
	"open": "there are no files", "exec": "code made at run time is not supported", "eval": "code made at run time is not supported",
	"compile": "code made at run time is not supported", "input": "there is no standard input", "breakpoint": "there is no debugger",
	"memoryview": "memoryview is not supported", "bytearray": "bytearray is not supported", "complex": "complex numbers are not supported",
	"aiter": "async is not supported", "anext": "async is not supported", "help": "there is no help system", "quit": "not supported", "exit": "not supported",
}

// support walks a module for uses of what the interpreter lacks.
type support struct {
	file    string
	imp     Importer
	err     error
	bound   map[string]bool   // names bound anywhere in the file
	modules map[string]string // name -> library module it is bound to, when that is its only binding
}

// checkSupport refuses unknown modules, module attributes and built-ins by
// name and position.
func checkSupport(m *syntax.Module, imp Importer) error {
	s := &support{file: m.File, imp: imp, bound: map[string]bool{}, modules: map[string]string{}}
	syntax.Walk(m, s.collect)
	syntax.Walk(m, s.check)
	return s.err
}

// collect records which names the file binds.
func (s *support) collect(n syntax.Node) bool {
	switch x := n.(type) {
	case *syntax.Name:
		if x.Ctx != syntax.Load {
			s.bind(x.ID, "")
		}
	case *syntax.FunctionDef:
		s.bind(x.Name, "")
	case *syntax.ClassDef:
		s.bind(x.Name, "")
	case *syntax.Arg:
		s.bind(x.Name, "")
	case *syntax.ExceptHandler:
		s.bind(x.Name, "")
	case *syntax.Import:
		for _, a := range x.Names {
			mod := a.Name
			if a.AsName == "" {
				mod = importedName(a)
			}
			s.bind(importedName(a), mod)
		}
	case *syntax.ImportFrom:
		for _, a := range x.Names {
			if a.AsName != "" {
				s.bind(a.AsName, "")
			} else {
				s.bind(a.Name, "")
			}
		}
	}
	return true
}

func (s *support) bind(name, module string) {
	if s.bound[name] && s.modules[name] != module {
		module = ""
	}
	s.bound[name] = true
	s.modules[name] = module
}

func (s *support) refuse(at syntax.Pos, format string, args ...any) {
	if s.err == nil {
		s.err = &syntax.Error{File: s.file, Pos: at, Msg: fmt.Sprintf(format, args...), Refused: true}
	}
}

func (s *support) check(n syntax.Node) bool {
	if s.err != nil {
		return false
	}
	switch x := n.(type) {
	case *syntax.Import:
		for _, a := range x.Names {
			s.module(a.Pos, a.Name)
		}
	case *syntax.ImportFrom:
		s.importFrom(x)
	case *syntax.Name:
		if why, bad := refusedBuiltins[x.ID]; bad && !s.bound[x.ID] && x.Ctx == syntax.Load {
			s.refuse(x.Pos, "%s() is not available to worlds: %s", x.ID, why)
		}
	case *syntax.Attribute:
		if v, ok := x.Value.(*syntax.Name); ok && s.imp != nil {
			if mod := s.modules[v.ID]; mod != "" {
				s.attribute(x.Pos, mod, x.Attr)
			}
		}
	case *syntax.ClassDef:
		for _, k := range x.Keywords {
			if k.Name == "metaclass" {
				if n, ok := k.Value.(*syntax.Name); !ok || n.ID != "ABCMeta" && n.ID != "type" {
					if a, ok := k.Value.(*syntax.Attribute); !ok || a.Attr != "ABCMeta" {
						s.refuse(k.Value.At(), "metaclasses are not supported (class %s)", x.Name)
					}
				}
			}
		}
	}
	return true
}

func (s *support) module(at syntax.Pos, name string) bool {
	if name == "__future__" || s.imp == nil {
		return true
	}
	if _, ok := s.imp.Import(name); !ok {
		s.refuse(at, "module '%s' is not available to worlds", name)
		return false
	}
	return true
}

func (s *support) importFrom(x *syntax.ImportFrom) {
	if x.Level > 0 {
		s.refuse(x.Pos, "relative imports are not available to worlds")
		return
	}
	if x.Module == "__future__" || !s.module(x.Pos, x.Module) || s.imp == nil {
		return
	}
	for _, a := range x.Names {
		s.attribute(a.Pos, x.Module, a.Name)
	}
}

// attribute refuses an attribute that CPython's module has and ours lacks. One
// that neither has fails at run time, as in CPython.
func (s *support) attribute(at syntax.Pos, mod, attr string) {
	m, ok := s.imp.Import(mod)
	if !ok {
		return
	}
	if _, has := m.Attrs.GetStr(attr); has {
		return
	}
	if _, sub := s.imp.Import(mod + "." + attr); sub {
		return
	}
	if s.imp.Knows(mod, attr) {
		s.refuse(at, "%s.%s is not available to worlds", mod, attr)
	}
}
