# One command per habit. "make test" is all that CI runs; it needs Go and git.

GO       ?= go
LINT     := $(GO) run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0
FUZZTIME ?= 20s

# The race detector needs a C compiler, the program does not.
CC_FOUND := $(shell command -v "$$($(GO) env CC)" 2>/dev/null)

.DEFAULT_GOAL := help
.PHONY: bench build fuzz gen generated golden help limits lint race test vet

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: ## Build the program as ./gauntlet, static
	CGO_ENABLED=0 $(GO) build -trimpath -o gauntlet .

test: vet lint race limits generated ## Everything that CI checks: vet, lint, race, limits, generated files

vet: ## Run go vet
	$(GO) vet ./...

lint: ## Run golangci-lint as .golangci.yml says (the first run builds it, a few minutes)
	$(LINT) run

race: ## Run all tests under the race detector (without it where there is no C compiler)
ifeq ($(CC_FOUND),)
	@echo "no C compiler found: the tests run without the race detector"
	$(GO) test -timeout 30m ./...
else
	CGO_ENABLED=1 $(GO) test -race -timeout 30m ./...
endif

limits: ## Run the worlds that ask for too much, without the race detector (three minutes)
	$(GO) test -timeout 20m -run 'TestLimits|TestSameEverywhere' ./internal/py

gen: ## Rewrite the generated files
	$(GO) generate ./...

# "go generate" must change nothing. Comparing before and after, rather than
# asking for a clean tree, lets the check pass in the middle of a change.
generated: ## Check that the generated files are up to date
	@before="$$(git status --porcelain && git diff)" || exit 1; \
	$(GO) generate ./... || exit 1; \
	after="$$(git status --porcelain && git diff)" || exit 1; \
	if [ "$$before" != "$$after" ]; then \
		git status --short; git diff --stat; \
		echo "generated files were out of date; commit what make gen has written"; exit 1; \
	fi

golden: ## Rewrite the golden files; read the difference before you commit it
	@for dir in $$(grep -rlE 'flag\.Bool\("update"' --include='*_test.go' . | xargs -r -n1 dirname | sort -u); do \
		$(GO) test "$$dir" -update || exit 1; \
	done

bench: ## Run all benchmarks
	$(GO) test -run '^$$' -bench . -benchmem ./...

fuzz: ## Run every fuzz target for FUZZTIME (20s)
	@for package in $$($(GO) list ./...); do \
		for target in $$($(GO) test -list '^Fuzz' "$$package" | grep '^Fuzz'); do \
			echo "$$package $$target"; \
			$(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) "$$package" || exit 1; \
		done; \
	done
