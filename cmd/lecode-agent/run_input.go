package main

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"unicode/utf8"

	"github.com/lecode/lecode/cmd/internal/cli"
	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/provider"
	"github.com/lecode/lecode/porcelain/agent"
	"github.com/lecode/lecode/porcelain/slash"
)

const (
	maxStdin    = 1 << 20  // bytes of stdin that join a prompt
	maxAttached = 10 << 20 // bytes of all files that go with a prompt: as base64 a record holds them
)

// input is the prompt: its words, and beside them stdin where that is no
// terminal and not empty; stdin alone where there are no words, or just "-".
func (c *runCommand) input(e *cli.Env) (in agent.Input, err error) {
	in.Text = strings.Join(c.Prompt, " ")
	dash := in.Text == "-"
	if dash {
		in.Text = ""
	}
	if dash || !cli.IsTerminal(e.Stdin) {
		piped, err := readStdin(e.Stdin)
		switch {
		case err != nil:
			return in, err
		case in.Text == "":
			in.Text = piped
		case c.commands(in.Text) && piped != "":
			in.Text += "\n\n" + piped // what a command takes
		default:
			in.Piped = piped
		}
	}
	if strings.TrimSpace(in.Text) == "" {
		in.Text = ""
	}
	in.Files, err = attach(c.File)
	return in, err
}

// commands reports whether the words that were typed are a slash command.
func (c *runCommand) commands(text string) bool {
	_, isPrompt := slash.Prompt(text)
	return strings.HasPrefix(text, "/") && !isPrompt
}

func readStdin(r io.Reader) (string, error) {
	b, err := io.ReadAll(io.LimitReader(r, maxStdin+1))
	switch {
	case err != nil:
		return "", fmt.Errorf("read stdin: %w", err)
	case len(b) > maxStdin:
		return "", plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("more than %d bytes on stdin", maxStdin),
			"leave the text in a file and let the agent read the parts it needs")
	case !utf8.Valid(b):
		return "", plumbing.Fail(plumbing.ErrInvalid, "stdin is not UTF-8", "attach an image with --file PATH")
	}
	text := strings.TrimRight(strings.TrimPrefix(string(b), "\ufeff"), "\r\n")
	if strings.TrimSpace(text) == "" {
		return "", nil
	}
	return text, nil
}

// attach reads the files that go with a prompt.
func attach(paths []string) ([]provider.Block, error) {
	var blocks []provider.Block
	left := int64(maxAttached)
	for _, path := range paths {
		b, err := readAttached(path, left)
		if err != nil {
			return nil, err
		}
		left -= int64(len(b))
		kind, err := mediaType(path, b)
		if err != nil {
			return nil, err
		}
		blocks = append(blocks, provider.Block{Type: provider.TypeFile, Name: filepath.Base(path), MediaType: kind,
			Data: base64.StdEncoding.EncodeToString(b)})
	}
	return blocks, nil
}

// readAttached reads a regular file; nothing else is waited for.
func readAttached(path string, limit int64) ([]byte, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if errors.Is(err, os.ErrNotExist) {
		return nil, &plumbing.Error{Kind: plumbing.ErrNotFound, Cause: err, Message: fmt.Sprintf("there is no file %q", path), Hint: "check --file"}
	}
	if err != nil {
		return nil, fmt.Errorf("attach %q: %w", path, err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("attach %q: %w", path, err)
	}
	if !info.Mode().IsRegular() {
		return nil, plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("%q is not a regular file", path), "attach a file with text or an image")
	}
	b, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, fmt.Errorf("attach %q: %w", path, err)
	}
	if int64(len(b)) > limit {
		return nil, plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("with %q the files are more than %d bytes", path, maxAttached),
			"let the agent read it, or make it smaller")
	}
	return b, nil
}

// mediaType tells images and text by what is in them.
func mediaType(path string, b []byte) (string, error) {
	switch kind := http.DetectContentType(b); kind {
	case "image/png", "image/jpeg", "image/gif", "image/webp":
		return kind, nil
	}
	if utf8.Valid(b) && !strings.ContainsRune(string(b), 0) {
		return "text/plain", nil
	}
	return "", plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("%q is neither text nor an image that models take", path),
		"attach UTF-8 text, PNG, JPEG, GIF or WebP")
}
