package permission

import (
	"strings"
	"testing"
)

const guardLines = `
LECODE_READONLY= lecode forget f1
LECODE_READONLY=0 ls
LECODE_READONLY=0
lecode_readonly=0 ls
LECODE_READONLY+=x
ls; LECODE_READONLY=; ls
export LECODE_READONLY=
export LECODE_READONLY
export "LECODE_READONLY=0"
export LECODE_READ""ONLY=0
export "$x=0"
declare -x LECODE_READONLY=0
declare -n r=LECODE_READONLY; r=0
readonly LECODE_READONLY=0
unset LECODE_READONLY
unset 'LECODE_'READONLY
unset "$x"
unset LECODE_$x
read LECODE_READONLY < a.go
read "$x"
mapfile LECODE_READONLY
printf -v LECODE_READONLY x
printf -v "$x" y
for LECODE_READONLY in 0; do ls; done
: ${LECODE_READONLY:=0}
((LECODE_READONLY=0))
echo $((LECODE_READONLY=0))
let LECODE_READONLY=0
env LECODE_READONLY= lecode forget f1
env LECODE_READ{ONLY,}=0 ls
env A=1 LECODE_READONLY= ls
env -u LECODE_READONLY lecode forget f1
env -u A -u LECODE_READONLY ls
env --unset=LECODE_READONLY ls
env -u "$x" ls
env $x lecode forget f1
env -i lecode forget f1
env - lecode forget f1
env -i make
env -i sh -c 'lecode forget f1'
env --ignore-environment lecode
env -S 'LECODE_READONLY= lecode forget f1'
exec -c lecode forget f1
sudo lecode forget f1
/usr/bin/sudo -u me sh -c 'lecode forget f1'
sh -c 'LECODE_READONLY= lecode forget f1'
eval 'unset LECODE_READONLY'
trap 'LECODE_READONLY=' EXIT
xargs env -u LECODE_READONLY lecode
find . -exec env LECODE_READONLY= {} +
zsh -c 'unset LECODE_READONLY'
python3 -c 'import os; del os.environ["LECODE_READONLY"]'
sh <<EOF⏎unset LECODE_READONLY⏎EOF
echo 'unset LECODE_READONLY; lecode forget f1' | sh
make LECODE_READONLY=
x() { LECODE_READONLY=; }
echo $(LECODE_READONLY= lecode forget f1)
`

const guardFreeLines = `
echo $LECODE_READONLY
echo "${LECODE_READONLY:-none}"
printenv LECODE_READONLY
env | grep LECODE_READONLY
grep -rn LECODE_READONLY .
[ -n "$LECODE_READONLY" ] && make
echo "LECODE_READONLY is set" > a.txt
env -i ls
env A=1 make
env -u A make
lecode forget f1
sudo make x
unset x
export x=1
make
`

func TestGuard(t *testing.T) {
	w, _ := space(t)
	settings := map[string]string{"bash": "allow", "bash:lecode": "allow", "bash:env": "allow", "bash:LECODE_READONLY=": "allow"}
	for _, line := range strings.Split(strings.TrimSpace(guardLines), "\n") {
		line = strings.ReplaceAll(line, "⏎", "\n")
		n := command(t, w, line)
		if n.Class.rank() < Execute.rank() || !strings.Contains(n.Why, guardName) {
			t.Errorf("%q is %s: %s", line, n.Class, n.Why)
		}
		var g Grants
		g.Add(n)
		for _, mode := range []Mode{Default, Auto} {
			v := Rules{Mode: mode, Settings: settings}.Judge(n, &g)
			if v.Setting != Ask || !strings.Contains(v.Why, guardName) {
				t.Errorf("%q in mode %s: %+v", line, mode, v)
			}
		}
		if v := (Rules{Mode: ReadOnly, Settings: settings}).Judge(n, &g); v.Setting != Deny {
			t.Errorf("%q in mode readonly: %+v", line, v)
		}
		if v := (Rules{Settings: map[string]string{"bash": "deny"}}).Judge(n, &g); v.Setting != Deny {
			t.Errorf("%q where it is denied: %+v", line, v)
		}
		if k, _, ok := Keep(n); ok {
			t.Errorf("%q: kept as %q", line, k)
		}
	}
	for _, line := range strings.Split(strings.TrimSpace(guardFreeLines), "\n") {
		if v := (Rules{Settings: settings}).Judge(command(t, w, line), nil); v.Setting != Allow {
			t.Errorf("%q: %+v", line, v)
		}
	}
}
