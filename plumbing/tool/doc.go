// Package tool is the eight memory tools that a model gets (seed, "What the
// agent sees"; design sections 8 and 13): their schemas, the strict reading of
// their arguments, and what they do through the stores.
//
// A schema is a JSON file beside the code of its tool, in the small part of
// JSON Schema that every provider takes: objects, fields, types, an enum. It
// says the shape of the arguments, and a test holds it against the decoder;
// what the shape cannot say (a range, a file's name, one of two forms) the
// description says and the tool checks.
//
// Results are text for a model: Markdown and one-line answers, or one
// canonical object where another call goes on from it. Each is capped, and
// says so where it was cut.
//
// It knows the stores and the rights of a caller. It must not know models,
// the terminal, a protocol, whether memory is enabled, or how permission is
// asked for: those are whoever calls. Start with Call; decode.go reads
// arguments, and each tool has a file of its own.
package tool
