package transcript

import (
	"strconv"
	"strings"
)

// Whose words a user line of Claude Code holds. Everything a program puts into
// the conversation is a user line too, so a line counts as typed only where
// nothing speaks against it, and within it only what stands outside wrappers.

// promptSourceSince is a version known to write promptSource on each typed line.
const promptSourceSince = "2.1.197"

// typed reports whether somebody may have typed the words of a line. Where the
// client says so (origin.kind, promptSource) that decides. Where it says
// nothing, the line is not typed if a line at or before it in the file has a
// promptSource or its version always writes one; in an older file the
// wrappers decide. sure is for what the client itself says.
func (r *claudeRun) typed(p parsed) (typed, sure bool) {
	o := p.object
	for _, sign := range madeSigns() {
		if o.marked(sign) {
			return false, true
		}
	}
	asked, said := o.str("promptSource")
	if kind, ok := o.object("origin").str("kind"); ok {
		return kind == "human" && asked != "system", true
	}
	switch {
	case asked == "typed" || asked == "sdk" || asked == "queued":
		return true, true
	case said && asked != "system":
		r.e.report.UnsureSources++
		return false, true
	case said:
		return false, true
	}
	marked := r.firstAsked > 0 && p.number >= r.firstAsked
	return !marked && older(o.text("version"), promptSourceSince), false
}

// madeSigns are the keys that only lines of a program's making carry. What
// they hold beside false and null does not matter: a sign of a wrong type is
// still a sign.
func madeSigns() []string {
	return []string{
		"isSidechain", "isMeta", "isCompactSummary", "isVisibleInTranscriptOnly", "isVirtual", "turnCompanion", "isApiErrorMessage",
		"agentId", "parent_tool_use_id", "toolUseResult", "sourceToolUseID", "sourceToolAssistantUUID", "planContent",
	}
}

// marked reports whether a key is there with anything but false or null.
func (o object) marked(key string) bool {
	k := o[key].Kind()
	return o[key] != nil && k != 'f' && k != 'n'
}

// older reports whether version a comes before b; what is no version is old.
func older(a, b string) bool {
	as, bs := strings.Split(a, "."), strings.Split(b, ".")
	for i := range bs {
		if i >= len(as) {
			return true
		}
		x, err := strconv.Atoi(as[i])
		y, _ := strconv.Atoi(bs[i])
		if err != nil || x < y {
			return true
		}
		if x > y {
			return false
		}
	}
	return false
}
