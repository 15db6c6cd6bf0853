# Two commands for a newcomer: `make demo` and `make test`. Both set up .venv first; everything else is `scoretrail`.
PYTHON ?= python3
BIN := .venv/bin
UV := $(shell command -v uv 2>/dev/null)

.PHONY: demo test lint setup clean

demo: .venv/.installed
	@$(BIN)/scoretrail run --demo

setup: .venv/.installed

test: .venv/.installed-dev lint
	@$(BIN)/python -m pytest

lint: .venv/.installed-dev
	@$(BIN)/ruff check . && $(BIN)/ruff format --check -q . && $(BIN)/mypy && $(BIN)/lint-imports --no-timing

.venv/.created:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "scoretrail needs Python 3.11 or newer; name one with: make $(MAKECMDGOALS) PYTHON=python3.12"; exit 2; }
	@echo "Setting up .venv (about a minute, once) ..."
ifdef UV
	@$(UV) venv -q --python $(PYTHON) .venv
else
	@$(PYTHON) -m venv .venv
endif
	@touch $@

.venv/.installed: .venv/.created pyproject.toml constraints.txt
ifdef UV
	@UV_COMPILE_BYTECODE=1 $(UV) pip install -q --python $(BIN)/python -c constraints.txt -e .
else
	@$(BIN)/python -m pip install -q --disable-pip-version-check -c constraints.txt -e .
endif
	@touch $@

.venv/.installed-dev: .venv/.installed
ifdef UV
	@UV_COMPILE_BYTECODE=1 $(UV) pip install -q --python $(BIN)/python -c constraints.txt -e '.[dev]'
else
	@$(BIN)/python -m pip install -q --disable-pip-version-check -c constraints.txt -e '.[dev]'
endif
	@touch $@

clean:
	@rm -rf .venv build *.egg-info .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
