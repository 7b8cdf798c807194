package permission

import (
	"strings"
)

// reader is a program that only reads, given these flags and no others.
type reader struct {
	flags flagSpec
	text  int // operands at the start that are no paths; all: none is
	most  int // operands; 0: any number
	// here: without operands it reads the folder it runs in.
	here bool
	// files: in a folder it would follow links.
	files bool
	// check says why it does more, where flags alone do not tell; may be nil.
	check func(f flags) string
}

const all = 1 << 30

// readerOf is the table of programs that only read. A flag is in it because it
// is known to do no more: what a newer version of a program adds is asked for.
func readerOf(name string) (reader, bool) {
	for _, find := range []func(string) (reader, bool){textReader, fileReader, folderReader, searchReader} {
		if r, ok := find(name); ok {
			return r, true
		}
	}
	return reader{}, false
}

// textReader: programs that touch no file by their words.
func textReader(name string) (reader, bool) {
	r := reader{text: all}
	switch name {
	case "tr":
		r.flags = flagSpec{short: "cCdst", long: "complement delete squeeze-repeats truncate-set1"}
	case "basename":
		r.flags = flagSpec{short: "as:z", long: "multiple suffix= zero"}
	case "dirname":
		r.flags = flagSpec{short: "z", long: "zero"}
	case "seq":
		r.flags = flagSpec{short: "wf:s:", long: "equal-width format= separator=", numbers: true}
	case "uname":
		r.flags = flagSpec{short: "asnrvmpio", long: "all kernel-name nodename kernel-release kernel-version machine operating-system"}
	case "id":
		r.flags = flagSpec{short: "ugGnrz", long: "user group groups name real zero"}
	case "sleep", "nproc", "arch", "groups", "whoami", "logname", "tty":
	case "hostname":
		r.flags, r.most = flagSpec{short: "sfidI"}, -1
	case "uptime":
		r.flags, r.most = flagSpec{short: "ps"}, -1
	case "date":
		r.flags = flagSpec{short: "uRI:d:", long: "utc universal rfc-email iso-8601=? rfc-3339= date="}
		r.check = dateSets
	case "type", "which":
		r.flags = flagSpec{short: "afptP", long: "all"}
	case "exit", "return", "break", "continue", "shift", "wait":
	case "pwd":
		r.flags, r.here = flagSpec{short: "LP"}, true
	default:
		return reader{}, false
	}
	return r, true
}

// dateSets: an operand without "+" is the time to set.
func dateSets(f flags) string {
	for _, a := range f.operands {
		if !strings.HasPrefix(a.text, "+") {
			return "date sets the clock"
		}
	}
	return ""
}

