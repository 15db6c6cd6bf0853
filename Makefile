# Two commands for a newcomer: `make demo` and `make test`. Both set up .venv first; everything else is `scoretrail`.
# uv is used where it is installed (quicker), pip otherwise, and pip also where uv finds no index.
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11 python; do \
  $$p -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 15))' 2>/dev/null && { echo $$p; break; }; done)
BIN := .venv/bin
UV := $(shell command -v uv 2>/dev/null)
PIP := $(BIN)/python -m pip install -q --disable-pip-version-check --no-input
FROM := -c constraints.txt -e

.PHONY: demo test lint setup clean help

help:
	@echo "make demo    set up .venv, then run the whole graph on the bundled snapshot, offline, into data/demo"
	@echo "make test    set up .venv with the development tools, then lint, types, import rule and every test"
	@echo "make lint    ruff, mypy and the import rule alone"
	@echo "make setup   only .venv with the scoretrail command"
	@echo "make clean   remove .venv and caches; data/ stays"

demo: .venv/.installed
	@echo "Running: $(BIN)/scoretrail run --demo  (the bundled snapshot, offline, into data/demo)"
	@$(BIN)/scoretrail run --demo

setup: .venv/.installed
	@echo "Ready: $(BIN)/scoretrail --help"

# Bytecode is kept, also where a machine says not to: dozens of tests start a process, which would compile the house again.
test: lint
	@PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder

lint: .venv/.installed-dev
	@$(BIN)/ruff check . && $(BIN)/ruff format --check -q . && $(BIN)/mypy && $(BIN)/lint-imports --no-logo

.venv/.created:
	@test -n "$(PYTHON)" && $(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 15))' || { \
	  echo "scoretrail needs Python 3.11 to 3.14; found: $$($(or $(PYTHON),python3) --version 2>&1)."; \
	  echo "Install one, or name it: make $(or $(MAKECMDGOALS),demo) PYTHON=/path/to/python3.12"; exit 2; }
	@echo "Setting up .venv with $$($(PYTHON) --version) (about a minute, once) ..."
	@rm -rf .venv
	@$(PYTHON) -m venv .venv 2>/dev/null || { rm -rf .venv; test -n "$(UV)" && $(UV) venv -q --python $(PYTHON) .venv; } || { \
	  rm -rf .venv; echo "$(PYTHON) cannot make a virtual environment here; on Debian: apt install python3-venv"; exit 2; }
	@touch $@

.venv/.installed: .venv/.created pyproject.toml constraints.txt
	@$(call install,.)
	@touch $@

.venv/.installed-dev: .venv/.created pyproject.toml constraints.txt
	@$(call install,'.[dev]')
	@touch .venv/.installed $@

# Bytecode is compiled while installing: without it every start compiles Great Expectations and Dagster again.
define install
{ test -n "$(UV)" && UV_COMPILE_BYTECODE=1 $(UV) pip install -q --python $(BIN)/python $(FROM) $(1) 2>/dev/null; } || $(PIP) $(FROM) $(1)
endef

clean:
	@rm -rf .venv build *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
