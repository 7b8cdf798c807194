package memview

import (
	"github.com/lecode/lecode/plumbing/learned"
)

// outcomeWords says what an extraction came to.
func outcomeWords(outcome string) string {
	switch outcome {
	case learned.NoCandidates:
		return "the model found nothing worth remembering"
	case learned.Rejected:
		return "candidates were found, and none passed the checks"
	case learned.Learned:
		return "something was remembered, or was known already"
	case learned.Proposed:
		return "something was left for you to decide, nothing was remembered"
	case learned.Failed:
		return "the model's answer could not be used"
	case learned.Stale:
		return "the words changed before anything could be remembered"
	}
	return oneLine(outcome)
}

// madeWords says what became of a fact that was learned.
func madeWords(outcome string) string {
	switch outcome {
	case "created":
		return "remembered"
	case "retried":
		return "was remembered from these words before"
	case "deduplicated":
		return "was known already"
	}
	return oneLine(outcome)
}

// proposalWhy says why something was not remembered by itself.
func proposalWhy(it learned.Proposal) string {
	why := "you have to decide"
	switch it.Why {
	case learned.WhyConflict:
		why = "it contradicts what is known"
	case learned.WhyUncertain:
		why = "the model was not sure"
	case learned.WhyCorrection:
		why = "it takes something back"
	case learned.WhyImported:
		why = "another agent's transcript says that you said it"
	}
	if len(it.Conflicts) > 0 {
		why += " (" + oneLine(it.Conflicts[0].ID) + ")"
	}
	return why
}

// reasonWords says why candidates were rejected, by the codes of a learning event (seed).
func reasonWords(code string) string {
	if said, ok := map[string]string{
		"response_schema":             "the answer had another form than asked for",
		"invalid_json":                "the answer was no JSON",
		"output_too_large":            "the answer was too long",
		"unexpected_tool_calls":       "the model called a tool instead of answering",
		"incomplete_response":         "the answer broke off",
		"stale_context":               "the words changed meanwhile",
		"extraction_error":            "the call failed",
		"candidate_schema":            "it had another form than asked for",
		"invalid_text":                "its text may not be a fact's",
		"invalid_source":              "it names words that it was not shown",
		"invalid_preference":          "it is no preference",
		"invalid_preference_source":   "its words are not the user's own",
		"temporary_preference":        "it was meant for this time only",
		"exact_text_mismatch":         "its text is not what was said, letter by letter",
		"unverified_project_evidence": "no file that was read says so",
		"secret_like":                 "it looks like a secret",
		"invalid_conflicts":           "it names facts that it was not shown",
	}[code]; ok {
		return said
	}
	return oneLine(code)
}
