package offline

import (
	"strings"
	"sync"
)

// isCommon reports whether a lower-case word says little wherever it stands:
// the small words of English and those of an agent's narration.
func isCommon(w string) bool { return commonWords()[w] }

func isExtension(ext string) bool { return extensions()[ext] }

// isProgram reports whether a command line often begins with w.
func isProgram(w string) bool { return programs()[w] }

// looksOnly reports whether a program only looks or moves about.
func looksOnly(w string) bool { return lookers()[w] }

func isShortUnit(w string) bool { return shortUnits()[w] }

func set(lists string) func() map[string]bool {
	return func() map[string]bool {
		m := map[string]bool{}
		for _, w := range strings.Fields(lists) {
			m[w] = true
		}
		return m
	}
}

var (
	commonWords = sync.OnceValue(set(commonList))
	extensions  = sync.OnceValue(set(extensionList))
	programs    = sync.OnceValue(set(programList))
	shortUnits  = sync.OnceValue(set(`s ms us ns m h d k kb mb gb tb hz w v a g kg km cm mm l px pt em €`))
	lookers     = sync.OnceValue(set(lookerList))
)

const commonList = `
a about above across actual actually add added adding after again against ago all allow allowed allows almost along already also although always am
among an and another any anything appear appears applied apply approach are around as ask at attempt away back based be became because become been before
began begin behave behavior behaviour being believe below best better between both bug but by call called calling calls came can cannot case cases cause caused causes
certain change changed changes changing check checked checking checks class clear clearly close code com come comes command commands complete completed confirm
confirmed confirms contain contains content contents continue correct corrected correctly could create created creates creating current currently data
default define defined definition did didn different directly directory do does doesn doing don done down due during each early easier edit edited
edits either else end ended ensure ensures entire error errors especially etc even every everything exactly example execute executed executing exist existing
exists expect expected explicitly fact fail failed fails far few file files final finally find first fix fixed fixes fixing follow followed following
follows for form found from full fully function functionality functions further gave general generate generated get gets getting give given gives go
goes going good got great had handle handled handles handling happen happens hard has have having help helps here high how however i identified identify if implement
implementation implemented implementing important import improve in inc include included includes including indeed indicate indicated indicates indicating information initial initially input
inside instead into introduced is isn issue issues it items its itself just keep kind know known large last later lead least left less let
lets like likely line lines list little ll local located logic long look looked looking looks lot made main make makes making many match
may me mean means message method methods might missing modified modify module more most move moving much multiple must my name named navigate necessary need
needed needs never new next no none nor not note nothing now number object occur occurs of off old on once one only open opened opening operation or order
original other otherwise our out output over own part pass passed passes path perform piece place please point possible potential present previous previously print
printed prints problem proceed process program project proper properly provide provided provides put question quite raise raised rather re read reading
ready really reason receive recent recently related remain remaining remains remove removed removing replace replaced report reproduce request require required
requires result resulting results return returned returns review right root rule run running runs s same save saw say says script search second section see
seems seen sense set sets setting several should show showed shown shows side similar simple simply since size small so solution solve some something
specific specified specify start started starting starts state step steps still stop string structure successful successfully such suggested suggests support sure
system t take taken takes task tell test tested testing tests text than that the their them then there therefore these they thing
things think this those though three through thus time times to together too took total tried true try trying turn two type types
under understand unit unless until up update updated updates updating upon us use used useful user uses using usually value values
variable ve verify version very via view want wants was wasn way we well went were what when where whether which while who whole whose
why will with within without won word words work worked working works would write writing written wrong yes yet you your
`

const extensionList = `
go py js mjs cjs ts tsx jsx json jsonl yaml yml toml md txt rst adoc sh bash zsh fish ps1 bat c h cc cpp cxx hpp hh cs rs java kt kts rb php pl pm lua swift
ex exs erl hs ml mli scala clj dart zig nim r jl m mm css scss less html htm xml xsl svg vue svelte sql csv tsv log ini cfg conf cnf lock mod sum work po pot mo env
pem key crt cer pub png jpg jpeg gif webp ico pdf proto graphql parquet avro ipynb sqlite sqlite3 db dump tar gz tgz zip xz zst bak out diff patch tmpl tpl tf hcl
gradle properties plist service socket timer rules mk cmake in am ac s asm wasm so dll exe deb rpm dcm npy npz pkl pt onnx traj snap golden txtar
`

const programList = `
make git go npm npx pnpm yarn node deno bun python python2 python3 pip pip3 pipx uv poetry pytest tox nox ruff mypy black flake8 cargo rustc rustup java javac
mvn gradle gradlew ant docker podman kubectl helm terraform tofu ansible ansible-playbook ssh scp rsync curl wget tar unzip zip cp mv rm mkdir ln chmod chown touch sed awk
grep rg find cat head tail less sort uniq xargs tee echo env export source sudo systemctl journalctl service crontab psql pg_dump pg_restore mysql mysqldump sqlite3 redis-cli
mongosh aws gcloud az gh glab cmake ninja meson bazel gcc g++ clang ld ruby bundle rake gem rails php composer perl lua swift dotnet elixir mix ghc stack cabal
bash sh zsh pwsh powershell openssl gpg nc dig ping ip iptables mkdocs sphinx-build hugo jekyll vim nano code emacs lecode tsc eslint prettier jest vitest mocha
`

const lookerList = `
ls cat cd pwd head tail less more grep rg ag find fd tree which whereis file stat wc echo env printenv date whoami history clear man type open goto view
scroll_down scroll_up search_dir search_file find_file sed awk nl du df ps true sleep submit
`
