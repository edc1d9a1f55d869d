package mcp

import (
	"net/http"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestUnknownMethodIsAnswered: clients ask for what servers may not have, and a
// status in place of an answer leaves some of them waiting. Whatever they ask, in
// either era and in a session or without, the episode goes on.
func TestUnknownMethodIsAnswered(t *testing.T) {
	f := &fake{}
	alone := listen(t, newServer(f).Handler("")) + "/"
	_, _, shared := serveHouse(t, HandlerOptions{})
	shared += "/"
	_, _, h := post(t, shared, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"a","version":"1"}}}`)
	session := []string{"Mcp-Session-Id", h.Get("Mcp-Session-Id")}
	post(t, shared, `{"jsonrpc":"2.0","method":"notifications/initialized"}`, session...)
	for _, c := range []struct{ ask, code string }{
		{`"method":"ping"`, "null"},
		{`"method":"tools/list"`, "null"},
		{`"method":"tools/list","params":{}`, "null"},
		{`"method":"resources/list"`, "null"},
		{`"method":"resources/templates/list"`, "null"},
		{`"method":"logging/setLevel","params":{"level":"info"}`, "null"},
		{`"method":"prompts/list"`, "null"},
		{`"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"task"},"argument":{"name":"a","value":"b"}}`, "-32601"},
		{`"method":"no/such"`, "-32601"},
		{`"method":"no/such","params":{"a":1}`, "-32601"},
		{`"method":"subscriptions/listen"`, "-32600"},
	} {
		for url, headers := range map[string][]string{alone: nil, shared: session} {
			status, v, _ := post(t, url, `{"jsonrpc":"2.0","id":"é7",`+c.ask+`}`, headers...)
			if status != http.StatusOK || v.Get("id").Text() != "é7" || v.Get("error").Get("code").String() != c.code {
				t.Errorf("%s: got %d %s, want code %s", c.ask, status, v, c.code)
			}
		}
	}
	for _, notification := range []string{`"method":"notifications/no_such"`, `"method":"notifications/cancelled","params":{"requestId":99}`, `"method":"notifications/roots/list_changed"`} {
		for url, headers := range map[string][]string{alone: nil, shared: session} {
			if status, v, _ := post(t, url, `{"jsonrpc":"2.0",`+notification+`}`, headers...); status != http.StatusAccepted || v.Text() != "" {
				t.Errorf("%s: got %d %s", notification, status, v)
			}
		}
	}
	if n := len(f.calls()); n != 0 {
		t.Errorf("the episode saw %d calls", n)
	}
}

// TestClientThatComesBack: an agent that loses its connection and shakes hands
// again is still in its episode.
func TestClientThatComesBack(t *testing.T) {
	f := &fake{}
	url := listen(t, newServer(f).Handler("")) + "/"
	for i, version := range mcp.SupportedProtocolVersions() {
		cs := connect(t, &mcp.StreamableClientTransport{Endpoint: url}, version)
		for range 2 {
			if list, err := cs.ListTools(t.Context(), nil); err != nil || len(list.Tools) != 15 {
				t.Fatalf("%s: list = %v, %v", version, list, err)
			}
		}
		if text, failed := sdkCall(t, cs, "t01", map[string]any{"n": i}); failed || text == "" {
			t.Errorf("%s: call = %q, %v", version, text, failed)
		}
		if err := cs.Close(); err != nil {
			t.Error(err)
		}
		if got := len(f.calls()); got != i+1 {
			t.Errorf("%s: the episode saw %d calls, want %d", version, got, i+1)
		}
	}
	f.check(t)
}

// TestListIsAnsweredBeforeTheCallsAfterIt: a client that writes all it wants at once
// gets the answers in this order.
func TestListIsAnsweredBeforeTheCallsAfterIt(t *testing.T) {
	w := serveFake(t, &fake{})
	w.handshake("2025-06-18")
	for range 200 {
		w.send(`{"jsonrpc":"2.0","id":"list","method":"tools/list"}`, callLine("1", "t01", `{}`), callLine("2", "t01", `{}`))
		for _, want := range []string{"list", "1", "2"} {
			if _, v := w.read(); v.Get("id").Text() != want && v.Get("id").String() != want {
				t.Fatalf("got %s, want the answer to %s", v, want)
			}
		}
	}
	// One that is given up holds up nobody.
	for range 200 {
		w.send(`{"jsonrpc":"2.0","id":"list","method":"tools/list"}`,
			`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"list"}}`, callLine("1", "t01", `{}`))
		for id := ""; id != "1"; {
			_, v := w.read()
			id = v.Get("id").String()
		}
	}
	if err := w.end(); err != nil {
		t.Error(err)
	}
}
