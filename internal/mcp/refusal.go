package mcp

import (
	"bytes"
	"net/http"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// refusals is a ResponseWriter that turns the SDK's refusals in plain text, of a
// method that it does not know for one, into what the protocol has for them: an
// error for a request, and no answer for a notification. Some clients wait for ever
// for the answer to a request that got a status in its place, others give up the
// whole server; the agent behind them would be lost for a question.
type refusals struct {
	http.ResponseWriter
	message header // that is being answered
	text    *bytes.Buffer
}

// answering returns a writer for the answer to a message.
func answering(w http.ResponseWriter, m header) *refusals {
	return &refusals{ResponseWriter: w, message: m}
}

// WriteHeader holds back a refusal in plain text.
func (w *refusals) WriteHeader(status int) {
	plain := strings.HasPrefix(w.Header().Get("Content-Type"), "text/plain")
	if status == http.StatusBadRequest && plain && w.message.method != "" && w.text == nil {
		w.text = &bytes.Buffer{}
		return
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *refusals) Write(p []byte) (int, error) {
	if w.text != nil {
		return w.text.Write(p)
	}
	return w.ResponseWriter.Write(p)
}

// Unwrap lets http.ResponseController reach the writer.
func (w *refusals) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// Flush implements http.Flusher.
func (w *refusals) Flush() {
	if f, ok := w.ResponseWriter.(http.Flusher); ok && w.text == nil {
		f.Flush()
	}
}

// done sends what was held back.
func (w *refusals) done() {
	if w.text == nil {
		return
	}
	h := w.Header()
	h.Del("X-Content-Type-Options")
	if !w.message.call() {
		h.Del("Content-Type")
		w.ResponseWriter.WriteHeader(http.StatusAccepted)
		return
	}
	code := int64(jsonrpc.CodeInvalidRequest)
	text := strings.TrimSpace(w.text.String())
	if strings.HasPrefix(text, "JSON RPC not handled") {
		code = jsonrpc.CodeMethodNotFound
	}
	h.Set("Content-Type", "application/json")
	w.ResponseWriter.WriteHeader(http.StatusOK)
	// A client that is gone misses nothing.
	_, _ = w.ResponseWriter.Write(failure(w.message.id, code, text))
}
