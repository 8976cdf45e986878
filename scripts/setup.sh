#!/bin/sh
# Makes everything that `make run` and `make test` need: .venv from the lock, and the built front end.
# Quick when nothing changed.
set -eu
cd "$(dirname "$0")/.."

say() { printf '%s\n' "$*" >&2; }

works() {
    "$1" -c 'import sys, ssl, sqlite3, ctypes, lzma, venv, ensurepip
sys.exit(sys.version_info < (3, 12))' >/dev/null 2>&1
}

find_python() {
    for name in "${PYTHON:-}" python3.13 python3.14 python3.12 python3 \
        "$HOME"/.pyenv/versions/3.1[2-9]*/bin/python3 /usr/local/bin/python3.1[2-9] /opt/python*/bin/python3; do
        if [ -n "$name" ] && works "$name"; then
            command -v "$name"
            return
        fi
    done
    say "Nasweb needs a Python of version 3.12 or later with venv, ssl and sqlite3 (on Debian: apt install python3 python3-venv); none of those found here works."
    return 1
}

# A package of Debian, installed when root may, named otherwise.
need() {
    command -v "$1" >/dev/null 2>&1 && return
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
        say "Installing $2"
        wait='-o DPkg::Lock::Timeout=300' # another set-up, or Debian's own upgrade, may be at it
        # shellcheck disable=SC2086
        apt-get $wait update -qq >/dev/null
        # shellcheck disable=SC2086  # several packages may be named
        DEBIAN_FRONTEND=noninteractive apt-get $wait install -y -qq --no-install-recommends $2 >/dev/null
    else
        say "$1 is missing; install it with: apt install $2"
        exit 1
    fi
}

if [ ! -x .venv/bin/python ] || ! works .venv/bin/python; then
    python=$(find_python)
    rm -rf .venv
    "$python" -m venv .venv
fi
if [ ! -f .venv/.locked ] || [ uv.lock -nt .venv/.locked ]; then
    say "Installing the locked dependencies"
    [ -x .venv/bin/uv ] || .venv/bin/python -m pip install --quiet --disable-pip-version-check 'uv>=0.13'
    UV_PYTHON_DOWNLOADS=never .venv/bin/uv sync --frozen --quiet --inexact
    touch .venv/.locked
fi

need npm "nodejs npm"
if [ ! -f frontend/node_modules/.locked ] || [ frontend/package-lock.json -nt frontend/node_modules/.locked ]; then
    say "Installing the front end's packages"
    npm ci --prefix frontend --no-audit --no-fund --loglevel=error >/dev/null
    touch frontend/node_modules/.locked
fi
if [ ! -d frontend/static/dist ] || [ -n "$(find frontend/src frontend/build.mjs frontend/package-lock.json -newer frontend/static/dist -print -quit)" ]; then
    say "Building the front end"
    npm run --silent --prefix frontend build
    touch frontend/static/dist
fi

case "${1:-}" in
    # The shell is the same engine without windows, at half the cost; where there is none, the whole one does.
    test) (need chromium-headless-shell chromium-headless-shell) || need chromium chromium ;;
esac
