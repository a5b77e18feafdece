# Everything runs in a private environment, .venv; nothing is installed outside this folder.
PYTHON ?= python3
BIN := .venv/bin
SEEDS ?= 40
FIRST_SEED ?= 11
SOAK_S ?= 900
IDLE_S ?= 300
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

.DEFAULT_GOAL := help
.PHONY: help run test lint types contracts unit service faults faults-watchdog6 churn soak latency startup bench fuzz format cases docs sizes confusion clean

help: ## list the targets
	@sed -n 's/^\([a-z0-9-]*\):.*## \(.*\)/make \1	\2/p' Makefile | expand -t 24

run: .venv/run ## play a Milestone completion on the example project; PROJECT=/path keeps a real project current
ifdef PROJECT
	@exec $(BIN)/python -m hypo_compactd run "$(PROJECT)"
else
	@$(BIN)/python tests/example/demo.py
endif

test: lint types contracts unit ## lint, types, import contracts and tests

lint: .venv/dev
	$(BIN)/python -m ruff check .
	$(BIN)/python -m ruff format --check .

types: .venv/dev
	$(BIN)/python -m mypy

contracts: .venv/dev
	$(BIN)/lint-imports --no-cache

unit: .venv/dev
	$(BIN)/python -m pytest -n 2 --ignore=tests/faults --ignore=tests/service

service: .venv/dev ## the service with a real systemd, in namespaces of its own: needs root, and skips without
	$(BIN)/python -m pytest tests/service -n 2 --dist loadfile

faults: .venv/dev ## the long tests of the daemon: everything that can fail around it, churn, kills, a short soak
	$(BIN)/python -m pytest tests/faults -n 2 --dist loadfile

faults-watchdog6: .venv-watchdog6/dev ## the same with watchdog 6, whose failures are others
	.venv-watchdog6/bin/python -m pytest tests/faults tests/daemon/test_watcher.py -n 2 --dist loadfile

churn: .venv/dev ## random changes from three processes, then quiet; SEEDS=40 FIRST_SEED=11
	$(BIN)/python -m pytest tests/faults/test_churn.py --seeds $(SEEDS) --first-seed $(FIRST_SEED)

soak: .venv/dev ## steady writes for SOAK_S=900 seconds: no more memory, threads and descriptors afterwards
	$(BIN)/python -m pytest tests/faults/test_soak.py --soak-s $(SOAK_S) -rP

latency: .venv/dev ## from the end of a save to the renamed view, and what idle projects cost; IDLE_S=300
	$(BIN)/python tests/bench/latency.py --idle-s $(IDLE_S)

bench: .venv/bench ## what the program costs, as ratios with limits; TREE=/a/project, FULL=1 for the largest sizes, README=1
	@PYTHONPATH=tests $(BIN)/python -m bench.bench $(if $(TREE),--tree "$(TREE)") $(if $(FULL),--full) $(if $(README),--readme)

startup: .venv/dev ## how long the commands take to start where there is nothing to do, against Python itself
	$(BIN)/python tests/bench/startup.py

fuzz: .venv/dev ## half an hour of the properties of views: random, broken and hostile sources, logs that change
	$(BIN)/python -m pytest tests/strategies/test_properties.py tests/strategies/test_log_index.py -n 2 --hypothesis-profile=fuzz --timeout=1800

format: .venv/dev ## rewrite the code in the project's format
	$(BIN)/python -m ruff format .
	$(BIN)/python -m ruff check --fix .

cases: .venv/dev ## write what the strategies give into tests/strategies/cases; read the diff
	$(BIN)/python -m pytest tests/strategies/test_cases.py --update-cases -q

docs: .venv/dev ## write the man page and tests/docs/help.txt from the argument parser
	@PYTHONPATH=tests $(BIN)/python tests/support/documents.py

confusion: .venv/dev ## what the loss check says of damaged and of faithful results; no damaged one may pass
	@PYTHONPATH=tests $(BIN)/python -m handoff.bed.confusion $(if $(README),--readme)

sizes: .venv/dev ## write the README's table of sizes from the projects in TREES=/folder
	@PYTHONPATH=tests $(BIN)/python tests/support/sizes.py "$(TREES)"

clean: ## remove the environments and all caches
	rm -rf .venv .venv-watchdog6 .mypy_cache .pytest_cache .ruff_cache .hypothesis

.venv/python:
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "hypo-compactd needs Python 3.11 or newer; name one: make PYTHON=/path/to/python3.11 …" >&2; exit 64; }
	@echo "setting up .venv …"
	@"$(PYTHON)" -m venv --clear .venv
	@$(PIP) install --upgrade "pip>=25.1"
	@touch .venv/python

.venv/run: .venv/python pyproject.toml
	@$(PIP) install --editable .
	@touch .venv/run

.venv/dev: .venv/run
	@$(PIP) install --group dev
	@touch .venv/dev

.venv/bench: .venv/dev
	@$(PIP) install --group bench
	@touch .venv/bench

.venv-watchdog6/dev: .venv/python pyproject.toml
	@echo "setting up .venv-watchdog6 …"
	@"$(PYTHON)" -m venv --clear .venv-watchdog6
	@.venv-watchdog6/bin/python -m pip --disable-pip-version-check --quiet install --upgrade "pip>=25.1"
	@.venv-watchdog6/bin/python -m pip --disable-pip-version-check --quiet install --editable . --group dev "watchdog==6.0.0"
	@touch .venv-watchdog6/dev
