package scripted

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"gauntlet/internal/trace"
)

// Turn is one reply of the model.
type Turn struct {
	// Thought is the reasoning.
	Thought string
	// Text is the answer.
	Text string
	// Calls are the tool calls in order.
	Calls []Call
	// Finish is the finish reason in the words of the wire format; "" stands for
	// the one that suits the calls.
	Finish string
	// Logprobs adds a log probability for the text as one token (OpenAI only).
	Logprobs bool
	// InputTokens and OutputTokens are the usage; 0 stands for a quarter of the
	// request's bytes, which is near to what services count, and for 5.
	InputTokens, OutputTokens int64
	// Fault is what goes wrong; "" is nothing.
	Fault Fault
	// Times is how often the fault hits the same request before the reply is
	// given; 0 is every time.
	Times int
}

func (t Turn) output() int64 { return cmp.Or(t.OutputTokens, 5) }

// Call is a tool call. Arguments are sent as they are, also if they are no JSON
// (in Anthropic's format, which cannot say that outside of a stream, as a text in
// place of the object).
type Call struct {
	ID        *string // nil is sent as null
	Name      string
	Arguments string
}

// ID returns a pointer to an id.
func ID(id string) *string { return &id }

// Script is a conversation: the replies in order. A request beyond the end gets
// the last one again.
type Script []Turn

// Options are the conduct of a server.
type Options struct {
	// Scripts are by model name; "" is the one for all other models. The list of
	// models that a client can ask for is that of the names, or "scripted" alone
	// if there are none.
	Scripts map[string]Script
	// Choose picks the script by the request, if Scripts is not enough; nil
	// results fall back to Scripts.
	Choose func(body trace.Value) Script
	// Key is the key that requests must show; "" demands none.
	Key string
	// Latency is the time before each reply.
	Latency time.Duration
	// Seed is the source of faults by chance.
	Seed uint64
	// FaultRate is the probability of a fault for each request, from 0 to 1.
	FaultRate float64
	// Faults are what may go wrong by chance; nil stands for [CommonFaults].
	Faults []Fault
	// RetryAfter is what a rate limit asks for, in whole seconds; 0 asks for nothing.
	RetryAfter int
	// Keep stores the bodies of requests for [Server.Requests].
	Keep bool
}

// Server plays scripts. It is an http.Handler.
type Server struct {
	o Options

	mu       sync.Mutex
	seen     map[[sha256.Size]byte]int // how often a request came
	requests []trace.Value
	counts   map[Fault]int
	total    int
}

// New returns a server, which does not listen yet.
func New(o Options) *Server {
	if o.Faults == nil {
		o.Faults = CommonFaults()
	}
	return &Server{o: o, seen: map[[sha256.Size]byte]int{}, counts: map[Fault]int{}}
}

// Play returns a server with one script for all models.
func Play(turns ...Turn) *Server {
	return New(Options{Scripts: map[string]Script{"": turns}, Keep: true})
}

// Start listens on a free port of the loopback interface until ctx ends. It
// returns the address, such as "http://127.0.0.1:4711", and a function that
// stops the server, which also ends the replies that stall.
func (s *Server) Start(ctx context.Context) (address string, stop func(), err error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, fmt.Errorf("start scripted server: %w", err)
	}
	server := &http.Server{Handler: s, ReadHeaderTimeout: time.Minute}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = server.Serve(listener) // always the error of the closing
	}()
	var once sync.Once
	stop = func() {
		once.Do(func() { _ = server.Close() }) // nothing can be done about it
		<-done
	}
	context.AfterFunc(ctx, stop)
	return "http://" + listener.Addr().String(), stop, nil
}

// Requests returns the bodies that came, in order, if they are kept.
func (s *Server) Requests() []trace.Value {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]trace.Value(nil), s.requests...)
}

// Count returns the number of requests that met a fault; "" counts all requests.
func (s *Server) Count(f Fault) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if f == "" {
		return s.total
	}
	return s.counts[f]
}

