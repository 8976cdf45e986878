# `make run` and `make test` do all the set-up on a fresh machine; `make help` lists the rest.
PY := .venv/bin/python
.DEFAULT_GOAL := help
# Where it is set, as in many containers, each process compiles all of Django and of the tests at each start.
unexport PYTHONDONTWRITEBYTECODE
# Of tests: a third one beside two processors has its own start, and makes all three slower than two are.
TESTERS := 2
FUZZED = $(shell grep -rlE 'hypothesis|schemathesis' tests --include='test_*.py')
.PHONY: help setup run test quick fuzz coverage check lab lab-test lab-core lab-drills lab-report bench bench-lab release image compose-test clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "make %-13s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: ## .venv from the lock, and the built front end (run and test do it by themselves)
	@scripts/setup.sh

run: ## the console against a simulated machine (PORT, BIND, DATA_DIR, MACHINE=home|rack24|shelf12|flash4)
	@scripts/setup.sh && exec scripts/run.sh

test: ## unit, API, contract and browser tests; needs no lab
	@scripts/setup.sh test
	@$(PY) -m pytest --numprocesses $(TESTERS) --dist worksteal --quiet --durations 10

quick: ## what the change touches, in seconds: ruff, mypy, the tests that name it (BASE=main for all since then)
	@scripts/setup.sh
	@$(PY) -m scripts.quick

fuzz: ## the random tests with many cases, and new ones each time
	@scripts/setup.sh test
	@$(PY) -m pytest --numprocesses $(TESTERS) --dist worksteal --quiet --hypothesis-profile fuzz $(FUZZED)

coverage: ## what share of the lines of each package the tests reach
	@scripts/setup.sh test
	@rm -rf build/coverage && mkdir -p build/coverage
	@$(PY) -m coverage run -m pytest --numprocesses $(TESTERS) --dist worksteal --quiet $(TESTS)
	@$(PY) -m coverage combine --quiet && $(PY) -m coverage json --quiet -o build/coverage/report.json
	@$(PY) scripts/coverage_by_package.py build/coverage/report.json

check: ## ruff, mypy, djlint, shellcheck, ansible-lint and the architecture test
	@scripts/setup.sh
	@scripts/check.sh

lab: release ## a virtual NAS with real OpenZFS; prints its address; Ctrl-C ends it
	@$(PY) -m tests.lab boot

lab-test: release ## the whole contract suite and the main drill on virtual NAS
	@$(PY) -m pytest tests/lab --quiet -m "lab and not drill" --randomly-dont-reorganize --durations 10

lab-core: release ## the same with one test of each family of the contract, and all of the families that changed
	@NASWEB_CONTRACT_CORE=1 $(PY) -m pytest tests/lab --quiet -m "lab and not drill" --randomly-dont-reorganize --durations 10

lab-drills: release ## all drills not yet green here, or some (DRILLS="test_keys test_files", SINCE=commit)
	@$(PY) -m tests.lab.drills $(DRILLS) $(if $(SINCE),--since $(SINCE))

lab-report: ## which drills were green at which commit
	@$(PY) -m tests.lab.drills --report

release: ## build/release: what is installed on a NAS
	@scripts/setup.sh
	@scripts/release.sh build/release

image: release ## build/nasweb.img: Debian with Nasweb, to be written to a flash drive (as root)
	@$(PY) -m tests.lab image

bench: $(if $(LAB),release) ## figures of speed and memory, with how they were measured
	@scripts/setup.sh
	@$(PY) -m tests.bench $(if $(LAB),--lab)

bench-lab: release ## figures of the virtual NAS alone: a job's overhead, and policies beside sanoid
	@$(PY) -c 'from tests.bench import lab; lab.measure()'

compose-test: ## build and start docker-compose.yml once for real
	@scripts/setup.sh
	@tests/compose/run.sh

clean: ## remove what was built here (not the lab's cache)
	@rm -rf build frontend/static/dist .pytest_cache .mypy_cache .ruff_cache
