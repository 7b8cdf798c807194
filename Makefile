# The targets that a newcomer needs: make demo, make test. The others: make
# (builds bin/), lint, fuzz, bench, torture, update (refreshes golden output).

GO      ?= go
VERSION := $(shell git describe --always --dirty 2>/dev/null)
LDFLAGS := -X github.com/lecode/lecode/cmd/internal/cli.version=$(VERSION)
FUZZTIME ?= 20s

.PHONY: all demo test lint fuzz bench torture real-clients update clean

all:
	$(GO) build -trimpath -ldflags "$(LDFLAGS)" -o bin/ ./cmd/...

demo: all
	@sh testscripts/demo.sh bin

test:
	$(GO) test -race -timeout 20m ./...

lint:
	@unformatted=$$(gofmt -l cmd plumbing porcelain slug testscripts); \
	  if [ -n "$$unformatted" ]; then echo "not formatted:"; echo "$$unformatted"; exit 1; fi
	$(GO) vet ./...
	$(GO) vet -tags lecode_testhooks ./cmd/...
	$(GO) tool staticcheck ./...

# Each fuzz target for FUZZTIME; go takes one target and one package at a time.
fuzz:
	@set -e; for pkg in $$($(GO) list ./...); do \
	  for target in $$($(GO) test -list '^Fuzz' $$pkg | grep '^Fuzz' || true); do \
	    echo "$$pkg $$target"; $(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) $$pkg; \
	  done; done

bench: all
	$(GO) run ./testscripts/bench -bin bin
	$(GO) test -run '^$$' -bench . -benchtime 10x ./plumbing/... ./porcelain/... ./slug

# The full crash, error and corruption sweeps of which make test runs one bounded case each.
torture:
	LECODE_TORTURE=1 FACT_TEST_STRIDE=1 $(GO) test -race -timeout 2h ./...

# Claude Code, Codex and Gemini CLI against a scripted model; needs Node 20 and npm's network.
real-clients: all
	$(GO) run ./testscripts/realclients -bin bin

update:
	$(GO) test ./testscripts -update

clean:
	rm -rf bin
