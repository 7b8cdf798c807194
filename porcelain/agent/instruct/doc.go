// Package instruct makes what stands before the memory section in a system
// prompt (design section 12): the base prompt, the environment, the project's
// instructions and the list of skills.
//
// The base prompt is built in (base.md), or the user's own: the override
// <config_dir>/memory/<slug>/system.md, which /editsys writes. It holds the
// base prompt only. Everything else is read anew whenever a prompt is composed,
// and a text that carries pieces of it is not taken as an override: a fact in
// it would outlive its being forgotten (seed, "What the agent sees").
//
// Instructions are the AGENTS.md of every folder from the root of the active
// checkout down to the active working directory; in a linked worktree they are
// that worktree's own, though its memory is shared. Skills are folders with a
// SKILL.md, the user's in <config_dir>/skills and the project's in
// <checkout>/.agents/skills; the prompt lists them, and the tool skill reads one.
//
// What comes from the repository is in a frame that it cannot close, as the
// memory section is (plumbing/prompt): lines of a file stand behind "> ", a
// skill is one JSON object, and only this package's labels begin with "#" and
// its markers with "[". What a reader would not see is shown as an escape.
//
// It knows files. It must not know models, sessions, facts, the terminal, the
// environment or the clock. Start with Compose; Edit is /editsys.
package instruct
