package coding

import (
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// pwd is the command that says where a shell is: -W is that of the bash that
// comes with Git, and prints a path of Windows.
const pwd = "command pwd -W"

// canRun leaves out the bash of the system folder: it is another system's (WSL),
// with other paths and another environment.
func canRun(path string, _ fs.FileInfo) bool {
	return !strings.Contains(strings.ToLower(path), `\system32\`)
}

// apart gives the shell a process group of its own, so that Ctrl-C in the
// agent's console does not reach it, and no window.
func apart(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP, HideWindow: true}
}

// tree is a job that holds the shell and what it starts. What it starts in the
// moment before it is put there is not held. Without a job (job 0) only the
// shell itself is ended.
type tree struct {
	job windows.Handle
	cmd *exec.Cmd
}

func treeOf(cmd *exec.Cmd, _ string) tree {
	t := tree{cmd: cmd}
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return t
	}
	info := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{}
	info.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)))
	if err == nil {
		err = assign(job, uint32(cmd.Process.Pid))
	}
	if err != nil {
		windows.CloseHandle(job)
		return t
	}
	t.job = job
	return t
}

// guard has nothing to do here: the system ends what is in a job when nobody holds it any more.
type guard struct{}

func (guard) start(string)     {}
func (guard) hold(tree) func() { return func() {} }
func (guard) close()           {}

// owned reports whether a folder is this user's alone, as the one for temporary files is here.
func owned(fs.FileInfo) bool { return true }

// gone reports whether no process has a number.
func gone(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return true
	}
	_ = p.Release()
	return false
}

func assign(job windows.Handle, pid uint32) error {
	h, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, pid)
	if err != nil {
		return err
	}
	defer windows.CloseHandle(h)
	return windows.AssignProcessToJobObject(job, h)
}

// end ends all at once: there is no TERM.
func (t tree) end(bool, bool) {
	if t.job != 0 {
		_ = windows.TerminateJobObject(t.job, 1)
		return
	}
	_ = t.cmd.Process.Kill()
}

// alive is not asked here: what is left ends when the job is closed.
func (tree) alive() bool { return false }

func (t tree) close() {
	if t.job != 0 {
		windows.CloseHandle(t.job)
	}
}
