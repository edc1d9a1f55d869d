package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"gauntlet/internal/trace"
)

// MaxMessage is the greatest length of one message of a client in bytes (8 MiB).
const MaxMessage = 8 << 20

// Episode is what is served. Its methods are never called at the same time by one
// Server.
type Episode interface {
	// Tools are the tools on offer. They are asked for once.
	Tools() []trace.Tool
	// Act executes the calls of a turn in order and returns the turn with their
	// observations. Calls of unknown tools and arguments that are no object
	// (Call.RawArguments) are answered with an observation that is an error. An
	// error means that the episode has ended; a call that has an observation all
	// the same was executed, and the client gets it.
	//
	// The context is not the client's: a client that gives up does not end it. It
	// ends with the context of ServeStdio or Listen.
	Act(ctx context.Context, turn trace.Step) (trace.Step, error)
}

// Options say how an episode is presented.
type Options struct {
	// Name and Version are what the server calls itself.
	Name, Version string
	// Instructions are what a client should tell its model before anything else:
	// the world's introduction and rules.
	Instructions string
	// Task is the text of the prompt "task"; empty for no prompt.
	Task string
}

// Server serves one episode. It can serve several connections at the same time;
// their calls are executed one after the other, first come, first served.
type Server struct {
	ep        Episode
	sdk       *mcp.Server
	stateless http.Handler
	tools     []*mcp.Tool

	turn chan struct{} // holds an element while a call is executed
	over error         // why the episode ended; guarded by turn

	session chan *mcp.ServerSession // the session that the handshake made, if any
}

// callHeader carries the id of a request from our transports to receive; the SDK
// passes nothing else on.
const callHeader = "Gauntlet-Request-Id"

// anyTool is the one tool that the SDK knows. All calls are sent to it, so that
// no name and no arguments are refused before the episode has seen them.
const anyTool = "any"

// proposal is a call as the client sent it.
type proposal struct {
	id        *string
	name      string
	arguments json.RawMessage
}

type proposalKey struct{}

// New returns a server for an episode.
func New(ep Episode, o Options) *Server {
	s := &Server{
		ep:      ep,
		tools:   describe(ep.Tools()),
		turn:    make(chan struct{}, 1),
		session: make(chan *mcp.ServerSession, 1),
	}
	caps := &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}}
	if o.Task != "" {
		caps.Prompts = &mcp.PromptCapabilities{}
	}
	s.sdk = mcp.NewServer(
		&mcp.Implementation{Name: o.Name, Version: o.Version},
		&mcp.ServerOptions{Instructions: o.Instructions, Capabilities: caps},
	)
	s.sdk.AddTool(&mcp.Tool{Name: anyTool, InputSchema: json.RawMessage(emptySchema)}, s.callTool)
	if o.Task != "" {
		s.sdk.AddPrompt(&mcp.Prompt{Name: "task", Description: "What the user wants."},
			func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
				return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: valid(o.Task)}}}}, nil
			})
	}
	s.sdk.AddReceivingMiddleware(s.receive)
	s.stateless = newStateless(s.sdk)
	return s
}

// receive stands between the protocol and the SDK's ideas of tools: it lists ours
// in their order and sends every call to anyTool.
func (s *Server) receive(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		switch r := req.(type) {
		case *mcp.CallToolRequest:
			p := *r.Params
			ctx = context.WithValue(ctx, proposalKey{}, proposal{id: requestID(r.Extra), name: p.Name, arguments: p.Arguments})
			p.Name, p.Arguments = anyTool, nil
			return next(ctx, method, &mcp.CallToolRequest{Session: r.Session, Params: &p, Extra: r.Extra})
		case *mcp.ListToolsRequest:
			if r.Params != nil && r.Params.Cursor != "" {
				return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "unknown cursor: all tools are on the first page"}
			}
			res, err := next(ctx, method, req)
			if list, ok := res.(*mcp.ListToolsResult); ok && err == nil {
				list.Tools = s.tools
			}
			return res, err
		}
		res, err := next(ctx, method, req)
		if ss, ok := req.GetSession().(*mcp.ServerSession); ok && err == nil && method == "initialize" {
			select {
			case s.session <- ss:
			default: // only sessions.go waits for it, and for the first one
			}
		}
		return res, err
	}
}

func requestID(extra *mcp.RequestExtra) *string {
	if extra == nil || len(extra.Header[callHeader]) == 0 {
		return nil
	}
	return &extra.Header[callHeader][0]
}

// callTool executes the call that receive put into the context.
func (s *Server) callTool(ctx context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	p, ok := ctx.Value(proposalKey{}).(proposal)
	if !ok {
		return nil, fmt.Errorf("call without a proposal")
	}
	// Channels serve those that wait in the order in which they came.
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-ctx.Done():
	}
	if ctx.Err() != nil {
		return nil, fmt.Errorf("call was not executed: %w", context.Cause(ctx))
	}
	if s.over != nil {
		return ended(s.over), nil
	}
	call := trace.Call{ID: p.id, Name: p.name, Arguments: trace.Object()}
	if len(p.arguments) > 0 && string(p.arguments) != "null" {
		call.Arguments = trace.Value{}
		call.SetArguments(string(p.arguments))
	}
	ctx, stop := lifeOnly(ctx)
	defer stop()
	turn, err := s.ep.Act(ctx, trace.Step{Role: trace.RoleAssistant, Calls: []trace.Call{call}})
	s.over = err
	switch {
	case len(turn.Calls) > 0 && turn.Calls[0].Observation != nil:
		o := turn.Calls[0].Observation
		return result(o.Text, o.Error != nil), nil
	case err != nil:
		return ended(err), nil
	}
	return nil, fmt.Errorf("call of %q got no observation", p.name)
}

// finish waits for the call that is executed; all others come too late.
func (s *Server) finish() {
	s.turn <- struct{}{}
	if s.over == nil {
		s.over = errors.New("it was closed")
	}
	<-s.turn
}

// ended is the answer to a call that comes too late.
func ended(cause error) *mcp.CallToolResult {
	const over = "the episode is over"
	text := cause.Error()
	if !strings.HasPrefix(text, over) {
		text = over + ": " + text
	}
	return result(text, true)
}

type lifeKey struct{}

// withLife marks ctx as the one whose end ends what is served under it.
func withLife(ctx context.Context) context.Context { return context.WithValue(ctx, lifeKey{}, ctx) }

// lifeOnly returns a context that ends with the one marked by withLife, and not
// with ctx, the client's request.
func lifeOnly(ctx context.Context) (context.Context, func()) {
	life, ok := ctx.Value(lifeKey{}).(context.Context)
	ctx, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	if !ok {
		return ctx, func() { cancel(nil) }
	}
	stop := context.AfterFunc(life, func() { cancel(context.Cause(life)) })
	return ctx, func() { stop(); cancel(nil) }
}