// fileReader: programs that read the files they are given, or their input.
func fileReader(name string) (reader, bool) {
	switch name {
	case "cat":
		return reader{flags: flagSpec{short: "AbeEnstTuv", long: "show-all number-nonblank show-ends number squeeze-blank show-tabs show-nonprinting"}}, true
	case "head":
		return reader{flags: flagSpec{short: "n:c:qvz", long: "lines= bytes= quiet silent verbose", numbers: true}}, true
	case "tail":
		return reader{flags: flagSpec{short: "n:c:fFqs:vz", long: "lines= bytes= follow=? pid= quiet retry sleep-interval= verbose", numbers: true}}, true
	case "wc":
		return reader{flags: flagSpec{short: "cmlLw", long: "bytes chars lines max-line-length words"}}, true
	case "nl":
		return reader{flags: flagSpec{short: "b:d:f:h:i:l:n:ps:v:w:"}}, true
	case "tac", "rev":
		return reader{}, true
	case "cut":
		return reader{flags: flagSpec{short: "b:c:d:f:nsz", long: "bytes= characters= delimiter= fields= complement only-delimited output-delimiter="}}, true
	case "paste":
		return reader{flags: flagSpec{short: "d:sz", long: "delimiters= serial"}}, true
	case "comm":
		return reader{flags: flagSpec{short: "123z", long: "check-order nocheck-order output-delimiter= total"}}, true
	case "join":
		return reader{flags: flagSpec{short: "a:e:i1:2:j:o:t:v:z"}}, true
	case "fold":
		return reader{flags: flagSpec{short: "bsw:", long: "bytes spaces width="}}, true
	case "expand", "unexpand":
		return reader{flags: flagSpec{short: "ait:"}}, true
	case "column":
		return reader{flags: flagSpec{short: "ts:"}}, true
	case "od":
		return reader{flags: flagSpec{short: "A:j:N:t:vbcdox"}}, true
	case "hexdump":
		return reader{flags: flagSpec{short: "bcCdn:os:vx"}}, true
	case "md5sum", "sha1sum", "sha224sum", "sha256sum", "sha384sum", "sha512sum", "b2sum", "cksum":
		return reader{flags: flagSpec{short: "btz", long: "binary text tag"}}, true
	case "sort":
		return reader{flags: flagSpec{short: "bcCdfghik:mMnrRst:uVz", long: "ignore-leading-blanks check=? dictionary-order ignore-case general-numeric-sort " +
			"human-numeric-sort key= merge month-sort numeric-sort reverse stable field-separator= unique version-sort zero-terminated"}}, true
	case "uniq": // the second operand is where it writes to
		return reader{flags: flagSpec{short: "cdDuif:s:w:z", long: "count repeated unique ignore-case skip-fields= skip-chars= check-chars="}, most: 1}, true
	case "cmp":
		return reader{flags: flagSpec{short: "bi:ln:s", long: "print-bytes ignore-initial= verbose bytes= quiet silent"}}, true
	case "diff":
		return reader{flags: flagSpec{short: "abBcC:dEiNpqstTuU:wW:yZ", long: "brief color=? context= ignore-all-space ignore-blank-lines ignore-case " +
			"ignore-space-change minimal new-file report-identical-files show-c-function side-by-side strip-trailing-cr suppress-common-lines text unified= width="}, files: true}, true
	case "file":
		return reader{flags: flagSpec{short: "biNn0h", long: "brief mime mime-type mime-encoding no-pad no-dereference"}}, true
	case "gofmt":
		return reader{flags: flagSpec{short: "ldes"}, here: true}, true
	}
	return reader{}, false
}

// folderReader: programs that tell of names and sizes.
func folderReader(name string) (reader, bool) {
	switch name {
	case "ls", "dir":
		return reader{flags: flagSpec{short: "aAbBcCdfFgGhiI:klmnNopqQrRsStT:uUvw:xXZ1", long: "all almost-all author classify=? color=? directory " +
			"full-time group-directories-first human-readable hide= ignore= inode no-group numeric-uid-gid recursive reverse size sort= time= time-style= width="}, here: true}, true
	case "stat":
		return reader{flags: flagSpec{short: "c:ft", long: "format= printf= file-system terse"}}, true
	case "du":
		return reader{flags: flagSpec{short: "0abcd:hkmsStx", long: "all apparent-size bytes max-depth= human-readable one-file-system separate-dirs summarize total exclude="}, here: true}, true
	case "df":
		return reader{flags: flagSpec{short: "ahHiklPTt:x:", long: "all human-readable inodes local portability print-type total"}, here: true}, true
	case "tree":
		return reader{flags: flagSpec{short: "adfL:I:P:pughsDFinCv", long: "noreport dirsfirst prune du filelimit="}, here: true}, true
	case "realpath":
		return reader{flags: flagSpec{short: "eLmPqsz", long: "canonicalize-existing canonicalize-missing no-symlinks quiet relative-to= relative-base="}}, true
	case "readlink":
		return reader{flags: flagSpec{short: "efmnqz", long: "canonicalize canonicalize-existing canonicalize-missing no-newline"}}, true
	}
	return reader{}, false
}

