package mcp

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// MaxFrame is the most bytes that a frame, one line of JSON, may have. A
// longer one is refused and passed over, never held.
const MaxFrame = 16 << 20

// wire is one connection: frames are lines, as the protocol's stdio transport
// has them. Where the SDK's own connection ends at the first frame that it
// cannot read, this one answers it with an error and goes on; and it ends at
// the end of input only when all requests before it are answered. It is an
// sdk.Transport and its sdk.Connection.
type wire struct {
	in     *bufio.Reader
	out    io.Writer
	frames chan frame
	closed chan struct{}
	once   sync.Once

	mu       sync.Mutex          // guards what follows, and the order of lines on out
	open     map[jsonrpc.ID]bool // calls without an answer yet
	answered chan struct{}       // holds a token after an answer
}

// frame is a line, or why there is none.
type frame struct {
	line []byte
	err  error
}

var (
	_ sdk.Transport  = (*wire)(nil)
	_ sdk.Connection = (*wire)(nil)
)

// errTooLong is a frame of more than MaxFrame bytes.
var errTooLong = errors.New("too long")

func newWire(in io.Reader, out io.Writer) *wire {
	return &wire{in: bufio.NewReaderSize(in, 64<<10), out: out, frames: make(chan frame), closed: make(chan struct{}),
		open: map[jsonrpc.ID]bool{}, answered: make(chan struct{}, 1)}
}

// Connect starts to read.
func (w *wire) Connect(context.Context) (sdk.Connection, error) {
	go w.readLines()
	return w, nil
}

// SessionID is for transports that have one.
func (w *wire) SessionID() string { return "" }

// Close lets go of Read. A read of the input that is under way cannot be ended; it ends with the process.
func (w *wire) Close() error {
	w.once.Do(func() { close(w.closed) })
	return nil
}

// readLines hands on line after line until the input ends.
func (w *wire) readLines() {
	for {
		line, err := readLine(w.in)
		select {
		case w.frames <- frame{line, err}:
		case <-w.closed:
			return
		}
		if err != nil && !errors.Is(err, errTooLong) {
			return
		}
	}
}

// readLine reads a line without its newline. A last line that lacks it counts, if there is anything in it.
func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	long := false
	for {
		part, err := r.ReadSlice('\n')
		if long = long || len(line)+len(part) > MaxFrame+1; long {
			line = nil
		} else {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case long && (err == nil || errors.Is(err, io.EOF)):
			return nil, errTooLong
		case errors.Is(err, io.EOF) && len(line) > 0:
			return line, nil
		}
		return bytes.TrimSuffix(line, []byte("\n")), err
	}
}

// Read returns the next message. What is none is answered here.
func (w *wire) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		var f frame
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-w.closed:
			return nil, io.EOF
		case f = <-w.frames:
		}
		if f.err != nil && !errors.Is(f.err, errTooLong) {
			w.drain(ctx)
			return nil, f.err
		}
		msg, bad := w.message(f)
		if bad == nil && msg != nil {
			return msg, nil
		}
		if bad != nil {
			if err := w.refuse(bad); err != nil {
				return nil, err
			}
		}
	}
}

// drain waits until every call is answered: the end of input says that no
// more will be asked, not that nobody listens.
func (w *wire) drain(ctx context.Context) {
	for {
		w.mu.Lock()
		left := len(w.open)
		w.mu.Unlock()
		if left == 0 {
			return
		}
		select {
		case <-w.answered:
		case <-w.closed:
			return
		case <-ctx.Done():
			return
		}
	}
}

// message reads a frame; neither a message nor a fault for a blank line.
func (w *wire) message(f frame) (jsonrpc.Message, *fault) {
	if f.err != nil {
		return nil, &fault{jsonrpc.CodeInvalidRequest, nil, fmt.Sprintf("a frame has more than %d bytes", MaxFrame)}
	}
	line := bytes.TrimSpace(f.line)
	if len(line) == 0 {
		return nil, nil
	}
	id, bad := look(line)
	if bad != nil {
		return nil, bad
	}
	msg, err := jsonrpc.DecodeMessage(line)
	if err != nil {
		return nil, &fault{jsonrpc.CodeInvalidRequest, id, "this is no JSON-RPC 2.0 message"}
	}
	if call, ok := msg.(*jsonrpc.Request); ok && call.IsCall() && call.Method != "subscriptions/listen" {
		if !w.opened(call.ID) {
			return nil, &fault{jsonrpc.CodeInvalidRequest, nil, "a request of this id is not answered yet"}
		}
	}
	return msg, nil
}

