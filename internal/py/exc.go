package py

import (
	"errors"
	"fmt"
	"strings"
)

// Raised is a Python exception on its way through Go code.
type Raised struct {
	Exc   *Instance
	Trace []Frame // innermost first; filled while unwinding Python frames

	chained bool // its context is set, or is not to change
}

// Frame is one entry of a traceback.
type Frame struct {
	File string
	Func string
	Line int32
	Col  int32
}

// Error is the exception as CPython prints its last line: "Type: message".
func (r *Raised) Error() string {
	name := r.Exc.class.Name
	if r.Exc.class.Mod != "builtins" && r.Exc.class.Mod != "" && r.Exc.class.Mod != "__main__" {
		name = r.Exc.class.Mod + "." + name
	}
	if m := ExcMessage(r.Exc); m != "" {
		return name + ": " + m
	}
	return name
}

// ExcArgs is the tuple of constructor arguments.
func ExcArgs(e *Instance) []Value {
	if e.exc == nil {
		return nil
	}
	return e.exc.args.Items
}

// SetExcArgs replaces the constructor arguments; for __init__ of library exceptions.
func SetExcArgs(e *Instance, args ...Value) { e.state().args = NewTuple(args...) }

// ExcMessage is str(e) for exceptions whose class does not define __str__;
// Thread.Str honours user definitions.
func ExcMessage(e *Instance) string {
	t := NewThread(0, nil, Limits{})
	s, err := t.Str(e)
	if err != nil {
		return "<exception str() failed>"
	}
	return s
}

// NewException makes an exception object.
func NewException(cls *Type, args ...Value) *Instance {
	return &Instance{class: cls, attrs: &Dict{}, exc: &excState{args: NewTuple(args...)}}
}

// RaiseType makes the error for an exception with a text message.
func RaiseType(cls *Type, format string, args ...any) error {
	msg := format
	if len(args) > 0 {
		msg = fmt.Sprintf(format, args...)
	}
	return &Raised{Exc: NewException(cls, NewStr(msg))}
}

// RaiseArgs makes the error for an exception with arbitrary arguments.
func RaiseArgs(cls *Type, args ...Value) error {
	return &Raised{Exc: NewException(cls, args...)}
}

// TypeErrorf makes a TypeError.
func TypeErrorf(format string, args ...any) error {
	return RaiseType(TypeErrorType, format, args...)
}

// ValueErrorf makes a ValueError.
func ValueErrorf(format string, args ...any) error {
	return RaiseType(ValueErrorType, format, args...)
}

// IndexErrorf makes an IndexError.
func IndexErrorf(format string, args ...any) error {
	return RaiseType(IndexErrorType, format, args...)
}

// AttributeErrorf makes an AttributeError.
func AttributeErrorf(format string, args ...any) error {
	return RaiseType(AttributeErrorType, format, args...)
}

// OverflowErrorf makes an OverflowError.
func OverflowErrorf(format string, args ...any) error {
	return RaiseType(OverflowErrorType, format, args...)
}

// KeyErrorFor makes a KeyError whose argument is the key itself.
func KeyErrorFor(key Value) error { return RaiseArgs(KeyErrorType, key) }

// Catch returns the exception in err when it is one of the given classes.
func Catch(err error, classes ...*Type) (*Instance, bool) {
	r, ok := err.(*Raised) //nolint:errorlint // the common case, before the search through wrappers
	if !ok && !errors.As(err, &r) {
		return nil, false
	}
	for _, c := range classes {
		if r.Exc.class.IsSubclass(c) {
			return r.Exc, true
		}
	}
	return nil, false
}

