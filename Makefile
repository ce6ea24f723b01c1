# Every target sets up what it needs; nothing has to be installed by hand but Python 3.11 or newer.

PYTHON ?= python3
DEV := .venv
DEMO := .venv-demo
LOWEST := .venv-lowest

.PHONY: help demo test test-lowest lint format types schema check wheel bench clean

help:
	@echo "make demo    a real RAG chain whose answers are checked claim by claim, offline"
	@echo "make test    all tests"
	@echo "make test-lowest  the LangChain tests on the oldest supported versions"
	@echo "make check   lint, types and the schema check, as CI runs them"
	@echo "make bench   ours beside LongTracer 0.3.1 on the reference workload"

demo: $(DEMO)/.ready
	$(DEMO)/bin/python examples/quickstart.py

test: $(DEV)/.ready
	$(DEV)/bin/python -m pytest

test-lowest: $(LOWEST)/.ready
	$(LOWEST)/bin/python -m pytest -q tests/langchain

lint: $(DEV)/.ready
	$(DEV)/bin/ruff format --check .
	$(DEV)/bin/ruff check .

format: $(DEV)/.ready
	$(DEV)/bin/ruff format .
	$(DEV)/bin/ruff check --fix .

types: $(DEV)/.ready
	$(DEV)/bin/mypy
	$(DEV)/bin/mypy --strict tests/typing/api.py

schema: $(DEV)/.ready
	$(DEV)/bin/python -m longtracer.contracts.schema | diff - schema/case_result.v1.json
	$(DEV)/bin/python -m pytest -q tests/test_schema_compat.py

check: lint types schema

wheel: $(DEV)/.ready
	$(DEV)/bin/python -m build --wheel

bench: $(DEV)/.ready
	$(DEV)/bin/python benchmarks/compare.py

clean:
	rm -rf $(DEV) $(DEMO) $(LOWEST) build dist *.egg-info

$(DEV)/.ready: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make test PYTHON=...")'
	$(PYTHON) -m venv $(DEV)
	$(DEV)/bin/python -m pip install -q --disable-pip-version-check -c constraints.txt -e ".[dev]"
	@touch $@

$(DEMO)/.ready: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make demo PYTHON=...")'
	$(PYTHON) -m venv $(DEMO)
	$(DEMO)/bin/python -m pip install -q --disable-pip-version-check -c constraints.txt -e ".[langchain,cli]"
	@touch $@

$(LOWEST)/.ready: pyproject.toml constraints-lowest.txt
	$(PYTHON) -m venv $(LOWEST)
	$(LOWEST)/bin/python -m pip install -q --disable-pip-version-check -c constraints-lowest.txt -e ".[langchain,cli]" \
		langchain-classic pytest pytest-asyncio hypothesis
	@touch $@
