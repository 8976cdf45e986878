#!/bin/sh
# The console against a simulated machine: web, worker (with the clock in it) and, where installed, Redis. Ctrl-C stops all.
set -eu
cd "$(dirname "$0")/.."

export PORT="${PORT:-8000}" BIND="${BIND:-127.0.0.1}" MACHINE="${MACHINE:-home}"
DATA_DIR="${DATA_DIR:-var}"
mkdir -p "$DATA_DIR"
chmod 700 "$DATA_DIR"
DATA_DIR=$(cd "$DATA_DIR" && pwd)
export DATA_DIR
PATH="$PWD/.venv/bin:$PATH"

python -c 'import errno, os, socket, sys
bind, port = os.environ["BIND"], os.environ["PORT"]
try:
    with socket.socket() as s:
        s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        s.bind((bind, int(port)))
except (OSError, OverflowError, ValueError) as error:
    taken = getattr(error, "errno", None) == errno.EADDRINUSE
    fault = getattr(error, "strerror", None) or "a port is a number from 1 to 65535"
    why = "is in use by another program" if taken else f"cannot be used ({fault})"
    sys.exit(f"Port {port} on {bind} {why}; choose another: PORT=<number> make run")'

# Unix sockets have short names (108 bytes), and DATA_DIR may be deep: so they live in a folder of their own.
RUN_DIR=$(mktemp -d "${TMPDIR:-/tmp}/nasweb.XXXXXX")
export RUN_DIR
# A shell that a signal ends does not run its EXIT trap, so each signal becomes an exit.
trap 'rm -rf "$RUN_DIR" "$DATA_DIR/listens"' EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM
REDIS=$(command -v redis-server || command -v valkey-server || true)
if [ -n "$REDIS" ]; then
    export REDIS BROKER_START=true
    export NASWEB_BROKER_URL="redis+socket://$RUN_DIR/redis.sock"
else
    export REDIS=none BROKER_START=false
    export NASWEB_BROKER_URL="filesystem://localhost/"
fi
export NASWEB_HOST=simulated
echo "$BIND $PORT" >"$DATA_DIR/listens" # for commands on the same data: see nasweb/environment.py

python manage.py prepare
echo "Nasweb listens on http://$BIND:$PORT (simulated machine: $MACHINE, data in $DATA_DIR). Ctrl-C stops it."

# supervisord opens /dev/stdout anew for its programs, which fails where another user made it (su, sudo). A pipe of
# our own is always ours. It closes, and cat ends, when the last program has ended.
mkfifo "$RUN_DIR/output"
(trap '' INT TERM HUP && exec cat) <"$RUN_DIR/output" &
supervisord --nodaemon --silent --configuration scripts/supervisord.conf >"$RUN_DIR/output" 2>&1 &
supervisor=$!
# Whatever ends this script ends them all; supervisord itself would take a HUP as a wish to start anew.
trap 'kill -TERM "$supervisor" 2>/dev/null || true' HUP INT TERM
status=0
while kill -0 "$supervisor" 2>/dev/null; do # a signal ends a wait early
    wait "$supervisor" && status=0 || status=$?
done
wait || true
exit "$status"
