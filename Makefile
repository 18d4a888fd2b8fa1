# `make run` and `make test` do all the set-up on a fresh machine. `make help` lists the rest.
PYTHON ?= python3
BIN := .venv/bin
export PIP_DISABLE_PIP_VERSION_CHECK = 1

.PHONY: help setup setup-dev system engine run image test test-isolation soak check lint unit browser screenshots benchmarks doctor clean

help:  ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

setup: .venv/app.stamp  ## virtual environment with the app's packages

run: setup  ## start the page at http://127.0.0.1:8501
	@PYTHON="$(PYTHON)" sh scripts/install_system.sh run
	@docker version >/dev/null 2>&1 || $(MAKE) --no-print-directory .sandbox-venv/stamp
	@$(BIN)/python -m sandbox doctor || true
	$(BIN)/streamlit run streamlit_app.py

test: setup system setup-dev image check unit  ## everything that CI holds

system:  ## Docker engine and Chromium from the system's packages, when root and missing (SKIP_SYSTEM=1: never)
	@sh scripts/install_system.sh

image: setup  ## the sandbox image, if it is missing or stale
	$(BIN)/python -m sandbox build

check: setup-dev  ## format, lint and types
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy .

unit: setup-dev
	$(BIN)/pytest

browser: setup-dev  ## only the test in a real browser
	$(BIN)/pytest -m browser

screenshots: setup-dev image  ## the READMEs' pictures, made by the test in a real browser
	SCREENSHOTS=docs $(BIN)/pytest tests/test_browser.py -k starter

benchmarks: setup-dev image  ## speed and memory of the sandbox, and what the app adds to a model
	$(BIN)/python -m benchmarks sandbox
	$(BIN)/python -m benchmarks model

test-isolation: setup system setup-dev image  ## the walls, each on every backend that is here; one line for each
	@PYTHON="$(PYTHON)" sh scripts/install_system.sh isolation
	$(BIN)/python -m tests.isolation

soak: setup setup-dev system image  ## sessions under random faults (SOAK_MINUTES=10, SOAK_SESSIONS=20, SOAK_SEED)
	$(BIN)/python -m tests.soak

doctor: setup  ## what is missing, and the command that mends it
	$(BIN)/python -m sandbox doctor

clean:  ## remove the virtual environments and caches
	rm -rf .venv .sandbox-venv .mypy_cache .ruff_cache .pytest_cache

setup-dev: .venv/dev.stamp .sandbox-venv/stamp

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed. Name one: make run PYTHON=python3.12"; exit 1; }
	@PYTHON="$(PYTHON)" sh scripts/install_system.sh venv
	$(PYTHON) -m venv .venv

.venv/app.stamp: requirements.txt | .venv/bin/python
	$(BIN)/python -m pip install --quiet -r requirements.txt
	@touch $@

.venv/dev.stamp: requirements-dev.txt requirements.txt | .venv/bin/python
	$(BIN)/python -m pip install --quiet -r requirements-dev.txt
	@touch $@

# The sandbox's own packages on this machine: for bubblewrap, and for tests of its inner programs as plain processes.
.sandbox-venv/stamp: sandbox/image/requirements.txt $(wildcard sandbox/image/extra-requirements.txt) | .venv/app.stamp
	SANDBOX=bubblewrap SANDBOX_RUNTIME= SANDBOX_VENV= $(BIN)/python -m sandbox build
	@touch $@