// searchReader: programs with a pattern or a script for their first word.
func searchReader(name string) (reader, bool) {
	switch name {
	case "grep", "egrep", "fgrep": // not R: it follows links
		return reader{flags: flagSpec{short: "A:aB:bC:cd:D:Ee:Ff:GHhiIlLm:noPqrsTUvwxyz", long: "after-context= before-context= binary-files= byte-offset color=? colour=? context= count directories= " +
			"exclude= exclude-dir= extended-regexp file= files-with-matches files-without-match fixed-strings ignore-case include= invert-match line-number " +
			"line-regexp max-count= no-filename no-messages null only-matching perl-regexp quiet recursive regexp= silent text with-filename word-regexp", numbers: true},
			text: 1}, true
	case "rg": // not L, z and pre: they follow links or run programs
		return reader{flags: flagSpec{short: "A:B:C:ce:f:FghHiIlm:nNopqrSsTt:UuvVwxg:.", long: "after-context= before-context= color= colors= column context= count count-matches " +
			"files files-with-matches files-without-match fixed-strings glob= heading hidden iglob= ignore-case invert-match json line-number line-regexp max-columns= " +
			"max-count= max-depth= multiline no-filename no-heading no-ignore no-ignore-vcs no-line-number no-messages null only-matching pcre2 pretty quiet regexp= " +
			"smart-case sort= sortr= stats trim type= type-list type-not= unrestricted vimgrep with-filename word-regexp"},
			text: 1, here: true}, true
	case "jq":
		return reader{flags: flagSpec{short: "acCeijMnrRsS", long: "ascii-output color-output compact-output exit-status join-output monochrome-output null-input raw-input raw-output slurp sort-keys tab"},
			text: 1, check: jqReads}, true
	case "sed":
		return reader{flags: flagSpec{short: "nEre:suz", long: "quiet silent regexp-extended expression= separate unbuffered null-data"},
			text: 1, check: sedReads}, true
	case "awk", "gawk", "mawk":
		return reader{flags: flagSpec{short: "F:v:"}, text: 1, check: awkReads}, true
	}
	return reader{}, false
}

// reads says whether a program is one that may only read, and if so why these
// words do more; it notes the paths that it would read.
func (w *walker) reads(name string, args []arg) (doubt string, reads bool) {
	if doubt, ok := w.special(name, args); ok {
		return doubt, true
	}
	r, ok := readerOf(name)
	if !ok {
		return "", false
	}
	if r.text == all && r.check == nil && r.most == 0 && name != "wait" {
		args = anything(args)
	}
	f, ok := parseFlags(r.flags, args)
	if !ok {
		return shown(name) + " has a flag that is not among those known to only read", true
	}
	if r.most > 0 && len(f.operands) > r.most || r.most < 0 && len(f.operands) > 0 {
		return shown(name) + " with so many words does more than read", true
	}
	if r.check != nil {
		if doubt := r.check(f); doubt != "" {
			return doubt, true
		}
	}
	if !recurses(name, f) {
		return w.readsPaths(r, f), true
	}
	w.widely(func() {
		doubt = w.readsPaths(r, f)
		if len(f.operands) <= 1 {
			w.here()
		}
	})
	return doubt, true
}

// recurses: it shows what the files in a folder hold.
func recurses(name string, f flags) bool {
	return name == "rg" || strings.HasSuffix(name, "grep") && (f.set["r"] || f.set["recursive"] || f.set["d"] || f.set["directories"])
}

// anything puts a plain word for each that is not known: all that these
// programs can be told is harmless.
func anything(args []arg) []arg {
	out := append([]arg(nil), args...)
	for i, a := range out {
		if !a.known {
			out[i] = arg{text: "1", known: true}
		}
	}
	return out
}

// readsPaths notes the paths that a reader is given.
func (w *walker) readsPaths(r reader, f flags) (doubt string) {
	text := r.text
	if text == 1 && (f.set["e"] || f.set["f"] || f.set["regexp"] || f.set["file"] || f.set["expression"] || f.set["files"]) {
		text = 0
	}
	for _, v := range f.values {
		if v.name == "f" || v.name == "file" {
			w.literal(v.text)
		}
	}
	for i, a := range f.operands {
		if i < text && a.glob == "" {
			continue
		}
		if d := w.reach(a); d != "" && doubt == "" {
			doubt = d
		}
		if r.files && w.isFolder(a.text) {
			doubt = "it may follow links in a folder"
		}
	}
	if r.here && w.lost && len(f.operands) <= text {
		doubt = "it runs in a folder that is not known before it runs"
	}
	return doubt
}

// isProgram: the walk goes by what a program of this name does.
func isProgram(name string) bool {
	if _, ok := readerOf(name); ok {
		return true
	}
	if _, ok := wrapping(name); ok {
		return true
	}
	return isShell(name) || isSpecial(name) || contains([]string{"cd", "env", "eval", "trap", "go"}, name)
}