// excTypes is the built-in exception tree: class, then its parent, in an
// order in which parents come first. Source: the Python library reference,
// "Exception hierarchy".
var excTree = strings.Fields(`
Exception:BaseException GeneratorExit:BaseException KeyboardInterrupt:BaseException SystemExit:BaseException
ArithmeticError:Exception FloatingPointError:ArithmeticError OverflowError:ArithmeticError ZeroDivisionError:ArithmeticError
AssertionError:Exception AttributeError:Exception BufferError:Exception EOFError:Exception
ImportError:Exception ModuleNotFoundError:ImportError LookupError:Exception IndexError:LookupError KeyError:LookupError
MemoryError:Exception NameError:Exception UnboundLocalError:NameError
OSError:Exception BlockingIOError:OSError ChildProcessError:OSError ConnectionError:OSError BrokenPipeError:ConnectionError
ConnectionAbortedError:ConnectionError ConnectionRefusedError:ConnectionError ConnectionResetError:ConnectionError
FileExistsError:OSError FileNotFoundError:OSError InterruptedError:OSError IsADirectoryError:OSError
NotADirectoryError:OSError PermissionError:OSError ProcessLookupError:OSError TimeoutError:OSError
ReferenceError:Exception RuntimeError:Exception NotImplementedError:RuntimeError RecursionError:RuntimeError
StopIteration:Exception StopAsyncIteration:Exception SyntaxError:Exception IndentationError:SyntaxError TabError:IndentationError
SystemError:Exception TypeError:Exception ValueError:Exception UnicodeError:ValueError UnicodeDecodeError:UnicodeError
UnicodeEncodeError:UnicodeError UnicodeTranslateError:UnicodeError
Warning:Exception UserWarning:Warning DeprecationWarning:Warning RuntimeWarning:Warning FutureWarning:Warning
PendingDeprecationWarning:Warning SyntaxWarning:Warning ImportWarning:Warning UnicodeWarning:Warning BytesWarning:Warning
ResourceWarning:Warning EncodingWarning:Warning
`)

// BaseExceptionType is the root of all exceptions.
var BaseExceptionType = func() *Type {
	c := NewType("builtins", "BaseException", ObjectType)
	c.solid = true
	return c
}()

// excByName holds every built-in exception class.
var excByName = func() map[string]*Type {
	m := map[string]*Type{"BaseException": BaseExceptionType}
	for _, e := range excTree {
		name, parent, _ := strings.Cut(e, ":")
		m[name] = NewType("builtins", name, m[parent])
	}
	m["EnvironmentError"], m["IOError"] = m["OSError"], m["OSError"]
	return m
}()

// The exception classes that Go code raises or catches.
var (
	ExceptionType         = excByName["Exception"]
	TypeErrorType         = excByName["TypeError"]
	ValueErrorType        = excByName["ValueError"]
	KeyErrorType          = excByName["KeyError"]
	IndexErrorType        = excByName["IndexError"]
	LookupErrorType       = excByName["LookupError"]
	AttributeErrorType    = excByName["AttributeError"]
	NameErrorType         = excByName["NameError"]
	UnboundLocalErrorType = excByName["UnboundLocalError"]
	ZeroDivisionErrorType = excByName["ZeroDivisionError"]
	OverflowErrorType     = excByName["OverflowError"]
	ArithmeticErrorType   = excByName["ArithmeticError"]
	RuntimeErrorType      = excByName["RuntimeError"]
	RecursionErrorType    = excByName["RecursionError"]
	NotImplementedErrType = excByName["NotImplementedError"]
	StopIterationType     = excByName["StopIteration"]
	GeneratorExitType     = excByName["GeneratorExit"]
	AssertionErrorType    = excByName["AssertionError"]
	ImportErrorType       = excByName["ImportError"]
	ModuleNotFoundErrType = excByName["ModuleNotFoundError"]
	UnicodeEncodeErrType  = excByName["UnicodeEncodeError"]
	UnicodeDecodeErrType  = excByName["UnicodeDecodeError"]
	MemoryErrorType       = excByName["MemoryError"]
	SyntaxErrorType       = excByName["SyntaxError"]
	SystemErrorType       = excByName["SystemError"]
	OSErrorType           = excByName["OSError"]
)