// ServeHTTP plays one turn. Besides the conversations it answers what clients ask
// before or between them: GET …/models and …/models/{id} (in Anthropic's shape to
// a client that sends an Anthropic-Version), POST …/messages/count_tokens, and GET
// and HEAD of the root. These are neither counted nor kept, and meet no faults.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p := play{w: w, r: r, wire: openAI, retryAfter: s.o.RetryAfter}
	switch path := r.URL.Path; {
	case path == "/" && (r.Method == http.MethodGet || r.Method == http.MethodHead):
		p.send(http.StatusOK, "application/json", []byte("{}"))
	case strings.Contains(path+"/", "/models/") && r.Method == http.MethodGet:
		s.models(p)
	case strings.HasSuffix(path, "/chat/completions") && r.Method == http.MethodPost:
		s.converse(p)
	case strings.HasSuffix(path, "/messages") && r.Method == http.MethodPost:
		p.wire = anthropic
		s.converse(p)
	case strings.HasSuffix(path, "/messages/count_tokens") && r.Method == http.MethodPost:
		p.wire = anthropic
		s.countTokens(p)
	default:
		http.NotFound(w, r)
	}
}

// converse plays one turn.
func (s *Server) converse(p play) {
	data, err := io.ReadAll(p.r.Body)
	if err != nil {
		return // the client has gone
	}
	if !s.admits(p.r) {
		s.note(trace.Value{}, Auth)
		p.fault(Auth, Turn{})
		return
	}
	body, turn, ok := s.read(p, data)
	if !ok {
		return
	}
	sum := sha256.Sum256(data)
	p.id = "scripted-" + hex.EncodeToString(sum[:8]) // clients merge messages with the same id
	p.model = body.Get("model").Text()
	p.stream = body.Get("stream").Bool()
	p.usage = body.Get("stream_options").Get("include_usage").Bool()
	for _, name := range []string{"max_tokens", "max_completion_tokens"} {
		if n, ok := body.Get(name).Int64(); ok {
			p.maxTokens = n
		}
	}
	fault := s.draw(sum, turn)
	s.note(body, fault)
	if s.o.Latency > 0 {
		timer := time.NewTimer(s.o.Latency)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-p.r.Context().Done():
			return
		}
	}
	p.fault(fault, turn)
}

// admits reports whether a request shows the key.
func (s *Server) admits(r *http.Request) bool {
	shown := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ") + r.Header.Get("X-Api-Key")
	return s.o.Key == "" || shown == s.o.Key
}

// read returns a request and the turn that it asks for, or answers with a failure.
func (s *Server) read(p play, data []byte) (body trace.Value, t Turn, ok bool) {
	body, _, err := trace.ParseValue(data)
	if err != nil || body.Get("messages").Kind() != trace.KindArray {
		p.failure(http.StatusBadRequest, "invalid_request_error", "", "the request is not understood")
		return body, t, false
	}
	if t, err = s.turn(body); err != nil {
		p.failure(http.StatusNotFound, "invalid_request_error", "model_not_found", err.Error())
		return body, t, false
	}
	t.InputTokens = cmp.Or(t.InputTokens, int64(len(data)+3)/4)
	return body, t, true
}

func (s *Server) note(body trace.Value, f Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.total++
	if f != "" {
		s.counts[f]++
	}
	if s.o.Keep && body.Exists() {
		s.requests = append(s.requests, body)
	}
}

// turn returns the turn that a request asks for.
func (s *Server) turn(body trace.Value) (Turn, error) {
	var script Script
	if s.o.Choose != nil {
		script = s.o.Choose(body)
	}
	if script == nil {
		script = s.o.Scripts[body.Get("model").Text()]
	}
	if script == nil {
		script = s.o.Scripts[""]
	}
	if len(script) == 0 {
		return Turn{}, errors.New("the model does not exist")
	}
	played := 0
	for _, m := range body.Get("messages").Items() {
		if m.Get("role").Text() == "assistant" {
			played++
		}
	}
	return script[min(played, len(script)-1)], nil
}

// draw returns the fault that a request meets.
func (s *Server) draw(sum [sha256.Size]byte, t Turn) Fault {
	s.mu.Lock()
	before := s.seen[sum]
	s.seen[sum]++
	s.mu.Unlock()
	if t.Fault != "" {
		if t.Times == 0 || before < t.Times {
			return t.Fault
		}
		return ""
	}
	if s.o.FaultRate <= 0 || len(s.o.Faults) == 0 {
		return ""
	}
	random := rand.New(rand.NewPCG(s.o.Seed^binary.LittleEndian.Uint64(sum[:8]), uint64(before)))
	if random.Float64() >= s.o.FaultRate {
		return ""
	}
	return s.o.Faults[random.IntN(len(s.o.Faults))]
}
