package model

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/url"
	"strings"

	"gauntlet/internal/trace"
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

// redact returns text without the key, for bodies and messages that echo it: as it
// is, or as URLs, headers of Basic authentication and careful JSON writers spell it.
func (k Key) redact(text []byte) []byte {
	if len(k.secret) < shortestSecret {
		return text
	}
	for _, spelling := range k.spellings() {
		text = bytes.ReplaceAll(text, []byte(spelling), []byte(redacted))
	}
	return text
}

// redactJSON is redact for a body, in which escapes may hide the key from a search.
func (k Key) redactJSON(body []byte) []byte {
	body = k.redact(body)
	if len(k.secret) < shortestSecret || !bytes.Contains(body, []byte(`\u`)) {
		return body
	}
	v, _, err := trace.ParseValue(body)
	if err != nil {
		return body
	}
	// The canonical form has escapes only for what must be escaped.
	plain := v.AppendJSON(nil)
	if clean := k.redact(plain); !bytes.Equal(clean, plain) {
		return clean
	}
	return body
}

// spellings returns the key and its encodings, the longest of those that contain
// one another first.
func (k Key) spellings() []string {
	list := []string{
		url.QueryEscape(k.secret), url.PathEscape(k.secret), strings.ReplaceAll(k.secret, "/", `\/`),
		k.secret, hex.EncodeToString([]byte(k.secret)),
	}
	// In base64 a text looks different at each place modulo three. What depends on
	// its neighbours is left out.
	for before := range 3 {
		text := append(make([]byte, before), k.secret...)
		for _, encoding := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			coded := encoding.EncodeToString(text)[(before*4+2)/3:]
			if len(text)%3 != 0 {
				coded = coded[:len(coded)-1]
			}
			list = append(list, coded)
		}
	}
	return list
}
