package scripted

import (
	"maps"
	"net/http"
	"slices"
	"strconv"

	"gauntlet/internal/trace"
)

// Fault is something that goes wrong with a reply.
type Fault string

// The faults.
const (
	RateLimit    Fault = "rate_limit"    // 429, with Retry-After if the options have one
	ServerError  Fault = "server_error"  // 500
	Overloaded   Fault = "overloaded"    // 529
	Unavailable  Fault = "unavailable"   // 503 with a page of HTML
	Auth         Fault = "auth"          // 401 that repeats the key that was shown
	Quota        Fault = "quota"         // 429, but the account has no money
	NoModel      Fault = "no_model"      // 404
	Stall        Fault = "stall"         // no reply until the client goes
	StallBody    Fault = "stall_body"    // half a reply, and no more until the client goes
	Disconnect   Fault = "disconnect"    // the connection ends without a reply
	Cut          Fault = "cut"           // the connection ends inside the reply
	CutJSON      Fault = "cut_json"      // the reply ends inside its JSON (a stream: before its end), in good order
	HalfCall     Fault = "half_call"     // the reply ends at the limit of tokens inside a call
	WrongType    Fault = "wrong_type"    // 200 with a page of HTML
	EmptyChoice  Fault = "empty_choice"  // no text and no call
	NoChoice     Fault = "no_choice"     // no choice at all
	BadArguments Fault = "bad_arguments" // the arguments of all calls are no JSON
	Refusal      Fault = "refusal"       // the service withholds the reply
	FilterError  Fault = "filter_error"  // 400 of a content filter
	HiddenError  Fault = "hidden_error"  // 200 with an error in the body (a stream: after its first event)

	OverflowOpenAI    Fault = "overflow_openai"    // context overflow by code
	OverflowVLLM      Fault = "overflow_vllm"      // by prose, code 400
	OverflowLlamaCPP  Fault = "overflow_llamacpp"  // by its own type
	OverflowAnthropic Fault = "overflow_anthropic" // by prose
	OverflowDashScope Fault = "overflow_dashscope" // by prose
	OverflowGateway   Fault = "overflow_gateway"   // by prose, with status 500
	OverflowGemini    Fault = "overflow_gemini"    // by prose
	OverflowReply     Fault = "overflow_reply"     // 200: the reply is cut where the context ends
)

// CommonFaults returns the faults of a bad night: those that pass.
func CommonFaults() []Fault {
	return []Fault{RateLimit, ServerError, Overloaded, Disconnect, Cut, CutJSON, HalfCall, WrongType, EmptyChoice}
}

// Overflows returns the faults that say that the context is full.
func Overflows() []Fault {
	return []Fault{
		OverflowOpenAI, OverflowVLLM, OverflowLlamaCPP, OverflowAnthropic,
		OverflowDashScope, OverflowGateway, OverflowGemini, OverflowReply,
	}
}

// Faults returns all faults, sorted.
func Faults() []Fault { return slices.Sorted(maps.Keys(faults)) }

const html = "<!doctype html><title>Oops</title><p>Something went wrong, but your answer is safe."

