#!/bin/sh
# Usage: scripts/release.sh FOLDER
# Puts what a NAS needs into FOLDER: the packages, the built front end, the locked requirements and the playbook.
# Only what git tracks, plus the built front end; the same sources give the same bytes. With it, in `wheels`, the
# dependencies for Debian 13's Python on machines like this one: installing needs no package index, so no Internet.
set -eu
[ $# = 1 ] || { echo "Usage: scripts/release.sh FOLDER" >&2; exit 2; }
cd "$(dirname "$0")/.."

fail() { echo "$*" >&2; exit 1; }
case $1 in
    /*) out=$1 ;;
    *) out=$PWD/$1 ;;
esac
[ ! -e "$out" ] || [ -f "$out/VERSION" ] || fail "$out exists and is no release; it is left alone."
[ -d frontend/static/dist ] || fail "The front end is not built. Run: make setup"
uv=.venv/bin/uv
[ -x "$uv" ] || uv=$(command -v uv) || fail "uv is missing. Run: make setup"

new=$out.partial
rm -rf "$new"
mkdir -p "$new"

# shellcheck disable=SC2016  # the inner shell expands it
{
    git ls-files -z -- manage.py host jobs pools disks shares replication backups machine accounts alerts nasweb frontend ansible \
        ':!frontend/src' ':!frontend/*.mjs' ':!frontend/package*.json'
    find frontend/static/dist -type f -print0
} |
    # A file deleted in the work tree but not yet in git is not part of what runs here, so not of the release either.
    xargs -0 sh -c 'for file; do if [ -f "$file" ]; then printf "%s\0" "$file"; fi; done' sh |
    tar --create --null --files-from=- |
    tar --extract --no-same-owner --directory "$new"
"$uv" export --frozen --no-dev --no-emit-project --no-annotate --no-header --format requirements-txt --quiet \
    --output-file "$new/requirements.txt"

# The same sources have the same version wherever they are built; it names the folder they are installed to.
number=$(sed -n 's/^version = "\(.*\)"$/\1/p' pyproject.toml)
digest=$(cd "$new" && find . -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum | cut -c1-12)
echo "$number+$digest" >"$new/VERSION"

wheels() {
    # Not changed since the last release: nothing to fetch.
    if [ -d "$out/wheels" ] && cmp -s "$out/requirements.txt" "$new/requirements.txt"; then
        cp -a "$out/wheels" "$new/wheels"
        return
    fi
    # pip takes a platform word for word, so every glibc up to Debian 13's (2.41) is named.
    platforms=$(seq -f "--platform=manylinux_2_%.0f_$(uname -m)" 41 -1 5)
    # shellcheck disable=SC2086  # one word each
    .venv/bin/python -m pip download --quiet --disable-pip-version-check --dest "$new/wheels" --require-hashes \
        --requirement "$new/requirements.txt" --only-binary=:all: --python-version 3.13 --implementation cp \
        --abi cp313 --abi abi3 --abi none $platforms "--platform=manylinux2014_$(uname -m)"
}
wheels

chmod -R u=rwX,go=rX "$new"
find "$new" -exec touch --no-dereference --date="@$(git log -1 --format=%ct)" {} +
rm -rf "$out"
mv "$new" "$out"
echo "$out holds Nasweb $(cat "$out/VERSION")"
