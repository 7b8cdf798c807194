// Package transcript reads the transcripts of other agents into records of
// the session log (design section 4): canonical objects without seq and
// without generation, in the order in which they were said.
//
// It knows bytes and formats; it must not know where sessions lie, who may
// read them, or what time it is. It opens nothing: it is handed a reader.
// Start with Open; Detect names the format. A format is one file and one row
// in the table of formats.go.
//
// # What a source becomes
//
// A record a source line (an element of a one-document format). Two where
// words that somebody typed are mixed with what a program put round them; the
// two carry "split":{"part","parts"}. What has no place in a message is kept
// under "foreign", as the source wrote it; a line that is no message at all
// becomes an event {"foreign":{...the line...},"time","type":"foreign"} in
// its place. Nothing vanishes. "time" is left out where the source has none.
//
// Words become "user" only where the source shows that a person typed them;
// every doubt is decided for "synthetic". Notices that somebody interrupted
// the agent stay synthetic messages: a record a line, so no cancel is made up.
//
// # Growth
//
// A transcript is read while its agent goes on writing it, and read again
// when it has grown. What a line becomes depends on the lines before it only,
// never on those behind it, so the records of a part, cut at a line end, are
// the first records of the whole. The one exception is a line that stands
// before its parent (a TUI writes an answer before the prompt it answers):
// it waits for the parent, and a part that ends between the two cannot know
// that there is one.
//
// # Usage
//
// The lines of one answer share "call_id". The first that says a usage
// carries it, a line that repeats it carries null, and a line that says
// something else carries the whole again, the last known value of each field.
// So a total takes the last usage of each call_id and never adds two of them.
//
// # Bytes that lecode would not write
//
// Lone surrogates and bad UTF-8 are replaced by U+FFFD, and the record says so
// in "repaired":{"bytes","sha256","surrogates"} with the digest of the line as
// it was. A line that canonical JSON cannot hold though it is JSON (duplicate
// keys, or one level too deep once it is wrapped) becomes a foreign event with
// the line in base64: {"foreign":{"base64","why"}}. Anything else that is not
// a JSON object is an error that names the line.
package transcript