// faults is the table of what each fault does. To add one: its constant and its
// line here.
var faults = map[Fault]func(p play, t Turn){
	RateLimit: func(p play, _ Turn) {
		if p.retryAfter > 0 {
			p.w.Header().Set("Retry-After", strconv.Itoa(p.retryAfter))
		}
		p.failure(429, "rate_limit_error", "rate_limit_exceeded", "Too many requests; the limit is on tokens per minute.")
	},
	ServerError: func(p play, _ Turn) { p.failure(500, "api_error", "", "Internal server error.") },
	Overloaded:  func(p play, _ Turn) { p.failure(529, "overloaded_error", "", "Overloaded.") },
	Unavailable: func(p play, _ Turn) { p.send(503, "text/html", []byte(html)) },
	Auth: func(p play, _ Turn) {
		p.failure(401, "authentication_error", "invalid_api_key", "Wrong key: "+p.r.Header.Get("Authorization")+p.r.Header.Get("X-Api-Key"))
	},
	Quota: func(p play, _ Turn) {
		p.failure(429, "insufficient_quota", "insufficient_quota", "You have exceeded your current quota.")
	},
	NoModel:    func(p play, _ Turn) { p.failure(404, "not_found_error", "model_not_found", "There is no such model.") },
	Stall:      func(p play, _ Turn) { <-p.r.Context().Done() },
	StallBody:  stallBody,
	Disconnect: func(play, Turn) { panic(http.ErrAbortHandler) }, // net/http's way to drop a connection
	Cut:        cut,
	CutJSON: func(p play, t Turn) {
		body := p.body(t)
		p.send(200, p.mediaType(), body[:len(body)/2])
	},
	HalfCall:  halfCall,
	WrongType: func(p play, _ Turn) { p.send(200, "text/html", []byte(html)) },
	EmptyChoice: func(p play, t Turn) {
		p.give(Turn{InputTokens: t.InputTokens, OutputTokens: t.OutputTokens})
	},
	NoChoice: func(p play, _ Turn) {
		p.giveValue(trace.Object(
			word("id", p.id), field("choices", trace.Array()), field("usage", trace.Object(number("prompt_tokens", 10))),
		))
	},
	BadArguments: func(p play, t Turn) {
		calls := make([]Call, len(t.Calls))
		for i, c := range t.Calls {
			calls[i] = Call{ID: c.ID, Name: c.Name, Arguments: `{"broken": `}
		}
		t.Calls = calls
		p.give(t)
	},
	Refusal: func(p play, t Turn) {
		t.Finish, t.Calls = p.wire.refusal, nil
		p.give(t)
	},
	FilterError: func(p play, _ Turn) {
		p.failure(400, "invalid_request_error", "content_filter", "The prompt was stopped by the content management policy.")
	},
	HiddenError: hiddenError,
	OverflowOpenAI: func(p play, _ Turn) {
		p.failure(400, "invalid_request_error", "context_length_exceeded", "Your input is too large for this model.")
	},
	OverflowVLLM: func(p play, _ Turn) {
		p.failure(400, "BadRequestError", "", "This model's maximum context length is 4096 tokens, but 5000 were requested.")
	},
	OverflowLlamaCPP: func(p play, _ Turn) {
		p.failure(400, "exceed_context_size_error", "", "the request exceeds the available context size")
	},
	OverflowAnthropic: func(p play, _ Turn) {
		p.failure(400, "invalid_request_error", "", "prompt is too long: 210000 tokens > 200000 maximum")
	},
	OverflowDashScope: func(p play, _ Turn) {
		p.failure(400, "invalid_request_error", "invalid_parameter_error", "Range of input length should be [1, 30720]")
	},
	OverflowGateway: func(p play, _ Turn) {
		p.failure(500, "api_error", "", "Please reduce the length of the messages.")
	},
	OverflowGemini: func(p play, _ Turn) {
		p.failure(400, "INVALID_ARGUMENT", "", "The input token count (9000) exceeds the maximum number of tokens allowed (8192).")
	},
	OverflowReply: func(p play, t Turn) {
		t.Finish, t.Calls, t.OutputTokens = p.wire.overflow, nil, 3
		if t.Text == "" {
			t.Text = "I will"
		}
		p.give(t)
	},
}

// fault plays a turn with a fault; "" and faults that are not in the table play
// it as it is written.
func (p play) fault(f Fault, t Turn) {
	if act, ok := faults[f]; ok {
		act(p, t)
		return
	}
	p.give(t)
}

// begin sends the header of a whole reply and half of its body. A stream does not
// announce its length, but the last chunk is missing all the same.
func (p play) begin(t Turn) {
	body := p.body(t)
	p.w.Header().Set("Content-Type", p.mediaType())
	if !p.stream {
		p.w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	}
	p.write(body[:len(body)/2])
	p.flush()
}

func stallBody(p play, t Turn) {
	p.begin(t)
	<-p.r.Context().Done()
}

func cut(p play, t Turn) {
	p.begin(t)
	panic(http.ErrAbortHandler)
}

// hiddenError is an error where a reply is expected; a stream has already begun.
func hiddenError(p play, t Turn) {
	const message = "The provider behind the gateway failed."
	if p.stream {
		e := event{p.wire.errorEvent, p.wire.failure("api_error", "", message)}
		p.flow([][]byte{p.frames(t)[0], e.frame()})
		return
	}
	p.giveValue(trace.Object(field("error", trace.Object(word("message", message), number("code", 502)))))
}

// halfCall ends inside the last call; a turn without calls gets half of one.
func halfCall(p play, t Turn) {
	calls := append([]Call(nil), t.Calls...)
	if len(calls) == 0 {
		calls = []Call{{ID: ID("half"), Name: "unfinished", Arguments: `{"key":"value"}`}}
	}
	last := &calls[len(calls)-1]
	last.Arguments = last.Arguments[:len(last.Arguments)/2]
	t.Calls, t.Finish = calls, p.wire.length
	if p.maxTokens > 0 {
		t.OutputTokens = p.maxTokens // or it would look like the end of the context
	}
	p.give(t)
}
