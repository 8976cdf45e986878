"""What our zedlet starts for each event of a pool (zed(8)): counts it, for the worker to read.

- An event that follows another of its class, pool and vdev is counted on the line of that one: a thousand
  checksum errors are one line, and what is rare is not pushed out by what is frequent.
- Values come from the environment, `ZEVENT_…`. Each is held to a closed pattern; an event without a class or
  number is not kept, any other value that is not so is left out. It starts nothing and asks nobody.
- zed runs up to sixteen of these at once, in no order: the file is changed under a lock and put in place
  whole. They may be a thousand within a minute, so it imports neither re nor json, which take longer to load
  than all that is done here.
"""

from __future__ import annotations

import fcntl
import os
import sys
import time
from collections.abc import Mapping

from host.zed import CHANGES, COLUMNS, DEVICES, EMPTY, FAULTS, FOLDER, MOST_LINES

# Faults of one cause come in bursts with pauses; changes of state are told one by one, but for a connector
# that swings.
_FOLLOWS_MS = {FAULTS: 900_000, DEVICES: 10_000, CHANGES: 10_000}
_ANOTHER_MOMENT_MS = 10_000
_LATEST_S = 9_000_000_000  # in nanoseconds still a number of 63 bits
_LONGEST_DELAY_MS = 86_400_000
_BOOT_ID = "/proc/sys/kernel/random/boot_id"
_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
_DIGITS = frozenset("0123456789")
_HEXADECIMAL = _DIGITS | frozenset("abcdefABCDEF")
_OF_CLASS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789_.")
_OF_POOL = _LETTERS | _DIGITS | frozenset("_-.: ")  # zpoolconcepts(7)
_OF_PATH = _LETTERS | _DIGITS | frozenset("_-.:+=@#/")
_OF_STATE = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ_")


def main(environment: Mapping[str, str] = os.environ, *, folder: str = FOLDER) -> int:
    """The exit status: 0 once it is counted, 2 for what is no event of ZFS."""
    found = read(environment, boot=_boot(), up_ms=time.clock_gettime_ns(time.CLOCK_BOOTTIME) // 1_000_000)
    if found is None:
        sys.stderr.write("This is no event of ZFS; it was not kept.\n")
        return 2
    keep(found, folder)
    return 0


def read(environment: Mapping[str, str], *, boot: str, up_ms: int) -> dict[str, str] | None:
    """The columns of an event that came `up_ms` after the start; None for what is none."""
    event = _sound(environment.get("ZEVENT_CLASS"), _OF_CLASS, 64)
    eid = _number(environment.get("ZEVENT_EID"), 10**18)
    if eid is None or not event.startswith((FAULTS, DEVICES, CHANGES)):
        return None
    seconds = _number(environment.get("ZEVENT_TIME_SECS"), _LATEST_S) or 0
    at_ns = seconds * 1_000_000_000 + (_number(environment.get("ZEVENT_TIME_NSECS"), 10**9) or 0)
    pool = _sound(environment.get("ZEVENT_POOL"), _OF_POOL, 255)
    path = _sound(environment.get("ZEVENT_VDEV_PATH"), _OF_PATH, 255)
    error = _number(environment.get("ZEVENT_ZIO_ERR"), 10_000)
    delay = _number(environment.get("ZEVENT_ZIO_DELAY"), _LONGEST_DELAY_MS * 1_000_000)
    return {
        "boot": boot, "eid": str(eid), "last_eid": str(eid), "at_ns": str(at_ns), "last_at_ns": str(at_ns),
        "up_ms": str(up_ms), "last_up_ms": str(up_ms), "count": "1", "moments": "1", "event": event,
        "pool": pool if pool[0] in _LETTERS else EMPTY,
        "pool_guid": _guid(environment.get("ZEVENT_POOL_GUID")),
        "vdev_guid": _guid(environment.get("ZEVENT_VDEV_GUID")),
        "state": _sound(environment.get("ZEVENT_VDEV_STATE_STR"), _OF_STATE, 16),
        "before": _sound(environment.get("ZEVENT_VDEV_LASTSTATE_STR"), _OF_STATE, 16),
        "path": path if path.startswith("/dev/") else EMPTY,
        "error": EMPTY if error is None else str(error),
        "longest_ms": EMPTY if delay is None else str(delay // 1_000_000),
    }  # fmt: skip


def keep(event: dict[str, str], folder: str) -> None:
    """Count it in the file of that folder."""
    os.makedirs(folder, mode=0o700, exist_ok=True)  # noqa: PTH103 (pathlib takes as long to load as Python)
    lock = os.open(f"{folder}/lock", os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        whole = "".join(f"{line}\n" for line in counted(_lines(f"{folder}/events"), event))
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
        with os.fdopen(os.open(f"{folder}/new", flags, 0o600), "w", encoding="ascii") as file:
            file.write(whole)
        os.replace(f"{folder}/new", f"{folder}/events")  # noqa: PTH105
    finally:
        os.close(lock)


def counted(lines: list[str], event: dict[str, str]) -> list[str]:
    """The lines with one more event: on the line that it follows, or on one of its own at the end. Of too
    many the one goes of which nothing was heard for longest."""
    known = [dict(zip(COLUMNS, parts, strict=True)) for line in lines if (parts := _parts(line))]
    before = next((one for one in reversed(known) if _follows(event, one)), None)
    if before is None:
        known.append(event)
    else:
        _count(before, event)
    while len(known) > MOST_LINES:
        known.remove(min(known, key=lambda one: int(one["last_up_ms"])))
    return ["\t".join(one[name] for name in COLUMNS) for one in known]


def _follows(event: dict[str, str], before: dict[str, str]) -> bool:
    same = ("boot", "event", "pool_guid", "vdev_guid", "state", "before")
    if any(event[name] != before[name] for name in same):
        return False
    kind = next(kind for kind in _FOLLOWS_MS if event["event"].startswith(kind))
    return int(event["up_ms"]) - int(before["last_up_ms"]) <= _FOLLOWS_MS[kind]


def _count(line: dict[str, str], event: dict[str, str]) -> None:
    later = int(event["up_ms"]) - int(line["last_up_ms"])
    line["count"] = str(int(line["count"]) + int(event["count"]))
    line["moments"] = str(int(line["moments"]) + (later >= _ANOTHER_MOMENT_MS))
    line["last_eid"] = str(max(int(line["last_eid"]), int(event["eid"])))
    line["last_at_ns"] = event["at_ns"]
    line["last_up_ms"] = str(max(int(line["last_up_ms"]), int(event["up_ms"])))
    for name in ("path", "error"):
        line[name] = line[name] if line[name] != EMPTY else event[name]
    known = [int(one["longest_ms"]) for one in (line, event) if one["longest_ms"] != EMPTY]
    line["longest_ms"] = str(max(known)) if known else EMPTY


def _parts(line: str) -> list[str]:
    """The columns of a line that this program wrote; nothing of any other."""
    parts = line.split("\t")
    if len(parts) != len(COLUMNS):
        return []
    numbers = ("eid", "last_eid", "up_ms", "last_up_ms", "count", "moments")
    whole = all(_number(parts[COLUMNS.index(name)], 10**18) is not None for name in numbers)
    longest = parts[COLUMNS.index("longest_ms")]
    return parts if whole and (longest == EMPTY or _number(longest, 10**18) is not None) else []


def _lines(path: str) -> list[str]:
    try:
        file = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except FileNotFoundError:
        return []
    with os.fdopen(file, encoding="ascii", errors="replace") as text:
        return text.read().splitlines()


def _boot() -> str:
    """The number of this start of the machine: those of events begin anew with each."""
    try:
        with open(_BOOT_ID, encoding="ascii") as file:  # noqa: PTH123
            return _sound(file.read().strip(), _HEXADECIMAL | {"-"}, 36)
    except OSError:
        return EMPTY


def _sound(text: str | None, letters: frozenset[str], longest: int) -> str:
    return text if text and len(text) <= longest and letters.issuperset(text) else EMPTY


def _number(text: str | None, bound: int) -> int | None:
    if not text or len(text) > 20 or not _DIGITS.issuperset(text) or int(text) >= bound:
        return None
    return int(text)


def _guid(text: str | None) -> str:
    """As ZFS prints it elsewhere: zed writes guids in hexadecimal digits. 0 is none."""
    digits = (text or "").removeprefix("0x")
    if not text or digits == text or not 1 <= len(digits) <= 16 or not _HEXADECIMAL.issuperset(digits):
        return EMPTY
    return str(int(digits, 16)) if int(digits, 16) else EMPTY
