package client

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Bounds of what a server may send.
const (
	maxMessage = 16 << 20 // bytes of one message
	maxGarbage = 1_000    // lines that are no message, until a server is cut off
	maxUnasked = 100_000  // messages between two answers
)

// wire is the stdio transport: a message a line. The SDK's own holds a line of
// any length and ends at the first that is no message; this one cuts off a server
// that floods, passes over what programs print by mistake, and answers a
// server's requests itself, one before the next is read, so that they cannot pile
// up. It is an sdk.Transport and its sdk.Connection.
type wire struct {
	p  *program
	l  *live
	in *bufio.Reader

	garbage, unasked int
	most             int // of unasked

	mu sync.Mutex // the order of lines
}

var (
	_ sdk.Transport  = (*wire)(nil)
	_ sdk.Connection = (*wire)(nil)
)

// Connect is for sdk.Transport.
func (w *wire) Connect(context.Context) (sdk.Connection, error) {
	w.in = bufio.NewReaderSize(w.p.out, 64<<10)
	return w, nil
}

// SessionID is for transports that have one.
func (*wire) SessionID() string { return "" }

// Close ends the program.
func (w *wire) Close() error {
	w.l.end(errClosed)
	return nil
}

// Read returns the next message; an error ends the connection.
func (w *wire) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		msg, err := w.next(ctx)
		if err != nil {
			w.l.end(err)
			return nil, err
		}
		if msg != nil {
			return msg, nil
		}
	}
}

// next reads one line; no message where it holds none for the SDK.
func (w *wire) next(ctx context.Context) (jsonrpc.Message, error) {
	line, err := readLine(w.in)
	switch {
	case errors.Is(err, errLong):
		return nil, fmt.Errorf("it was cut off: a message of more than %d bytes", maxMessage)
	case err != nil:
		return nil, errors.New(w.p.how())
	}
	line = bytes.TrimSpace(line)
	if len(line) == 0 {
		return nil, nil
	}
	var msg jsonrpc.Message
	if line[0] == '{' {
		msg, err = jsonrpc.DecodeMessage(line)
	}
	if msg == nil || err != nil {
		if w.garbage++; w.garbage > maxGarbage {
			return nil, errors.New("it was cut off: what it prints is not the protocol")
		}
		return nil, nil
	}
	request, asks := msg.(*jsonrpc.Request)
	if !asks {
		w.unasked = 0
		return msg, nil
	}
	if w.unasked++; w.unasked > w.most {
		return nil, errors.New("it was cut off: a flood of messages that nobody asked for")
	}
	if request.IsCall() {
		return nil, w.answer(ctx, request)
	}
	if passes(request.Method) {
		return msg, nil
	}
	return nil, nil
}

// answer answers a request of the server's.
func (w *wire) answer(ctx context.Context, r *jsonrpc.Request) error {
	a := &jsonrpc.Response{ID: r.ID, Result: []byte("{}")}
	if r.Method != "ping" {
		a.Result, a.Error = nil, refusal(r.Method)
	}
	return w.Write(ctx, a)
}

// Write sends a message as one line. It blocks for as long as the program reads nothing.
func (w *wire) Write(ctx context.Context, msg jsonrpc.Message) error {
	line, err := jsonrpc.EncodeMessage(msg)
	if err != nil {
		return fmt.Errorf("encode a message: %w", err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	_, err = w.p.in.Write(append(line, '\n'))
	return err
}

// errLong is a line of more than maxMessage bytes.
var errLong = errors.New("too long")

// readLine reads a line without its newline; one that the input ends in counts.
func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		if len(line)+len(part) > maxMessage+1 {
			return nil, errLong
		}
		line = append(line, part...)
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF) && len(line) > 0:
			return line, nil
		}
		return bytes.TrimSuffix(line, []byte("\n")), err
	}
}
