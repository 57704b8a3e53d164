# Two commands: `make demo` (set up and run the main job) and `make test` (set up and run the test suite).
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
# Two processes, a file of tests never split between them. PYTEST_ARGS="-k name" runs in one.
PYTEST_ARGS ?= -n 2 --dist loadfile

.PHONY: demo test setup engine lint lock clean

demo: setup engine
	@$(BIN)/python -m bootcamp_cli.demo

test: setup engine
	@$(BIN)/python -m pytest $(PYTEST_ARGS)

lint: setup
	$(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/mypy && $(BIN)/lint-imports

setup: $(STAMP)

$(STAMP): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "Python 3.11 or newer is needed; set PYTHON=...")'
	@echo "setting up $(VENV) from requirements.lock …" >&2
	@$(PYTHON) -m venv $(VENV) >/dev/null 2>&1 || { \
	  rm -rf $(VENV); echo "python has no working venv module: installing python3-venv with apt-get …" >&2; \
	  { apt-get update -qq && apt-get install -y -qq --no-install-recommends python3-venv; } >/dev/null \
	  || { echo "error: could not install it; install your system's python3-venv package and run again" >&2; exit 3; }; \
	  $(PYTHON) -m venv $(VENV); }
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --require-hashes -r requirements.lock
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --no-build-isolation --no-deps -e .
	@touch $(STAMP)

engine:
	@sh sandbox/ensure_engine.sh

lock:
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-header --no-emit-index-url --no-annotate \
	  --extra dev pyproject.toml -o requirements.lock

clean:
	rm -rf $(VENV) .bootcamp .pytest_cache .mypy_cache .ruff_cache .import_linter_cache
