# Two commands do everything: `make demo` shows Holloway at work, `make test`
# shows that it works. What the machine lacks is installed by scripts/setup.

# Survives between clones, so that a second clone does not build the world again.
export CARGO_TARGET_DIR ?= $(HOME)/.cache/holloway/target
CARGO ?= cargo
HOLLOWAY = $(CARGO_TARGET_DIR)/debug/holloway

.PHONY: demo test setup build fmt lint unit docs first show-tools bench bench-tools bench-crawl bench-peers sweep sweep-smoke hostile

demo: build
	@echo
	@echo '$$ holloway run examples/first.yaml'
	@HOLLOWAY_HOME=$${HOLLOWAY_HOME:-$$(mktemp -d)} $(HOLLOWAY) run examples/first.yaml

test: setup fmt lint unit docs first show-tools sweep-smoke

setup:
	@scripts/setup

build:
	$(CARGO) build --locked -p holloway

fmt:
	$(CARGO) fmt --all --check

lint:
	$(CARGO) clippy --locked --workspace --all-targets -- -D warnings

unit:
	$(CARGO) test --locked --workspace --doc --quiet
	$(CARGO) nextest run --locked -p holloway-adapters --run-ignored only -E 'test(a_failing_disk)'
	$(CARGO) nextest run --locked --workspace

docs:
	RUSTDOCFLAGS='-D warnings' $(CARGO) doc --locked --workspace --no-deps --quiet

# The README's first example, as a reader would run it.
first: build
	scripts/readme-first

# Tools from everywhere, with real servers and packages.
show-tools: build
	scripts/show-tools $(HOLLOWAY)

# What a step costs, beside its floor.
bench:
	$(CARGO) run --locked --release -p holloway-bench

# What a call of an MCP tool costs, beside the bare protocol library.
bench-tools:
	scripts/tool-servers
	$(CARGO) run --locked --release -p holloway-bench --bin bench-tools

# How fast a site of 47 pages is found, fetched and checked in everything.
bench-crawl:
	$(CARGO) run --locked --release -p holloway-bench -- crawl

# What a step costs beside other engines: make bench-peers PEERS=path/to/peers
bench-peers:
	scripts/bench-peers $(PEERS)

# kill -9 at every journal I/O boundary of twelve plans.
sweep: build
	scripts/crash-sweep --points 2000

sweep-smoke: build
	scripts/crash-sweep --points 60

# What hostile plans cost.
hostile:
	$(CARGO) run --locked --release -p holloway-plan --example hostile_cost
