//go:build !unix

package learned

const noWait = 0