// opened notes a call; false where one of its ID waits already. (A
// subscription is never answered while the connection lasts.)
func (w *wire) opened(id jsonrpc.ID) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.open[id] {
		return false
	}
	w.open[id] = true
	return true
}

// Write sends a message as one line.
func (w *wire) Write(ctx context.Context, msg jsonrpc.Message) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	answer, isAnswer := msg.(*jsonrpc.Response)
	if isAnswer {
		answer.Error = coded(answer.Error)
	}
	line, err := jsonrpc.EncodeMessage(msg)
	if err != nil {
		return fmt.Errorf("encode a message: %w", err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if isAnswer {
		delete(w.open, answer.ID)
		select {
		case w.answered <- struct{}{}:
		default:
		}
	}
	_, err = w.out.Write(append(line, '\n'))
	return err
}

// coded gives an error of the SDK that has no code one: a request out of turn.
func coded(err error) error {
	var known *jsonrpc.Error
	if err == nil || errors.As(err, &known) && known.Code != 0 {
		return err
	}
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: err.Error()}
}

// fault is what is wrong with a frame; id is as it was written, nil where it cannot be told.
type fault struct {
	code int64
	id   jsontext.Value
	what string
}

// refuse answers a frame that is no message.
func (w *wire) refuse(f *fault) error {
	id := string(f.id)
	if id == "" {
		id = "null"
	}
	what, err := jsontext.AppendQuote(nil, f.what)
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	_, err = fmt.Fprintf(w.out, `{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%s}}`+"\n", id, f.code, what)
	return err
}

// look checks the frame of a message, not what is in it: one object whose
// names do not repeat, with an id that is a string or a whole number.
func look(line []byte) (id jsontext.Value, bad *fault) {
	if !jsontext.Value(line).IsValid(jsontext.AllowDuplicateNames(true)) {
		return nil, &fault{jsonrpc.CodeParseError, nil, "this is not JSON in UTF-8"}
	}
	switch jsontext.Value(line).Kind() {
	case '{':
	case '[':
		return nil, &fault{jsonrpc.CodeInvalidRequest, nil, "batches are not supported: send one message a line"}
	default:
		return nil, &fault{jsonrpc.CodeInvalidRequest, nil, "a message is a JSON object"}
	}
	names := map[string]bool{}
	d := jsontext.NewDecoder(bytes.NewReader(line), jsontext.AllowDuplicateNames(true))
	if _, err := d.ReadToken(); err != nil {
		return nil, &fault{jsonrpc.CodeParseError, nil, "this is not JSON in UTF-8"}
	}
	for d.PeekKind() == '"' {
		name, err := d.ReadToken()
		if err != nil {
			return nil, &fault{jsonrpc.CodeParseError, nil, "this is not JSON in UTF-8"}
		}
		key := name.String()
		if names[key] {
			return nil, &fault{jsonrpc.CodeInvalidRequest, nil, fmt.Sprintf("the message has %q twice", key)}
		}
		names[key] = true
		value, err := d.ReadValue()
		if err != nil {
			return nil, &fault{jsonrpc.CodeParseError, nil, "this is not JSON in UTF-8"}
		}
		if key == "id" {
			id = value.Clone()
		}
	}
	if names["id"] && !isID(id) {
		return nil, &fault{jsonrpc.CodeInvalidRequest, nil, "an id is a string or a whole number"}
	}
	return id, nil
}

// isID reports whether v can be an id and come back as it was.
func isID(v jsontext.Value) bool {
	if v.Kind() == '"' {
		return true
	}
	n, err := strconv.ParseInt(string(v), 10, 64)
	return err == nil && n >= -1<<53 && n <= 1<<53
}
