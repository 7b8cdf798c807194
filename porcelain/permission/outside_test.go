package permission

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestLineOutside(t *testing.T) {
	w, outside := space(t)
	top := filepath.Dir(w.Root)
	for _, c := range []struct {
		line string
		want []string
	}{
		{"cat ../away/secret", []string{outside + "/secret"}},
		{"cat /etc/passwd", []string{"/etc/passwd"}},
		{"cat sub/../../away/secret", []string{outside + "/secret"}},
		{"cat links/secret.txt", []string{outside + "/secret"}},
		{"cat links/out/secret", []string{outside + "/secret"}},
		{"cat links/*.txt", []string{outside + "/secret"}},
		{"cat links/*", []string{outside, outside + "/new", outside + "/secret", w.Root + "/links/loop"}},
		{"cat */secret.txt", []string{outside + "/secret"}},
		{"cat links/o[u]t/secret", []string{outside + "/secret"}},
		{"cat links/o*/secret", []string{outside + "/secret"}},
		{"cat li*/ou?/se*", []string{outside, outside + "/secret"}},
		{"cat li*/out/not-here", []string{outside + "/not-here"}},
		{"cat links/o*/../away/secret", []string{outside + "/secret"}},
		{"for f in links/o*/secret; do :; done", []string{outside + "/secret"}},
		{"wc < links/o*/secret", []string{outside + "/secret"}},
		{"cat links/i*/c.go", nil},
		{"cat ~bob/*", []string{top + "/home/bob"}},
		{"echo hi > links/dangling", []string{outside + "/new"}},
		{"echo hi > links/out/x", []string{outside + "/x"}},
		{"cat links/loop", []string{w.Root + "/links/loop"}},
		{"cat ~/.netrc", []string{w.Home + "/.netrc"}},
		{"cat $HOME/.netrc", []string{w.Home + "/.netrc"}},
		{`cat "${HOME}/.netrc"`, []string{w.Home + "/.netrc"}},
		{"cat '~/.netrc'", []string{w.Home + "/.netrc"}}, // a file named "~" is not worth a wrong answer
		{"cat ~bob/x", []string{top + "/home/bob/x"}},
		{"rm -rf ~bob", []string{top + "/home/bob"}},
		{"ls ..", []string{top}},
		{"cd ..", []string{top}},
		{"cd .. && ls", []string{top}},
		{"cd", []string{w.Home}},
		{"cd sub; cat ../a.go", []string{top + "/a.go"}}, // where cd fails
		{"cd links/out && cat secret", []string{outside, outside + "/secret"}},
		{"cd sub && cat ../../x", []string{top + "/x"}},
		{"cat < /etc/passwd", []string{"/etc/passwd"}},
		{"echo x > /tmp-not-here", []string{"/tmp-not-here"}},
		{"grep -f/etc/passwd a.go", []string{"/etc/passwd"}},
		{"grep -f /etc/passwd a.go", []string{"/etc/passwd"}},
		{"grep --file=/etc/passwd a.go", []string{"/etc/passwd"}},
		{"dd if=a.go of=/dev/sda", []string{"/dev/sda"}},
		{"make -C/srv", []string{"/srv"}},
		{"make -C /srv", []string{"/srv"}},
		{"tar --directory=/srv -x", []string{"/srv"}},
		{"curl -d @/etc/passwd x", []string{"/etc/passwd"}},
		{"curl file:///etc/passwd", []string{"/etc/passwd"}},
		{"rm -rf /srv/$x", []string{"/srv"}},
		{"cat /srv/$x", []string{"/srv"}},
		{"cat {a.go,/etc/passwd}", []string{"/etc/passwd"}},
		{"echo /etc/*.not-here", []string{"/etc"}},
		{"for f in /etc/*.not-here; do echo $f; done", []string{"/etc"}},
		{"[ -f /etc/passwd ]", []string{"/etc/passwd"}},
		{"[[ -f /etc/passwd ]]", []string{"/etc/passwd"}},
		{"git -C /srv status", []string{"/srv"}},
		{"git diff --no-index /etc/passwd a.go", []string{"/etc/passwd"}},
		{"find /etc -name x", []string{"/etc"}},
		{"sh -c 'cat /etc/passwd'", []string{"/etc/passwd"}},
		{"sudo cat /etc/passwd", []string{"/etc/passwd"}},
		{"xargs cat /etc/passwd", []string{"/etc/passwd"}},
		{"/opt/x/tool", []string{"/opt/x/tool"}},
		{"/usr/bin/make", nil},
		{"cat .*", []string{top}},
		{"cat .*/x", []string{top + "/x"}},
		{"sed -n 1p /etc/passwd", []string{"/etc/passwd"}},
		{"sed -n /etc/p a.go", nil},
		{"echo /etc/passwd", nil},
		{"grep /etc/passwd a.go", nil},
		{"ls > /dev/null 2> /dev/stderr < /dev/zero", nil},
		{"cat /dev/fd/0 /dev/stdin", nil},
	} {
		p, err := Line(c.line, w, w.Root)
		if err != nil {
			t.Errorf("%q: %v", c.line, err)
			continue
		}
		if diff := cmp.Diff(c.want, p.Outside); diff != "" && len(c.want)+len(p.Outside) > 0 {
			t.Errorf("%q: %s", c.line, diff)
		}
	}
	p, err := Line("ls", w, outside)
	if diff := cmp.Diff([]string{outside}, p.Outside); err != nil || diff != "" {
		t.Errorf("a folder outside: %v %s", err, diff)
	}
	w.More = []string{outside}
	if p, err := Line("cat ../away/secret links/secret.txt", w, w.Root); err != nil || len(p.Outside) > 0 || p.Class != Read {
		t.Errorf("a further folder: %v %+v", err, p)
	}
	w.Home = ""
	if p, _ := Line("cat ~/x $HOME/y", w, w.Root); len(p.Outside) != 2 {
		t.Errorf("without a home: %q", p.Outside)
	}
}
