package fsck

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/lecode/lecode/plumbing/file"
	"github.com/lecode/lecode/plumbing/session"
)

// The form of an index (design section 4), read here a second time and apart
// from package session: a check that shared its code would share its faults.
const (
	indexHeader = 256
	indexEntry  = 32
	indexMagic  = "lecodei1"
)

// index holds the index of a log against a scan of that log.
func (c *Checker) index(l *session.Log, found report) error {
	name := path.Join(c.indexDir(), l.ID())
	f, err := c.opt.Cache.Open(name, os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // made at the next use
	}
	if err != nil {
		return nil // told by files
	}
	defer f.Close()
	log, err := c.opt.Config.Lstat(c.logName(l.ID()))
	if err != nil || grown(l, log.Size()) {
		return nil // deleted, or written to, meanwhile
	}
	stale, good, err := c.compare(f, file.StampOf(log), l)
	switch {
	case err != nil:
		return err
	case c.attached(l.ID()), good && !stale:
		return nil // a writer may be between the log and its index
	case stale:
		return found(c.finding(IndexStale, inCache, name, "made for another state of the log and not used: the next use of the session, or `lecode fsck --repair`, replaces it"))
	}
	return found(c.finding(IndexDamaged, inCache, name, "says other things than the log: remove it, or run `lecode fsck --repair`"))
}

// grown reports whether a log is no longer as long as when it was scanned.
func grown(l *session.Log, size int64) bool {
	if l.Corruption() != nil {
		return false // nothing appends to it
	}
	end, err := l.Entry(l.Last())
	return err == nil && end.Offset+end.Size+1+l.TornBytes() != size
}

// compare reads an index: stale where it is of another state of the log, good where it agrees.
func (c *Checker) compare(f io.ReaderAt, stamp file.Stamp, l *session.Log) (stale, good bool, err error) {
	h := make([]byte, indexHeader)
	if _, err := f.ReadAt(h, 0); err != nil {
		return false, false, ignoreEOF(err)
	}
	if string(h[:8]) != indexMagic || crc32.ChecksumIEEE(h[:indexHeader-4]) != binary.LittleEndian.Uint32(h[indexHeader-4:]) {
		return false, false, nil
	}
	v := [11]int64{}
	for i := range v {
		v[i] = int64(binary.LittleEndian.Uint64(h[8+8*i:]))
	}
	if (file.Stamp{Device: v[0], Inode: v[1], Size: v[2], Modified: v[3], Changed: v[4]}) != stamp {
		return true, true, nil
	}
	t, err := c.entries(f, l)
	if err != nil {
		return false, false, err
	}
	corrupt, line := l.Corruption(), int64(0)
	if corrupt != nil {
		line = corrupt.Line
	}
	good = t.good && v[5] == t.count && v[6] == t.end && v[7] == t.messages && v[8] == t.title && v[9] == line
	return false, good, nil
}

func ignoreEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// tally is what a log says that its index should.
type tally struct {
	count, end, messages, title int64
	good                        bool // the entries of the index agree
}

// entries holds each entry of an index against the scan.
func (c *Checker) entries(f io.ReaderAt, l *session.Log) (t tally, err error) {
	t.good = true
	if l.Header().ID == "" {
		return t, nil // corrupt from its first line on
	}
	r := io.NewSectionReader(f, indexHeader, indexEntry*(l.Last()+1))
	b := make([]byte, indexEntry*128)
	for seq := int64(0); seq <= l.Last(); seq++ {
		at := int(seq%128) * indexEntry
		if at == 0 {
			if n, err := io.ReadFull(r, b[:min(int64(len(b)), indexEntry*(l.Last()+1-seq))]); err != nil {
				clear(b[n:])
				if !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
					return t, err
				}
			}
		}
		e, err := l.Entry(seq)
		if err != nil {
			return t, err
		}
		t.add(e)
		t.good = t.good && c.same(b[at:at+indexEntry], e)
	}
	return t, nil
}

func (t *tally) add(e session.Entry) {
	t.count, t.end = e.Seq+1, e.Offset+e.Size+1
	switch e.Type {
	case session.TypeMessage:
		t.messages++
	case session.TypeTitle:
		t.title = e.Seq
	}
}

// same compares one entry. Which code stands for which word is session's own
// affair; throughout, one code has to stand for one word and one word for one code.
func (c *Checker) same(b []byte, e session.Entry) bool {
	if crc32.ChecksumIEEE(b[:indexEntry-4]) != binary.LittleEndian.Uint32(b[indexEntry-4:]) {
		return false
	}
	for i, n := range []int64{e.Offset, e.Generation, e.LastEvent} {
		if int64(binary.LittleEndian.Uint64(b[8*i:])) != n {
			return false
		}
	}
	for i, word := range []string{e.Type, e.Role, e.Origin} {
		key := [2]byte{byte(i), b[24+i]}
		if !c.codes.pair(key, word) {
			return false
		}
	}
	return true
}

// orphans finds indexes of no session.
func (c *Checker) orphans(ids []string, found report) error {
	list, err := c.opt.Cache.ReadDir(c.indexDir())
	if err != nil {
		return c.orFail(inCache, c.indexDir(), err, found)
	}
	for _, e := range list {
		if _, known := slices.BinarySearch(ids, e.Name()); known || strings.HasPrefix(e.Name(), file.TempPrefix) || !e.Type().IsRegular() {
			continue
		}
		err := found(c.finding(IndexOrphan, inCache, path.Join(c.indexDir(), e.Name()), "an index of no session: remove it, or run `lecode fsck --repair`"))
		if err != nil {
			return err
		}
	}
	return nil
}

// codes is what the codes of an index stand for, as far as it was seen, both ways.
type codes struct {
	words map[[2]byte]string
	codes map[string][2]byte // by field and word
}

// pair notes that a code, in a field, stands for a word; false where that contradicts what was seen.
func (c codes) pair(code [2]byte, word string) bool {
	key := string(code[:1]) + word
	known, ok := c.words[code]
	other, also := c.codes[key]
	if ok && known != word || also && other != code {
		return false
	}
	c.words[code], c.codes[key] = word, code
	return true
}
