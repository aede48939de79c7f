# Everything is installed into .venv and everything that runs writes below data/.
SHELL := /bin/sh
.DEFAULT_GOAL := help
.PHONY: help demo up test check clean

# The newest Python that Quietdiff is tested on; `make PYTHON=/path/to/python3.11 ...` names another.
USABLE = import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))
PYTHON ?= $(shell for p in python3.13 python3.12 python3.11 python3; do \
	$$p -c '$(USABLE)' >/dev/null 2>&1 && { echo $$p; break; }; done)

BIN = .venv/bin
READY = .venv/ready

# Percent of lines and branches that the tests must run; 97.4 were measured.
COVERED = 97

help:
	@echo 'make demo   the whole job on the built-in demo site, five days in some seconds'
	@echo 'make up     the Dagster UI, its daemon and the demo site, until Ctrl-C'
	@echo 'make test   all tests, and that they cover the code'
	@echo 'make check  format, lint, types, import contracts, Dagster definitions'
	@echo 'make clean  removes the environment and caches; leaves data/ alone'

demo: $(READY)
	@$(BIN)/quietdiff demo

up: $(READY)
	@exec $(BIN)/quietdiff up

test: $(READY)
	@$(BIN)/pytest -n auto --dist worksteal --cov=pipeline --cov=assets --cov-report= --cov-fail-under=$(COVERED)

check: $(READY)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	@mkdir -p data/dagster && ln -sfn ../../dagster.yaml data/dagster/dagster.yaml
	DAGSTER_HOME='$(CURDIR)/data/dagster' VIRTUAL_ENV='$(CURDIR)/.venv' $(BIN)/dg check defs

.venv: $(READY)

$(READY): pyproject.toml constraints.txt
	@test -n '$(PYTHON)' || { echo 'Python 3.11 or newer with the module venv is needed and was not found.' \
		'Install it (on Debian and Ubuntu: apt install python3-venv), or name it: make PYTHON=/path/to/python3' >&2; exit 1; }
	@'$(PYTHON)' -c '$(USABLE)' || { echo '$(PYTHON): not Python 3.11 or newer with the module venv' >&2; exit 1; }
	@echo 'Installing into .venv; the first time this takes a minute or two.'
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || '$(PYTHON)' -m venv --clear .venv
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --no-input -c constraints.txt -e '.[dev]'
	@touch $(READY)

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache .coverage build dist
	find assets pipeline tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +
