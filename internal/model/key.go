package model

import (
	"bytes"
	"fmt"
	"strings"
)

// Key is a secret. It prints, formats and marshals as "[redacted]"; only the
// HTTP clients of this package can see what it holds.
type Key struct{ secret string }

// NewKey wraps a secret. White space around it, which a file or a shell leaves,
// is removed.
func NewKey(secret string) Key { return Key{strings.TrimSpace(secret)} }

const redacted = "[redacted]"

// shortestSecret is the length from which a key is searched for in texts; a
// shorter one, such as the "EMPTY" of local servers, is no secret and would
// deface ordinary words.
const shortestSecret = 8

// Exists reports whether there is a key at all.
func (k Key) Exists() bool { return k.secret != "" }

// String returns "[redacted]".
func (k Key) String() string { return redacted }

// Format writes "[redacted]" for every verb.
func (k Key) Format(s fmt.State, _ rune) { _, _ = s.Write([]byte(redacted)) }

// MarshalText returns "[redacted]", for JSON and YAML.
func (k Key) MarshalText() ([]byte, error) { return []byte(redacted), nil }

// redact returns text without the key, for bodies and messages that echo it.
func (k Key) redact(text []byte) []byte {
	if len(k.secret) < shortestSecret {
		return text
	}
	return bytes.ReplaceAll(text, []byte(k.secret), []byte(redacted))
}
