#!/bin/sh
# The main job on the bundled sample transcript, with every command shown, in
# folders of its own: no key, no network, nothing of yours is touched.
# usage: demo.sh BIN   (the folder that holds the built lecode)
set -eu
bin=$(cd "$1" && pwd)
PATH=$bin:$PATH
export PATH
sample=$(cd "$(dirname "$0")" && pwd)/testdata/demo/session.jsonl
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/kettle"
cd "$work/kettle"
git init -q .
cp "$sample" session.jsonl
LECODE_CONFIG_DIR=$work/config LECODE_CACHE_DIR=$work/cache
export LECODE_CONFIG_DIR LECODE_CACHE_DIR

# show prints a command line and runs it.
show() {
  printf '\n$ %s\n' "$1"
  eval "$1"
}
say() { printf '\n# %s\n' "$1"; }

say "Which project is this? Memory belongs to the main checkout."
show 'lecode slug'

say "Read in a transcript of Claude Code. Only what a person typed becomes the user's."
show 'lecode import session.jsonl'
show 'S=5d2c9a54-7f0e-4b7e-9c1a-3f6b8a1e0c42'

say "What did the user say first? --raw prints the stored lines themselves."
show 'lecode log --raw $S 1 1'

say "Name that record as evidence. The digest is SHA-256 over the stored line."
show 'lecode snapshot $S 1 1'
show 'lecode log --raw $S 1 1 | sha256sum'

say "Remember a fact with that evidence."
show 'lecode snapshot $S 1 1 | lecode remember --text "Indent with tabs, never spaces."'
F=$(lecode facts | sed 's/.*"id":"\(f-[0-9a-f]*\)".*/\1/')
show "F=$F"

say "Recall it: the evidence is checked again, and what was really said comes with it."
show 'lecode recall $F'

say "The memory section that an agent would be given."
show 'lecode prompt'

say "Sum up the older exchanges: plan, complete, apply. The built-in offline model needs no key."
show 'lecode compact --plan $S | lecode complete --model offline | lecode compact --apply $S'
show 'lecode log --lineage $S'
say "What of them does the summary not carry?"
show 'lecode compact --report $S'
say "What a model would now be sent: the summary, then the rest as it was said."
show 'lecode log --context $S | cut -c1-300'

say "Undo that exchange, and the fact is hidden at once; redo brings it back."
show 'lecode undo $S 1 >/dev/null; lecode facts'
show 'lecode redo $S >/dev/null; lecode facts'

say "The user corrected something later: append a revision with that as its evidence."
show 'lecode log --raw $S 13 13'
show 'lecode snapshot $S 13 13 | lecode correct $F --revision 1 --text "Indent with tabs; run go vet and go test before you say done."'

say "Forget it. The receipt says what is excluded and what stays on disk; the way back is closed."
show 'lecode forget $F'
show 'lecode recall $F || echo "exit code $?"'
show 'lecode snapshot $S 1 1 || echo "exit code $?"'
show 'lecode prompt'
