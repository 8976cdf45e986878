#!/bin/sh
# Everything that can be said of the code without running the product. Tells all faults, then fails.
set -u
cd "$(dirname "$0")/.." || exit
PATH="$PWD/.venv/bin:$PATH"
failed=0
step() {
    printf '%-14s' "$1"
    shift
    if output=$("$@" 2>&1); then echo ok; else
        failed=1
        printf 'FAILED\n%s\n' "$output"
    fi
}
step ruff ruff check .
step format ruff format --check .
step mypy mypy host jobs pools disks shares machine alerts nasweb frontend
step djlint djlint --lint --quiet frontend/templates
step shellcheck shellcheck scripts/*.sh tests/compose/*.sh tests/lab/*.sh .ci/run ansible/roles/*/files/libexec/* \
    ansible/roles/*/files/kernel/* ansible/roles/*/files/sbin/*
step ansible-lint ansible-lint --offline -q ansible
step architecture python -m pytest --quiet -p no:randomly tests/test_architecture.py
exit $failed
