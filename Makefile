# Every target creates its own environment when it is missing. `make help` lists the targets.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
# Tests start many processes: none compiles our modules anew, also where Python may write no bytecode.
COMPILED := $(BIN)/python -m compileall -q src tests/oracles
PYTEST := OMP_NUM_THREADS=1 TOKENIZERS_PARALLELISM=false $(BIN)/python -m pytest -n 2 --dist worksteal

.PHONY: help install browser run test test-full lint map bench clean

help:
	@echo "make run        scan the example, train three small detectors, draw the loss (a few minutes)"
	@echo "make test       lint, types and tests, reduced counts for the expensive ones (about 10 minutes)"
	@echo "make test-full  the same with the full counts"
	@echo "make lint       ruff and mypy only"
	@echo "make map        every module with its one line"
	@echo "make bench      the benchmarks (they print ratios)"
	@echo "make clean      remove the environment and everything made by the other targets"

install: $(READY)

# pip would compile on one core what all cores do faster; some packages bring files that no Python reads.
$(READY): pyproject.toml requirements.lock
	@echo "==> creating the environment in $(VENV) (two to three minutes the first time)"
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --constraint requirements.lock --editable ".[dev]"
	@$(BIN)/python -m compileall -qq -j 0 $(VENV)/lib || true
	@touch $(READY)

run: $(READY)
	@echo "==> the report of a mutation tool, scanned (as a page: out/scan.html)"
	@$(BIN)/equimut scan --example
	@$(BIN)/equimut scan --example --format html --out out/scan.html
	@echo "==> three detectors fine-tuned on a part of the verified benchmark (out/tour)"
	@$(BIN)/equimut dev tour --out out/tour
	@echo "==> what the loss does, on a toy in the plane (out/cluster_purge.png)"
	@$(BIN)/equimut dev demo --out out/cluster_purge.png
	@echo "==> mutants of the benchmark, with the evidence for their labels"
	@$(BIN)/equimut data evidence --sample 3

lint: $(READY)
	@echo "==> ruff"
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@echo "==> mypy --strict on src"
	@$(BIN)/mypy

browser: $(READY)
	@PYTHONPATH=tests $(BIN)/python -m oracles.scans.browser

test: lint browser
	@echo "==> tests (reduced counts; make test-full runs all of them)"
	@$(COMPILED)
	@$(PYTEST)

test-full: lint browser
	@echo "==> tests (full counts)"
	@$(COMPILED)
	@EQUIMUT_FULL=1 $(PYTEST)

map: $(READY)
	@$(BIN)/python scripts/map.py

bench: $(READY)
	@for script in benchmarks/*.py; do echo "==> $$script"; $(BIN)/python $$script || exit 1; done

clean:
	@echo "==> removing the environment, caches and outputs"
	@rm -rf $(VENV) out build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
	@find src tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +
