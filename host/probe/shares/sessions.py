"""Parsers of `smbstatus --json` and of the files in /proc/fs/nfsd/clients, and the read of both."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import msgspec

from host import typed
from host.base import Host, UnknownFormat
from host.commands.shares.sessions import NfsClients, SambaStatus
from host.inventory.sessions import Mode, OpenFile, Session
from host.lines import lines

_INTERNAL = {"IPC$"}  # to which clients connect for talk, not for files
_STATE = re.compile(
    r"- 0x[0-9a-f]+: \{ type: [a-z]+(?:, access: (?P<access>[rw-]+))?.*?"
    r'filename: "(?P<name>.*?)"(?:, owner: ".*")? \}\s*'
)
_MODES: dict[tuple[bool, bool], Mode] = {
    (False, False): "none",
    (True, False): "read",
    (False, True): "write",
    (True, True): "both",
}


def read_sessions(host: Host) -> tuple[Session, ...]:
    """Everybody who is connected over SMB, then all NFSv4 clients. Two commands. Raises `HostError`."""
    samba = parse_smbstatus(host.run(SambaStatus()).stdout)
    return (*samba, *parse_nfs_clients(host.run(NfsClients()).stdout))


def parse_smbstatus(text: str) -> tuple[Session, ...]:
    """One for each session, by their numbers; none for an empty answer. Raises `UnknownFormat`."""
    if not text.strip():
        return ()
    try:
        report = typed.decode(text)
        sessions, tcons, files = (report.get(key, {}) for key in ("sessions", "tcons", "open_files"))
        keys = sorted(sessions, key=int)
        files_of = _files_of(keys, sessions, files)
        return tuple(
            _samba_session(key, sessions[key], tcons.values(), files_of.get(key, [])) for key in keys
        )
    except (msgspec.DecodeError, KeyError, TypeError, ValueError, AttributeError) as error:
        raise UnknownFormat(f"smbstatus answers in a format that is not known here: {error!r}") from None


def _files_of(keys: list[str], sessions: dict[str, Any], files: dict[str, Any]) -> dict[str, list[OpenFile]]:
    """The files of each session, by path.

    An open file names its process and its person: two sessions of one person in one process cannot be told
    apart, so the first of them gets the files; a file of nobody's session goes to the process's first.
    """
    owners: dict[tuple[str, int | None], str] = {}
    for key in keys:
        process = sessions[key]["server_id"]["pid"]
        owners.setdefault((process, int(sessions[key]["uid"])), key)
        owners.setdefault((process, None), key)
    found: dict[str, list[OpenFile]] = defaultdict(list)
    for one in files.values():
        folder, name = one["service_path"], one["filename"]
        path = folder if name in {"", "."} else f"{folder}/{name}"
        for opening in one["opens"].values():
            letters = opening["access_mask"]["text"]
            mode = _MODES["R" in letters, "W" in letters]
            process = opening["server_id"]["pid"]
            owner = owners.get((process, int(opening["uid"]))) or owners.get((process, None))
            if owner is not None:  # else it came after its session was read
                opened = OpenFile(path=path, mode=mode, since=_moment(opening.get("opened_at")))
                found[owner].append(opened)
    return found


def _samba_session(key: str, report: dict[str, Any], tcons: Any, files: list[OpenFile]) -> Session:
    own = [one for one in tcons if one["session_id"] == key and one["service"] not in _INTERNAL]
    return Session(
        id=f"smb-{key}",
        protocol="smb",
        number=int(report["server_id"]["pid"]),
        machine=report["remote_machine"],
        address=_samba_address(report["hostname"]),
        dialect=report["session_dialect"],
        person=report["username"],
        since=_moment(report.get("creation_time")),
        # A share may ask for it by itself: the session then says "partial", which alone means nothing.
        encrypted=_full(report["encryption"]) or (bool(own) and all(_full(one["encryption"]) for one in own)),
        signed=_full(report["signing"]),
        shares=tuple(sorted({one["service"] for one in own})),
        files=tuple(sorted(files, key=lambda one: one.path)),
    )


def _full(crypto: dict[str, str]) -> bool:
    return crypto["degree"] == "full"


def _samba_address(text: str) -> str | None:
    """`ipv4:10.0.2.2:51234` → `10.0.2.2`; None for what is no address."""
    family, _, rest = text.partition(":")
    if family not in {"ipv4", "ipv6"}:
        return None
    return rest.rpartition(":")[0].strip("[]") or None


def _moment(text: Any) -> str | None:
    """The time in UTC; None for none, and for what is not understood."""
    try:
        moment = datetime.fromisoformat(str(text))
    except ValueError:
        return None
    return moment.astimezone(UTC).isoformat(timespec="seconds") if moment.tzinfo else None


def parse_nfs_clients(text: str) -> tuple[Session, ...]:
    """One for each client that has an `info`, in the order of their numbers."""
    infos: dict[int, dict[str, str]] = defaultdict(dict)
    files: dict[int, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for number, kind, line in _nfs_lines(text):
        if kind == "info":
            name, _, value = line.partition(":")
            infos[number].setdefault(name.strip(), value.strip().strip('"'))
        elif (found := _STATE.fullmatch(line)) is not None:
            files[number][found["name"]] |= set(found["access"] or "")
    return tuple(_nfs_client(number, infos[number], files.get(number, {})) for number in sorted(infos))


def _nfs_lines(text: str) -> Iterator[tuple[int, str, str]]:
    for line in lines(text):
        path, null, said = line.partition("\0")
        number, _, kind = path.rpartition("/clients/")[2].partition("/")
        if null and number.isdecimal() and kind in {"info", "states"}:
            yield int(number), kind, said


def _nfs_client(number: int, info: dict[str, str], files: dict[str, set[str]]) -> Session:
    address = _nfs_address(info.get("address", ""))
    seconds = info.get("seconds from last renew", "")
    minor = info.get("minor version", "")
    return Session(
        id=f"nfs-{number}",
        protocol="nfs",
        number=number,
        machine=info.get("name") or address or "unknown",
        address=address,
        dialect=f"NFSv4.{minor}" if minor.isdecimal() else "NFSv4",
        renewed_s=int(seconds) if seconds.isdecimal() else None,
        files=tuple(
            OpenFile(path=path, mode=_MODES["r" in letters, "w" in letters])
            for path, letters in sorted(files.items())
        ),
    )


def _nfs_address(text: str) -> str | None:
    """`10.0.2.2:845` → `10.0.2.2`, `[fd00::1]:845` → `fd00::1`."""
    return text.rpartition(":")[0].strip("[]") or None
