// Package provider is what lecode says to a model and what a model says back
// (design section 9): a Request, a Response with its blocks, finish reason and
// usage, and the one interface, Model, that every kind of model has.
//
// Its blocks are the content blocks of a session record (design section 4), so
// a response is stored as it came. Usage is counted in pointers: what a
// provider did not say is null, and never 0.
//
// It must not know any provider, the network, a session, the environment or a
// key's name beyond repeating it. The packages below it do one kind of model
// each: offline, script, exec, openai, anthropic; network holds what the last
// two share. Only cmd picks one.
//
// Read Model first, then Request and Response; ReadRequest and ReadResponse
// read what is piped between commands.
package provider
