# `make run` and `make test` do all the set-up on a fresh machine; `make help` lists the rest.
PY := .venv/bin/python
.DEFAULT_GOAL := help
DRILLS := tests/lab
.PHONY: help setup run test check lab lab-test lab-drills bench bench-lab release image compose-test clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "make %-13s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: ## .venv from the lock, and the built front end (run and test do it by themselves)
	@scripts/setup.sh

run: ## the console against a simulated machine (PORT, BIND, DATA_DIR, MACHINE=home|rack24|shelf12|flash4)
	@scripts/setup.sh && exec scripts/run.sh

test: ## unit, API, contract and browser tests; needs no lab
	@scripts/setup.sh test
	@$(PY) -m pytest --numprocesses 2 --dist worksteal --quiet

check: ## ruff, mypy, djlint, shellcheck, ansible-lint and the architecture test
	@scripts/setup.sh
	@scripts/check.sh

lab: release ## a virtual NAS with real OpenZFS; prints its address; Ctrl-C ends it
	@$(PY) -m tests.lab boot

lab-test: release ## the contract suite and the main drill on the virtual NAS
	@$(PY) -m pytest tests/lab --quiet -m "lab and not drill" --randomly-dont-reorganize

lab-drills: release ## all drills on the virtual NAS, or some (DRILLS=tests/lab/test_keys.py)
	@$(PY) -m pytest $(DRILLS) --quiet -m lab --ignore tests/lab/test_contract.py --randomly-dont-reorganize

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
