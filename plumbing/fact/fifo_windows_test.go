package fact

import "errors"

func mkfifo(string) error { return errors.New("no FIFOs there") }
