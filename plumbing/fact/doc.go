// Package fact is the project's fact store: short texts with the evidence that
// they were said, their revisions, and what the project has forgotten (seed,
// "Correction, forgetting, and recovery"; design sections 6 and 7).
//
// It knows SQLite and nothing of session files: evidence is judged by a
// Validator that is handed in, inside the transaction that it justifies, with
// the exclusions and the generation of that transaction (design section 2).
// It must not know the terminal, the environment, the wall clock or models.
//
// One file holds one verb. Read Store first (store.go), then Remember and
// Forget; schema.go says what is stored, access.go how a transaction runs.
//
// Non-goals: ranking (search), pages of evidence (recall), and erasing what
// lies outside the database: Forget says what stays on disk (Receipt.Remains).
package fact
