// Package mcp serves a project's memory to other agents over the Model Context
// Protocol: the tools of plumbing/tool, notes and facts as resources, the
// memory section as a prompt, and a foreign transcript that is followed.
//
// It knows the protocol and the official SDK. It must not know where things
// lie, the environment, the clock, the exit codes, nor which of the stores is
// which: it is handed them. Nothing is kept between two requests but the place
// in a followed transcript and the generation that the client has seen; every
// answer is read from the stores as they are then. Start with New, then Serve;
// wire.go holds the frames, Follower the transcript, Config what a client has
// to be told.
package mcp
