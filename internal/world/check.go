package world

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"gauntlet/internal/py"
	"gauntlet/internal/py/syntax"
	"gauntlet/internal/trace"
)

// Problem is something wrong with a world file.
type Problem struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	Col     int    `json:"col"`
	Message string `json:"message"`
	Warning bool   `json:"warning"` // the world runs all the same
}

// String is "file:line:col: message".
func (p Problem) String() string {
	kind := ""
	if p.Warning {
		kind = "warning: "
	}
	return fmt.Sprintf("%s:%d:%d: %s%s", p.File, p.Line, p.Col, kind, p.Message)
}

// Check loads a world from source, starts it with an empty state and lints
// what it declares. The blueprint is nil when the world cannot be loaded.
func Check(file string, src []byte) (*Blueprint, []Problem) {
	bp, err := Parse(strings.TrimSuffix(filepath.Base(file), ".py"), file, src)
	if err != nil {
		return nil, []Problem{problemOf(file, err, false)}
	}
	var out []Problem
	if _, err := bp.New(trace.Object(), Options{}); err != nil {
		if errors.Is(err, ErrLoad) {
			return nil, []Problem{problemOf(file, err, false)}
		}
		out = append(out, problemOf(file, err, true))
	}
	return bp, append(out, bp.lint()...)
}

// problemOf finds the position in an error.
func problemOf(file string, err error, warning bool) Problem {
	p := Problem{File: file, Line: 1, Col: 1, Message: err.Error(), Warning: warning}
	var s *syntax.Error
	var r *py.Raised
	switch {
	case errors.As(err, &s):
		p.Line, p.Col, p.Message = int(s.Pos.Line), int(s.Pos.Col), s.Msg
	case errors.As(err, &r) && len(r.Trace) > 0:
		p.Line, p.Col = int(r.Trace[0].Line), int(r.Trace[0].Col)
		if warning {
			p.Message = "with an empty state: " + err.Error()
		}
	}
	return p
}

// lint looks for what makes a world weak without breaking it.
func (b *Blueprint) lint() []Problem {
	var out []Problem
	warn := func(at syntax.Pos, format string, args ...any) {
		out = append(out, Problem{b.File, int(at.Line), int(at.Col), fmt.Sprintf(format, args...), true})
	}
	top := syntax.Pos{Line: 1, Col: 1}
	if b.Title == "" {
		warn(top, "no module docstring: a world needs a title, an introduction and its rules")
	}
	if len(b.Entities) == 0 {
		warn(top, "no TypedDict declares an entity")
	}
	for _, t := range b.Tools {
		if t.Description == "" {
			warn(t.Pos, "tool %s has no docstring", t.Name)
		}
		if t.Effect == "" {
			warn(t.Pos, "tool %s has no line \"Effect: read|write|external\" in its docstring", t.Name)
		}
		for _, p := range t.Params {
			if len(p.Type.Kinds) == 0 && p.Type.Enum == nil {
				warn(t.Pos, "argument %s of tool %s has no annotation that gives a JSON type", p.Name, t.Name)
			}
		}
	}
	return out
}
