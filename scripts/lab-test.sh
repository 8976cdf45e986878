#!/usr/bin/env bash
# The contract on real machines and, beside it, the main drill with what else is none of `make lab-drills`: a
# machine that waits for its disks leaves a processor to the others.
set -uo pipefail
cd "$(dirname "$0")/.."

asked=(.venv/bin/python -m pytest --quiet -m "lab and not drill" --randomly-dont-reorganize --durations 10)
log=build/lab-main.log
mkdir -p build
"${asked[@]}" tests/lab --ignore tests/lab/test_contract.py >"$log" 2>&1 &
main=$!
# What runs in the background does not get Ctrl-C. Its machines end with it.
trap 'kill -TERM "$main" 2>/dev/null; wait; exit 130' INT TERM HUP
failed=0
"${asked[@]}" tests/lab/test_contract.py || failed=1
wait "$main" || failed=1
cat "$log"
exit $failed
