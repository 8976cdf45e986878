#!/bin/sh
# Builds docker-compose.yml's image without any image registry, starts everything, and creates a pool through the API.
# Uses the Docker that runs; as root, where none does, starts one of its own for the time of the test.
set -eu
cd "$(dirname "$0")/../.."
PORT="${PORT:-18000}"
export PORT
work=$(mktemp -d /var/tmp/nasweb-compose.XXXXXX)
dockerd_pid=

compose() {
    # The plugin, or Debian 12's program of its own.
    if docker compose version >/dev/null 2>&1; then
        docker compose --project-name nasweb-test "$@"
    else
        docker-compose --project-name nasweb-test "$@"
    fi
}

finish() {
    status=$?
    trap - EXIT INT TERM
    if [ $status != 0 ]; then compose logs --tail 40 >&2 || true; fi
    compose down --volumes --timeout 20 >/dev/null 2>&1 || true
    if [ -n "$dockerd_pid" ]; then
        kill "$dockerd_pid" && wait "$dockerd_pid" || true
    fi
    rm -rf "$work"
    exit $status
}
trap finish EXIT
trap 'exit 130' INT TERM

need() {
    command -v "$1" >/dev/null 2>&1 && return
    [ "$(id -u)" = 0 ] || { echo "$1 is missing; install it with: apt install $2" >&2; exit 1; }
    apt-get update -qq >/dev/null
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$2" >/dev/null
}
need mmdebstrap mmdebstrap
need docker docker.io
docker compose version >/dev/null 2>&1 || need docker-compose docker-compose

# A Docker of our own lives in a network namespace of its own: its bridge and its firewall rules go with it.
beside_docker=
if ! docker info >/dev/null 2>&1; then
    [ "$(id -u)" = 0 ] || { echo "No Docker answers, and only root can start one." >&2; exit 1; }
    need dockerd docker.io
    need iptables iptables
    need ip iproute2
    DOCKER_HOST=unix://$work/docker.sock
    export DOCKER_HOST
    # shellcheck disable=SC2016  # "$@" is the inner shell's
    unshare --net sh -c 'ip link set lo up && exec "$@"' sh \
        dockerd --host "$DOCKER_HOST" --data-root "$work/data" --exec-root "$work/exec" --pidfile "$work/pid" \
        >"$work/dockerd.log" 2>&1 &
    dockerd_pid=$!
    beside_docker="nsenter --net=/proc/$dockerd_pid/ns/net"
    tries=0
    until docker info >/dev/null 2>&1; do
        tries=$((tries + 1))
        if [ $tries = 60 ] || ! kill -0 "$dockerd_pid" 2>/dev/null; then
            tail -20 "$work/dockerd.log" >&2
            exit 1
        fi
        sleep 1
    done
fi

if ! docker image inspect nasweb-base >/dev/null 2>&1; then
    echo "Making the base image from Debian's packages"
    mmdebstrap --quiet --variant=minbase --include=ca-certificates,python3,python3-venv,redis-server trixie - |
        docker import - nasweb-base >/dev/null
fi
scripts/release.sh build/release
compose build
compose up --detach

od -An -N16 -tx1 /dev/urandom | tr -d ' \n' |
    compose exec -T web python manage.py setup --username admin --password-stdin
NASWEB_TOKEN=$(compose exec -T web python manage.py token create compose-test --scope system:read \
    --scope disks:read --scope pools:read --scope pools:write --scope jobs:read)
export NASWEB_TOKEN
# shellcheck disable=SC2086  # a command and its argument, or nothing
$beside_docker python3 tests/compose/create_pool.py "http://127.0.0.1:$PORT"
