package fact

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"modernc.org/sqlite"
)

// prepare runs Options.Prepare where the project's folder is not there yet.
func (s *Store) prepare(ctx context.Context) error {
	if s.opt.Prepare == nil {
		return nil
	}
	_, err := s.opt.Config.Lstat(s.folder())
	if errors.Is(err, fs.ErrNotExist) {
		return s.opt.Prepare(ctx)
	}
	return err
}

// create makes the database where it is missing; the caller holds facts.lock.
// It is made in memory and put in place whole, so that whenever a process is
// cut off there is either none or a complete one, and an empty file is never
// taken for one that has nothing to say.
func (s *Store) create() error {
	if _, err := s.checkFiles(); !errors.Is(err, errNone) {
		return err
	}
	image, err := emptyDatabase()
	if err != nil {
		return fmt.Errorf("make the fact database: %w", err)
	}
	return s.opt.Config.WriteFile(s.name(), func(w io.Writer) error {
		_, err := w.Write(image)
		return err
	})
}

// emptyDatabase returns the bytes of a database of the current version without facts.
func emptyDatabase() ([]byte, error) {
	c, err := sqlite.NewConnector(":memory:")
	if err != nil {
		return nil, err
	}
	db := sql.OpenDB(c)
	defer db.Close()
	db.SetMaxOpenConns(1)
	ctx := context.Background()
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	for _, o := range schema() {
		if _, err := conn.ExecContext(ctx, o.sql); err != nil {
			return nil, err
		}
	}
	if _, err := conn.ExecContext(ctx, "INSERT INTO meta (one, generation) VALUES (1, 0); "+stamp()); err != nil {
		return nil, err
	}
	var image []byte
	err = conn.Raw(func(c any) error {
		image, err = c.(interface{ Serialize() ([]byte, error) }).Serialize()
		return err
	})
	return image, err
}
