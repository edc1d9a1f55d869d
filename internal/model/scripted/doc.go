// Package scripted is an HTTP server that plays a written conversation as if it
// were a language model, in the wire formats of OpenAI (POST …/chat/completions)
// and Anthropic (POST …/messages), with faults on demand. It is the tool for
// tests of all that talks to models: our own client, official SDKs, and command
// line agents, which also ask for what stands in [Server.ServeHTTP].
//
// A request with "stream": true gets the reply as server-sent events, in which
// texts, thoughts and arguments come in several pieces. Faults that end or stall
// a reply hit the stream in its middle; those that are a status come, as from the
// real services, before the stream.
//
// The server keeps no session: the turn that it plays is the number of assistant
// messages in the request, so any number of episodes can share it, in any order.
// Faults that come by chance depend on the seed, the request and how often that
// request has been made, and on nothing else: the same run has the same faults.
package scripted
