package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// memoryFlag makes this program run a command and print its peak memory. A
// child's figure begins at what its parent occupies, so the parent has to be
// a fresh process.
const memoryFlag = "-memory-of"

// memoryOf runs a command and prints the most KiB that it occupied.
func memoryOf(name string, args []string) int {
	cmd := exec.Command(name, args...)
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	kib, ok := peak(cmd.ProcessState)
	if !ok {
		return 1
	}
	fmt.Println(kib)
	return 0
}

// peakOf is the largest peak in KiB of three runs of lecode; before runs ahead of each.
func (b *bench) peakOf(w *world, before func() error, args ...string) (int64, error) {
	self, err := os.Executable()
	if err != nil {
		return 0, err
	}
	var all []int64
	for range 3 {
		if err := before(); err != nil {
			return 0, err
		}
		out, err := w.command(self, slices.Concat([]string{memoryFlag, b.lecode}, args)...).Output()
		if err != nil {
			return 0, fmt.Errorf("peak memory of %s %s: %w", filepath.Base(b.lecode), args[0], err)
		}
		kib, err := strconv.ParseInt(strings.TrimSpace(string(out)), 10, 64)
		if err != nil {
			return 0, err
		}
		all = append(all, kib)
	}
	return slices.Max(all), nil
}

// memory compares the peaks of a cold scan and of a recall with what `lecode
// slug` occupies, for records of the usual size and for the largest.
func (b *bench) memory() error {
	for _, w := range []*world{b.large, b.wide} {
		nothing := func() error { return nil }
		floor, err := b.peakOf(w, nothing, "slug")
		if err != nil {
			return err
		}
		scan, err := b.peakOf(w, func() error { return os.RemoveAll(w.cache.Dir) }, "sessions")
		if err != nil {
			return err
		}
		b.table.memory("peak memory: cold scan, "+w.about, scan, floor, w.largest)
		recall, err := b.peakOf(w, nothing, "recall", w.fact)
		if err != nil {
			return err
		}
		b.table.memory("peak memory: recall, "+w.about, recall, floor, w.largest)
	}
	return nil
}
