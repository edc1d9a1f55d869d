package mcp

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"gauntlet/internal/trace"
)

// errLong is the error of a line of more than MaxMessage bytes. Reading goes on
// after it.
var errLong = fmt.Errorf("message is longer than %d bytes", MaxMessage)

// line is a line without its end, or why there is none.
type line struct {
	data []byte
	err  error
}

// readLines sends the lines of in that are not blank, then the error that ended
// them, until quit is closed. Only a read that returns ends the goroutine.
func readLines(in io.Reader, quit <-chan struct{}) <-chan line {
	lines := make(chan line)
	go func() {
		r := bufio.NewReaderSize(in, 64<<10)
		for {
			data, err := readLine(r, MaxMessage)
			if err == nil && len(data) == 0 {
				continue
			}
			select {
			case lines <- line{data, err}:
			case <-quit:
				return
			}
			if err != nil && !errors.Is(err, errLong) {
				return
			}
		}
	}()
	return lines
}

// readLine returns the next line without white space around it. A last line
// without an end is a line.
func readLine(r *bufio.Reader, limit int) ([]byte, error) {
	var data []byte
	long := false
	for {
		part, err := r.ReadSlice('\n')
		if long = long || len(data)+len(part) > limit; !long {
			data = append(data, part...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if long {
			return nil, errLong
		}
		data = bytes.TrimSpace(data)
		if errors.Is(err, io.EOF) && len(data) > 0 {
			return data, nil
		}
		return data, err
	}
}

// header is what our transports must know of a message.
type header struct {
	id     trace.Value // absent for notifications
	method string      // empty for responses
	params trace.Value
}

// peek reads the header of a message. It fails if the text is no JSON object.
func peek(data []byte) (header, error) {
	v, _, err := trace.ParseValue(data)
	if err != nil {
		return header{}, err
	}
	if v.Kind() != trace.KindObject {
		return header{}, errors.New("message is no JSON object")
	}
	h := header{id: v.Get("id"), method: v.Get("method").Text(), params: v.Get("params")}
	if h.id.Kind() == trace.KindNull {
		h.id = trace.Value{}
	}
	return h, nil
}

// call reports whether the message is a request that needs an answer.
func (h header) call() bool { return h.method != "" && h.id.Exists() }

// idText is the id as a trace records it: the text of a string, the digits of a
// number.
func (h header) idText() string {
	if h.id.Kind() == trace.KindString {
		return h.id.Text()
	}
	return h.id.String()
}

// version is the version that a request of the stateless era names.
func (h header) version() string {
	return h.params.Get("_meta").Get("io.modelcontextprotocol/protocolVersion").Text()
}

// failure is a JSON-RPC error as an answer to the request with the given id.
func failure(id trace.Value, code int64, message string) []byte {
	if !id.Exists() {
		id = trace.Null()
	}
	return trace.Object(
		trace.Field{Key: "jsonrpc", Value: trace.String("2.0")},
		trace.Field{Key: "id", Value: id},
		trace.Field{Key: "error", Value: trace.Object(
			trace.Field{Key: "code", Value: trace.Int(code)},
			trace.Field{Key: "message", Value: trace.String(message)},
		)},
	).AppendJSON(nil)
}
