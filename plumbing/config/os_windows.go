package config

// openFlags: Windows opens nothing that blocks under a name of the file system.
const openFlags = 0
