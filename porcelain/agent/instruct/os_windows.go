package instruct

// openFlags: Windows has none for this.
const openFlags = 0
