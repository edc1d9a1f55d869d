package trace

import (
	"strconv"
	"strings"
)

// Pointer returns the value at a JSON pointer (RFC 6901): "" is v itself,
// "/users/U1" the field U1 of the field users, "/rows/0" the first item. It
// returns an absent Value if there is nothing there.
func (v Value) Pointer(pointer string) Value {
	for pointer != "" {
		var token string
		var ok bool
		if token, pointer, ok = cutPointer(pointer); !ok {
			return Value{}
		}
		v = v.child(token)
	}
	return v
}

// child returns the value that one unescaped token of a pointer names.
func (v Value) child(token string) Value {
	if v.kind == KindArray {
		i, ok := parseIndex(token)
		if !ok {
			return Value{}
		}
		return v.Index(i)
	}
	return v.Get(token)
}

// JoinPointer returns the JSON pointer with the given unescaped tokens:
// JoinPointer("users", "a/b") is "/users/a~1b".
func JoinPointer(tokens ...string) string {
	var dst []byte
	for _, t := range tokens {
		dst = appendPointer(dst, t)
	}
	return string(dst)
}

// SplitPointer returns the unescaped tokens of a JSON pointer, and false if it
// is neither empty nor starts with a slash. "" has no tokens.
func SplitPointer(pointer string) ([]string, bool) {
	tokens := []string{}
	for pointer != "" {
		token, rest, ok := cutPointer(pointer)
		if !ok {
			return nil, false
		}
		tokens, pointer = append(tokens, token), rest
	}
	return tokens, true
}

var (
	pointerEscaper   = strings.NewReplacer("~", "~0", "/", "~1")
	pointerUnescaper = strings.NewReplacer("~1", "/", "~0", "~")
)

// cutPointer splits the first token, unescaped, off a pointer.
func cutPointer(pointer string) (token, rest string, ok bool) {
	if pointer[0] != '/' {
		return "", "", false
	}
	pointer = pointer[1:]
	end := strings.IndexByte(pointer, '/')
	if end < 0 {
		end = len(pointer)
	}
	token = pointer[:end]
	if strings.IndexByte(token, '~') >= 0 {
		token = pointerUnescaper.Replace(token)
	}
	return token, pointer[end:], true
}

// appendPointer appends one token to a pointer.
func appendPointer(dst []byte, token string) []byte {
	dst = append(dst, '/')
	if strings.ContainsAny(token, "~/") {
		token = pointerEscaper.Replace(token)
	}
	return append(dst, token...)
}

// parseIndex reads an array index, which has no sign and no leading zero.
func parseIndex(token string) (int, bool) {
	if token == "" || len(token) > 9 || token[0] == '0' && token != "0" {
		return 0, false
	}
	if skipDigits(token, 0) < len(token) {
		return 0, false
	}
	i, err := strconv.Atoi(token)
	return i, err == nil
}
