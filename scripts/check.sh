#!/bin/sh
# All checks of the code that do not run the product, in parallel. Shows all faults, then fails.
set -u
cd "$(dirname "$0")/.." || exit
PATH="$PWD/.venv/bin:$PATH"
said=$(mktemp -d)
trap 'rm -rf "$said"' EXIT
trap 'exit 130' INT TERM
begun=''
step() {
    name=$1
    shift
    "$@" >"$said/$name" 2>&1 &
    begun="$begun $name:$!"
}
# The longest first: they begin while there is nothing else to do.
step ansible-lint ansible-lint --offline -q ansible
step mypy mypy
step architecture python -m pytest --quiet -p no:randomly tests/test_architecture.py
step djlint djlint --lint --quiet frontend
step shellcheck shellcheck scripts/*.sh tests/compose/*.sh tests/lab/*.sh .ci/run ansible/roles/*/files/libexec/* \
    ansible/roles/*/files/kernel/* ansible/roles/*/files/sbin/* ansible/roles/*/files/zed/*
step ruff ruff check .
step format ruff format --check .

failed=0
for one in $begun; do
    printf '%-14s' "${one%:*}"
    if wait "${one#*:}"; then echo ok; else
        failed=1
        printf 'FAILED\n%s\n' "$(cat "$said/${one%:*}")"
    fi
done
exit $failed
