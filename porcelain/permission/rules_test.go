package permission

import (
	"strings"
	"testing"
)

// command is the need of a command line.
func command(t testing.TB, w Workspace, line string) Need {
	t.Helper()
	p, err := Line(line, w, w.Root)
	if err != nil {
		t.Fatalf("%q: %v", line, err)
	}
	return Need{Tool: "bash", Class: p.Class, Summary: line, Commands: p.Commands, Outside: p.Outside, Why: p.Why}
}

func TestJudgeModes(t *testing.T) {
	for _, c := range []struct {
		class   Class
		outside []string
		setting string // of the tool
		want    string // in the modes default, readonly, auto
	}{
		{Read, nil, "", "allow allow allow"},
		{Read, nil, "allow", "allow allow allow"},
		{Read, nil, "ask", "ask ask ask"},
		{Read, nil, "deny", "deny deny deny"},
		{Read, []string{"/etc/x"}, "", "ask ask ask"},
		{Read, []string{"/etc/x"}, "allow", "ask ask ask"},
		{Read, []string{"/etc/x"}, "deny", "deny deny deny"},
		{Write, nil, "", "ask deny allow"},
		{Write, nil, "allow", "allow deny allow"},
		{Write, nil, "ask", "ask deny ask"},
		{Write, nil, "deny", "deny deny deny"},
		{Write, []string{"/etc/x"}, "", "ask deny ask"},
		{Write, []string{"/etc/x"}, "allow", "ask deny ask"},
		{Write, []string{"/etc/x"}, "deny", "deny deny deny"},
		{Execute, nil, "", "ask deny allow"},
		{Execute, nil, "allow", "allow deny allow"},
		{Network, nil, "", "ask deny allow"},
		{Network, nil, "ask", "ask deny ask"},
		{Network, nil, "allow", "allow deny allow"},
		{"", nil, "", "ask deny allow"},
		{"strange", nil, "allow", "allow deny allow"},
		{Write, nil, "strange", "ask deny ask"},
	} {
		var got []string
		for _, m := range []Mode{Default, ReadOnly, Auto} {
			r := Rules{Mode: m, Settings: map[string]string{}}
			if c.setting != "" {
				r.Settings["x"] = c.setting
			}
			v := r.Judge(Need{Tool: "x", Class: c.class, Outside: c.outside}, nil)
			if got = append(got, string(v.Setting)); v.Why == "" {
				t.Errorf("%v in %s: no reason", c, m)
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
}

func TestJudgeGroup(t *testing.T) {
	n := Need{Tool: "mcp__files__read", Group: "mcp__files", Class: Network}
	for _, c := range []struct {
		settings map[string]string
		want     Verdict
	}{
		{nil, Verdict{Ask, "class network asks by default", ""}},
		{map[string]string{"mcp__files": "allow"}, Verdict{Allow, "permissions.mcp__files is allow", "permissions.mcp__files"}},
		{map[string]string{"mcp__files": "deny"}, Verdict{Deny, "permissions.mcp__files is deny", "permissions.mcp__files"}},
		{map[string]string{"mcp__files": "deny", "mcp__files__read": "allow"}, Verdict{Allow, "permissions.mcp__files__read is allow", "permissions.mcp__files__read"}},
		{map[string]string{"mcp__files": "allow", "mcp__files__read": "ask"}, Verdict{Ask, "permissions.mcp__files__read is ask", "permissions.mcp__files__read"}},
		{map[string]string{"": "allow", "bash": "deny"}, Verdict{Ask, "class network asks by default", ""}},
	} {
		if got := (Rules{Settings: c.settings}).Judge(n, nil); got != c.want {
			t.Errorf("%v: %+v", c.settings, got)
		}
	}
}

func TestJudgeCommands(t *testing.T) {
	w, _ := space(t)
	some := map[string]string{"bash:go test": "allow", "bash:git push": "deny", "bash:git push --dry-run": "allow", "bash:ls": "ask"}
	most := map[string]string{"bash": "allow", "bash:git push": "deny", "bash:rm": "ask", "bash:sudo": "deny", "bash:sudo apt": "ask"}
	none := map[string]string{"bash": "deny", "bash:git status": "allow"}
	redirect := map[string]string{"bash:go test": "allow", "bash:>": "allow"}
	for _, c := range []struct {
		settings map[string]string
		line     string
		want     Setting
		rule     string
	}{
		{some, "cat a.go", Allow, ""},
		{some, "ls", Ask, `permissions."bash:ls"`},
		{some, "go test ./...", Allow, `permissions."bash:go test"`},
		{some, "go testify", Ask, ""},
		{some, "go", Ask, ""},
		{some, "cat a.go && go test ./... | head -5", Allow, `permissions."bash:go test"`},
		{some, "go test ./... && rm x", Ask, ""},
		{some, "go test ./... && git push", Deny, `permissions."bash:git push"`},
		{some, "git push", Deny, `permissions."bash:git push"`},
		{some, "git push --force", Deny, `permissions."bash:git push"`},
		{some, "git push --dry-run", Allow, `permissions."bash:git push --dry-run"`},
		{some, "git push --dry-run $x", Deny, `permissions."bash:git push"`}, // what is not known is never allowed
		{some, "git -C sub push", Deny, `permissions."bash:git push"`},
		{some, "git -c a=b --no-pager push", Deny, `permissions."bash:git push"`},
		{some, "/usr/bin/git push", Deny, `permissions."bash:git push"`},
		{some, "sub/git push", Deny, `permissions."bash:git push"`},
		{some, "g''it pu\\sh", Deny, `permissions."bash:git push"`},
		{some, "sh -c 'git push'", Deny, `permissions."bash:git push"`},
		{some, "sudo git push", Deny, `permissions."bash:git push"`},
		{some, "echo $(git push)", Deny, `permissions."bash:git push"`},
		{some, "xargs git push < a.go", Deny, `permissions."bash:git push"`},
		{some, "find . -exec git push \\;", Deny, `permissions."bash:git push"`},
		{some, "eval 'git push'", Deny, `permissions."bash:git push"`},
		{some, "env A=1 git push", Deny, `permissions."bash:git push"`},
		{some, "timeout 9 go test", Allow, `permissions."bash:go test"`},
		{some, "sudo go test", Ask, ""},
		{some, "sub/go test", Ask, ""},
		{some, "go test $x", Ask, ""},
		{some, "go test *.go", Allow, `permissions."bash:go test"`},
		{some, "cd dash && go test *", Ask, ""},
		{some, "GOFLAGS=-exec=x go test", Ask, ""},
		{some, "x=1 go test", Ask, ""},
		{some, "CGO_ENABLED=0 go test", Allow, `permissions."bash:go test"`},
		{some, "export x=1; go test", Ask, ""},
		{some, "PATH=.; go test", Ask, ""},
		{some, "go() { rm x; }; go test", Ask, ""},
		{some, "go test > out.txt", Ask, ""},
		{some, "go test ../away", Ask, ""},
		{some, "$x test", Ask, ""},
		{some, "go test & wait", Allow, `permissions."bash:go test"`},
		{redirect, "go test > out.txt", Allow, `permissions."bash:>"`},
		{redirect, "go test > $x", Ask, ""},
		{redirect, "go test > ../x", Ask, ""},
		{most, "make $x", Allow, "permissions.bash"},
		{most, "git commit -m x", Allow, "permissions.bash"},
		{most, "git push", Deny, `permissions."bash:git push"`},
		{most, "git $x", Ask, `permissions."bash:git push"`},
		{most, "git pu*", Ask, `permissions."bash:git push"`},
		{most, "git log $x", Allow, "permissions.bash"},
		{most, "$x", Ask, `permissions."bash:git push"`},
		{most, "eval \"$x\"", Ask, `permissions."bash:git push"`},
		{most, "rm x", Ask, `permissions."bash:rm"`},
		{most, "sudo rm x", Deny, `permissions."bash:sudo"`},
		{most, "sudo apt x", Ask, `permissions."bash:sudo apt"`},
		{most, "cat /etc/passwd", Ask, ""},
		{none, "cat a.go", Deny, "permissions.bash"},
		{none, "git status", Allow, `permissions."bash:git status"`},
		{none, "git status; ls", Deny, "permissions.bash"},
		{none, "x=1", Deny, "permissions.bash"},
	} {
		v := Rules{Settings: c.settings}.Judge(command(t, w, c.line), nil)
		if v.Setting != c.want || v.Rule != c.rule || v.Why == "" {
			t.Errorf("%q with %v: %+v, want %s %s", c.line, c.settings, v, c.want, c.rule)
		}
	}
}

func TestJudgeCommandModes(t *testing.T) {
	w, _ := space(t)
	settings := map[string]string{"bash:git push": "ask", "bash:rm": "deny", "bash:make": "allow"}
	for _, c := range []struct {
		line string
		want string // in the modes default, readonly, auto
	}{
		{"ls", "allow allow allow"},
		{"make x", "allow deny allow"},
		{"ls > x", "ask deny allow"},
		{"npm ci", "ask deny allow"},
		{"git push", "ask deny ask"},
		{"rm x", "deny deny deny"},
		{"rm x; ls", "deny deny deny"},
		{"cat ../x", "ask ask ask"},
		{"make ../x", "ask deny ask"},
		{"lecode forget f1", "ask deny allow"},
	} {
		var got []string
		for _, m := range []Mode{"", ReadOnly, Auto} {
			got = append(got, string(Rules{Mode: m, Settings: settings}.Judge(command(t, w, c.line), nil).Setting))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%q: %q, want %q", c.line, got, c.want)
		}
	}
	v := Rules{Mode: ReadOnly}.Judge(command(t, w, "make"), nil)
	if want := "mode readonly refuses what does more than read: make is not among the commands that are known to only read"; v.Why != want {
		t.Errorf("%q", v.Why)
	}
}

// TestJudgeOtherTool: a tool that starts commands goes by what is set for bash, too.
func TestJudgeOtherTool(t *testing.T) {
	w, _ := space(t)
	n := command(t, w, "make")
	n.Tool = "start"
	for _, c := range []struct {
		settings map[string]string
		want     Setting
	}{
		{map[string]string{"bash": "deny"}, Deny},
		{map[string]string{"bash": "allow"}, Allow},
		{map[string]string{"bash": "deny", "start": "allow"}, Deny},
		{map[string]string{"bash": "allow", "start": "deny"}, Deny},
		{map[string]string{"bash:make": "deny", "start": "allow"}, Deny},
		{map[string]string{"start": "allow"}, Allow},
	} {
		if v := (Rules{Settings: c.settings}).Judge(n, nil); v.Setting != c.want {
			t.Errorf("%v: %+v", c.settings, v)
		}
	}
	reading := command(t, w, "ls")
	reading.Class = Execute // the tool itself does more than the command
	if v := (Rules{}).Judge(reading, nil); v.Setting != Ask {
		t.Errorf("%+v", v)
	}
}
