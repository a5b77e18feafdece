# Everything runs in a private environment, .venv; nothing is installed outside this folder.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

.DEFAULT_GOAL := help
.PHONY: help run test lint types contracts unit faults fuzz format cases sizes clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1	\2/p' Makefile | expand -t 16

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
	$(BIN)/python -m pytest -n 2 --ignore=tests/faults

faults: .venv/dev ## the long tests of the daemon: killed at random moments, under constant writes
	$(BIN)/python -m pytest tests/faults

fuzz: .venv/dev ## some ten minutes of the properties of views: random, broken and hostile sources
	$(BIN)/python -m pytest tests/strategies/test_properties.py -n 2 --hypothesis-profile=fuzz --timeout=900

format: .venv/dev ## rewrite the code in the project's format
	$(BIN)/python -m ruff format .
	$(BIN)/python -m ruff check --fix .

cases: .venv/dev ## write what the strategies give into tests/strategies/cases; read the diff
	$(BIN)/python -m pytest tests/strategies/test_cases.py --update-cases -q

sizes: .venv/dev ## write the README's table of sizes from the projects in TREES=/folder
	@PYTHONPATH=tests $(BIN)/python tests/support/sizes.py "$(TREES)"

clean: ## remove the environment and all caches
	rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .hypothesis

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
