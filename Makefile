# Two commands do everything: `make demo` shows Holloway at work, `make test`
# shows that it works. What the machine lacks is installed by scripts/setup.

# Survives between clones, so that a second clone does not build the world again.
export CARGO_TARGET_DIR ?= $(HOME)/.cache/holloway/target
CARGO ?= cargo
HOLLOWAY = $(CARGO_TARGET_DIR)/debug/holloway

.PHONY: demo test setup build fmt lint unit docs first show-tools show-packs show-stories show-reports show-auto show-estimates confidence plan-many show-cards show-search requests evaluate axe scipy bench-search bench bench-tools bench-crawl bench-peers sweep sweep-smoke hostile test-model

demo: build
	@scripts/demo $(HOLLOWAY)

test: setup fmt lint unit docs first show-tools show-packs show-stories sweep-smoke

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
	$(CARGO) nextest run --locked -p holloway-store --run-ignored only -E 'test(a_failing_disk)'
	$(CARGO) nextest run --locked --workspace

docs:
	RUSTDOCFLAGS='-D warnings' $(CARGO) doc --locked --workspace --no-deps --quiet

# The README's first example, as a reader would run it.
first: build
	scripts/readme-first

# Tools from everywhere, with real servers and packages.
show-tools: build
	scripts/show-tools $(HOLLOWAY)

# The website audit and the price report; make show-packs KEEP=FOLDER keeps the reports.
show-packs: build
	scripts/show-packs $(HOLLOWAY) $(KEEP)

# Two requests in plain words, from the words to the report; make show-stories KEEP=FOLDER keeps the reports, MODEL=local lets a
# small model on this machine read them.
show-stories: build
	$(if $(MODEL),scripts/local-model --model qwen2.5-coder-1.5b )scripts/show-stories $(HOLLOWAY) $(KEEP)

# The same reports with pictures of them, and what axe-core says: make show-reports KEEP=FOLDER.
show-reports: build
	scripts/show-reports $(HOLLOWAY) $(or $(KEEP),$(CARGO_TARGET_DIR)/reports)

# The same request with --auto, and how often each plan was drawn: make show-auto TIMES=20
show-auto: build
	scripts/show-auto $(HOLLOWAY) $(TIMES)

# What cards say a plan takes beside what it took: both stories and everyday requests; STEPS=yes tells each step.
show-estimates: build
	scripts/show-estimates $(HOLLOWAY)

# How well confidence tells right plans from wrong ones, on requests that the weights were not fitted on: runs every reading of
# bench/requests. FIT=yes fits the weights first. BENCH holds mcp-catalogue/tools.jsonl.
confidence: build
	scripts/confidence $(HOLLOWAY) $(BENCH)

# Twelve thousand requests over the built-in tools and 512 others: plans that are not sound, panics, time. BENCH as above.
plan-many:
	$(CARGO) run --locked --release -p holloway-flow --example plan_many -- $(BENCH)

# Cards for everyday requests over a catalogue, as a page: make show-cards CATALOGUE=tools.jsonl > docs/cards.md
show-cards: build
	@scripts/show-cards $(HOLLOWAY) $(CATALOGUE)

# Ten everyday requests over a catalogue, with reasons: make show-search CATALOGUE=tools.jsonl
show-search: build
	scripts/show-search $(HOLLOWAY) $(CATALOGUE)

# Whole requests in plain words, from the words to the result; make requests MEMORY=50 remembers runs of other requests first,
# CASES=bench/requests/dev.jsonl takes other cases, MODEL=local lets a small model on this machine read them (the first run installs it).
REQUESTS = bench/requests/run.py --bin $(HOLLOWAY) --out $(CARGO_TARGET_DIR)/requests.jsonl $(if $(CASES),--cases $(CASES)) $(if $(MEMORY),--memory $(MEMORY))
requests: build
	$(if $(MODEL),scripts/local-model --model qwen2.5-coder-1.5b sh -c '$(REQUESTS) --jobs 1 --timeout 240 --model "$$HOLLOWAY_LOCAL_MODEL/v1" "$$HOLLOWAY_LOCAL_MODEL_NAME"',$(REQUESTS))

# Hit rates of the search beside its baselines: make evaluate BENCH=folder-of-sets
evaluate:
	$(CARGO) build --locked --release -p holloway
	scripts/evaluate $(CARGO_TARGET_DIR)/release/holloway $(BENCH)

# Planning with a real model on loopback; the first run installs it.
test-model:
	scripts/local-model $(CARGO) nextest run --locked -p holloway-models --run-ignored only -j 1

# Accessibility findings beside axe-core in Chromium.
axe:
	scripts/axe-compare

# Statistics beside SciPy and pandas.
scipy:
	scripts/scipy-compare

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

# What a search costs: make bench-search BENCH=folder-of-sets
bench-search:
	$(CARGO) run --locked --release -p holloway-bench --bin bench-search -- --from $(BENCH)

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
