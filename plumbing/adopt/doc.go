// Package adopt gives a project the memory that it had at another root: a
// moved checkout is a new project until somebody says otherwise (design
// section 3). The old roots are noted in the project's file aliases, and
// sessions whose header names one of them count as the project's.
//
// It knows folders and the aliases file. It must not know what facts, notes or
// records hold, nor how a root is found. Start with Adopt.
package adopt
