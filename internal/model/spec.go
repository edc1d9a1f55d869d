package model

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// Spec is a model and the service that runs it, as --model names them.
type Spec struct {
	// Provider is the service.
	Provider Provider
	// Model is the model's name as the service knows it; it may hold colons,
	// slashes and hashes.
	Model string
}

// String returns the text that [ParseSpec] reads.
func (s Spec) String() string {
	if strings.Contains(s.Provider.Name, "/") {
		prefix := ""
		if s.Provider.Wire == WireAnthropic {
			prefix = anthropicPrefix
		}
		return prefix + s.Provider.BaseURL + "#" + s.Model
	}
	return s.Provider.Name + ":" + s.Model
}

const anthropicPrefix = "anthropic+"

// ParseSpec reads PROVIDER:MODEL with a provider of the table, or
// http://host:port/v1#MODEL for any OpenAI-compatible server, or the same after
// "anthropic+" for a server that speaks Anthropic's format. A provider given by
// its address is named after it and needs no key.
func ParseSpec(text string, table Table) (Spec, error) {
	address, wire := text, WireOpenAI
	if rest, ok := strings.CutPrefix(text, anthropicPrefix); ok {
		address, wire = rest, WireAnthropic
	}
	if strings.HasPrefix(address, "http://") || strings.HasPrefix(address, "https://") {
		base, name, ok := strings.Cut(address, "#")
		if !ok || name == "" {
			return Spec{}, fmt.Errorf("model %q: the model's name is missing; write %s#NAME", text, base)
		}
		base = strings.TrimRight(base, "/")
		if err := checkBaseURL(base); err != nil {
			return Spec{}, fmt.Errorf("model %q: %w", text, err)
		}
		u, err := url.Parse(base)
		if err != nil {
			return Spec{}, fmt.Errorf("model %q: %w", text, err)
		}
		p := Provider{Name: u.Host + "/" + strings.Trim(u.Path, "/"), Wire: wire, BaseURL: base}
		return Spec{Provider: p, Model: name}, nil
	}
	provider, name, ok := strings.Cut(text, ":")
	if !ok || name == "" {
		return Spec{}, fmt.Errorf("model %q: write PROVIDER:NAME or http://host:port/v1#NAME", text)
	}
	p, ok := table[provider]
	if !ok {
		known := strings.Join(slices.Sorted(maps.Keys(table)), ", ")
		return Spec{}, fmt.Errorf("model %q: unknown provider %q; the table has %s", text, provider, known)
	}
	return Spec{Provider: p, Model: name}, nil
}

// checkBaseURL refuses addresses that cannot be a base, or that hold a secret.
func checkBaseURL(base string) error {
	u, err := url.Parse(base)
	switch {
	case err != nil:
		return errors.New("no URL") // the error would repeat a password
	case u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return errors.New("want http:// or https:// and a host")
	case u.User != nil:
		return errors.New("no user and password in the address; keys are given by a variable")
	case u.RawQuery != "" || u.Fragment != "":
		return errors.New("no query and no fragment in the address")
	}
	return nil
}

// Options are what a client needs from outside.
type Options struct {
	// Clock is required.
	Clock Clock
	// Key is the provider's key; the zero Key sends none.
	Key Key
	// Transport sends the requests; nil stands for one without a proxy.
	Transport http.RoundTripper
}

// Open returns the client of the provider of a spec, without any wrapper.
func Open(s Spec, o Options) (Client, error) {
	if o.Clock == nil {
		return nil, errors.New("open model: no clock")
	}
	if s.Provider.KeyVariable != "" && !o.Key.Exists() {
		return nil, &Error{Kind: KindAuth, Op: "open", Message: fmt.Sprintf("provider %s needs a key in %s", s.Provider.Name, s.Provider.KeyVariable)}
	}
	e := endpoint{
		provider: s.Provider, key: o.Key, clock: o.Clock,
		headers: map[string]string{}, client: newHTTPClient(o.Transport),
	}
	base := strings.TrimRight(s.Provider.BaseURL, "/")
	switch s.Provider.Wire {
	case WireOpenAI:
		e.url = base + "/chat/completions"
		if o.Key.Exists() {
			e.headers["Authorization"] = "Bearer " + o.Key.secret
		}
		return &openAI{endpoint: e}, nil
	case WireAnthropic:
		e.url = strings.TrimSuffix(base, "/v1") + "/v1/messages"
		e.headers["Anthropic-Version"] = "2023-06-01"
		if o.Key.Exists() {
			e.headers["X-Api-Key"] = o.Key.secret
		}
		return &anthropic{e}, nil
	}
	return nil, fmt.Errorf("open model: unknown wire format %q", s.Provider.Wire)
}
