package session

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path"

	"github.com/lecode/lecode/plumbing/file"
)

// The index of a log lies in the cache directory: a header and an entry of
// fixed width a record, each with a CRC-32 (design section 4). It is trusted
// while the log's fstat is the header's; it is never trusted for content.
const (
	indexMagic = "lecodei1"
	headerSize = 256
	entrySize  = 32
	maxReason  = headerSize - 8 - 11*8 - 1 - 4
)

// header is the head of an index.
type header struct {
	stamp    file.Stamp
	count    int64
	end      int64
	messages int64
	title    int64
	corrupt  *Corruption
}

func (h header) encode() []byte {
	b := append(make([]byte, 0, headerSize), indexMagic...)
	c := Corruption{}
	if h.corrupt != nil {
		c = *h.corrupt
	}
	for _, v := range []int64{h.stamp.Device, h.stamp.Inode, h.stamp.Size, h.stamp.Modified, h.stamp.Changed,
		h.count, h.end, h.messages, h.title, c.Line, c.Offset} {
		b = binary.LittleEndian.AppendUint64(b, uint64(v))
	}
	reason := c.Reason[:min(len(c.Reason), maxReason)]
	b = append(append(b, byte(len(reason))), reason...)
	b = b[:headerSize-4]
	return binary.LittleEndian.AppendUint32(b, crc32.ChecksumIEEE(b))
}

func decodeHeader(b []byte) (h header, ok bool) {
	if len(b) != headerSize || string(b[:8]) != indexMagic ||
		crc32.ChecksumIEEE(b[:headerSize-4]) != binary.LittleEndian.Uint32(b[headerSize-4:]) {
		return h, false
	}
	v := [11]int64{}
	for i := range v {
		v[i] = int64(binary.LittleEndian.Uint64(b[8+8*i:]))
	}
	h = header{stamp: file.Stamp{Device: v[0], Inode: v[1], Size: v[2], Modified: v[3], Changed: v[4]},
		count: v[5], end: v[6], messages: v[7], title: v[8]}
	n := int(b[96])
	if v[9] > 0 {
		h.corrupt = &Corruption{Line: v[9], Offset: v[10], Reason: string(b[97 : 97+min(n, maxReason)])}
	}
	return h, h.count >= 0 && h.end >= 0 && h.end <= h.stamp.Size && (h.count > 0 || h.corrupt != nil)
}

func appendEntry(b []byte, e Entry) []byte {
	start := len(b)
	b = binary.LittleEndian.AppendUint64(b, uint64(e.Offset))
	b = binary.LittleEndian.AppendUint64(b, uint64(e.Generation))
	b = binary.LittleEndian.AppendUint64(b, uint64(e.LastEvent))
	b = append(b, code(typeCodes, e.Type), code(roleCodes, e.Role), code(originCodes, e.Origin), 0)
	return binary.LittleEndian.AppendUint32(b, crc32.ChecksumIEEE(b[start:]))
}

func decodeEntry(b []byte, seq int64) (Entry, bool) {
	if crc32.ChecksumIEEE(b[:entrySize-4]) != binary.LittleEndian.Uint32(b[entrySize-4:entrySize]) {
		return Entry{}, false
	}
	return Entry{
		Seq:        seq,
		Offset:     int64(binary.LittleEndian.Uint64(b)),
		Generation: int64(binary.LittleEndian.Uint64(b[8:])),
		LastEvent:  int64(binary.LittleEndian.Uint64(b[16:])),
		Type:       decode(typeCodes, b[24]), Role: decode(roleCodes, b[25]), Origin: decode(originCodes, b[26]),
	}, true
}

// index gives entries by seq, from the file or from memory, a block at a time.
type index struct {
	header
	r     io.ReaderAt // entries begin at base
	base  int64
	f     *os.File // nil where the entries are in memory
	block []byte
	first int64 // seq of block[0]
}

const blockEntries = 128

var errIndex = errors.New("index entry does not hold")

func (x *index) at(seq int64) (Entry, error) {
	if seq < 0 || seq >= x.count {
		return Entry{}, fmt.Errorf("no entry %d: %w", seq, errIndex)
	}
	held := int64(len(x.block) / entrySize)
	if seq < x.first || seq >= x.first+held {
		x.first = seq / blockEntries * blockEntries
		n := min(blockEntries, x.count-x.first)
		if cap(x.block) == 0 {
			x.block = make([]byte, blockEntries*entrySize)
		}
		x.block = x.block[:n*entrySize]
		if got, err := x.r.ReadAt(x.block, x.base+x.first*entrySize); got < len(x.block) {
			x.block = x.block[:0]
			return Entry{}, fmt.Errorf("read entry %d: %w: %w", seq, errIndex, err)
		}
	}
	e, ok := decodeEntry(x.block[(seq-x.first)*entrySize:], seq)
	if !ok || e.Offset < 0 || e.Offset >= x.end || e.LastEvent < 0 || e.LastEvent > seq {
		return Entry{}, fmt.Errorf("entry %d: %w", seq, errIndex)
	}
	return e, nil
}

func (x *index) close() {
	if x != nil && x.f != nil {
		x.f.Close()
		x.f = nil
	}
}

func (s *Store) indexName(id string) string {
	return path.Join("index", s.opt.Project.Slug, id)
}

// openIndex opens the index of a log where it agrees with the log's stamp; nil otherwise.
func (s *Store) openIndex(id string, stamp file.Stamp, flag int) *index {
	f, err := s.opt.Cache.Open(s.indexName(id), flag)
	if err != nil {
		return nil
	}
	b := make([]byte, headerSize)
	if _, err := f.ReadAt(b, 0); err == nil {
		if h, ok := decodeHeader(b); ok && h.stamp == stamp {
			return &index{header: h, r: f, base: headerSize, f: f}
		}
	}
	f.Close()
	return nil
}

// writeIndex puts a scan's result in place; that it could not is no failure, the cache can be missing.
func (s *Store) writeIndex(id string, h header, entries []byte) {
	_ = s.opt.Cache.WriteCache(s.indexName(id), func(w io.Writer) error {
		if _, err := w.Write(h.encode()); err != nil {
			return err
		}
		_, err := w.Write(entries)
		return err
	})
}
