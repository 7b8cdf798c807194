// Package budget reckons how many tokens a text or a request is, without the
// model's own tokenizer and never too few; what a model was found to count more
// than that; and what fits into its window (seed, "Incremental working memory";
// design sections 8, 12 and 15.6).
//
// "Never too few" is measured, not proved, against two vocabularies that are
// public, cl100k and o200k; `go test -run EstimateError -v ./plumbing/budget`
// prints by how much it is too many. Other vocabularies may count more: that is
// what Calibration is for, which only ever raises an estimate.
//
// It knows text, the JSON of requests and content blocks, and one cache file.
// It must not know models, prices of a provider, the network or the clock;
// package catalog below it knows the embedded list of models, and only
// lecode-agent links that. Read Tokens first, then Estimate and Limits.
package budget
