"""Parsers of `zpool status` and `zpool get`."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from host.inventory import Pool, Scan, Vdev
from host.inventory.pools import Role
from host.probe.json_output import decode

_STATES = {
    "ONLINE", "DEGRADED", "FAULTED", "OFFLINE", "UNAVAIL", "REMOVED", "AVAIL", "INUSE", "SUSPENDED",
}  # fmt: skip
# Sibling keys of "vdevs" in the answer; data vdevs sit under one root vdev named after the pool.
_SIBLINGS: tuple[tuple[str, Role], ...] = (
    ("special", "special"),
    ("dedup", "dedup"),
    ("logs", "log"),
    ("l2cache", "cache"),
    ("spares", "spare"),
)


def parse_zpool_status(text: str, settings: dict[str, dict[str, str]]) -> tuple[Pool, ...]:
    """Pools in the order of their names. `settings` are their properties by pool."""
    pools = decode(text, command="zpool status")["pools"]
    return tuple(_pool(pools[name], settings.get(name, {})) for name in sorted(pools))


def parse_zpool_get(text: str) -> dict[str, dict[str, str]]:
    """Property values by pool and name."""
    pools = decode(text, command="zpool get")["pools"]
    return {
        pool: {name: str(entry["value"]) for name, entry in answer["properties"].items()}
        for pool, answer in pools.items()
    }


def _pool(answer: dict[str, Any], settings: dict[str, str]) -> Pool:
    data = [vdev for root in answer.get("vdevs", {}).values() for vdev in _children(root, "data")]
    others = [_vdev(vdev, role) for key, role in _SIBLINGS for vdev in answer.get(key, {}).values()]
    return Pool(
        name=answer["name"],
        guid=str(answer["pool_guid"]),
        state=_state(answer["state"]),
        vdevs=(*data, *others),
        size_bytes=_number(settings.get("size")),
        allocated_bytes=_number(settings.get("allocated")),
        free_bytes=_number(settings.get("free")),
        ashift=_number(settings.get("ashift")),
        scan=_scan(answer.get("scan_stats")),
        data_errors=_number(answer.get("error_count")),
        status=answer.get("status"),
        action=answer.get("action"),
        properties=settings,
    )


def _children(vdev: dict[str, Any], role: Role) -> tuple[Vdev, ...]:
    return tuple(_vdev(child, role) for child in vdev.get("vdevs", {}).values())


def _vdev(answer: dict[str, Any], role: Role) -> Vdev:
    children = _children(answer, role)
    return Vdev(
        guid=str(answer["guid"]),
        name=answer["name"],
        kind=answer["vdev_type"],
        role=role,
        state=_state(answer["state"]),
        read_errors=_number(answer.get("read_errors")),
        write_errors=_number(answer.get("write_errors")),
        checksum_errors=_number(answer.get("checksum_errors")),
        path=answer.get("path") or (answer["name"] if not children else None),
        note=f"was {answer['was']}" if "was" in answer else answer.get("aux"),
        children=children,
    )


def _state(word: str) -> str:
    return word if word in _STATES else "UNKNOWN"


def _scan(answer: dict[str, Any] | None) -> Scan | None:
    if not answer or answer["function"] in {"NONE", "-"}:
        return None
    total, issued = _number(answer.get("to_examine")), _number(answer.get("issued"))
    scanning = answer["state"] == "SCANNING"
    return Scan(
        function=answer["function"],
        state=answer["state"],
        started=_moment(answer.get("start_time")),
        finished=None if scanning else _moment(answer.get("end_time")),
        percent=round(min(100.0, 100.0 * issued / total), 2) if scanning and total else None,
        errors=_number(answer.get("errors")),
    )


def _moment(seconds: int | str | None) -> str | None:
    return datetime.fromtimestamp(_number(seconds), UTC).isoformat() if seconds else None


def _number(value: int | str | None) -> int:
    text = str(value)
    return int(text) if text.isdigit() else 0
