package scripted

import "gauntlet/internal/trace"

// event is one server-sent event,
// https://html.spec.whatwg.org/multipage/server-sent-events.html.
type event struct {
	name string // "" has no line of its own
	data trace.Value
}

// frame returns the event as it is sent. JSON has no line breaks, so it is always
// one line of data.
func (e event) frame() []byte {
	var frame []byte
	if e.name != "" {
		frame = append(frame, "event: "+e.name+"\n"...)
	}
	frame = append(frame, "data: "...)
	frame = e.data.AppendJSON(frame)
	return append(frame, "\n\n"...)
}

// frames returns the events of a streamed turn.
func (p play) frames(t Turn) [][]byte {
	events := p.wire.stream(p.head, t)
	frames := make([][]byte, len(events))
	for i, e := range events {
		frames[i] = e.frame()
	}
	return frames
}

// flow sends a stream, each frame as soon as it is written.
func (p play) flow(frames [][]byte) {
	p.w.Header().Set("Content-Type", p.mediaType())
	p.w.Header().Set("Cache-Control", "no-cache")
	for _, frame := range frames {
		p.write(frame)
		p.flush()
	}
}

// pieces cuts a text into the parts in which a stream sends it: about four, and
// none much longer than 64 bytes. It cuts neither inside a character nor before
// the byte 0xED, with which the second half of a surrogate pair begins in WTF-8.
// An empty text has no pieces.
func pieces(s string) []string {
	size := min(len(s)/4+1, 64)
	var list []string
	for start := 0; start < len(s); {
		end := min(start+size, len(s))
		for end < len(s) && (s[end]&0xC0 == 0x80 || s[end] == 0xED) {
			end++
		}
		list = append(list, s[start:end])
		start = end
	}
	return list
}
