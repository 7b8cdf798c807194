package transcript

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// formatSWE is SWE-agent's trajectory (.traj): one JSON document with the
// messages as the model saw them ("history"), the steps as the environment saw
// them ("trajectory"), and what it was run with ("info", "replay_config", …).
const formatSWE = "swe-agent"

// MaxDocument is the most bytes that a one-document source may have; it is read whole.
const MaxDocument = 256 << 20

// detectSWE goes by the members that no other format has together: a history
// of messages with the agent's name, or steps with an action and an observation.
func detectSWE(h *head) bool {
	if len(h.values) == 0 {
		return false
	}
	o := h.values[0]
	_, action := o["trajectory.0.action"]
	_, observation := o["trajectory.0.observation"]
	_, content := o["history.0.content"]
	return action && observation || o.is("history.0.role", '"') && content
}

// swe is a trajectory that was read: its members in order, and the elements
// of the two that are told element by element.
type swe struct {
	name       string
	history    []jsontext.Value
	trajectory []jsontext.Value
	others     []field
}

// field is a member of the document as it was written.
type field struct {
	name  string
	value jsontext.Value
}

func openSWE(src source) (*Transcript, error) {
	data, err := readDocument(src)
	if err != nil {
		return nil, err
	}
	s := &swe{name: src.name}
	if err := s.members(data); err != nil {
		return nil, err
	}
	id := hashID(src.format, data)
	return &Transcript{Format: src.format, SourceID: id, ID: id, name: src.name, read: s.read}, nil
}

// readDocument reads a one-document source whole.
func readDocument(src source) ([]byte, error) {
	if src.size > MaxDocument {
		return nil, wrong(src.name, "it is %d bytes long, the most for this format is %d", src.size, MaxDocument)
	}
	data := make([]byte, src.size)
	n, err := src.r.ReadAt(data, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("read %s: %w", src.name, err)
	}
	return data[:n], nil
}

// members takes the document apart without copying it. What is in the members
// is checked when it is read.
func (s *swe) members(data []byte) error {
	data = bytes.TrimPrefix(data, []byte("\uFEFF"))
	d := lenient(data)
	if t, err := d.ReadToken(); err != nil || t.Kind() != '{' {
		return wrong(s.name, "it is no JSON object")
	}
	for d.PeekKind() == '"' {
		name, err := d.ReadToken()
		if err != nil {
			return s.broken(d)
		}
		f := field{name: name.String()}
		if f.value, err = value(d, data); err != nil {
			return s.broken(d)
		}
		if err := s.member(f); err != nil {
			return err
		}
	}
	if _, err := d.ReadToken(); err != nil {
		return s.broken(d)
	}
	if _, err := d.ReadToken(); !errors.Is(err, io.EOF) {
		return wrong(s.name, "there is something behind the document, at byte %d", d.InputOffset())
	}
	if s.history == nil && s.trajectory == nil {
		return wrong(s.name, "there is neither a history nor a trajectory in it")
	}
	return nil
}

// value reads the next value of d, which reads data, as a part of data.
func value(d *jsontext.Decoder, data []byte) (jsontext.Value, error) {
	v, err := d.ReadValue()
	if err != nil {
		return nil, err
	}
	end := int(d.InputOffset())
	return data[end-len(v) : end : end], nil
}

// elements takes an array apart without copying it.
func elements(array jsontext.Value) ([]jsontext.Value, error) {
	d := lenient(array)
	if _, err := d.ReadToken(); err != nil {
		return nil, err
	}
	all := []jsontext.Value{}
	for d.PeekKind() != ']' {
		v, err := value(d, array)
		if err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	return all, nil
}

// lenient reads what canon refuses: it only looks for where values begin and end.
func lenient(b []byte) *jsontext.Decoder {
	return jsontext.NewDecoder(bytes.NewBuffer(b), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

func (s *swe) broken(d *jsontext.Decoder) error {
	return wrong(s.name, "not valid JSON at byte %d", d.InputOffset())
}

// member files one member of the document; a second history stays what it is, a member.
func (s *swe) member(f field) error {
	var into *[]jsontext.Value
	switch {
	case f.name == "history" && s.history == nil:
		into = &s.history
	case f.name == "trajectory" && s.trajectory == nil:
		into = &s.trajectory
	}
	if into == nil || f.value.Kind() != '[' {
		s.others = append(s.others, f)
		return nil
	}
	all, err := elements(f.value)
	*into = all
	return err
}
