package fact

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/session"
)

// A test that needs other processes runs this test program again, with the job in the environment.
const jobVariable = "FACT_TEST_JOB"

func TestMain(m *testing.M) {
	if job := os.Getenv(jobVariable); job != "" {
		os.Exit(child(strings.Fields(job)))
	}
	os.Exit(m.Run())
}

// child does a job: its name, the directory, a number of its own, how often.
func child(job []string) int {
	v := &fake{}
	s := NewStore(options(job[1], v))
	defer s.Close()
	me, _ := strconv.Atoi(job[2])
	times, _ := strconv.Atoi(job[3])
	var err error
	switch job[0] {
	case "mutate":
		err = mutate(s, me, times, os.Stdout)
	case "remember":
		_, err = s.Remember(ctx, fmt.Sprint("fact ", me), ref("s", int64(me)), RememberOptions{})
	case "hang":
		// Killed by the parent while the transaction is open.
		v.during = func(session.Exclusions) { fmt.Println("inside"); select {} }
		_, err = s.Remember(ctx, "never", ref("never", 1), RememberOptions{})
	case "cut":
		err = cutOff(s)
	case "ask":
		return report(s, job[4])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// mutate makes, corrects and forgets facts of its own and tells each one that was done.
func mutate(s *Store, me, times int, out io.Writer) error {
	var id string
	for i := range times {
		began := time.Now()
		var err error
		switch i % 4 {
		case 0, 3:
			var r Result
			r, err = s.Remember(ctx, fmt.Sprintf("fact %d of %d", i, me), ref(fmt.Sprint("s", me), int64(i+1)), RememberOptions{Deduplicate: true})
			id = r.Fact.ID
		case 1:
			_, err = s.Correct(ctx, id, 1, fmt.Sprintf("corrected %d of %d", i, me), ref(fmt.Sprint("s", me), int64(i+1)), CorrectOptions{})
		case 2:
			_, err = s.Forget(ctx, id)
		}
		if err != nil {
			return fmt.Errorf("%d of %d: %w", i, me, err)
		}
		if _, err := fmt.Fprintln(out, []string{"kept", "corrected", "forgot", "kept"}[i%4], id, time.Since(began).Microseconds()); err != nil {
			return err
		}
	}
	return nil
}

// cutOff leaves a hot journal: it begins a change too large for the cache, says so, and waits to be killed.
func cutOff(s *Store) error {
	if _, err := s.Remember(ctx, "before", ref("s", 1), RememberOptions{}); err != nil {
		return err
	}
	h, _, err := s.handleFor(true)
	if err != nil {
		return err
	}
	if _, err := h.db.Exec("PRAGMA cache_size = 5"); err != nil {
		return err
	}
	tx, err := h.db.Begin()
	if err != nil {
		return err
	}
	_, err = tx.Exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i < 3000)
		INSERT INTO exclusions SELECT printf('%064d', i), i FROM n`)
	if err == nil {
		_, err = tx.Exec("DELETE FROM provenance; UPDATE meta SET generation = 99; UPDATE exclusions SET seq = seq + 1")
	}
	if err != nil {
		return err
	}
	fmt.Println("inside")
	select {}
}

// report prints what every verb answers, for a process with other rights.
func report(s *Store, id string) int {
	out := map[string]string{}
	for verb, err := range ask(s, id) {
		switch {
		case err == nil:
			out[verb] = "done"
		case errors.Is(err, plumbing.ErrRefused):
			out[verb] = "refused: " + err.Error()
		case errors.Is(err, plumbing.ErrNotFound):
			out[verb] = "not found"
		case errors.Is(err, plumbing.ErrConflict):
			out[verb] = "conflict"
		default:
			out[verb] = "other: " + err.Error()
		}
	}
	b, _ := json.Marshal(out)
	fmt.Println(string(b))
	return 0
}

func start(t testing.TB, job ...any) (*exec.Cmd, *bufio.Reader, *bytes.Buffer) {
	t.Helper()
	self, err := os.Executable()
	must(t, err)
	c := exec.Command(self)
	c.Env = append(os.Environ(), jobVariable+"="+strings.TrimSpace(fmt.Sprintln(job...)))
	out, err := c.StdoutPipe()
	must(t, err)
	var stderr bytes.Buffer
	c.Stderr = &stderr
	must(t, c.Start())
	return c, bufio.NewReader(out), &stderr
}

func TestEightProcesses(t *testing.T) {
	f := newFixture(t)
	all := crowd(t, f.dir, 8, 20)
	all.holds(t, f.Store)
	f.sound()
}

func TestTwentyFirstOpens(t *testing.T) {
	f := newFixture(t)
	var all []*exec.Cmd
	var errs []*bytes.Buffer
	for i := range 20 {
		c, _, stderr := start(t, "remember", f.dir, i+1, 0)
		all, errs = append(all, c), append(errs, stderr)
	}
	for i, c := range all {
		if err := c.Wait(); err != nil {
			t.Errorf("%v: %s", err, errs[i])
		}
	}
	if n, err := f.Count(ctx); n != 20 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	f.sound()
}

// As many at once on a database that has to be migrated first.
func TestTwentyMigrationsAtOnce(t *testing.T) {
	f := newFixture(t)
	older(f)
	var all []*exec.Cmd
	var errs []*bytes.Buffer
	for i := range 20 {
		c, _, stderr := start(t, "remember", f.dir, i+10, 0)
		all, errs = append(all, c), append(errs, stderr)
	}
	for i, c := range all {
		if err := c.Wait(); err != nil {
			t.Errorf("%v: %s", err, errs[i])
		}
	}
	if n, err := f.Count(ctx); n != 22 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
}

// A process that is killed inside a transaction leaves the lock free and nothing written.
func TestKilledInsideTheTransaction(t *testing.T) {
	for _, fresh := range []bool{true, false} {
		f := newFixture(t)
		if !fresh {
			f.remember("before", ref("s", 1))
		}
		f.v.set("never", "missing")
		c, out, stderr := start(t, "hang", f.dir, 0, 0)
		// The first look, before there is a database, is outside any transaction.
		line, err := out.ReadString('\n')
		if err != nil {
			t.Fatal(err, stderr)
		}
		if line != "inside\n" {
			t.Fatal(line)
		}
		must(t, c.Process.Kill())
		c.Wait()
		f.remember("after", ref("s", 2))
		list, err := f.List(ctx, Page{})
		must(t, err)
		for _, x := range list {
			if x.Current().Text == "never" {
				t.Error("it was written")
			}
		}
		f.sound()
	}
}

// What a killed writer left half done is undone by the next reader, which sees what was before.
func TestHotJournal(t *testing.T) {
	f := newFixture(t)
	c, out, stderr := start(t, "cut", f.dir, 0, 0)
	if line, err := out.ReadString('\n'); err != nil || line != "inside\n" {
		t.Fatal(line, err, stderr)
	}
	must(t, c.Process.Kill())
	c.Wait()
	if info, err := os.Stat(f.path() + "-journal"); err != nil || info.Size() == 0 {
		t.Fatalf("no hot journal: %v", err)
	}
	for _, read := range []func() error{
		func() error { _, err := f.Generation(); return err },
		func() error { _, err := f.Count(ctx); return err },
	} {
		must(t, read())
	}
	if g, err := f.Generation(); g != 0 || err != nil {
		t.Errorf("%d, %v", g, err)
	}
	if all, err := f.Exclusions(ctx); len(all) != 0 || err != nil {
		t.Errorf("%d, %v", len(all), err)
	}
	if _, err := os.Stat(f.path() + "-journal"); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	f.sound()
}

// Killed anywhere, again and again: what was acknowledged is there, and at most one more.
func TestKilledAnywhere(t *testing.T) {
	f := newFixture(t)
	rounds := 10
	if testing.Short() {
		rounds = 5
	}
	all := &tally{live: map[string]int64{}}
	for round := range rounds {
		c, out, _ := start(t, "mutate", f.dir, round, 1000)
		for range 1 + round*3%17 {
			line, err := out.ReadString('\n')
			must(t, err)
			all.take(line)
		}
		must(t, c.Process.Kill())
		rest, _ := io.ReadAll(out) // acknowledged before the kill came
		c.Wait()
		for line := range strings.Lines(string(rest)) {
			if strings.HasSuffix(line, "\n") {
				all.take(line)
			}
		}
		all.adopt(t, f.again(), round)
	}
	all.holds(t, f.again())
	f.sound()
}

func verbs(m map[string]string, with string) []string {
	var list []string
	for verb, said := range m {
		if strings.HasPrefix(said, with) {
			list = append(list, verb)
		}
	}
	slices.Sort(list)
	return list
}
