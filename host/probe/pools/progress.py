"""Parsers of what `zpool status` says of work that takes long."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from host.inventory import Checkpoint, Expansion, Filling, Removal, Scan

_WORDS = {"SCANNING", "FINISHED", "CANCELED"}
_FUNCTIONS = {"SCRUB", "RESILVER", "ERRORSCRUB"}
_FILLINGS = {"ACTIVE", "SUSPENDED", "CANCELED", "COMPLETE"}


def scan(answer: dict[str, Any] | None) -> Scan | None:
    """The current scrub or resilver, or the last one."""
    if not answer or answer["function"] in {"NONE", "-"}:
        return None
    total, issued, skipped = (number(answer.get(key)) for key in ("to_examine", "issued", "skipped"))
    scanning = answer["state"] == "SCANNING"
    due = total - skipped
    return Scan(
        function=_known(answer["function"], _FUNCTIONS),
        state=_known(answer["state"], _WORDS),
        started=moment(answer.get("start_time")),
        finished=None if scanning else moment(answer.get("end_time")),
        percent=round(min(100.0, 100.0 * issued / due), 2) if scanning and due > 0 else None,
        errors=number(answer.get("errors")),
        total_bytes=total,
        examined_bytes=number(answer.get("examined")),
        issued_bytes=issued,
        skipped_bytes=skipped,
        repaired_bytes=number(answer.get("processed")),
        paused=moment(answer.get("scrub_pause")) if scanning else None,
        paused_s=number(answer.get("scrub_spent_paused")),
        pass_started=moment(answer.get("pass_start")),
        pass_issued_bytes=number(answer.get("issued_bytes_per_scan")),
    )


def removal(answer: dict[str, Any] | None) -> Removal | None:
    """The current removal of a top-level vdev, or the last one."""
    if not answer:
        return None
    state = _known(answer["state"], _WORDS)
    return Removal(
        state=state,
        vdev=_vdev(answer, "removing_vdev"),
        started=moment(answer.get("start_time")),
        finished=None if state == "SCANNING" else moment(answer.get("end_time")),
        total_bytes=number(answer.get("to_copy")),
        copied_bytes=number(answer.get("copied")),
        mapping_memory_bytes=number(answer.get("mapping_memory")),
    )


def expansion(answer: dict[str, Any] | None) -> Expansion | None:
    """The current expansion of a RAIDZ, or the last one."""
    if not answer:
        return None
    state = _known(answer["state"], _WORDS)
    return Expansion(
        state=state,
        vdev=_vdev(answer, "expanding_vdev"),
        started=moment(answer.get("start_time")),
        finished=None if state == "SCANNING" else moment(answer.get("end_time")),
        total_bytes=number(answer.get("to_reflow")),
        copied_bytes=number(answer.get("reflowed")),
        waiting=bool(number(answer.get("waiting_for_resilver"))),
    )


def _vdev(answer: dict[str, Any], place: str) -> str | None:
    """What zpool calls the vdev: here its name lacks the place, which stands beside it. A disk is its path.
    One that was removed is called `indirect` afterwards, and nobody knows it by that name."""
    name = answer.get("name")
    if name is None or name == "indirect":
        return None
    return str(name) if str(name).startswith("/") else f"{name}-{answer[place]}"


def checkpoint(answer: dict[str, Any] | None) -> Checkpoint | None:
    """The checkpoint that is kept, or is being discarded."""
    if not answer or answer["state"] == "NONE":
        return None
    return Checkpoint(
        state=_known(answer["state"], {"EXISTS", "DISCARDING"}),
        taken=moment(answer.get("start_time")),
        size_bytes=number(answer.get("space")),
    )


def trim(answer: dict[str, Any]) -> Filling | None:
    """The current trim of a leaf, or the last one."""
    return _filling(answer, "trim_state", "trimmed", "to_trim", "trim_time", "trim_errors")


def initialize(answer: dict[str, Any]) -> Filling | None:
    """The current initialization of a leaf, or the last one."""
    return _filling(answer, "init_state", "initialized", "to_initialize", "init_time", "init_errors")


def _filling(
    answer: dict[str, Any], state: str, done: str, total: str, when: str, errors: str
) -> Filling | None:
    word = answer.get(state)
    if word in {None, "NONE", "UNTRIMMED", "UNINITIALIZED"}:
        return None
    return Filling(
        state=_known(str(word), _FILLINGS),
        done_bytes=number(answer.get(done)),
        total_bytes=number(answer.get(total)),
        changed=moment(answer.get(when)),
        errors=number(answer.get(errors)),
    )


def moment(seconds: int | str | None) -> str | None:
    """Seconds since 1970 as ISO 8601; 0, `-` and none are no moment."""
    value = number(seconds)
    return datetime.fromtimestamp(value, UTC).isoformat() if value else None


def number(value: int | str | None) -> int:
    """A count; whatever is none is 0."""
    text = str(value)
    return int(text) if text.isdecimal() else 0


def _known(word: str, words: set[str]) -> str:
    return word if word in words else "UNKNOWN"
