package model

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"sync"

	"gauntlet/internal/trace"
)

// A cassette is a file of JSON Lines, one request each with its reply or its
// failure, in the order in which they ended:
//
//	{"version":"gauntlet.cassette/1","key":"…","request":{…},"reply":{…}}
//	{"version":"gauntlet.cassette/1","key":"…","request":{…},"error":{…}}
//
// The key is the SHA-256 of the request as [Request.Canonical] writes it.
const cassetteVersion = "gauntlet.cassette/1"

func cassetteKey(canonical []byte) string {
	sum := sha256.Sum256(canonical)
	return hex.EncodeToString(sum[:])
}

// Recorder is a Client that writes down what passes through it.
type Recorder struct {
	next Client
	mu   sync.Mutex
	w    io.Writer
}

// NewRecorder wraps a client. Each line goes to w in one Write.
func NewRecorder(next Client, w io.Writer) *Recorder { return &Recorder{next: next, w: w} }

// Complete asks, and writes the outcome down. A recording that cannot be written
// is a failure of the request: a cassette with a gap would replay another run. A
// request that was stopped from outside has no outcome: the run that goes on later
// asks it again.
func (c *Recorder) Complete(ctx context.Context, r Request) (Reply, error) {
	reply, err := c.next.Complete(ctx, r)
	if KindOf(err) == KindCancelled {
		return reply, err
	}
	request := r.encode()
	var o object
	o.text("version", cassetteVersion)
	o.text("key", cassetteKey(request.AppendJSON(nil)))
	o.set("request", request)
	if err != nil {
		o.set("error", asError(err).encode())
	} else {
		o.set("reply", reply.encode())
	}
	line := append(o.value().AppendJSON(nil), '\n')
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, failed := c.w.Write(line); failed != nil {
		return Reply{}, &Error{Kind: KindRejected, Op: "write cassette", Message: failed.Error(), Permanent: true, Usage: reply.Usage, Err: failed}
	}
	return reply, err
}

// Replay is a Client that answers from a cassette and asks nobody. The same
// request asked again gets the recordings of it in order, and a failure when
// they are used up.
type Replay struct {
	mu   sync.Mutex
	tape map[string][]taped
}

// taped is one recording; failure is nil for a reply.
type taped struct {
	reply   Reply
	failure *Error
}

// NewReplay reads a cassette. A last line without its end, which a kill leaves,
// is left out; every other fault is an error with the line's number.
func NewReplay(r io.Reader) (*Replay, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("read cassette: %w", err)
	}
	c := &Replay{tape: map[string][]taped{}}
	for n := 1; len(data) > 0; n++ {
		line, rest, ended := bytes.Cut(data, []byte("\n"))
		data = rest
		if !ended {
			break
		}
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if err := c.add(line); err != nil {
			return nil, fmt.Errorf("read cassette: line %d: %w", n, err)
		}
	}
	return c, nil
}

func (c *Replay) add(line []byte) error {
	v, _, err := trace.ParseValue(line)
	if err != nil {
		return err
	}
	if version := v.Get("version").Text(); version != cassetteVersion {
		return fmt.Errorf("version is %q, want %q", version, cassetteVersion)
	}
	var t taped
	if failure := v.Get("error"); failure.Exists() {
		t.failure, err = decodeError(failure)
	} else {
		t.reply, err = decodeReply(v.Get("reply"))
	}
	if err != nil {
		return err
	}
	key := v.Get("key").Text()
	if want := cassetteKey(v.Get("request").AppendJSON(nil)); key != want {
		return fmt.Errorf("the key is not that of the request")
	}
	c.tape[key] = append(c.tape[key], t)
	return nil
}

// Complete returns the next recording of the request.
func (c *Replay) Complete(ctx context.Context, r Request) (Reply, error) {
	if ctx.Err() != nil {
		return Reply{}, contextError(ctx, "replay")
	}
	key := cassetteKey(r.Canonical())
	c.mu.Lock()
	defer c.mu.Unlock()
	tape := c.tape[key]
	if len(tape) == 0 {
		return Reply{}, &Error{Kind: KindRejected, Op: "replay", Permanent: true, Message: "the cassette has no (further) recording of request " + key[:12]}
	}
	c.tape[key] = tape[1:]
	if tape[0].failure != nil {
		failure := *tape[0].failure
		return Reply{}, &failure
	}
	return tape[0].reply, nil
}

// Left returns the number of recordings that were not asked for.
func (c *Replay) Left() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := 0
	for _, tape := range c.tape {
		n += len(tape)
	}
	return n
}
