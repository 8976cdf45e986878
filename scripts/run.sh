#!/bin/sh
# The console against a simulated machine: web, worker (with beat in it) and, where installed, Redis. Ctrl-C stops all.
set -eu
cd "$(dirname "$0")/.."

export PORT="${PORT:-8000}" BIND="${BIND:-127.0.0.1}" MACHINE="${MACHINE:-home}"
DATA_DIR="${DATA_DIR:-var}"
mkdir -p "$DATA_DIR"
chmod 700 "$DATA_DIR"
DATA_DIR=$(cd "$DATA_DIR" && pwd)
export DATA_DIR
PATH="$PWD/.venv/bin:$PATH"

if ! python -c 'import os, socket, sys
s = socket.socket(); s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
s.bind((os.environ["BIND"], int(os.environ["PORT"])))' 2>/dev/null; then
    echo "Port $PORT on $BIND cannot be used (something else listens there, or it is not allowed). Choose another: PORT=8001 make run" >&2
    exit 1
fi

# Unix sockets have short names (108 bytes), and DATA_DIR may be deep: so they live in a folder of their own.
RUN_DIR=$(mktemp -d "${TMPDIR:-/tmp}/nasweb.XXXXXX")
export RUN_DIR
REDIS=$(command -v redis-server || command -v valkey-server || true)
if [ -n "$REDIS" ]; then
    export REDIS BROKER_START=true
    export NASWEB_BROKER_URL="redis+socket://$RUN_DIR/redis.sock"
else
    export REDIS=none BROKER_START=false
    export NASWEB_BROKER_URL="filesystem://"
fi
export NASWEB_HOST=simulated

python manage.py migrate --noinput --verbosity 0
python manage.py collectstatic --noinput --verbosity 0
echo "Nasweb listens on http://$BIND:$PORT (simulated machine: $MACHINE, data in $DATA_DIR). Ctrl-C stops it."
python manage.py setup

# supervisord opens /dev/stdout anew for its programs, which fails where another user made it (su, sudo). A pipe of
# our own is always ours. It closes, and cat ends, when the last program has ended.
mkfifo "$RUN_DIR/output"
(trap '' INT TERM HUP && exec cat) <"$RUN_DIR/output" &
exec >"$RUN_DIR/output" 2>&1
exec supervisord --nodaemon --silent --configuration scripts/supervisord.conf
