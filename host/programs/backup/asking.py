"""Answers about a repository, at once: its snapshots, a folder of one, the keys of a server."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import msgspec

from host.files.names import components, shown
from host.programs.backup.restic import Restic, parse, scan_keys
from host.programs.backup.saving import tag_of
from host.repositories.answers import (
    RepositorySnapshot,
    RepositorySnapshots,
    ServerKey,
    ServerKeys,
    StoredEntry,
    StoredFolder,
)
from host.repositories.settings import fingerprint
from host.repositories.words import clean, problem
from host.system.following import Follow

_MOST_SNAPSHOTS, _MOST_ENTRIES = 1000, 5000
_KINDS = {"file": "file", "dir": "folder", "symlink": "link"}
_listed = msgspec.json.Decoder(list[dict[str, Any]])
_TAG, _DATASET = tag_of(""), "dataset:"


def snapshots(restic: Restic) -> RepositorySnapshots:
    """Raises `RepositoryProblem`."""
    lines: list[bytes] = []
    result = restic.raw("snapshots", "--no-lock", at="/", line=lines.append)
    restic.check(result)
    try:
        rows = _listed.decode(b"".join(lines) or b"[]")
    except msgspec.DecodeError:
        raise problem("other", restic.to.place, "it answered in another format") from None
    found = sorted((_snapshot(row) for row in rows), key=lambda one: one.made_at, reverse=True)
    return RepositorySnapshots(results=tuple(found[:_MOST_SNAPSHOTS]), total=len(found))


def _snapshot(row: dict[str, Any]) -> RepositorySnapshot:
    tags = tuple(clean(str(tag)) for tag in row.get("tags") or ())
    summary = row.get("summary") or {}
    size = summary.get("total_bytes_processed")
    return RepositorySnapshot(
        id=str(row.get("id", ""))[:64], made_at=_moment(str(row.get("time", ""))) or "",
        host=clean(str(row.get("hostname", ""))), tags=tags,
        paths=tuple(clean(str(path)) for path in row.get("paths") or ())[:20],
        dataset=next((tag.removeprefix(_DATASET) for tag in tags if tag.startswith(_DATASET)), None),
        backup=next((tag.removeprefix(_TAG) for tag in tags if tag.startswith(_TAG)), None),
        size_bytes=size if isinstance(size, int) else None,
    )  # fmt: skip


def _moment(text: str) -> str | None:
    try:
        return datetime.fromisoformat(text).astimezone(UTC).isoformat(timespec="seconds")
    except (ValueError, OverflowError):  # another time zone's year 10 000
        return None


def folder(restic: Restic, stored: str, path: str) -> StoredFolder:
    """Raises `RepositoryProblem`, `BadPath`."""
    names = [one.decode("utf-8", "surrogateescape") for one in components(path)]
    at = "/" + "/".join(names)
    found: list[StoredEntry] = []
    first: list[dict[str, Any]] = []

    def take(line: bytes) -> None:
        node = parse(line)
        if node.get("struct_type") != "node" and node.get("message_type") != "node":
            return
        here = str(node.get("path", ""))
        if here == at:
            first.append(node)
        elif here.rpartition("/")[0] == at.rstrip("/") and len(found) <= _MOST_ENTRIES:
            found.append(_entry(node, path))

    result = restic.raw("ls", "--no-lock", stored, at, at="/", line=take)
    restic.check(result)
    if names and not first:
        raise problem("not-found", f"{path} in that snapshot")
    ordered = sorted(found[:_MOST_ENTRIES], key=lambda one: (one.kind != "folder", one.name.casefold()))
    return StoredFolder(results=tuple(ordered), cut=len(found) > _MOST_ENTRIES)


def _entry(node: dict[str, Any], below: str) -> StoredEntry:
    name = str(node.get("name", ""))
    text = shown(name.encode("utf-8", "surrogatepass"))
    sound = "�" not in name and name not in {"", ".", ".."} and "/" not in name
    kind: Any = _KINDS.get(str(node.get("type", "")), "other")
    size = node.get("size", 0)
    return StoredEntry(
        name=text, kind=kind, path=f"{below}/{text}".removeprefix("/") if sound else None,
        size_bytes=size if isinstance(size, int) else 0, modified_at=_moment(str(node.get("mtime", ""))),
    )  # fmt: skip


def server_keys(host: str, port: int, follow: Follow) -> ServerKeys:
    """Raises `RepositoryProblem`."""
    found = scan_keys(host, port, follow, lambda: False)
    keys = tuple(
        ServerKey(key=key, fingerprint=mark) for key in found if (mark := fingerprint(key)) is not None
    )
    if not keys:
        raise problem("unreachable", f"{host}, port {port}, shows no key of an SSH server: it")
    return ServerKeys(results=keys)
