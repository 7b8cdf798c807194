package cli

import "os"

// raiseInterrupt does to this process what an interrupt does where nobody catches it.
func raiseInterrupt() { os.Exit(exitInterrupted) }
